"""`eccel run --batch`: every line becomes a result or a message, and the figures add up."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.cli import batch as batches
from eccelerate.cli import run as run_module
from eccelerate.cli.stored import Clock, placed_clock
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine, Reply, TransportError
from eccelerate.driver.cluster import Counters
from eccelerate.explore import software
from eccelerate.flow.store import Store
from eccelerate.model import point
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.golden_transport import GoldenTransport

runner = CliRunner()
P256 = find_curve("P-256")


@pytest.fixture(autouse=True)
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "speed", lambda op, curve: 20_000)
    monkeypatch.setattr(run_module, "placed_clock", lambda config: None)


class Shuffled:
    """The golden model on a transport that answers in any order, with one job in 1,000 clocks."""

    def __init__(self) -> None:
        self.inner = GoldenTransport()

    def exchange(self, words: list[int]) -> Reply:
        return self.inner.exchange(words)

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        answers = [self.inner.exchange(list(words)).words for words in packets]
        random.Random(1).shuffle(answers)
        if progress:
            progress(len(answers))
        return [Reply(words, 1000 * (i + 1)) for i, words in enumerate(answers)]


def _x(k: int) -> str:
    return f"{(point.base_mul(P256, k) or (0, 0))[0]:#x}"


def test_csv_lines_become_results_or_messages(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(
        "# jobs\n\nid,x,y,k\n" + "".join(f"j{k},gx,gy,{k}\n" for k in range(1, 7))
        + "short,1,2\nodd,5,5,3\nword,gx,gy,many\nlarge,gx,gy," + "9" * 90 + "\nlast,0,0,0x7\n"
    )  # fmt: skip
    result = runner.invoke(app, ["run", "turbo-p256-x9", "mul", "--batch", str(path), "--iss"])
    assert result.exit_code == 1
    rows = {row["line"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    assert len(rows) == 11
    for k in range(1, 7):
        assert (rows[str(3 + k)]["id"], rows[str(3 + k)]["status"], rows[str(3 + k)]["x"]) == (
            f"j{k}",
            "OK",
            _x(k),
        )
    assert [rows[n]["status"] for n in ("10", "11", "12", "13", "14")] == [
        "BAD_LINE", "NOT_ON_CURVE", "BAD_LINE", "BAD_LINE", "INFINITY",
    ]  # fmt: skip
    assert "3 values, and the header has 4" in rows["10"]["error"]
    for text in (f"{path}:10: 3 values", f"{path}:12: mul: cannot read 'many'", f"{path}:13: mul: value of"):
        assert text in result.stderr
    assert "NOT_ON_CURVE 1, BAD_LINE 3" in result.stderr and "no placed clock" in result.stderr


def test_json_lines(tmp_path: Path) -> None:
    path, out = tmp_path / "jobs.jsonl", tmp_path / "new" / "results.jsonl"
    path.write_text(
        '{"id": "a", "k": 5}\n{"k": "n-1"}\nnonsense\n[1]\n{"k": 1.5}\n{"k": 1, "z": 2}\n{"k": "0x2"}\n'
    )
    arguments = ["run", "turbo-p256", "base-mul", "--batch", str(path), "--iss", "--json", "--out", str(out)]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 1
    records = [json.loads(line) for line in out.read_text().splitlines()]
    good = {r["line"]: r["x"] for r in records if r["status"] == "OK"}
    assert good == {1: _x(5), 2: _x(1), 7: _x(2)}
    assert {r["line"]: r["error"].split()[0] for r in records if r["status"] != "OK"} == {
        3: "no", 4: "no", 5: "k", 6: "base-mul:",
    }  # fmt: skip
    found = json.loads(result.stdout)
    assert found["jobs"] == 3 and found["errors"] == {"BAD_LINE": 4} and found["cycles"] is None


def test_files_that_hold_no_jobs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    base = ["run", "turbo-p256", "base-mul", "--iss", "--batch", str(path)]
    assert runner.invoke(app, base).exit_code == 2
    for text, said in (
        ("", "no jobs"),
        ("k,k\n1,2\n", "first line"),
        ("1\n2\n", "first line"),
        ("k\nx\n", "no job that"),
    ):
        path.write_text(text)
        result = runner.invoke(app, base)
        assert result.exit_code == 2 and said in result.stderr, text
    path.write_text("k\n1\n")
    for more in (["5"], ["--json"], ["--wave", "x.vcd"]):
        assert runner.invoke(app, [*base, *more]).exit_code == 2
    assert runner.invoke(app, ["run", "turbo-p256", "key-load", "--batch", str(path)]).exit_code == 2
    assert runner.invoke(app, ["run", "turbo-p256", "base-mul", "1", "--out", "x"]).exit_code == 2


def test_answers_are_told_apart_and_figures_add_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run_module, "open_engine", lambda config, backend, seed: Engine(Shuffled()))
    monkeypatch.setattr(run_module, "placed_clock", lambda config: Clock(200.0, "ecp5-85f-8"))
    path, out = tmp_path / "jobs.csv", tmp_path / "results.csv"
    path.write_text("k\n" + "".join(f"{k}\n" for k in range(1, 41)))
    result = runner.invoke(app, ["run", "turbo-p256-x9", "base-mul", "--batch", str(path), "--out", str(out)])
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(out.open()))
    assert [int(row["cycles"]) for row in rows] == list(range(1000, 41000, 1000))
    assert [int(row["line"]) for row in rows] != sorted(int(row["line"]) for row in rows)
    assert all(row["x"] == _x(int(row["line"]) - 1) for row in rows)
    for text in ("40,000", "1,000.00", "200,000", "20,000", "200.0 MHz (ecp5-85f-8)"):
        assert text in result.stdout


def test_a_response_to_no_job_is_an_error() -> None:
    class Twice(Shuffled):
        def stream(
            self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
        ) -> list[Reply]:
            first, *others = super().stream(packets, progress)
            return [first, first, *others[1:]]

    engine = Engine(Twice())
    engine.load_curve(P256)
    with pytest.raises(TransportError, match="no such job"):
        engine.submit_many(Op.BASE_MUL, [(k,) for k in range(5)])


def test_busy_engines_and_the_clock_of_a_core(tmp_path: Path) -> None:
    before = Counters(3, 0, 10, 100, True, 8, 4)
    after = Counters(9, 0, 60, 200, True, 8, 4)
    assert batches.share(before, after) == 0.5
    store = Store(tmp_path / "flow.jsonl")
    cluster, single = find_config("turbo-p256-x9"), find_config("turbo-p256")
    for config in (cluster, single):
        record = {"kind": "place", "config": f"{config.name}-core", "device": "ecp5-85f-8"}
        with store.path.open("a") as stream:
            stream.write(json.dumps({**record, "fmax_mhz": {"1": 190.5}, "worst_mhz": 190.5}) + "\n")
    assert placed_clock(cluster, store) == Clock(190.5, "ecp5-85f-8, 1 seed")
    assert placed_clock(single, store) is None
    with store.path.open("a") as stream:
        seeds = {"1": 190.5, "2": 180.5, "3": 200.0}
        stream.write(json.dumps({**record, "fmax_mhz": seeds, "worst_mhz": 180.5}) + "\n")
    assert placed_clock(single, store) == Clock(180.5, "ecp5-85f-8")


def test_lines_may_name_their_curve(tmp_path: Path) -> None:
    """Each line runs on its own curve, in results and figures. A line with an unknown curve is reported."""
    path, b163 = tmp_path / "jobs.csv", find_curve("B-163")
    path.write_text("k,curve,id\n5,P-256,a\n6,B-163,b\n7,,c\n8,B-233,d\n9,B-164,e\n")
    arguments = ["run", "cluster-small", "base-mul", "--iss", "--batch", str(path), "--curve", "B-163"]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 1
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    want = {"a": (P256, 5), "b": (b163, 6), "c": (b163, 7)}
    for name, (curve, k) in want.items():
        assert rows[name]["curve"] == curve.name
        assert rows[name]["x"] == f"{(point.base_mul(curve, k) or (0, 0))[0]:#x}"
    assert [rows[name]["status"] for name in "de"] == ["BAD_LINE", "BAD_LINE"]
    assert "compact-w16 takes prime fields only" in rows["d"]["error"] and "B-163" in rows["e"]["error"]
    assert "P-256: jobs" in result.stderr and "B-163: jobs" in result.stderr
    sign = ["run", "cluster-small", "ecdh", "--iss", "--batch", str(path), "--key", "n-2", "--json"]
    path.write_text("x,y,curve\ngx,gy,P-256\ngx,gy,B-163\n")
    keyed = runner.invoke(app, [*sign, "--out", str(tmp_path / "out.csv")])
    assert keyed.exit_code == 0, keyed.output
    shared = {row["curve"]: row["x"] for row in csv.DictReader((tmp_path / "out.csv").open())}
    for curve in (P256, b163):
        assert shared[curve.name] == f"{(point.base_mul(curve, curve.n - 2) or (0, 0))[0]:#x}"


def test_more_curves_than_pools_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("k,curve\n5,P-256\n6,P-384\n")
    for config, pool in (("cluster-small", "compact-w16"), ("compact-w32", "compact-w32")):
        result = runner.invoke(app, ["run", config, "base-mul", "--iss", "--batch", str(path)])
        assert result.exit_code == 2
        assert f"each curve needs its own pool: P-256 goes to {pool}" in result.stderr
