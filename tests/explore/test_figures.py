"""Figures come from the stores if they were measured on the current sources, and are measured otherwise."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore import cycle_records as cycles_module
from eccelerate.explore import figures as figures_module
from eccelerate.explore.cycle_records import cycles_key, cycles_of, is_current
from eccelerate.explore.figures import Stores, figures, latest_placement, place_device, stale, stored_figures
from eccelerate.explore.pages.selection import placed_on
from eccelerate.flow import FlowError, device, synthesise
from eccelerate.flow.area import units
from eccelerate.flow.store import map_record, netlist_key
from tests.explore.records import CYCLES, P256, full

W32, W64 = find_config("compact-w32"), find_config("compact-w64")


def refuse(*arguments: object, **options: object) -> None:
    raise FlowError("a tool was called")


@pytest.fixture(autouse=True)
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("synthesise", "place"):
        monkeypatch.setattr(figures_module, name, refuse)
    monkeypatch.setattr(cycles_module.measure_config, "measure_cycles", refuse)


def test_current_records_are_used_and_nothing_runs(tmp_path: Path) -> None:
    found = figures(W32, P256, stores=full(tmp_path))
    assert found.records() == (found.cycles, found.cells, found.placed)
    assert found.count("scalar_mul") == 250_000
    assert found.ms("scalar_mul") == pytest.approx(2.0)
    assert stale(found, P256) == []


def test_what_no_placer_takes_has_an_area_and_no_clock(tmp_path: Path) -> None:
    config = find_config("binary-571-fast")
    curve, stores = find_curve(config.curve_name), full(tmp_path)
    found = figures(config, curve, stores=stores)
    assert found.placed is not None and found.placed["kind"] == "map" and found.mhz is None
    assert placed_on(found) == "xc4v, mapped"
    assert stale(found, curve) == []


def test_records_of_other_sources_are_measured_again(tmp_path: Path) -> None:
    stores = full(tmp_path)
    rows = [json.loads(line) for line in stores.flow.path.read_text().splitlines()]
    for number in range(len(rows)):
        changed = [{**row, "netlist": "other"} if i == number else row for i, row in enumerate(rows)]
        if rows[number]["config"] not in ("compact-w32", "compact-w32-core"):
            continue
        stores.flow.path.write_text("".join(json.dumps(row) + "\n" for row in changed))
        assert len(stale(stored_figures(W32, P256, stores), P256)) == 1
        with pytest.raises(FlowError, match="a tool was called"):
            figures(W32, P256, stores=stores)


def test_cycles_of_other_sources_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stores = full(tmp_path)
    record = {**(stores.cycles.latest(config="compact-w32", curve="P-256") or {}), "key": "other"}
    stores.cycles.put(record)
    assert not is_current(record, W32, P256)
    assert stale(stored_figures(W32, P256, stores), P256) == ["compact-w32: cycles"]
    monkeypatch.setattr(cycles_module.measure_config, "measure_cycles", lambda *a, **k: {"scalar_mul": 7})
    measured = cycles_of(W32, P256, store=stores.cycles)
    assert measured["cycles"] == {"scalar_mul": 7}
    assert stores.cycles.latest(config="compact-w32", curve="P-256") == measured
    assert measured["commit"] and measured["tools"]["verilator"]
    lines = stores.cycles.path.read_text().count("\n")
    assert cycles_module.keep(W32, P256, measured["cycles"], stores.cycles) == measured
    assert stores.cycles.path.read_text().count("\n") == lines


def test_cycle_key_depends_on_the_microcode(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cycles_key(W32, P256)
    assert before == cycles_key(W32, P256) != cycles_key(W64, P256)

    class Image:
        words = (0,)

    monkeypatch.setattr(cycles_module, "load_program", lambda config: Image())
    assert cycles_key(W32, P256) != before


def test_a_record_has_the_key_of_its_design() -> None:
    unit = next(unit for unit in units() if unit.name == "mul18-16x16")
    target = device("xc2vp")
    record = map_record(synthesise(unit.design(), target))
    assert record["netlist"] == netlist_key(unit.design(), target.rules)
    other = replace(unit.design(), params={**unit.design().params, "Another": 1})
    assert record["netlist"] != netlist_key(other, target.rules)


def test_a_placement_of_one_seed_is_no_claim(tmp_path: Path) -> None:
    stores = full(tmp_path)
    row = {"kind": "place", "config": "compact-w32", "device": "ecp5-25f-6", "fmax_mhz": {"9": 400.0}}
    with stores.flow.path.open("a") as stream:
        stream.write(json.dumps(row) + "\n")
    found = latest_placement(W32, "ecp5-25f-6", stores.flow)
    assert found is not None and found["worst_mhz"] == 125.0


def test_devices_hold_the_multipliers() -> None:
    assert place_device(W32) == "ecp5-25f-6"
    assert place_device(W64) == "ecp5-85f-6"
    assert place_device(find_config("compact-w16-up5k")) == "up5k"


def test_empty_stores_give_nothing(tmp_path: Path) -> None:
    found = stored_figures(W32, P256, Stores.at(tmp_path))
    with pytest.raises(ValueError, match="incomplete"):
        found.records()
    assert (found.count("scalar_mul"), found.ms("scalar_mul")) == (None, None)
    assert set(CYCLES) >= {"field_mul", "field_add", "inversion", "ladder_step", "scalar_mul"}


def test_a_clock_counts_up_to_the_limit_of_the_multipliers(tmp_path: Path) -> None:
    """nextpnr does not time the inside of ECP5's multipliers."""
    stores = full(tmp_path)
    found = stored_figures(find_config("turbo-p256-t1"), P256, stores)
    assert found.placed is not None and found.placed["device"] == "ecp5-85f-8"
    found.placed["worst_mhz"] = 240.0
    assert found.mhz == 225 and found.ms("scalar_mul") == pytest.approx(250_000 / 225e3)
    found.placed["worst_mhz"] = 199.5
    assert found.mhz == 199.5
