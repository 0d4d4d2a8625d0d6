"""The text form of results: files of records under results/, which are under version control.

The SQLite store is a working file. `import_records` copies the records of these files into it, so that one
query sees everything; `keep_results` writes results of sweeps to results/explore.jsonl, from where they come
back into any store. A result that was kept is not measured again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from eccelerate.configs.config import ROOT, ConfigError
from eccelerate.explore.figures import Stores
from eccelerate.explore.sweep.sweep_design import find_design, find_engine
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_run import job_cycles
from eccelerate.explore.sweep.sweep_store import SweepStore, insert_result
from eccelerate.flow.devices import devices
from eccelerate.flow.store import Record, RecordFile

ORIGIN = "origin_key"
"""Where the figures of an imported record have the key that its own file gave it."""
ORIGIN_DEVICE = "origin_device"
"""The device that this key is for, if the figures do not depend on it."""
CORE = "-core"
"""How the flow's records name an engine without its bus shell."""


@dataclass(frozen=True)
class ExploreRecords(RecordFile):
    """Results of sweeps that are kept: the newest of each point."""

    path: Path = ROOT / "results" / "explore.jsonl"

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


@dataclass(frozen=True)
class RecordFiles:
    """The files that are imported."""

    stores: Stores = field(default_factory=Stores)
    explore: ExploreRecords = field(default_factory=ExploreRecords)
    energy: Path = ROOT / "results" / "energy.jsonl"

    @classmethod
    def at(cls, folder: Path) -> RecordFiles:
        """All files in one folder."""
        return cls(Stores.at(folder), ExploreRecords(folder / "explore.jsonl"), folder / "energy.jsonl")


def import_records(store: SweepStore, files: RecordFiles | None = None) -> None:
    """Copy the records of the files into the store. What was imported before and is no longer in a file
    leaves the store with it; results of sweeps stay.
    """
    files = files or RecordFiles()
    imported = list(_all(files))
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


def _all(files: RecordFiles) -> Iterator[tuple[str, Record]]:
    """Every record with the name of its file."""
    for record in files.explore:
        yield files.explore.path.name, record
    readers: tuple[tuple[RecordFile, Callable[[Record], Iterator[Record]]], ...] = (
        (files.stores.flow, _flow),
        (files.stores.cycles, _cycles),
        (files.stores.multipliers, _multiplier),
    )
    for file, read in readers:
        for record in file:
            try:
                for found in read(record):
                    yield file.path.name, found
            except ConfigError:  # of a design that no longer exists
                continue


def _record(
    record: Record, point: Point, figures: Mapping[str, Any], command: str, seeds: str = ""
) -> Record:
    """A record in the form of this store. Its key is not that of a point: it was not made by a sweep."""
    content = json.dumps([record, point.text], sort_keys=True)
    return {
        "key": "file:" + hashlib.sha256(content.encode()).hexdigest()[:20],
        "point": asdict(point),
        "figures": figures,
        "seconds": None,
        "commit": record["commit"],
        "date": record.get("date", ""),
        "tools": record["tools"],
        "command": command,
        "seeds": seeds,
    }


def _flow(record: Record) -> Iterator[Record]:
    name, measure = record["config"], record["kind"]
    design = find_engine(name.removesuffix(CORE)).name
    shell = not name.endswith(CORE)
    device = record["device"]
    point = Point("engine", design, measure, device=device, shell=shell)
    seeds = sorted(record.get("fmax_mhz", ()), key=int)
    command = f"eccel measure {design} --area {device} --{'' if shell else 'no-'}shell"
    command += f" --placements {len(seeds)}" if seeds else ""
    yield _record(record, point, _area(record, device), command, ",".join(seeds))


def _area(record: Record, device: str) -> dict[str, Any]:
    names = ("lut4", "lut", "ff", "mult", "bram", "mapped_lut4", "mapped_ff", "cells", "cautions", "fmax_mhz")
    figures = {name: record[name] for name in names if name in record} | {ORIGIN: record["netlist"]}
    worst = record.get("worst_mhz")
    limit = devices()[device].mult_mhz if device in devices() else 0
    if worst:
        figures["mhz"] = min(worst, limit) if limit and record["mult"] else worst
    return figures


def _cycles(record: Record) -> Iterator[Record]:
    design, curve = find_engine(record["config"]).name, record["curve"]
    point = Point("engine", design, "cycles", curve=curve)
    command = f"eccel measure {design} --cycles --curve {curve}"
    figures = job_cycles(record["cycles"]) | {ORIGIN: record["key"]}
    yield _record(record, point, figures, command)


def _multiplier(record: Record) -> Iterator[Record]:
    design, device = find_design("multiplier", record["config"]).name, record["device"]
    command = f"eccel multipliers --measure --units {design} --device {device}"
    seeds = ",".join(sorted(record["fmax_mhz"], key=int))
    point = Point("multiplier", design, record["flow"], device=device)
    yield _record(record, point, _area(record, device), command, seeds)
    run = record["simulated"]
    cycles: dict[str, Any] = {"cycles": run["latency"], "interval": run["interval"], "operation": "product"}
    cycles |= {ORIGIN: record["netlist"], ORIGIN_DEVICE: device}
    yield _record(record, Point("multiplier", design, "cycles"), cycles, command)
