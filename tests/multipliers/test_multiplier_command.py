"""`eccel multipliers` through typer's runner, on made-up records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from eccelerate.cli import app
from eccelerate.cli import multipliers as command
from eccelerate.configs.multiplier_config import KINDS, REDUCTIONS, parse_multiplier
from eccelerate.explore.multipliers import multiplier_measure, multiplier_rows
from eccelerate.explore.multipliers.multiplier_rows import COSTS
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import MultiplierStore, unit_device, unit_key
from tests.multipliers.records import RECORDS, record, store

ASKED = (
    "bits", "kind", "reduction", "levels", "pipelined", "device", "lut4", "ff", "mult", "mhz", "latency",
    "interval", "published",
)  # fmt: skip


@pytest.fixture(autouse=True)
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MultiplierStore]:
    folder = store(tmp_path)
    for module in (command, multiplier_rows):
        monkeypatch.setattr(module, "MultiplierStore", lambda: folder)
    yield folder


def eccel(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["multipliers", *arguments])
    assert result.exit_code == code, result.output
    return result


def json_rows(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(eccel("--json", *arguments).stdout)["rows"]
    return found


def test_choices_of_options_are_those_of_the_family() -> None:
    assert [str(kind) for kind in command.Kind] == list(KINDS)
    assert [str(reduction) for reduction in command.Reduction] == list(REDUCTIONS)
    assert [str(cost) for cost in command.Cost] == list(COSTS)


def test_json_has_every_row_with_the_fields_that_programs_read() -> None:
    found = json_rows()
    assert len(found) == len(RECORDS) and all(field in row for row in found for field in ASKED)
    mapped = next(row for row in found if row["device"] == "xc2v")
    assert mapped["mhz"] is None and mapped["published"]["slices"] == 6025
    assert {row["reduction"] for row in found} == {"none", "montgomery"}


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--kind", "shift-add"), ["shift-add-256"]),
        (("--device", "xc2v"), ["karatsuba-256-l3"]),
        (("--reduction", "montgomery"), ["broadcast-256-w32-pipelined-montgomery"]),
        (("--units", "x16"), ["comba-256-x16-pipelined"]),
        (("--bits", "64"), []),
    ],
)
def test_options_filter_rows(arguments: tuple[str, ...], names: list[str]) -> None:
    assert [row["name"] for row in json_rows(*arguments)] == names


def test_the_table_is_aligned_with_the_paper_below() -> None:
    text = eccel("--bits", "256").stdout
    lines = text.splitlines()
    assert lines[0].split()[:3] == ["unit", "on", "LUT4"]
    assert lines[0].index("LUT4") + 4 == lines[2].index("900") + 3  # right-aligned
    assert "6,025" in text and "14.8" in text and "Of earlier sources" in text
    assert "No row is stored" in eccel("--bits", "64").stdout


def test_the_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    eccel("--bits", "256", "--plot", str(file))
    assert file.read_text().startswith("<svg") and "karatsuba" in file.read_text()


def test_pick_answers_with_reasons() -> None:
    text = eccel("pick", "--bits", "256", "--max-mult", "40", "--per-cycle", "8").stdout
    assert "broadcast-256-w32-pipelined is the only stored unit" in text
    assert "one product in at most 8 cycles" in text and "Not looked at" in text and "Pareto front" in text
    assert "has the least LUT4 of the 2 stored" in eccel("pick", "--bits", "256", "--per-cycle", "1").stdout
    said = json.loads(eccel("pick", "--bits", "256", "--per-cycle", "1", "--json").stdout)
    assert said["chosen"]["name"] == "karatsuba-256-l3-pipelined" and said["front"] and said["notes"]


def test_help_says_what_per_cycle_means() -> None:
    shown = CliRunner().invoke(app, ["multipliers", "pick", "--help"], env={"COLUMNS": "200"})
    assert "One product in at most N cycles" in shown.output


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            ("pick", "--bits", "256", "--max-mult", "3", "--per-cycle", "1"),
            1,
            "no stored unit keeps the budget",
        ),
        (("pick", "--bits", "256", "--device", "vax"), 2, "no device 'vax'"),
        (("--device", "vax"), 2, "no device 'vax'"),
        (("--map-only",), 2, "is for --measure"),
        (("build", "karatsuba-256", "--out", "x"), 2, "did you mean karatsuba-256-l0"),
    ],
)
def test_errors_are_one_clear_line(arguments: tuple[str, ...], code: int, says: str) -> None:
    assert says in eccel(*arguments, code=code).stderr


def test_pick_and_build_write_a_bundle(tmp_path: Path) -> None:
    eccel("pick", "--bits", "256", "--max-mult", "0", "--out", str(tmp_path / "picked"))
    assert json.loads((tmp_path / "picked" / "report.json").read_text())["config"] == "shift-add-256"
    eccel("build", "booth-48", "--out", str(tmp_path / "built"), "--device", "xc2v")
    assert (tmp_path / "built" / "booth-48.core").is_file()
    assert (
        "not an empty folder" in eccel("build", "booth-48", "--out", str(tmp_path / "built"), code=2).stderr
    )


def test_measure_stores_what_is_missing_and_goes_on_after_a_failure(
    made: MultiplierStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def measured(config: object, device: str, progress: object = None, *, map_only: bool = False) -> dict:
        name = getattr(config, "name", "")
        asked.append(name)
        if name == "booth-32":
            raise FlowError("the tool is ill")
        return record(name, device, 100, 0, 50.0) | {"netlist": "new"}

    monkeypatch.setattr(multiplier_measure, "measure_unit", measured)
    result = eccel("--measure", "--bits", "32", "--kind", "booth", "--device", "up5k")
    assert asked == ["booth-32", "booth-32-pipelined"]
    assert "failed: the tool is ill" in result.stderr and "2 rows to measure" in result.stderr
    assert made.latest(config="booth-32-pipelined", device="up5k") is not None
    assert made.latest(config="booth-32", device="up5k") is None


def test_a_current_row_is_not_measured_again(made: MultiplierStore, monkeypatch: pytest.MonkeyPatch) -> None:
    config = parse_multiplier("booth-32")
    key = unit_key(config, unit_device("up5k"))
    made.put(record("booth-32", "up5k", 100, 0, 50.0) | {"netlist": key})
    left = {(each.config.name, each.device) for each in multiplier_rows.missing(made)}
    assert ("booth-32", "up5k") not in left and ("booth-32-pipelined", "up5k") in left


def test_a_row_that_is_only_mapped_waits_for_its_placement(made: MultiplierStore) -> None:
    config = parse_multiplier("booth-32")
    key = unit_key(config, unit_device("up5k"))
    made.put(record("booth-32", "up5k", 100, 0, None) | {"netlist": key, "too_large": ""})

    def left(map_only: bool) -> set[str]:
        found = multiplier_rows.missing(made, map_only=map_only)
        return {each.config.name for each in found if each.device == "up5k"}

    assert "booth-32" in left(map_only=False) and "booth-32" not in left(map_only=True)
    made.put(record("booth-32", "up5k", 100, 0, None) | {"netlist": key, "too_large": "lut4 9 of 8"})
    assert "booth-32" not in left(map_only=False)
