"""A worker process: claims points of a sweep, measures them and stores what came of it, until none is left.

`python -m eccelerate.explore.sweep.sweep_worker STORE SWEEP` is one. It ends cleanly at SIGTERM: the tool
that runs is ended, and the point is open again.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

from eccelerate.explore.sweep.sweep_claims import Claim, Worker
from eccelerate.explore.sweep.sweep_commit import point_commit
from eccelerate.explore.sweep.sweep_key import used_tools
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_run import Outcome, run_point
from eccelerate.explore.sweep.sweep_store import SweepStore, now

POLL_S = 0.5
Run = Callable[[Point, str], Outcome]


def result_record(key: str, point: Point, outcome: Outcome) -> dict[str, Any]:
    """The record of a result: what it is of, its figures, and everything that is needed to repeat it."""
    return {
        "key": key,
        "point": asdict(point),
        "figures": outcome.figures,
        "seconds": round(outcome.seconds, 2),
        "commit": point_commit(point),
        "date": now(),
        "tools": used_tools(point),
        "command": point.command,
    }


def keep_outcome(worker: Worker, claim: Claim, outcome: Outcome) -> None:
    """Store what came of a claim."""
    if outcome.figures is None:
        worker.failed(claim, outcome.error, outcome.log)
    else:
        worker.done(claim, result_record(claim.key, claim.point, outcome))


def work(path: Path, sweep: str, run: Run = run_point) -> int:
    """Measure points of a sweep until all are done or have failed. Returns how many this process measured.

    Points that other workers measure at the end are waited for, because these workers may die.
    """
    measured = 0
    with Worker(SweepStore(path)) as worker:
        while True:
            claim = worker.claim(sweep)
            if claim is None:
                if not worker.unfinished(sweep):
                    return measured
                time.sleep(POLL_S)
                continue
            try:
                outcome = run(claim.point, claim.key)
            except BaseException:
                worker.release(claim)
                raise
            keep_outcome(worker, claim, outcome)
            measured += 1


def _stop(number: int, frame: FrameType | None) -> None:
    del frame
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    work(Path(sys.argv[1]), sys.argv[2])
