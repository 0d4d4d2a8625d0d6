"""The committed libraries, and the way from Liberty to a table and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.energy.cell_mapping import map_cells
from eccelerate.energy.liberty_import import import_library
from eccelerate.energy.liberty_text import parse_liberty
from eccelerate.energy.liberty_writer import liberty_text
from eccelerate.energy.library import FOLDER, NAMES, Library, interpolate, library_text, load_library
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_design
from tests.energy.small_netlists import TINY

DESIGN = unit_design(parse_multiplier("shift-add-8"))


@pytest.mark.parametrize("name", NAMES)
def test_committed_library_is_complete(name: str) -> None:
    library = load_library(name)
    assert library.licence == "Apache-2.0" and "Copyright" in library.source
    assert set(library.roles) >= {"equivalent", "flip_flop", "clock_gate", "tie_high", "tie_low", "driver"}
    assert not [cell for cell in library.cells if "lpflow" in cell]
    for cell in library.cells.values():
        assert cell.area > 0 and cell.leakage > 0
        assert all(cell.pins[pin].capacitance > 0 for pin in cell.inputs), cell.name
        for pin in cell.outputs:
            constant = cell.pins[pin].function in ("0", "1")
            assert constant or cell.pins[pin].internal, cell.name
    assert library_text(library) == (FOLDER / f"{name}.json").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_round_trip_gives_the_same_mapping(name: str, tmp_path: Path) -> None:
    """What Yosys reads contains all that decides a mapping: read again, it gives the same area and delay."""
    first = load_library(name)
    file = tmp_path / "cells.lib"
    file.write_text(liberty_text(first))
    second = import_library(file, name=name)
    assert set(second.cells) == set(first.cells)
    for cell in first.cells.values():
        again = second.cells[cell.name]
        assert (again.area, again.register, again.gate) == (cell.area, cell.register, cell.gate)
        for pin, body in cell.pins.items():
            assert replace(body, internal=()) == replace(again.pins[pin], internal=()), (cell.name, pin)
    one, two = (map_cells(DESIGN, library) for library in (first, second))
    assert (one.delay_ps > 0 and one.folder != two.folder) or liberty_text(second) == liberty_text(first)
    assert (one.area_um2, one.delay_ps, one.cells) == (two.area_um2, two.delay_ps, two.cells)


def test_slower_gates_give_another_delay() -> None:
    """The control of the round trip: the delay of a mapping comes from the tables."""
    library = load_library("sg13g2")
    slow = map_cells(DESIGN, slowed(library))
    assert slow.delay_ps > 1.5 * map_cells(DESIGN, library).delay_ps


def slowed(library: Library) -> Library:
    """The library with twice the delays."""
    cells = {}
    for name, cell in library.cells.items():
        pins = {}
        for pin, body in cell.pins.items():
            arcs = tuple(
                replace(
                    arc,
                    tables={k: tuple(tuple(2 * x for x in row) for row in t) for k, t in arc.tables.items()},
                )
                for arc in body.arcs
            )
            pins[pin] = replace(body, arcs=arcs)
        cells[name] = replace(cell, pins=pins)
    return replace(library, cells=cells)


def test_table_is_interpolated_and_extrapolated() -> None:
    assert [interpolate((1, 2, 4), (10, 20, 60), x) for x in (1, 1.5, 3, 6, 0)] == [10, 15, 40, 100, 0]


def test_units_of_a_liberty_file_count(tmp_path: Path) -> None:
    text = TINY.read_text()
    file = tmp_path / "other.lib"
    file.write_text(text.replace("(1, pf)", "(10, ff)").replace('"1nW"', '"1uW"').replace('"1ns"', '"10ps"'))
    library, other = (import_library(path, every=True).cells["nand2_1"] for path in (TINY, file))
    assert other.pins["A"].capacitance == pytest.approx(library.pins["A"].capacitance / 100)
    assert other.leakage == pytest.approx(library.leakage * 1000)
    assert other.pins["B"].internal[0].rise[0] == pytest.approx(library.pins["B"].internal[0].rise[0] / 100)
    assert other.pins["Y"].arcs[0].tables["cell_rise"][0][0] == pytest.approx(0.001)


def test_mapping_leaves_out_cells_that_it_never_uses() -> None:
    assert set(import_library(TINY).cells) == {"nand2_1", "inv_1", "dff_1", "gate_1"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("module top; endmodule", "no Liberty statement"),
        ("library (x) { cell (y) {", "ends inside"),
        ('library (x) { nom_voltage : 1; cell (c) { area : "much"; } }', "not a number"),
        ("library (x) { nom_voltage : 1; }", "no two-input NAND"),
        ("library (x) { capacitive_load_unit (1, pf); time_unit : lightyear; }", "no unit"),
    ],
)
def test_malformed_liberty_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.lib"
    file.write_text(text)
    with pytest.raises(FlowError, match=said):
        import_library(file)


def test_comments_and_continued_lines_are_read() -> None:
    group = parse_liberty('/* a */ library (x) { // b\n values ("1, 2", \\\n "3"); n : 4; }')
    assert group.numbers("values") == [1, 2, 3] and group.number("n") == 4
