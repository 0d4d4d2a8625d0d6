"""The text form of results: files of records under results/, which are under version control.

The SQLite store is a working file. `import_records` copies the records of these files into it, so that one
query sees everything; `keep_results` writes results of sweeps to results/explore.jsonl, from where they come
back into any store. A result that was kept is not measured again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.configs.config import ROOT, ConfigError
from eccelerate.explore.sweep.sweep_import import READERS
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore, insert_result
from eccelerate.flow.store import Record, RecordFile

RESULTS = ROOT / "results"


@dataclass(frozen=True)
class ExploreRecords(RecordFile):
    """Results of sweeps that are kept: the newest of each point."""

    path: Path = RESULTS / "explore.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """The point."""
        return (json.dumps(record["point"], sort_keys=True),)

    def put_all(self, records: Iterable[Record]) -> int:
        """Store many records at once, ordered by point. Returns how many are new or changed."""
        stored = {self.key(record): record for record in self}
        new = {self.key(record): record for record in records}
        changed = sum(stored.get(key, {}).get("key") != record["key"] for key, record in new.items())
        if changed:
            merged = stored | {k: r for k, r in new.items() if stored.get(k, {}).get("key") != r["key"]}
            lines = (json.dumps(record, sort_keys=True) for _, record in sorted(merged.items(), key=_first))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(".part")
            part.write_text("".join(f"{line}\n" for line in lines))
            part.rename(self.path)
        return changed


def _first(pair: tuple[tuple[object, ...], object]) -> str:
    return str(pair[0][0])


def import_records(store: SweepStore, folder: Path = RESULTS) -> None:
    """Copy the records of the files of a folder into the store. What was imported before and is no longer in
    a file leaves the store with it; results of sweeps stay.
    """
    imported = list(_all(folder))
    with store.writing() as write:
        write.execute("DELETE FROM result WHERE source != 'explore'")
        for source, record in imported:
            insert_result(write, record, source)


def keep_results(store: SweepStore, sweep: str, file: ExploreRecords | None = None) -> int:
    """Write the results of a sweep to results/explore.jsonl. Returns how many are new there."""
    rows = store.rows(
        "SELECT result.*, point.spec FROM result JOIN point USING (key) JOIN sweep USING (key)"
        " WHERE id = ? AND source = 'explore'",
        [sweep],
    )
    return (file or ExploreRecords()).put_all(kept_record(row) for row in rows)


def kept_record(row: Mapping[str, Any]) -> Record:
    """The record of a row of the store."""
    same = ("key", "seconds", "commit", "date", "command")
    texts = {"point": row["spec"], "figures": row["figures"], "tools": row["tools"]}
    return {**{name: row[name] for name in same}, **{name: json.loads(text) for name, text in texts.items()}}


def _all(folder: Path) -> Iterator[tuple[str, Record]]:
    """Every record with the name of its file."""
    kept = ExploreRecords(folder / "explore.jsonl")
    for record in kept:
        yield kept.path.name, record
    for name, read in READERS.items():
        for record in ExploreRecords(folder / name):  # any file of records is read in the same way
            try:
                for found in read(record):
                    yield name, found
            except ConfigError:  # of a design that no longer exists
                continue
            except (KeyError, TypeError) as error:
                raise StoreError(f"{folder / name}: a record of {_name(record)} lacks {error}") from error


def _name(record: Record) -> str:
    return str(record.get("config") or record.get("unit") or "no design")
