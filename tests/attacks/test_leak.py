"""Welch's t-test: the numbers are those of another library, the tool finds what is known to leak, and it
finds nothing where nothing can be.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import estraces
import numpy as np
import pytest
import scared
from typer.testing import CliRunner

from eccelerate.attacks.leak_campaign import Result, Timeline, Welch, run, threshold
from eccelerate.attacks.leak_case import CASES, find_case, flags_with
from eccelerate.attacks.leak_chart import picture
from eccelerate.attacks.trace_source import Setup, TraceError, batches
from eccelerate.cli.app import app
from eccelerate.configs.config import find_config
from eccelerate.configs.kind import ConfigError
from eccelerate.curves import find_curve
from eccelerate.explore.attack_store import LEAK, AttackStore
from eccelerate.model.jobs import Flag

CONFIG = find_config("binary-163-d64")
CURVE = find_curve("B-163")
MUL = find_case("mul-scalar")


@pytest.fixture(scope="module")
def unblinded() -> Result:
    return run(Setup(CONFIG, CURVE, MUL, off=("blind",)), 200, 2)


def test_t_agrees_with_another_library() -> None:
    generator = np.random.default_rng(1)
    fixed = generator.integers(0, 2, 600).astype(np.uint16)
    traces = generator.integers(0, 90, (600, 40)).astype(np.int16)
    traces[:, 7] += (20 * fixed).astype(np.int16)
    welch = Welch()
    for at in range(0, 600, 100):
        welch.add(traces[at : at + 100], fixed[at : at + 100])
    found = welch.t()
    for number in (0, 1):
        own, of = traces[number::2], fixed[number::2]
        sets = (estraces.read_ths_from_ram(samples=own[of == value]) for value in (1, 0))
        analysis = scared.TTestAnalysis(precision="float64")
        analysis.run(scared.TTestContainer(*sets))
        np.testing.assert_allclose(np.abs(found[number, 0]), np.abs(analysis.result), rtol=1e-6)
    assert np.argmax(np.abs(found[0, 0])) == 7


def test_samples_that_never_change() -> None:
    """No t where both sets have one value, and no doubt where they have two."""
    fixed = np.array([0, 1] * 40, dtype=np.uint16)[np.random.default_rng(2).permutation(80)]
    traces = np.zeros((80, 2), dtype=np.int16)
    traces[:, 1] = fixed
    welch = Welch()
    welch.add(traces, fixed)
    assert np.all(welch.t()[:, 0, 0] == 0) and np.all(np.isinf(welch.t()[:, 0, 1]))


def test_threshold_grows_with_the_number_of_samples() -> None:
    assert threshold(1) == pytest.approx(4.417, abs=0.001)
    assert threshold(600_000) == pytest.approx(6.7326, abs=0.0001)


def test_an_unblinded_multiplication_depends_on_its_scalar(unblinded: Result) -> None:
    assert unblinded.above > 0 and unblinded.places[0].t > unblinded.threshold
    assert {place.routine for place in unblinded.places} - {"request"}
    assert unblinded.t.shape == (2, Timeline(unblinded.setup).samples)


def test_nothing_depends_on_an_input_that_is_not_used() -> None:
    case = replace(MUL, name="mul-key", tested="key")
    assert run(Setup(CONFIG, CURVE, case, off=("blind",)), 150, 2).above == 0


def test_traces_are_the_same_however_they_are_made() -> None:
    setup = Setup(CONFIG, CURVE, MUL)
    length = Timeline(setup).samples
    one, two = (next(iter(batches(setup, 6, length, workers))) for workers in (1, 2))
    assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])
    with pytest.raises(TraceError, match="constant time"):
        list(batches(setup, 1, length + 1, 1))


def test_workers_are_no_copies_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy would have its models and pipes."""
    monkeypatch.delattr("os.fork")
    setup = Setup(CONFIG, CURVE, MUL)
    assert len(list(batches(setup, 1, Timeline(setup).samples, 1))) == 1


def test_flags_and_names() -> None:
    assert flags_with(MUL, CONFIG, ()) == Flag.BLIND and not flags_with(MUL, CONFIG, ("blind",))
    assert not flags_with(MUL, find_config("turbo-generic256"), ())
    with pytest.raises(ConfigError, match="blind"):
        flags_with(MUL, CONFIG, ("deafen",))
    with pytest.raises(ConfigError, match=next(iter(CASES))):
        find_case("nothing")


def test_picture_and_command(unblinded: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AttackStore(tmp_path / "attacks.jsonl")
    monkeypatch.setattr("eccelerate.cli.leak.AttackStore", lambda: store)
    root = ElementTree.fromstring(picture(unblinded))
    words = " ".join(element.text or "" for element in root.iter())
    assert "without blind" in words and f"{unblinded.above:,} samples" in words
    file = tmp_path / "t.svg"
    arguments = ["leak", "binary-163-d64", "mul-scalar", "--traces", "16", "--control-traces", "18"]
    arguments += ["--plot", str(file), "--json", "--store"]
    record = json.loads(CliRunner().invoke(app, arguments).stdout)
    assert {"traces", "samples", "threshold", "max_t", "above", "where", "control"} <= set(record)
    assert record["traces"] == 16 and record["control"]["traces"] == 18
    assert record["control"]["off"] == ["blind"] and record["samples"] > record["control"]["samples"]
    assert file.read_text().startswith("<svg")
    (stored,) = store.query(kind=LEAK, config="binary-163-d64", curve="B-163", job="mul-scalar")
    assert stored["off"] == [] and stored["above"] == record["above"]
    assert stored["control"] == record["control"]
    assert CliRunner().invoke(app, ["leak", "cluster-small", "mul-scalar"]).exit_code == 2
    assert CliRunner().invoke(app, ["leak", "compact-w32", "mul-scalar", "--off", "all"]).exit_code == 2
