"""`eccel pick`: the best of the stored rows, with the reason, and what was not looked at."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.explore.sweep.sweep_pick import NothingFitsError, Question, pick
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_records import import_records
from eccelerate.explore.sweep.sweep_rows import rows
from eccelerate.explore.sweep.sweep_store import SweepStore, insert_result

DEVICE = "ecp5-25f-6"
LIBRARY = "sg13g2"


def put(store: SweepStore, point: Point, figures: dict[str, Any], date: str = "2026-01-01") -> None:
    record = {
        "key": f"{point.text} {date}", "point": asdict(point), "figures": figures, "seconds": 1.0,
        "commit": "0123456789ab", "date": date, "tools": {"pyosys": "1"}, "command": point.command,
    }  # fmt: skip
    with store.writing() as write:
        assert insert_result(write, record, "explore")


def engine(store: SweepStore, name: str, lut4: int, mhz: float, cycles: int, pj: float | None = None) -> None:
    area = {"lut4": lut4, "ff": 1, "mult": lut4 // 1000, "bram": 4, "mhz": mhz}
    put(store, Point("engine", name, "place", device=DEVICE, seed=1, shell=True), area)
    put(store, Point("engine", name, "cycles", curve="P-256"), {"cycles": cycles, "interval": cycles,
                                                                "operation": "scalar_mul"})  # fmt: skip
    if pj is not None:
        energy = {"energy_pj": pj, "total_w": 2.0, "operation": "scalar_mul", "cycles": cycles}
        put(store, Point("engine", name, "energy", curve="P-256", library=LIBRARY), energy)


@pytest.fixture
def store(tmp_path: Path) -> SweepStore:
    """Three engines: the smallest, the fastest, and the one with the least energy."""
    made = SweepStore(tmp_path / "store.sqlite")
    engine(made, "compact-w16", 1_000, 100.0, 1_000_000, 9e6)
    engine(made, "compact-w32", 2_000, 100.0, 400_000, 3e6)
    engine(made, "compact-w64", 4_000, 100.0, 100_000, 5e6)
    return made


def ask(store: SweepStore, minimise: str, **more: Any) -> Any:
    library = LIBRARY if "energy" in minimise else ""
    return pick(store, rows(store), Question("P-256", DEVICE, minimise, library=library, **more))


@pytest.mark.parametrize(
    ("minimise", "limits", "chosen"),
    [
        ("area", {}, "compact-w16"),
        ("time", {}, "compact-w64"),
        ("rate", {}, "compact-w64"),
        ("area-time", {}, "compact-w64"),
        ("energy", {}, "compact-w32"),
        ("energy-power", {}, "compact-w32"),
        ("time", {"max_luts": 3000}, "compact-w32"),
        ("time", {"max_luts": 2000}, "compact-w32"),
        ("time", {"max_luts": 1999}, "compact-w16"),
        ("time", {"max_mult": 1}, "compact-w16"),
    ],
)
def test_the_best_within_the_budget_is_chosen(
    store: SweepStore, minimise: str, limits: dict[str, int], chosen: str
) -> None:
    answer = ask(store, minimise, **limits)
    assert answer.chosen["design"] == chosen
    assert chosen in answer.why


def test_the_answer_follows_the_figures(store: SweepStore) -> None:
    """The control: with another clock another engine is the fastest."""
    put(store, Point("engine", "compact-w64", "place", device=DEVICE, seed=2, shell=True),
        {"lut4": 4000, "ff": 1, "mult": 4, "bram": 4, "mhz": 1.0})  # fmt: skip
    assert ask(store, "time").chosen["design"] == "compact-w32", "the slowest seed counts"


def test_an_impossible_budget_says_what_breaks_it(store: SweepStore) -> None:
    with pytest.raises(NothingFitsError, match="compact-w16 has 1,000 LUT4"):
        ask(store, "area", max_luts=999)


def test_what_was_not_looked_at_is_named(store: SweepStore) -> None:
    engine(store, "compact-w32-hedged", 2_100, 100.0, 500_000)
    sweep = store.plan({"abc": Point("engine", "turbo-p256", "place", device=DEVICE, seed=1)})
    store.connection.execute("UPDATE point SET state = 'failed', error = 'x'")
    assert store.counts(sweep)["failed"] == 1
    notes = " ".join(ask(store, "energy").notes)
    assert (
        "Without a figure for the energy of one operation (it is not measured): compact-w32-hedged." in notes
    )
    missing = notes.partition("not stored (eccel explore): ")[2].partition(".")[0]
    assert "turbo-p256" in missing.split(", ") and "compact-w16" not in missing.split(", ")
    assert "Failed points: turbo-p256 place on ecp5-25f-6 seed 1." in notes
    assert "before layout, not of the FPGA" in notes


def test_old_results_count_only_if_they_may(store: SweepStore) -> None:
    store.connection.execute("UPDATE result SET current = 0 WHERE design = 'compact-w64'")
    answer = ask(store, "time")
    assert answer.chosen["design"] == "compact-w64"
    assert any(
        note.startswith("Of earlier sources, counted") and "compact-w64" in note for note in answer.notes
    )
    answer = ask(store, "time", stale=False)
    assert answer.chosen["design"] == "compact-w32"
    assert any(note.startswith("Of earlier sources, left out") for note in answer.notes)


def test_a_current_result_comes_before_a_newer_old_one(store: SweepStore) -> None:
    point = Point("engine", "compact-w64", "place", device=DEVICE, seed=1, shell=True)
    put(store, point, {"lut4": 9, "ff": 1, "mult": 0, "bram": 0, "mhz": 999.0}, "2027-01-01")
    store.connection.execute("UPDATE result SET current = 0 WHERE date = '2027-01-01'")
    assert ask(store, "area").chosen["design"] == "compact-w16"
    store.connection.execute("UPDATE result SET current = 1")
    assert ask(store, "area").chosen["design"] == "compact-w64"


def test_programs_in_variable_time_are_left_out_unless_wanted(store: SweepStore) -> None:
    name = "binary-163-affine"
    put(store, Point("engine", name, "cycles", curve="B-163"),
        {"cycles": 10, "interval": 10, "operation": "scalar_mul"})  # fmt: skip
    put(store, Point("engine", name, "place", device=DEVICE, seed=1),
        {"lut4": 1, "ff": 1, "mult": 0, "bram": 0, "mhz": 1.0})  # fmt: skip
    with pytest.raises(NothingFitsError, match=r"variable-time \(--variable-time\): binary-163-affine"):
        pick(store, rows(store), Question("B-163", DEVICE, "time"))
    found = pick(store, rows(store), Question("B-163", DEVICE, "time", variable_time=True))
    assert found.chosen["design"] == name


def test_the_command_answers_from_the_committed_results(tmp_path: Path) -> None:
    words = [
        "pick",
        "--curve",
        "P-256",
        "--device",
        DEVICE,
        "--max-luts",
        "3000",
        "--minimise",
        "time",
        "--json",
    ]
    done = CliRunner().invoke(app, [*words, "--store", str(tmp_path / "new.sqlite")])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    chosen = answer["chosen"]
    assert chosen["lut4"] <= 3000 and chosen["curve"] == "P-256" and chosen["device"] == DEVICE
    store = SweepStore(tmp_path / "new.sqlite")
    import_records(store)
    best = store.rows(
        "SELECT min(time_us) AS best FROM row WHERE kind = 'engine' AND curve = 'P-256' AND device = ?"
        " AND lut4 <= 3000",
        [DEVICE],
    )[0]["best"]
    assert chosen["time_us"] == best, "plain SQL gives the same answer"
    measures = {each["measure"] for each in answer["origins"]}
    assert measures - {"energy"} == {"place", "cycles"}
    assert any("Not looked at" in note for note in answer["notes"])


@pytest.mark.parametrize(
    ("words", "error"),
    [(["--device", "ecp6"], 2), (["--device", DEVICE, "--library", "x", "--minimise", "energy"], 2)],
)
def test_unknown_names_are_usage_errors(tmp_path: Path, words: list[str], error: int) -> None:
    done = CliRunner().invoke(
        app, ["pick", "--curve", "P-256", *words, "--store", str(tmp_path / "a.sqlite")]
    )
    assert done.exit_code == error
