"""`eccel explore` with real points: multipliers of a few bits, mapped to an iCE40."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from eccelerate.cli import failures
from eccelerate.cli.app import app
from eccelerate.explore.sweep.sweep_records import ExploreRecords, import_records, keep_results
from eccelerate.explore.sweep.sweep_store import SweepStore
from tests.sweep.sweeping import ROOT, results, wait_until

SPACE = """
[[space]]
multiplier = "shift-add"
bits = [{bits}]
measure = "map"
device = "up5k"
"""
FAILING = """
[[space]]
engine = "turbo-p256"
parameters = {{ Prime = 99 }}
measure = "map"
device = "up5k"
"""


def space(folder: Path, bits: range, more: str = "") -> Path:
    file = folder / "space.toml"
    file.write_text(SPACE.format(bits=", ".join(map(str, bits))) + more.format())
    return file


def start(folder: Path, file: Path, *options: str) -> subprocess.Popen[str]:
    """The command with a build folder of its own, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "eccelerate.cli", "explore", str(file), *options],
        cwd=ROOT,
        env={**os.environ, "ECCEL_BUILD": str(folder / "build")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def explore(folder: Path, file: Path, *options: str, code: int = 0) -> tuple[str, str]:
    """Output and messages of the command when it has ended."""
    process = start(folder, file, *options)
    out, err = process.communicate(timeout=1800)
    assert process.returncode == code, err
    return out, err


def store_of(folder: Path) -> SweepStore:
    return SweepStore(folder / "build" / "explore.sqlite")


def swept(store: SweepStore) -> list[tuple[object, ...]]:
    """The results of sweeps; the others are those of the files."""
    keys = {row["key"] for row in store.rows("SELECT key FROM result WHERE source = 'explore'")}
    return [row for row in results(store) if row[0] in keys]


def kill_and_resume(folder: Path, bits: range, after: int) -> SweepStore:
    """Kill the command and its workers with SIGKILL after some results, and run it again to the end."""
    file, store = space(folder, bits), store_of(folder)
    process = start(folder, file, "--jobs", "2")

    def done() -> int:
        return len(swept(store)) if store.path.exists() else 0

    wait_until(lambda: done() >= after, 1800)
    workers = store.rows("SELECT id FROM worker")
    os.killpg(process.pid, signal.SIGKILL)
    for worker in workers:
        os.kill(int(worker["id"].split("/")[1]), signal.SIGKILL)
    process.wait()
    assert after <= done() < len(bits), "killed too late for this test"
    explore(folder, file, "--jobs", "2")
    runs = store.rows("SELECT key, count(*) AS n FROM run GROUP BY key")
    assert len(runs) == len(bits) == len(swept(store))
    assert sum(row["n"] - 1 for row in runs) <= len(workers), "more than a run for each worker was repeated"
    return store


def test_a_killed_sweep_of_real_points_resumes(tmp_path: Path) -> None:
    bits = range(8, 13)
    store = kill_and_resume(tmp_path, bits, 1)
    sizes = {row[1]: json.loads(str(row[4]))["lut4"] for row in swept(store)}
    assert set(sizes) == {f"shift-add-{n}" for n in bits}
    assert list(sizes.values()) != [sizes["shift-add-8"]] * len(bits), "the areas are measured"
    # A second command finds nothing to do, and what is kept comes back into another store as done.
    _, said = explore(tmp_path, space(tmp_path, bits))
    assert f"{len(bits)} measured before" in said
    sweep = store.rows("SELECT DISTINCT id FROM sweep")[0]["id"]
    kept = ExploreRecords(tmp_path / "explore.jsonl")
    assert keep_results(store, sweep, kept) == len(bits)
    assert keep_results(store, sweep, kept) == 0
    other = SweepStore(tmp_path / "other.sqlite")
    import_records(other, tmp_path)
    assert [row[:5] for row in results(other)] == [row[:5] for row in swept(store)]


def test_a_failure_is_recorded_shown_and_not_repeated_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(FAILING.format())
    out, err = explore(tmp_path, file, "--jobs", "1", code=1)
    assert "turbo-p256_Prime99 map on up5k: failed: IndexError" in err
    assert "1 have failed" in out and "Traceback" not in err
    assert "IndexError: list index out of range" in out, "the end of its log is shown"
    explore(tmp_path, file, code=1)
    assert store_of(tmp_path).rows("SELECT count(*) AS n FROM run") == [{"n": 1}]
    explore(tmp_path, file, "--retry-failed", "--jobs", "1", code=1)
    assert store_of(tmp_path).rows("SELECT count(*) AS n FROM run") == [{"n": 2}]


def test_bad_uses_are_usage_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "space.toml"
    file.write_text('[[space]]\nengine = "compact-w32"\nmeasure = "map"\ndevice = "ecp6"\n')
    for words, error in (
        ([str(file)], f"{file}:4: device: no device 'ecp6'"),
        ([str(tmp_path / "absent.toml")], "cannot be read"),
        ([], "give a space file, or one point"),
        (["--point", "{}"], "--point is not the JSON of a point"),
        ([str(file), "--jobs", "1", "--cluster", "tcp://127.0.0.1:9"], "--jobs is for this machine"),
    ):
        monkeypatch.setattr(failures, "errors", said := Console(file=io.StringIO(), soft_wrap=True))
        assert CliRunner().invoke(app, ["explore", *words]).exit_code == 2
        assert error in said.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.soak
def test_a_sweep_of_200_real_points_resumes_after_kill_9(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, range(8, 208), 60)


@pytest.mark.soak
def test_a_second_worker_process_nearly_doubles_the_rate(tmp_path: Path) -> None:
    """On points that are CPU bound: multipliers of 24 to 63 bits, mapped. A busy machine gives two workers
    less than two cores, so the rate is taken for each CPU second that the machine has granted, and the part
    of the time in which workers do not measure counts against them.
    """
    speed = {jobs: measured_rate(tmp_path / str(jobs), jobs) for jobs in (1, 2)}
    (rate1, cpu1, idle1), (rate2, cpu2, idle2) = speed[1], speed[2]
    normalised = 2 * cpu1 / cpu2 * (1 - idle2) / (1 - idle1)
    print(f"one worker: {rate1:.3f} points/s, {cpu1:.2f} CPU s a point, {100 * idle1:.1f} % not measuring")
    print(f"two workers: {rate2:.3f} points/s, {cpu2:.2f} CPU s a point, {100 * idle2:.1f} % not measuring")
    print(f"rate {rate2 / rate1:.2f} times, for equal CPU time {normalised:.2f} times")
    assert max(rate2 / rate1, normalised) >= 1.8
    assert results_of(tmp_path / "1") == results_of(tmp_path / "2")


def results_of(folder: Path) -> list[tuple[object, ...]]:
    return swept(store_of(folder))


def measured_rate(folder: Path, workers: int) -> tuple[float, float, float]:
    """Points a second, CPU seconds of a point, and the part of the workers' time outside of measurements, of
    separately started commands with one worker each.
    """
    folder.mkdir()
    file = space(folder, range(24, 64))
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    commands = [start(folder, file, "--jobs", "1") for _ in range(workers)]
    for command in commands:
        _, err = command.communicate(timeout=3600)
        assert command.returncode == 0, err
    seconds = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    store = store_of(folder)
    spans = store.rows(
        "SELECT sum(seconds) AS busy, (SELECT sum(s) FROM (SELECT 86400.0 * (max(julianday(ended))"
        " - min(julianday(began))) AS s FROM run GROUP BY worker)) AS span"
        " FROM result WHERE source = 'explore'"
    )[0]
    idle = max(0.0, 1 - spans["busy"] / spans["span"])
    return 40 / seconds, cpu / 40, idle
