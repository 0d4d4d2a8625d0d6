"""Runs a sweep on this machine with several worker processes, and says how far it is.

The processes take points from the store by themselves. So a second command on the same store simply helps,
and nothing depends on this process: if it is killed, the next one goes on with what is left.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from eccelerate.explore.sweep.sweep_claims import Worker
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_store import SweepStore
from eccelerate.external.service import Service
from eccelerate.flow.tools import ROOT

WATCH_S = 0.5
FIRST_GUESS_S = 60.0
"""Time of a point before one of its measure is stored."""
MODULE = "eccelerate.explore.sweep.sweep_worker"


@dataclass(frozen=True)
class State:
    """How far a sweep is.

    finished: labels of the points that have ended since the last state, with their error ("": measured).
    left_s: seconds that the rest may take; None if nothing is left.
    """

    done: int
    failed: int
    running: int
    total: int
    finished: tuple[tuple[str, str], ...]
    left_s: float | None


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_pool(store: SweepStore, sweep: str, jobs: int) -> Iterator[State]:
    """Run a sweep with `jobs` worker processes, and yield its state after every change. A process that dies
    is replaced; the store decides how often a point may kill its worker.
    """
    watch = Watch(store, sweep)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command: list[str | Path] = [sys.executable, "-m", MODULE, store.path.resolve(), sweep]
    observer = Worker(store)
    with ExitStack() as stack:
        running: list[Service] = []
        logs = workers_log(store.path.resolve())
        while not (state := watch.look(jobs)).finished_all:
            running = [service for service in running if service.process and service.process.poll() is None]
            observer.free_dead(sweep)
            wanted = min(jobs, state.left)
            running += [
                stack.enter_context(Service(command, logs, env=env)) for _ in range(wanted - len(running))
            ]
            if state.state.finished:
                yield state.state
            time.sleep(WATCH_S)
    yield state.state


@dataclass(frozen=True)
class Look:
    """A state, and how many points are left."""

    state: State
    left: int

    @property
    def finished_all(self) -> bool:
        """Whether every point is done or has failed."""
        return self.left == 0


class Watch:
    """Looks at the points of a sweep again and again."""

    def __init__(self, store: SweepStore, sweep: str) -> None:
        self.store, self.sweep = store, sweep
        self.ended = set[str]()
        self.look(1)

    def look(self, workers: int) -> Look:
        """The state now; `finished` are the points that have ended since the last look."""
        rows = self.store.rows(
            "SELECT key, label, state, error, spec FROM point JOIN sweep USING (key) WHERE id = ?"
            " ORDER BY number",
            [self.sweep],
        )
        of = {
            state: [row for row in rows if row["state"] == state]
            for state in ("done", "failed", "claimed", "open")
        }
        new = [row for row in (*of["done"], *of["failed"]) if row["key"] not in self.ended]
        self.ended |= {row["key"] for row in new}
        left = of["claimed"] + of["open"]
        self.ended -= {row["key"] for row in left}
        guess = self._guess() if left else {}
        seconds = sum(guess.get(Point.parse(row["spec"]).measure, FIRST_GUESS_S) for row in left)
        state = State(
            done=len(of["done"]),
            failed=len(of["failed"]),
            running=len(of["claimed"]),
            total=len(rows),
            finished=tuple((row["label"], row["error"]) for row in new),
            left_s=seconds / max(1, workers, len(of["claimed"])) if left else None,
        )
        return Look(state, len(left))

    def _guess(self) -> dict[str, float]:
        """Seconds of a point of each measure: the mean of this sweep, else of all that the store has."""
        found: dict[str, float] = {}
        for scope in ("", " AND key IN (SELECT key FROM sweep WHERE id = ?)"):
            rows = self.store.rows(
                "SELECT measure, avg(seconds) AS s FROM result"
                f" WHERE seconds IS NOT NULL{scope} GROUP BY measure",
                [self.sweep] if scope else [],
            )
            found |= {row["measure"]: row["s"] for row in rows}
        return found


def workers_log(path: Path) -> Path:
    """The file for what worker processes print, which is nothing unless one breaks."""
    return path.with_suffix(".workers.log")
