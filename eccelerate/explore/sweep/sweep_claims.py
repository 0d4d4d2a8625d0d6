"""Who measures what: a process claims one point after the other, and says regularly that it is alive.

A claim holds while its process exists (on this machine) or while its last sign of life is fresh (on another
one). If a worker dies, its point is open again for the others; if a point has outlived MAX_ATTEMPTS workers,
it has failed.
"""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_store import SweepStore, insert_result, now

BEAT_S = 5.0
STALE_S = 60.0
"""A worker of another machine is dead if it was silent for so long."""
MAX_ATTEMPTS = 3
DIED = "its worker died without a result {} times"


def worker_id() -> str:
    """Host, process and start of this process; no other process ever has the same."""
    pid = os.getpid()
    return f"{socket.gethostname()}/{pid}/{_started(pid) or f'{time.time():.3f}'}"


def _started(pid: int) -> str | None:
    """When a process of this machine started, in the kernel's clock; None if it does not exist or has ended,
    or where there is no /proc.
    """
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if words[0] in "ZX" else words[19]


def is_alive(worker: str, beat: float) -> bool:
    """Whether the process of a worker still runs, as far as this machine can tell."""
    host, pid, started = worker.rsplit("/", 2)
    if host == socket.gethostname() and Path("/proc/self/stat").exists():
        return _started(int(pid)) == started
    return time.time() - beat < STALE_S


@dataclass(frozen=True)
class Claim:
    """A point that this worker measures."""

    key: str
    point: Point
    run: int


@dataclass
class Worker:
    """This process as a worker on a store. Within a `with` block it gives signs of life."""

    store: SweepStore
    id: str = field(default_factory=worker_id)
    _stop: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def __enter__(self) -> Worker:
        self._beat(self.store)
        self._stop.clear()
        self._thread = Thread(target=self._beat_on, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _beat_on(self) -> None:
        store = SweepStore(self.store.path)  # a connection belongs to a thread
        while not self._stop.wait(BEAT_S):
            self._beat(store)
        store.close()

    def _beat(self, store: SweepStore) -> None:
        with store.writing() as write:
            write.execute(
                "INSERT INTO worker (id, started, beat) VALUES (?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
                [self.id, now(), time.time()],
            )

    def claim(self, sweep: str) -> Claim | None:
        """Claim the next open point of a sweep. None if there is none now; `unfinished` says whether one may
        come.
        """
        self.free_dead(sweep)
        with self.store.writing() as write:
            found = write.execute(
                "UPDATE point SET state = 'claimed', worker = ?, attempts = attempts + 1 WHERE key = ("
                " SELECT key FROM sweep JOIN point USING (key) WHERE id = ? AND state = 'open'"
                " ORDER BY number LIMIT 1) RETURNING key, spec",
                [self.id, sweep],
            ).fetchone()
            if found is None:
                return None
            run = write.execute(
                "INSERT INTO run (key, worker, began) VALUES (?, ?, ?)", [found["key"], self.id, now()]
            ).lastrowid
        return Claim(found["key"], Point.parse(found["spec"]), int(run or 0))

    def free_dead(self, sweep: str) -> None:
        """Open the points of workers that are dead."""
        held = self.store.rows(
            "SELECT DISTINCT point.worker AS id, coalesce(beat, 0) AS beat FROM point JOIN sweep USING (key)"
            " LEFT JOIN worker ON worker.id = point.worker WHERE sweep.id = ? AND state = 'claimed'",
            [sweep],
        )
        for worker in held:
            if worker["id"] == self.id or is_alive(worker["id"], worker["beat"]):
                continue
            with self.store.writing() as write:
                write.execute(
                    "UPDATE point SET state = 'failed', error = ? WHERE state = 'claimed' AND worker = ?"
                    " AND attempts >= ?",
                    [DIED.format(MAX_ATTEMPTS), worker["id"], MAX_ATTEMPTS],
                )
                write.execute(
                    "UPDATE point SET state = 'open' WHERE state = 'claimed' AND worker = ?", [worker["id"]]
                )

    def unfinished(self, sweep: str) -> bool:
        """Whether a point of the sweep is open or claimed."""
        counts = self.store.counts(sweep)
        return counts["open"] + counts["claimed"] > 0

    def done(self, claim: Claim, record: dict[str, Any]) -> None:
        """Store the result of a claim; in the same transaction its point is done. If another worker was
        faster, because it thought that this one was dead, its result stays.
        """
        with self.store.writing() as write:
            insert_result(write, record, "explore")
            write.execute(
                "UPDATE point SET state = 'done', worker = NULL, error = '', log = '' WHERE key = ?",
                [claim.key],
            )
            self._end(write, claim, "done")

    def failed(self, claim: Claim, error: str, log: str) -> None:
        """Record that a claim has failed, unless another worker has measured the point."""
        with self.store.writing() as write:
            write.execute(
                "UPDATE point SET state = 'failed', worker = NULL, error = ?, log = ?"
                " WHERE key = ? AND state != 'done'",
                [error, log, claim.key],
            )
            self._end(write, claim, "failed")

    def release(self, claim: Claim) -> None:
        """Give a claim back, because this worker is told to stop."""
        with self.store.writing() as write:
            write.execute(
                "UPDATE point SET state = 'open', worker = NULL, attempts = attempts - 1"
                " WHERE key = ? AND state = 'claimed' AND worker = ?",
                [claim.key, self.id],
            )
            self._end(write, claim, "stopped")

    def _end(self, write: Any, claim: Claim, outcome: str) -> None:
        write.execute("UPDATE run SET ended = ?, outcome = ? WHERE id = ?", [now(), outcome, claim.run])
