"""The SQLite store of sweeps: points, claims, runs and results in one file that plain SQL can query.

Several processes share a store without a server. SQLite's write-ahead log makes each transaction whole: after
a crash at any time a result is either there with its point done, or not there at all.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from eccelerate.configs.config import build_root
from eccelerate.explore.sweep.sweep_point import Point

SCHEMA = Path(__file__).with_name("sweep_schema.sql")
VERSION = 1
BUSY_S = 60
"""Seconds for which a process waits while another one writes."""
COLUMNS = {
    "lut4": "lut4", "ff": "ff", "mult": "mult", "bram": "bram", "mhz": "mhz", "cycles": "cycles",
    "interval": "interval", "operation": "operation", "energy_pj": "energy_pj", "total_w": "power_w",
    "area_um2": "area_um2", "gate_equivalents": "gates",
}  # fmt: skip
"""The columns of a result that come from its figures, by the name of the figure."""

Row = dict[str, Any]


class StoreError(RuntimeError):
    """The file is no store of this version, or cannot be written."""


def default_store() -> Path:
    """The store of the build folder."""
    return build_root() / "explore.sqlite"


def now() -> str:
    """The time of a record."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class SweepStore:
    """A store in the file `path`, which is made if it does not exist. One thread uses one object."""

    path: Path

    @cached_property
    def connection(self) -> sqlite3.Connection:
        """The open file. Raises StoreError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            found = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)
            found.row_factory = sqlite3.Row
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = FULL")
            version = found.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise StoreError(
                    f"{self.path} is of version {version}, this program needs {VERSION}: move it away"
                )
            if version == 0:
                found.executescript(
                    f"BEGIN IMMEDIATE; {SCHEMA.read_text()} PRAGMA user_version = {VERSION}; COMMIT"
                )
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is no store: {error}") from error
        return found

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        del self.connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer can interleave with."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def rows(self, sql: str, parameters: Iterable[object] = ()) -> list[Row]:
        """The rows of a query."""
        return [dict(row) for row in self.connection.execute(sql, tuple(parameters))]

    def plan(self, points: Mapping[str, Point]) -> str:
        """Enter the points of a sweep, by key, and return the sweep's id. Points that the store has already
        keep their state; those with a result are done.
        """
        sweep = hashlib.sha256("\n".join(sorted(points)).encode()).hexdigest()[:16]
        with self.writing() as write:
            write.executemany(
                "INSERT INTO point (key, spec, label) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(key, point.text, point.label) for key, point in points.items()],
            )
            write.executemany(
                "INSERT INTO sweep (id, number, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(sweep, number, key) for number, key in enumerate(points)],
            )
            write.execute(
                "UPDATE point SET state = 'done', worker = NULL WHERE state != 'done'"
                " AND key IN (SELECT key FROM result)"
            )
            write.execute(
                "UPDATE point SET state = 'open' WHERE state = 'done' AND key NOT IN (SELECT key FROM result)"
            )
        return sweep

    def counts(self, sweep: str) -> dict[str, int]:
        """How many points of a sweep are in each state."""
        found = self.rows(
            "SELECT state, count(*) AS n FROM point JOIN sweep USING (key) WHERE id = ? GROUP BY state",
            [sweep],
        )
        return dict.fromkeys(("open", "claimed", "done", "failed"), 0) | {
            row["state"]: row["n"] for row in found
        }

    def failures(self, sweep: str) -> list[Row]:
        """The failed points of a sweep with key, spec, label, error and log, in the order of the sweep."""
        return self.rows(
            "SELECT point.* FROM point JOIN sweep USING (key) WHERE id = ? AND state = 'failed'"
            " ORDER BY number",
            [sweep],
        )

    def retry_failed(self, sweep: str) -> int:
        """Open the failed points of a sweep again. Returns how many there are."""
        with self.writing() as write:
            return write.execute(
                "UPDATE point SET state = 'open', attempts = 0, error = '', log = ''"
                " WHERE state = 'failed' AND key IN (SELECT key FROM sweep WHERE id = ?)",
                [sweep],
            ).rowcount


def insert_result(write: sqlite3.Connection, record: Mapping[str, Any], source: str) -> bool:
    """Store a record, see `result_record`. Returns whether it is new: a key has one result."""
    point: Mapping[str, Any] = record["point"]
    figures: Mapping[str, Any] = record["figures"]
    values: dict[str, object] = {
        "key": record["key"],
        "source": source,
        **{name: point[name] for name in ("kind", "design", "measure", "curve", "device", "library")},
        "shell": int(point["shell"]),
        "seeds": record.get("seeds") or (str(point["seed"]) if point["seed"] else ""),
        **{column: figures.get(name) for name, column in COLUMNS.items()},
        "figures": json.dumps(figures, sort_keys=True),
        "seconds": record.get("seconds"),
        "commit": record["commit"],
        "date": record["date"],
        "tools": json.dumps(record["tools"], sort_keys=True),
        "command": record["command"],
    }
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    sql = f"INSERT INTO result ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"
    return write.execute(sql, tuple(values.values())).rowcount == 1
