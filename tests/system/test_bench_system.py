"""`eccel bench system`: sane figures, honest verdicts, and pages that are written from the record."""

from __future__ import annotations

import copy
import io
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from eccelerate import external
from eccelerate.cli.bench_tables import print_record
from eccelerate.configs.config import ROOT
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages import system_chart, system_page
from eccelerate.explore.system.crossing import crossing, described
from eccelerate.explore.system.measure_system import limits, summary
from eccelerate.explore.system.subjects import B163, P256, P256_X9, Hardware, hardware, paper_rates
from eccelerate.explore.system.targets import limiting_side, verdicts

OPERATIONS = ("ecdh", "sign", "verify")


def points(*rates: float) -> list[dict[str, Any]]:
    """Invented points at 1, 64 and 1,000 jobs."""
    costs = {"program_us": 10.0, "server_us": 5.0, "p50_us": 100.0, "p99_us": 200.0}
    return [
        {"in_flight": jobs, "per_second": rate, **costs}
        for jobs, rate in zip((1, 64, 1000), rates, strict=True)
    ]


def system(config: str, curve: str, rates: dict[str, float]) -> dict[str, Any]:
    """An invented engine that the application gets all of."""
    hardware_rates = {name: rate / 0.98 for name, rate in rates.items()}
    return {
        "config": config, "curve": curve, "mhz": 150.0, "device": "ecp5", "cycles_of": curve,
        "hardware": hardware_rates, "array_busy": 0.9, "late": 0,
        "points": {name: points(rate / 10, rate, rate * 1.01) for name, rate in rates.items()},
        "limits": dict.fromkeys(rates, "engine"),
    }  # fmt: skip


@pytest.fixture
def record() -> dict[str, Any]:
    """A record in which every target is met."""
    fast = {"ecdh": 34_000.0, "sign": 9_100.0, "verify": 7_600.0}
    systems = [
        system("binary-163-d64", "B-163", fast),
        system("turbo-p256", "P-256", {"ecdh": 3_600.0, "sign": 6_000.0, "verify": 2_500.0}),
    ]
    software = {curve: dict.fromkeys(OPERATIONS, 5_000.0) for curve in ("B-163", "P-256")}
    return {
        "host": "a processor", "cores": 2, "version": "OpenSSL 3.0", "date": "2026-01-01T00:00:00",
        "commit": "abc", "quick": False, "seconds": 1.0, "load_before": 0.1, "nice": -5, "openssl": software,
        "openssl_all_cores": software, "provider_cpu": dict.fromkeys(("digest-sign", *OPERATIONS), 2.0),
        "provider_cpu_us": 2.0, "host_cpu": dict.fromkeys(OPERATIONS, 10.0), "host_cpu_us": 10.0,
        "systems": systems, "counters": {"binary-163-d64 B-163": {"ecdh": {"before": 0, "after": 9}}},
        "rtl_operations": 8, "async_gain": 20.0, "clients": 64, "latency_ms": 100.0,
        "handshakes": {"synchronous": 3.0, "asynchronous": 60.0}, **summary(systems),
    }  # fmt: skip


@pytest.mark.soak
def test_the_command_measures_everything_it_promises() -> None:
    """The measurements are short and their figures coarse, but each of them is there and possible."""
    command = [sys.executable, "-m", "eccelerate.cli", "bench", "system", "--quick", "--json"]
    done = external.run(command, timeout=540, cwd=ROOT)
    assert done.code == 0, done.errors
    found = json.loads(done.text)
    wanted = {"provider_cpu_us", "host_cpu_us", "rate_loss", "async_gain", "array_busy_ratio"}
    assert wanted | {"rates", "openssl", "counters"} <= set(found)
    assert 0.5 < found["provider_cpu_us"] < 50 and 1 < found["host_cpu_us"] < 500
    for curve in ("B-163", "P-256"):
        assert set(found["rates"][curve]) == set(found["openssl"][curve]) == set(OPERATIONS)
        assert all(rate > 0 for rate in found["rates"][curve].values())
    for each in found["systems"]:
        for operation in OPERATIONS:
            measured = [point["per_second"] for point in each["points"][operation]]
            assert 0 < measured[0] < measured[-1] <= 1.1 * each["hardware"][operation]
    assert found["rate_loss"] >= 0.9 and 0 < found["array_busy_ratio"] < 1.1
    for counters in found["counters"].values():
        for name in ("ecdh", "ecdsa_sign", "ecdsa_verify"):
            assert counters[name]["after"] - counters[name]["before"] >= found["rtl_operations"]
    assert (found["async_gain"] or 0) > 1 or not external.is_installed("haproxy")
    print_record(found, Console(file=io.StringIO(), width=160))


def test_every_target_is_judged_by_its_figure(record: dict[str, Any]) -> None:
    assert all(each.met for each in verdicts(record))
    for key, bad in (
        ("provider_cpu_us", 5.1), ("host_cpu_us", 25.1), ("rate_loss", 1.16), ("async_gain", 6.9),
        ("array_busy_ratio", 0.89),
    ):  # fmt: skip
        missed = [each for each in verdicts({**record, key: bad}) if not each.met]
        assert len(missed) == 1 and missed[0].word == "MISSED"
    for operation, bad in (("ecdh", 29_999), ("sign", 8_999), ("verify", 7_499)):
        changed = copy.deepcopy(record)
        changed["rates"]["B-163"][operation] = bad
        assert [each.what for each in verdicts(changed) if not each.met] == [f"{operation} a second on B-163"]
    without = {**record, "async_gain": None, "async_note": "HAProxy is not installed"}
    assert [each.figure for each in verdicts(without) if not each.met] == ["HAProxy is not installed"]


def test_the_loss_is_the_worst_of_single_engines() -> None:
    slow = system("binary-163-d64", "B-163", {"ecdh": 30_000.0, "sign": 9_000.0, "verify": 7_000.0})
    slow["hardware"]["sign"] = 18_000.0
    cluster = system("turbo-p256-x9", "P-256", {"ecdh": 10_000.0, "sign": 10_000.0, "verify": 10_000.0})
    cluster["hardware"]["ecdh"] = 40_000.0
    found = summary([slow, cluster])
    assert (found["rate_loss"], found["rate_loss_of"]) == (2.0, "sign on B-163")
    assert found["losses"]["ecdh on P-256 (turbo-p256-x9)"] == 4.0
    assert set(found["rates"]) == {"B-163", "P-256 (turbo-p256-x9)"}


def test_the_limiting_side_is_named() -> None:
    assert limiting_side(97, hardware=100, at_once=1) == "engine"
    assert limiting_side(50, hardware=100, at_once=36) == "jobs in flight"
    assert limiting_side(50, hardware=100, at_once=4) == "host"
    figures = Hardware(100.0, "ecp5", dict.fromkeys(OPERATIONS, 1000.0), None, "B-163")
    measured = {"ecdh": points(10, 999, 1000), "sign": points(10, 500, 900)}
    assert limits(measured, figures, 4) == {"ecdh": "engine", "sign": "host"}


def test_the_hardware_rate_is_that_of_cycles_and_clock() -> None:
    stores = Stores()
    found = hardware(B163, stores)
    cycles = stores.cycles.latest(config=B163.config_name, curve="B-163")
    assert found is not None and cycles is not None
    assert found.rates["ecdh"] == pytest.approx(found.mhz * 1e6 / cycles["cycles"]["ecdh"])
    turbo = hardware(P256, stores)
    cycles = stores.cycles.latest(config="turbo-p256", curve="P-256")
    assert turbo is not None and cycles is not None
    sustained = cycles["cycles"]["ecdsa_sign_sustained"]
    assert turbo.rates["sign"] == pytest.approx(turbo.mhz * 1e6 / sustained)
    assert hardware(P256_X9, Stores.at(Path("nowhere"))) is None


def test_the_paper_has_the_rates_of_the_issue() -> None:
    assert paper_rates() == {"ecdh": 3813, "sign": 1576, "verify": 1224, "hardware": 6987}


def test_the_crossing_lies_between_the_points_around_it() -> None:
    line = [(1, 10.0), (10, 100.0), (100, 200.0)]
    assert crossing(line, 5.0) == 1
    assert crossing(line, 31.6) == pytest.approx(3.16, rel=0.01)
    assert crossing(line, 200.0) is None and crossing(line, 1000.0) is None
    dip = [(1, 100.0), (10, 50.0), (100, 200.0)]
    assert 10 < (crossing(dip, 60.0) or 0) < 100, "a dip after a first win counts"
    assert described(None) == "never" and described(1) == "from 1 job on"
    assert described(3.2) == "from 4 jobs on"


def test_pages_and_terminal_show_the_record(record: dict[str, Any], tmp_path: Path) -> None:
    stores = Stores.at(tmp_path)
    blocks = (
        system_page.rates, system_page.paper, system_page.costs, system_page.targets,
        system_page.handshakes, system_page.machine,
    )  # fmt: skip
    assert all(block(stores) == system_page.NOTHING for block in blocks)
    assert system_chart.NOTHING in system_chart.picture(stores)
    stores.system.put(record)
    text = "\n".join(block(stores) for block in blocks)
    for wanted in ("34,000", "9,100", "1,576", "met", "20.0 times as many", "a processor"):
        assert wanted in text
    assert "MISSED" not in text
    root = ElementTree.fromstring(system_chart.picture(stores))
    name = "{http://www.w3.org/2000/svg}"
    assert len(list(root.iter(f"{name}polyline"))) > 12
    words = {each.text for each in root.iter(f"{name}text")}
    assert {"binary-163-d64, B-163, 150.0 MHz", "turbo-p256, P-256, 150.0 MHz"} <= words
    out = io.StringIO()
    print_record(record, Console(file=out, width=160))
    assert "34,000" in out.getvalue() and "MISSED" not in out.getvalue()


def test_the_whole_measurement_is_stored_and_the_short_one_is_not() -> None:
    assert all(not each["quick"] for each in Stores().system)
