"""Records of energy: ``results/energy.jsonl``.

A record has at least: unit (the name of the design), library, energy_pj (of one operation), cycles, area_um2,
gate_equivalents, delay_ps, clock_mhz, switching_w, internal_w, leakage_w, total_w (at that clock), commit,
tools.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from eccelerate.flow.store import Record, RecordFile
from eccelerate.flow.tools import ROOT


@dataclass(frozen=True)
class EnergyStore(RecordFile):
    """The newest record of each design in each library."""

    path: Path = ROOT / "results" / "energy.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Design and library."""
        return record["unit"], record["library"]
