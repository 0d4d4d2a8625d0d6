"""What the tests of sweeps share: points, a cheap measurement that leaves a trace of each run, and worker
processes that can be killed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from eccelerate.explore.sweep import sweep_worker
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_run import Outcome
from eccelerate.explore.sweep.sweep_store import SweepStore

ROOT = Path(__file__).resolve().parents[2]
SECONDS = "SWEEP_TEST_SECONDS"
"""Environment variable: how long a run of `pretended` takes."""
FATAL = "SWEEP_TEST_FATAL"
"""Environment variable: the design that kills its worker."""


def points(count: int) -> dict[str, Point]:
    """Points by key, none of which is measured in earnest."""
    base = Point("multiplier", "", "map", device="up5k")
    made = (replace(base, design=f"shift-add-{bits}") for bits in range(2, 2 + count))
    return {hashlib.sha256(point.text.encode()).hexdigest()[:20]: point for point in made}


def pretended(point: Point, key: str) -> Outcome:
    """A run whose figures depend on the point only. A design of 13 bits fails."""
    if point.design == os.environ.get(FATAL):
        os.kill(os.getpid(), 9)
    time.sleep(float(os.environ.get(SECONDS, "0.01")))
    bits = int(point.design.rpartition("-")[2])
    if bits == 13:
        return Outcome(None, 0.01, "13 bits fail", "line 1\nline 2\n")
    return Outcome({"lut4": bits * bits, "ff": bits, "mult": 0, "bram": 0}, 0.01)


def pretend(store: Path, sweep: str) -> int:
    """A worker that pretends. It does not ask git for the commit of each result, which would take longer than
    everything else.
    """
    sweep_worker.point_commit = lambda point: "a commit"
    return sweep_worker.work(store, sweep, pretended)


SCRIPT = """
import sys
from pathlib import Path
from tests.sweep.sweeping import pretend
print(pretend(Path(sys.argv[1]), sys.argv[2]))
"""


def start_worker(store: Path, sweep: str, **env: str) -> subprocess.Popen[str]:
    """A worker process that pretends."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(store), sweep],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_until(condition: Callable[[], bool], seconds: float = 180) -> None:
    """Wait for a condition; fails after a time."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "the condition did not come true in time"
        time.sleep(0.02)


def results(store: SweepStore) -> list[tuple[object, ...]]:
    """Everything that the results say, apart from when and by whom."""
    return [
        tuple(row.values())
        for row in store.rows(
            "SELECT key, design, measure, device, figures, tools, command FROM result ORDER BY key"
        )
    ]


def ended(processes: Iterable[subprocess.Popen[str]]) -> list[int]:
    """How many points each worker has measured, when all have ended."""
    found = []
    for process in processes:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        found.append(int(out))
    return found
