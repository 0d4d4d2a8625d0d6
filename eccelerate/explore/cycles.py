"""Cycle counts of configurations, measured on the RTL once per content, kept in ``results/cycles.jsonl``."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.configs.config import ROOT, Config, rtl_files
from eccelerate.configs.program import load_program
from eccelerate.configs.rtl_text import code_digest
from eccelerate.curves import Curve
from eccelerate.explore.versions import simulator_versions
from eccelerate.flow.store import commit
from eccelerate.rtlsim import measure

Record = dict[str, Any]
Progress = Callable[[str], None]
SEED = 1


@dataclass(frozen=True)
class CycleStore:
    """The file of cycle records, one JSON object a line, newest last; created on first use."""

    path: Path = ROOT / "results" / "cycles.jsonl"

    def latest(self, config: str, curve: str) -> Record | None:
        """The newest record of a configuration on a curve, None when it was never measured."""
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        records = (json.loads(line) for line in reversed(lines))
        return next((r for r in records if (r["config"], r["curve"]) == (config, curve)), None)

    def add(self, record: Record) -> None:
        """Append a record."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as stream:
            stream.write(json.dumps(record, sort_keys=True) + "\n")


def cycles_key(config: Config, curve: Curve) -> str:
    """Hash of all that decides the counts: RTL, microcode, parameters, curve, seed and what is measured."""
    parts = (
        config.top,
        config.parameters,
        curve,
        SEED,
        measure.REVISION,
        load_program(config).words,
        code_digest(rtl_files(config)),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def is_current(record: Record | None, config: Config, curve: Curve) -> bool:
    """Whether a record is of the sources as they are."""
    return record is not None and record["key"] == cycles_key(config, curve)


def cycles_of(
    config: Config, curve: Curve, progress: Progress | None = None, store: CycleStore | None = None
) -> Record:
    """The cycle record of the sources as they are: stored, or else measured now and stored.

    Raises BuildError, MeasureError, JobError.
    """
    store = store or CycleStore()
    found = store.latest(config.name, curve.name)
    if found is not None and is_current(found, config, curve):
        return found
    return keep(config, curve, measured(config, curve, progress=progress), store)


def measured(
    config: Config, curve: Curve, *, seed: int = SEED, progress: Progress | None = None
) -> dict[str, int | float]:
    """Cycles by job and part, on the RTL, now; operands from `seed`. Raises as `cycles_of`."""
    tell = progress or (lambda text: None)
    tell(f"building the model of {config.name}")
    return measure.measure_cycles(
        config, curve, seed=seed, progress=lambda name: tell(f"{config.name}: measuring {name}")
    )


def keep(config: Config, curve: Curve, cycles: dict[str, int | float], store: CycleStore) -> Record:
    """Store cycles measured with SEED, unless the newest record is the same, and return the record."""
    record = {
        "config": config.name,
        "curve": curve.name,
        "key": cycles_key(config, curve),
        "seed": SEED,
        "cycles": cycles,
        "commit": commit(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "tools": simulator_versions(),
    }
    last = store.latest(config.name, curve.name)
    if last is not None and all(last[name] == record[name] for name in ("key", "cycles", "tools")):
        return last
    store.add(record)
    return record
