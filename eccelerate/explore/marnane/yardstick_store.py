"""Records of yardsticks: ``results/yardsticks.jsonl``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.flow.store import Record, RecordFile


@dataclass(frozen=True)
class YardstickStore(RecordFile):
    """The newest record of each yardstick on each device."""

    path: Path = ROOT / "results" / "yardsticks.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Name and device."""
        return record["config"], record["device"]
