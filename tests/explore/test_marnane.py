"""The comparison of algorithms: the published figures agree with each other, rows have every measure, and the
judges of the yardsticks notice a wrong result.
"""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from eccelerate.cli.compare import parse_price, show
from eccelerate.cli.failures import UsageError
from eccelerate.configs.yardstick_config import YARDSTICKS, find_yardstick
from eccelerate.explore import compare_algorithms
from eccelerate.explore.comparison import Comparison, from_record, with_prices
from eccelerate.explore.figures import Stores
from eccelerate.explore.marnane.marnane_rows import DEVICES, names, rows, stale
from eccelerate.explore.marnane.yardstick_measure import simulate
from eccelerate.explore.marnane.yardstick_operands import MAKERS, checks
from eccelerate.explore.pages import marnane_page
from eccelerate.explore.published import find_system
from eccelerate.flow.errors import FlowError
from tests.explore.records import full

SYSTEM = find_system("marnane")
KEYS = {
    "design", "device", "lut4", "mult", "mhz", "cycles", "throughput", "energy_pj", "area_um2", "area_time",
    "energy_power", "published",
}  # fmt: skip


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    """Each yardstick with 1,000 LUT4, placed with 100 MHz where there is a placer, and one with an energy."""
    found = full(tmp_path)
    for name in names(SYSTEM):
        for device in DEVICES:
            record: dict[str, Any] = {"config": name, "device": device, "lut4": 1000, "ff": 500, "mult": 0}
            record |= {"worst_mhz": None if device == "xcve" else 100.0, "netlist": "old", "commit": "abc"}
            found.yardsticks.put(record | {"simulated": {"cycles": 10}})
    energy = {"unit": "aes-128", "library": "sg13g2", "energy_pj": 50.0, "area_um2": 9000.0}
    energy |= {"gate_equivalents": 1200.0, "delay_ps": 3000.0, "total_w": 0.002, "commit": "abc"}
    found.energy.put(energy)
    return found


def test_published_figures_agree_with_each_other() -> None:
    """Cycles that clock and throughput give: rounds of AES and SHA-512, the talk's architecture."""
    cycles = {each.name: each.cycles for each in SYSTEM.algorithms}
    assert (cycles["aes-128"], cycles["sha-512"], cycles["sha-512-x4"]) == (11, 81, 21)
    assert cycles["rsa-1024-r2l"] == pytest.approx(1026 * 1026, rel=0.02)
    assert set(cycles) <= set(YARDSTICKS)
    assert all(core.design in YARDSTICKS and core.source.startswith("http") for core in SYSTEM.open_cores)


def test_rows_have_every_measure(stores: Stores) -> None:
    given = {"rows": [row.record for row in rows(SYSTEM, stores, measure=False)]}
    records = json.loads(json.dumps(compare_algorithms.with_prices(given, {"ecp5-85f-6": 20.0})))["rows"]
    assert all(set(record) >= KEYS for record in records)
    aes = next(r for r in records if r["design"] == "aes-128" and r["device"] == "ecp5-85f-6")
    assert aes["throughput"] == pytest.approx(128 / 10 * 100)
    assert aes["area_time"] == pytest.approx(1000 * 10 / 100 / 1000)
    assert aes["throughput_per_price"] == pytest.approx(1280 / 20)
    assert aes["energy_power"] == {"sg13g2": pytest.approx(50 * 2)}
    mapped = next(r for r in records if r["design"] == "aes-128" and r["device"] == "xcve")
    assert mapped["throughput"] is None and mapped["published"]["cycles"] == 11
    assert {r["design"] for r in records} > set(names(SYSTEM)) | {"compact-w32"}
    assert compare_algorithms.better(mapped)["product"] == pytest.approx(3259 / 500 * 11 / 10)
    assert len(stale(SYSTEM, stores)) == len(names(SYSTEM)) * len(DEVICES)


def test_tables_fit_a_terminal_and_a_page(stores: Stores) -> None:
    record = {
        "published": {},
        "rows": [row.record for row in rows(SYSTEM, stores, measure=False)],
        "open_cores": [vars(core) for core in SYSTEM.open_cores],
    }
    stream = io.StringIO()
    priced = with_prices(from_record(SYSTEM, record), {"ecp5-85f-6": 20.0})
    show(priced, Console(file=stream, width=100))
    text = stream.getvalue()
    assert max(map(len, text.splitlines())) <= 100 and "…" not in text
    for wanted in ("3,259", "sg13g2", "secworks/aes", "price", "abc"):
        assert wanted in text
    for block in (marnane_page.paper, marnane_page.placed, marnane_page.energy, marnane_page.open_cores):
        assert "aes-128" in block(stores)


def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    assert "eccel compare marnane" in marnane_page.paper(Stores.at(tmp_path))


def test_prices_of_devices_without_figures_are_refused() -> None:
    nothing: dict[str, Any] = {"published": {}, "rows": [], "open_cores": []}
    with pytest.raises(ValueError, match="nothing is placed on xyz"):
        with_prices(from_record(SYSTEM, nothing), {"xyz": 1.0})
    other = Comparison(find_system("vliegen2010"), {}, [], [])
    with pytest.raises(ValueError, match="marnane"):
        with_prices(other, {"ecp5-85f-6": 1.0})


def test_prices() -> None:
    assert parse_price("ecp5-85f-6=12.5") == ("ecp5-85f-6", 12.5)
    for text in ("ecp5", "ecp5=", "=3", "ecp5=free", "ecp5=-1", "ecp5=0", "ecp5=inf", "ecp5=nan"):
        with pytest.raises(UsageError, match="positive number"):
            parse_price(text)
    with pytest.raises(FlowError, match="ecp5-85f-6"):
        parse_price("ecp6=3")


@pytest.mark.parametrize("name", ["aes-128", "sha-512"])
def test_a_simulated_yardstick(name: str) -> None:
    found = simulate(find_yardstick(name))
    assert found["cycles"] == {"aes-128": 11, "sha-512": 81}[name] and found["operations"] == 8


@pytest.mark.parametrize("name", sorted(names(SYSTEM)))
def test_a_wrong_result_is_noticed(name: str) -> None:
    unit = find_yardstick(name)
    check = checks(unit, random.Random(1), 1)[-1]
    assert set(check.operands) == set(unit.operand_bits) and unit.top in MAKERS
    assert not check.right(dict.fromkeys(unit.result_bits, 1))
