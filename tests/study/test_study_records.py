"""Records, tables, diagrams and command of the study: with nothing stored, with some, and after a stop."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.config import ConfigError
from eccelerate.configs.study_config import find_variant, study_yardsticks, variant_name, variants
from eccelerate.energy.unit_operands import find_unit
from eccelerate.explore.study import study_measure, study_plan, study_tables
from eccelerate.explore.study.study_chart import pictures
from eccelerate.explore.study.study_measure import measure_all
from eccelerate.explore.study.study_rows import published_study, study_rows
from eccelerate.explore.study.study_store import CYCLES, LIBRARY, StudyStore, part_record
from eccelerate.flow.errors import FlowError
from eccelerate.flow.store import Record
from eccelerate.ucode.study.study_files import Image

LADDER = "gf163-lopez-dahab-montgomery-d16-m2"
BINARY = "gf163-lopez-dahab-binary-d1-m1"
FIGURES: dict[str, Record] = {
    CYCLES: {"cycles": 8_000.0, "least": 7_000, "most": 9_000},
    LIBRARY: {"energy_pj": 2e6, "power_w": 0.02, "gate_equivalents": 50_000.0, "area_um2": 1.0},
    "xc2v": {"lut4": 5_000},
}


def stored(folder: Path, names: list[str], scale: float = 1.0) -> StudyStore:
    """A store with invented figures of some variants."""
    store = StudyStore(folder / "study.jsonl")
    for i, name in enumerate(names):
        for part, figures in FIGURES.items():
            grown = {key: value * (1 + i) * scale for key, value in figures.items()}
            store.put({"config": name, "part": part, "key": "k", "commit": "c", "tools": {"t": "1"}, **grown})
    return store


def test_the_figures_follow_from_the_records(tmp_path: Path) -> None:
    (row,) = study_rows(stored(tmp_path, [LADDER]))
    assert (row.us, row.area_time, row.energy_uj) == (100.0, pytest.approx(0.5), 2.0)
    assert row.energy_power == pytest.approx(40.0)
    assert row.mhz is None
    assert row.json()["variant"] == LADDER


def test_targets_are_met_missed_or_open(tmp_path: Path) -> None:
    lines = study_tables.target_lines(study_rows(stored(tmp_path, [LADDER])))
    verdicts = {(line[0], line[1]): line[-1] for line in lines}
    two, three = published_study().rows[1].title, published_study().rows[0].title
    assert verdicts[two, "LUT4 x s"] == "met"
    assert verdicts[three, "LUT4 x s"] == "open"
    assert verdicts["variants with an energy", "number"] == "missed"
    slow = study_tables.target_lines(study_rows(stored(tmp_path / "slow", [LADDER], scale=3.0)))
    assert {line[-1] for line in slow if line[0] == two} == {"missed"}


def test_the_least_comes_first_and_the_paper_has_its_place(tmp_path: Path) -> None:
    lines = study_tables.best_lines(study_rows(stored(tmp_path, [LADDER, BINARY])))
    energy = next(line for line in lines if line[0].startswith("energy (uJ)"))
    assert LADDER in energy[1]
    assert BINARY in energy[2]
    assert energy[3:] == ["-", "1", "2", "2"]


def test_a_constant_power_favours_the_faster_variant(tmp_path: Path) -> None:
    """The slow one has half the energy and three times the time."""
    store = stored(tmp_path, [LADDER, BINARY])
    store.put({**store.query(config=BINARY, part=LIBRARY)[0], "energy_pj": 1e6})
    store.put({**store.query(config=BINARY, part=CYCLES)[0], "cycles": 24_000.0})
    lines = {line[0]: line[1] for line in study_tables.constant_lines(study_rows(store))}
    assert BINARY in lines["0 mW"]
    assert LADDER in lines["10 mW"]


@pytest.mark.parametrize("names", [[], [LADDER], [LADDER, BINARY], list(variants())], ids=len)
def test_diagrams_are_drawn_with_any_number_of_variants(tmp_path: Path, names: list[str]) -> None:
    drawn = pictures(study_rows(stored(tmp_path, names)))
    assert len(drawn) == 6
    for text in drawn.values():
        root = ElementTree.fromstring(text)
        kinds = [each.tag.partition("}")[2] for each in root]
        marks = kinds.count("circle") + kinds.count("polygon") + kinds.count("rect") - 1
        assert marks == len(names)


def test_a_measurement_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, image = StudyStore(tmp_path / "study.jsonl"), find_variant(LADDER)
    jobs = [(image, CYCLES), (image, LIBRARY)]
    monkeypatch.setattr(study_plan, "wanted", lambda: jobs)

    def measure(each: Image, part: str, progress: object = None) -> Record:
        if part == LIBRARY and not allowed:
            raise FlowError("no library")
        return part_record(study_yardsticks()[variant_name(each)], part, FIGURES[part], 1.0)

    allowed = False
    monkeypatch.setattr(study_measure, "measure", measure)
    assert study_plan.missing(store) == jobs
    assert [step.problem for step in measure_all(jobs, store)] == ["", "no library"]
    assert study_plan.missing(store) == jobs[1:]
    allowed = True
    assert [step.problem for step in measure_all(jobs[1:], store)] == [""]
    assert study_plan.missing(store) == []
    assert study_plan.stale(store) == []
    store.put({**next(iter(store)), "key": "of earlier sources"})
    assert study_plan.missing(store) == jobs[:1]
    assert study_plan.stale(store) == [LADDER]


def test_every_variant_is_measured_once() -> None:
    wanted = [(variant_name(image), part) for image, part in study_plan.wanted()]
    assert len(set(wanted)) == len(wanted)
    assert {name for name, _ in wanted} == set(variants())
    assert {variant for variant, part in wanted if part == "placed"} == set(study_plan.PLACED_VARIANTS)
    assert {row.variant for row in published_study().rows} <= set(variants())


def test_the_command_prints_rows_and_diagrams(tmp_path: Path) -> None:
    store = stored(tmp_path, [LADDER, BINARY])
    options = ["study", "--store", str(store.path)]
    shown = CliRunner().invoke(
        app, [*options, "--units", "montgomery", "--json", "--plot", str(tmp_path / "p")]
    )
    assert shown.exit_code == 0
    assert [row["variant"] for row in json.loads(shown.stdout)["rows"]] == [LADDER]
    assert len(list((tmp_path / "p").glob("*.svg"))) == 6
    table = CliRunner().invoke(app, options).stdout
    assert BINARY in table
    assert "Of earlier sources" in table
    empty = CliRunner().invoke(app, ["study", "--store", str(tmp_path / "none.jsonl")])
    assert "Nothing is stored" in empty.stdout


@pytest.mark.parametrize(
    "options", [["--units", "d5"], ["--parts", "cycles"], ["--measure", "--parts", "watts"]]
)
def test_a_wrong_option_is_a_usage_error(options: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["study", "--store", str(tmp_path / "s"), *options])
    assert found.exit_code == 2


def test_a_variant_is_found_by_its_name() -> None:
    assert find_unit(LADDER).name == LADDER
    with pytest.raises(ConfigError, match="gf163-COORDINATES"):
        find_variant("gf163-affine-naf-d16-m1")
