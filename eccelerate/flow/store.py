"""Stores of results: files of records, each with everything that is needed to repeat it. The flow's own store
is here.
"""

import datetime
import fcntl
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate import external
from eccelerate.flow.design import Design
from eccelerate.flow.devices import FAMILIES, Family
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pnr import PlaceResult
from eccelerate.flow.synth import STEPS, SynthResult
from eccelerate.flow.tools import ROOT, digest, versions

Record = dict[str, Any]


def commit() -> str:
    """Commit of the working tree, with ``+`` if tracked files other than records differ from it. "unknown"
    outside a repository.
    """

    def git(*args: str) -> external.Outcome:
        return external.run(["git", *args], cwd=ROOT, timeout=60)

    head = git("rev-parse", "--short=12", "HEAD")
    if head.code:
        return "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!results")
    return head.text.strip() + ("+" if changed.out else "")


def _common(config: str) -> Record:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"config": config, "commit": commit(), "date": now, "tools": versions()}


def netlist_key(design: Design, rules: Family) -> str:
    """The netlist that a record is for, without the words of its memories. A stored record with another key
    was made with other sources, tools or parameters.
    """
    return digest(design.digest(rules, contents=False), rules, versions()["pyosys"], sources=STEPS)


def place_record(result: PlaceResult) -> Record:
    """Record of a placement: device, speed grade, clock in MHz for each seed, area without the wrapper."""
    return _common(result.design.name) | {
        "kind": "place",
        "top": result.design.top,
        "params": result.design.params,
        "netlist": netlist_key(result.design, FAMILIES[result.synth.family]),
        "device": result.device,
        "speed": result.speed,
        **result.placed,
        "mapped_lut4": result.synth.counts.lut4,
        "mapped_ff": result.synth.counts.ff,
        "fmax_mhz": {str(s): f for s, f in result.fmax_mhz.items()},
        "worst_mhz": result.worst_mhz,
        "median_mhz": result.median_mhz,
        "cautions": result.synth.cautions,
    }


def map_record(result: SynthResult) -> Record:
    """Record of a mapping: the cells for a family, and no clock."""
    counts = result.counts
    return _common(result.design.name) | {
        "kind": "map",
        "top": result.design.top,
        "params": result.design.params,
        "netlist": netlist_key(result.design, FAMILIES[result.family]),
        "device": result.family,
        "lut4": counts.lut4,
        "lut": counts.lut,
        "luts_by_size": counts.luts_by_size,
        "ff": counts.ff,
        "mult": counts.mult,
        "bram": counts.bram,
        "cells": counts.cells,
        "cautions": result.cautions,
    }


@dataclass(frozen=True)
class RecordFile(ABC):
    """A file of records, one JSON object in each line. It keeps the newest record of each key, in the order
    in which the records were made. The first record creates the file.
    """

    path: Path

    @staticmethod
    @abstractmethod
    def key(record: Record) -> tuple[object, ...]:
        """The key of a record. A newer record with the same key replaces it."""

    def put(self, record: Record) -> Record:
        """Store a record in place of the one with its key. Returns the record as a reader of the file gets
        it.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(record, sort_keys=True)
        stored = dict(json.loads(line))
        with self.path.open("a+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)  # several processes may store at once
            others = [json.dumps(r, sort_keys=True) for r in self if self.key(r) != self.key(stored)]
            stream.truncate(0)
            stream.write("".join(f"{text}\n" for text in (*others, line)))
        return stored

    def __iter__(self) -> Iterator[Record]:
        if not self.path.exists():
            return
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise FlowError(f"{self.path}:{number} is not JSON; remove the line") from error

    def query(self, **where: Any) -> list[Record]:
        """Records whose fields equal all of ``where``, oldest first."""
        return [r for r in self if all(r.get(k) == v for k, v in where.items())]

    def latest(self, **where: Any) -> Record | None:
        """The newest record that matches, or None."""
        found = self.query(**where)
        return found[-1] if found else None


@dataclass(frozen=True)
class Store(RecordFile):
    """Records of placements and mappings."""

    path: Path = ROOT / "results" / "flow.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Kind, design, device and number of seeds: a placement with another number of seeds is another
        claim.
        """
        return record["kind"], record["config"], record["device"], len(record.get("fmax_mhz", ()))

    def add(self, result: PlaceResult | SynthResult) -> Record:
        """Store the record of a result and return it.

        A record that differs from the stored one only in date and commit does not replace it.
        """
        record = place_record(result) if isinstance(result, PlaceResult) else map_record(result)
        record = dict(json.loads(json.dumps(record)))
        last = next((r for r in self if self.key(r) == self.key(record)), None)
        moving = {"date", "commit"}
        if last and {k: v for k, v in last.items() if k not in moving} == {
            k: v for k, v in record.items() if k not in moving
        }:
            return last
        return self.put(record)
