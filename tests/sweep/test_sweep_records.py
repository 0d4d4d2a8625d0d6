"""The records under results/ in the store, and what is said of their age."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.config import ROOT, find_config
from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.configs.study_config import variant_yardstick, variants
from eccelerate.curves import find_curve
from eccelerate.explore.figures import Stores, stored_figures
from eccelerate.explore.study.study_store import CYCLES, LIBRARY, part_key
from eccelerate.explore.sweep.sweep_commit import unit_files
from eccelerate.explore.sweep.sweep_current import mark_current
from eccelerate.explore.sweep.sweep_key import point_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_records import RESULTS, import_records
from eccelerate.explore.sweep.sweep_rows import origins, rows
from eccelerate.explore.sweep.sweep_store import SweepStore, insert_result
from eccelerate.flow.multiplier_store import unit_device, unit_key

COMMON = {"commit": "0123456789ab", "date": "2026-01-01T00:00:00+00:00", "tools": {"pyosys": "0.70"}}
UNIT = "shift-add-8"
AREA = {"lut4": 31, "ff": 20, "mult": 0, "bram": 0, "fmax_mhz": {"1": 50.0, "2": 40.0}, "worst_mhz": 40.0}


def write(folder: Path, name: str, *records: dict[str, Any]) -> None:
    (folder / name).write_text("".join(json.dumps({**COMMON, **record}) + "\n" for record in records))


def unit_record(netlist: str, **more: Any) -> dict[str, Any]:
    run = {"latency": 9, "interval": 8, "products": 100}
    return {
        "config": UNIT,
        "device": "up5k",
        "flow": "place",
        "netlist": netlist,
        "simulated": run,
        **AREA,
        **more,
    }


@pytest.fixture
def store(tmp_path: Path) -> SweepStore:
    return SweepStore(tmp_path / "store.sqlite")


def test_each_file_gives_rows_with_all_figures_and_their_origin(tmp_path: Path, store: SweepStore) -> None:
    write(tmp_path, "multipliers.jsonl", unit_record("x"))
    energy = {"energy_pj": 12.0, "total_w": 0.5, "cycles": 9, "interval": 8, "operation": "a product"}
    energy |= {"area_um2": 100.0, "gate_equivalents": 14.0}
    write(
        tmp_path, "energy.jsonl",
        {"unit": UNIT, "library": "sg13g2", "clock_gates": False, **energy},
        {"unit": f"{UNIT}+clock-gates", "library": "sg13g2", "clock_gates": True, **energy, "energy_pj": 7.0},
        {"unit": "compact-w32", "library": "sg13g2", "clock_gates": False, **energy},
        {"unit": "a design of the past", "library": "sg13g2", "clock_gates": False, **energy},
    )  # fmt: skip
    import_records(store, tmp_path)
    found = [row for row in rows(store) if row["design"] == UNIT]
    assert {row["library"]: row["energy_pj"] for row in found} == {"sg13g2": 12.0, "sg13g2+clock-gates": 7.0}
    row = next(row for row in found if row["library"] == "sg13g2")
    assert (row["lut4"], row["mhz"], row["cycles"], row["interval"]) == (31, 40.0, 9, 8)
    assert row["time_us"] == 9 / 40 and row["per_second"] == 1e6 * 40 / 8
    assert row["energy_power"] == 6.0 and row["gates"] == 14.0
    known = origins(store)
    assert {known[key].measure for key in row["origins"]} == {"place", "cycles", "energy"}
    assert all(known[key].command.startswith("eccel ") for key in row["origins"])
    engine = next(row for row in rows(store) if row["design"] == "compact-w32")
    assert engine["task"] == "k P on P-256" and engine["energy_pj"] == 12.0


def test_a_design_with_and_without_its_shell_has_two_rows(tmp_path: Path, store: SweepStore) -> None:
    names = ("compact-w32", "compact-w32-core")
    records = [{"config": name, "kind": "place", "device": "up5k", "netlist": "x", **AREA} for name in names]
    write(tmp_path, "flow.jsonl", *records)
    import_records(store, tmp_path)
    assert [(row["design"], row["shell"]) for row in rows(store)] == [("compact-w32", 0), ("compact-w32", 1)]


def test_a_file_that_changes_takes_its_old_records_with_it(tmp_path: Path, store: SweepStore) -> None:
    write(tmp_path, "multipliers.jsonl", unit_record("x"))
    import_records(store, tmp_path)
    import_records(store, tmp_path)
    assert store.rows("SELECT count(*) AS n FROM result") == [{"n": 2}]
    write(tmp_path, "multipliers.jsonl", unit_record("y", lut4=32))
    import_records(store, tmp_path)
    assert store.rows("SELECT lut4 FROM result WHERE measure = 'place'") == [{"lut4": 32}]


def test_only_records_of_the_current_sources_are_current(tmp_path: Path, store: SweepStore) -> None:
    now = unit_key(parse_multiplier(UNIT), unit_device("up5k"))
    write(tmp_path, "multipliers.jsonl", unit_record(now), unit_record("old", device="lifcl-40"))
    import_records(store, tmp_path)
    point = Point("multiplier", UNIT, "map", device="up5k")
    for key, date in ((point_key(point), "2026-01-01"), ("another key", "2026-01-02")):
        record = {
            "key": key,
            "point": json.loads(point.text),
            "figures": {"lut4": 1},
            "command": "",
            **COMMON,
        }
        with store.writing() as write_:
            insert_result(write_, {**record, "date": date}, "explore")
    assert mark_current(store) == 3
    places = store.rows("SELECT device, current FROM result WHERE measure = 'place' ORDER BY device")
    assert places == [{"device": "lifcl-40", "current": 0}, {"device": "up5k", "current": 1}]
    explored = store.rows("SELECT key, current FROM result WHERE source = 'explore' ORDER BY date")
    assert explored == [{"key": point_key(point), "current": 1}, {"key": "another key", "current": 0}]


def test_a_part_of_the_study_is_current_by_its_own_key(tmp_path: Path, store: SweepStore) -> None:
    """Commits do not count: the record may be made beside other files that were not committed."""
    unit = variant_yardstick(next(iter(variants().values())))
    cycles = {"config": unit.name, "part": CYCLES, "cycles": 9}
    energy = {"config": unit.name, "part": LIBRARY, "energy_pj": 12.0, "power_w": 0.5, "clock_gates": True}
    for right in (True, False):
        keys = {part: part_key(unit, part) if right else "another key" for part in (CYCLES, LIBRARY)}
        records = [{**record, "key": keys[record["part"]]} for record in (cycles, energy)]
        write(tmp_path, "study.jsonl", *records)
        import_records(store, tmp_path)
        assert mark_current(store) == (0 if right else 2)


def test_microcode_of_another_engine_makes_no_record_old() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in unit_files(find_config("compact-w32"))}
    assert files >= {"ucode/compact.toml", "ucode/compact/ladder.s", "rtl/gfp/eccel_gfp_cios.sv"}
    assert not [path for path in files if "turbo" in path or "binary" in path]
    assert all((ROOT / path).is_file() for path in files)
    assert ROOT / "ucode" in unit_files(find_config("cluster-small"))


def test_the_rows_of_engines_are_those_of_the_tables() -> None:
    """A claimed engine has the same clock and time here and on the pages of docs/results."""
    store = SweepStore(Path(":memory:"))
    import_records(store, RESULTS)
    config = find_config("compact-w32")
    figures = stored_figures(config, find_curve("P-256"), Stores())
    row = next(row for row in rows(store) if (row["design"], row["device"]) == (config.name, "ecp5-25f-6"))
    assert figures.mhz is not None and row["mhz"] == figures.mhz
    assert row["time_us"] / 1000 == pytest.approx(figures.ms("scalar_mul"))


def test_the_report_command_writes_the_page_where_it_is_told(tmp_path: Path) -> None:
    file, store = tmp_path / "sub" / "page.html", tmp_path / "a.sqlite"
    words = ["report", "--only-html", "--html", str(file), "--store", str(store)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert file.read_text().startswith("<!doctype html>")
    assert CliRunner().invoke(app, [*words, "--check"]).exit_code == 2
