"""Records of `eccel bench system`, kept in ``results/system.jsonl``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.flow.store import Record, RecordFile


@dataclass(frozen=True)
class SystemStore(RecordFile):
    """Whole measurements of a machine: see `measure_system`. The newest one of each kind of machine
    is kept.
    """

    path: Path = ROOT / "results" / "system.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """The processor and the number of cores."""
        return record["host"], record["cores"]

    def newest(self) -> Record | None:
        """The newest record of any machine."""
        return self.latest()
