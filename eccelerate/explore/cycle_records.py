"""Cycle counts of configurations, measured on the RTL once for its content, and kept in
``results/cycles.jsonl``.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import ROOT, Config, rtl_files
from eccelerate.configs.images import load_program
from eccelerate.configs.rtl_reach import needed_files
from eccelerate.configs.rtl_text import code_digest
from eccelerate.curves import Curve
from eccelerate.explore.versions import simulator_versions
from eccelerate.flow.store import Record, RecordFile, commit
from eccelerate.rtlsim import measure_config

Progress = Callable[[str], None]
SEED = 1


@dataclass(frozen=True)
class CycleStore(RecordFile):
    """Records of the cycles of a configuration on a curve."""

    path: Path = ROOT / "results" / "cycles.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Configuration and curve."""
        return record["config"], record["curve"]


def cycles_key(config: Config, curve: Curve) -> str:
    """Hash of everything that decides the counts: RTL, microcode, parameters, curve, seed, and what is
    measured.
    """
    parts = (
        config.top,
        config.parameters,
        curve,
        SEED,
        measure_config.REVISION,
        load_program(config).words,
        code_digest(needed_files(rtl_files(config), config.top)),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def is_current(record: Record | None, config: Config, curve: Curve) -> bool:
    """Whether a record was measured on the current sources."""
    return record is not None and record["key"] == cycles_key(config, curve)


def cycles_of(
    config: Config, curve: Curve, progress: Progress | None = None, store: CycleStore | None = None
) -> Record:
    """The cycle record for the current sources. It is measured and stored now if the store does not have it.

    Raises BuildError, MeasureError, JobError.
    """
    store = store or CycleStore()
    found = store.latest(config=config.name, curve=curve.name)
    if found is not None and is_current(found, config, curve):
        return found
    return keep(config, curve, measured(config, curve, progress=progress), store)


def measured(
    config: Config, curve: Curve, *, seed: int = SEED, progress: Progress | None = None
) -> dict[str, int | float]:
    """Cycles of jobs and their parts, measured on the RTL now, with operands from `seed`. Raises as
    `cycles_of`.
    """
    tell = progress or (lambda text: None)
    tell(f"building the model of {config.name}")
    return measure_config.measure_cycles(
        config, curve, seed=seed, progress=lambda name: tell(f"{config.name}: measuring {name}")
    )


def keep(config: Config, curve: Curve, cycles: dict[str, int | float], store: CycleStore) -> Record:
    """Store cycles measured with SEED, unless the newest record is equal. Returns the record."""
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
    last = store.latest(config=config.name, curve=curve.name)
    if last is not None and all(last[name] == record[name] for name in ("key", "cycles", "tools")):
        return last
    return store.put(record)
