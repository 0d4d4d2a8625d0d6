"""The family is a rule; rows, fronts, choices and targets follow from records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eccelerate.configs.multiplier_config import KINDS, parse_multiplier
from eccelerate.explore.figures import Stores
from eccelerate.explore.multipliers import multiplier_chart, multiplier_tables
from eccelerate.explore.multipliers.multiplier_family import (
    DEVICES,
    MOST_BLOCKS,
    WIDTHS,
    blocks,
    family,
    modular_units,
    plain_units,
    seeds_of,
)
from eccelerate.explore.multipliers.multiplier_pick import Budget, NothingFitsError, pick
from eccelerate.explore.multipliers.multiplier_rows import front, missing, rows, stale_units
from eccelerate.explore.multipliers.multiplier_targets import verdicts
from eccelerate.explore.multipliers.published_units import published_row, published_table
from eccelerate.explore.pages import multiplier_page
from eccelerate.explore.tables import aligned
from tests.multipliers.records import RECORDS, made_up, store

ECP5 = "ecp5-85f-6"


def test_every_width_and_kind_is_in_the_family() -> None:
    plain = {(unit.bits, unit.kind, unit.pipelined) for unit in plain_units()}
    assert plain == {(bits, kind, way) for bits in WIDTHS for kind in KINDS for way in (False, True)}
    stored = {(each.config.bits, each.config.kind) for each in family()}
    assert stored == {(bits, kind) for bits in WIDTHS for kind in KINDS} - {(1024, "karatsuba")}
    assert {unit.reduction for unit in modular_units()} == {"montgomery", "solinas"}
    names = [(each.config.name, each.device) for each in family()]
    assert len(set(names)) == len(names)
    assert {device for _, device in names} == set(DEVICES)


def test_a_unit_with_too_many_blocks_is_left_out_by_the_rule() -> None:
    names = {each.config.name for each in family()}
    assert "karatsuba-521-l4-pipelined" in names
    assert "karatsuba-1024-l4-pipelined" not in names and "karatsuba-521-l2-pipelined" not in names
    assert all(blocks(each.config, 18) <= MOST_BLOCKS for each in family())
    assert blocks(parse_multiplier("karatsuba-256-l4"), 16) == 81
    assert blocks(parse_multiplier("karatsuba-256-l0"), 16) == 256
    assert blocks(parse_multiplier("broadcast-256-w32"), 16) == 32


def test_what_is_claimed_comes_first_with_three_seeds() -> None:
    first = family()[0].config
    assert first.name == "karatsuba-256-l4-pipelined" and len(seeds_of(first)) == 3
    assert len(seeds_of(parse_multiplier("comba-192-x4"))) == 1


def test_published_rows_name_units_that_exist_in_the_family() -> None:
    units = {unit.name for unit in plain_units()}
    table = published_table()
    assert (
        len(table.rows) == 13 and "".join(row.label for row in table.rows if len(row.label) == 1) == "ABCDEFG"
    )
    assert all(name in units for row in table.rows for name in row.units)
    f = published_row(parse_multiplier("karatsuba-256-l3-pipelined"))
    assert f is not None and (f.label, f.slices, f.mult, f.delay_ns) == ("F", 6025, 108, 18.1)
    assert published_row(parse_multiplier("karatsuba-192-l3")) is None


def test_rows_follow_from_records() -> None:
    row = made_up()[2]
    assert (row.ns, row.per_second, row.area_time) == (50.0, 20e6, 75.0)
    assert row.per_clock_and_mult == 1 / 256
    said = row.json()
    assert said["published"]["label"] == "G" and said["mhz"] == 160.0 and said["interval"] == 8
    mapped = made_up()[7]
    assert mapped.mhz is mapped.ns is mapped.area_time is mapped.json()["mhz"] is None
    assert made_up()[5].per_clock_and_mult is None


def test_stored_rows_are_read_in_the_order_of_the_tables_and_stale_ones_are_missing(tmp_path: Path) -> None:
    made = store(tmp_path)
    made.put({**RECORDS[0], "config": "gone-256"})
    made.put({**RECORDS[0], "config": "karatsuba-40-l1"})  # no unit of the family
    found = rows(made)
    assert len(found) == len(RECORDS)
    assert [row.config.kind for row in found][:2] == ["shift-add", "karatsuba"]
    assert stale_units(found) == found
    assert (found[0].config.name, found[0].device) in {(w.config.name, w.device) for w in missing(made)}


def test_a_row_that_another_one_beats_is_not_on_the_front() -> None:
    placed = [row for row in made_up() if row.device == ECP5 and row.mhz and row.config.reduction == "none"]
    names = {row.config.name for row in front(placed)}
    assert "comba-256-x4-pipelined" not in names  # slower and larger than 16 blocks at 200 MHz
    assert names == {row.config.name for row in placed} - {"comba-256-x4-pipelined"}
    twice = [placed[0], placed[0]]
    assert front(twice) == twice  # equal rows do not beat each other


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ({"max_mult": 40, "per_cycle": 8}, "broadcast-256-w32-pipelined"),
        ({"per_cycle": 1}, "karatsuba-256-l3-pipelined"),
        ({"per_cycle": 1, "minimise": "mult"}, "karatsuba-256-l4-pipelined"),
        ({"per_cycle": 1, "minimise": "time"}, "karatsuba-256-l4-pipelined"),
        ({"per_cycle": 1, "minimise": "area-time"}, "karatsuba-256-l3-pipelined"),
        ({"max_mult": 0}, "shift-add-256"),
        ({}, "shift-add-256"),
        ({"reduction": "montgomery"}, "broadcast-256-w32-pipelined-montgomery"),
    ],
)
def test_the_budget_decides(options: dict, chosen: str) -> None:
    choice = pick(made_up(), Budget(256, ECP5, **options))
    assert choice.chosen.config.name == chosen
    assert choice.chosen in choice.front and chosen in choice.why
    assert all(not choice.budget.broken_by(row) for row in choice.front)


def test_a_choice_says_what_it_did_not_look_at() -> None:
    notes = " ".join(pick(made_up(), Budget(256, ECP5)).notes)
    assert "only mapped: karatsuba-256-l1" in notes and "not stored" in notes
    mapped = pick(made_up(), Budget(256, "xc2v"))
    assert mapped.chosen.mhz is None and "not placed" in mapped.why
    assert any("counted in cycles" in note for note in mapped.notes)
    only_mapped = [row for row in made_up() if row.mhz is None or row.interval > 1]
    assert pick(only_mapped, Budget(256, ECP5, per_cycle=1)).chosen.config.name == "karatsuba-256-l1"


def test_an_impossible_budget_names_the_nearest_units() -> None:
    with pytest.raises(NothingFitsError, match=r"the nearest: .*81 multiplier blocks"):
        pick(made_up(), Budget(256, ECP5, max_mult=80, per_cycle=1))
    with pytest.raises(NothingFitsError, match="nothing is stored"):
        pick(made_up(), Budget(33, ECP5))


def test_targets_are_judged_by_the_closest_row() -> None:
    found = {verdict.target.what: verdict for verdict in verdicts(made_up())}
    divide = found["256-bit divide and conquer, a product every cycle"]
    assert divide.met and divide.row is not None
    assert found["products in a clock and multiplier block, 256 bits"].met
    assert not found["521-bit product on one ECP5-85F"].met  # nothing is stored
    montgomery = found["256-bit Montgomery product on one ECP5-85F"]
    assert montgomery.row is not None and not montgomery.met  # 6.7 million a second
    worse = [replace(row, record={**row.record, "lut4": 9000, "worst_mhz": 120.0}) for row in made_up()]
    assert not any(verdict.met for verdict in verdicts(worse) if "MHz" in verdict.target.goal)
    assert not next(v for v in verdicts(worse) if v.target is divide.target).met


def test_tables_have_a_cell_for_each_column_and_the_paper_beside_ours() -> None:
    lines = multiplier_tables.table(made_up())
    assert {len(line) for line in lines} == {len(multiplier_tables.COLUMNS)}
    paper = multiplier_tables.paper_table(made_up())
    assert {len(line) for line in paper} == {len(multiplier_tables.PAPER_COLUMNS)}
    ours = next(line for line in paper if line[5] == "karatsuba-256-l3")
    assert ours[:5] == ["F", "256-bit Xilinx ISE divide-and-conquer", "6,025", "108", "18.1"]
    assert ours[6:9] == ["2,750", "5,500", "108"]
    text = aligned(multiplier_tables.COLUMNS, lines).splitlines()
    assert len(text) == len(lines) + 2 and text[0].startswith("unit") and all("  " in line for line in text)


def test_the_picture_has_every_placed_row_and_survives_an_empty_store() -> None:
    found = [row for row in made_up() if row.device == ECP5 and row.config.reduction == "none"]
    root = ElementTree.fromstring(multiplier_chart.picture(found, "title"))
    shapes = [
        e for e in root.iter() if e.tag.endswith(("circle", "}rect")) and e.get("stroke-width") == "1.6"
    ]
    placed = [row for row in found if row.mhz]
    assert len(shapes) == len(placed) + sum(row.mult > 0 for row in placed)
    words = " ".join(e.text or "" for e in root.iter() if e.tag.endswith("text"))
    assert "karatsuba-l4" in words and "shift-add" in words
    assert multiplier_chart.NOTHING in multiplier_chart.picture([], "title")


def test_blocks_of_the_page_show_the_rows_and_say_what_is_stale(tmp_path: Path) -> None:
    store(tmp_path)
    stores = Stores.at(tmp_path)
    text = "\n".join(
        block(stores)
        for block in (
            multiplier_page.targets,
            multiplier_page.choices,
            multiplier_page.paper,
            multiplier_page.state,
            multiplier_page.on_device(ECP5),
        )
    )
    for wanted in ("8,000", "`broadcast-256-w32-pipelined`", "met", "missed", "open", "14.8", "Commit abc"):
        assert wanted in text
    assert "Of earlier sources, to be measured again: " in text
    assert "measure" in multiplier_page.on_device("up5k")(stores)
    empty = Stores.at(tmp_path / "empty")
    assert "Every row is of the RTL" in multiplier_page.state(empty)
