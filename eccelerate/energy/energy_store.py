"""Records of energy: ``results/energy.jsonl``.

A record has at least: unit (the name of the design), library, energy_pj (of one operation), cycles, area_um2,
gate_equivalents, delay_ps, clock_mhz, switching_w, internal_w, leakage_w, total_w (at that clock), commit,
tools.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate import external
from eccelerate.flow.store import Record, RecordFile, commit
from eccelerate.flow.tools import ROOT

GATED = "+clock-gates"


@dataclass(frozen=True)
class EnergyStore(RecordFile):
    """The newest record of each design in each library. With clock gates it is another design, whose name has
    GATED added.
    """

    path: Path = ROOT / "results" / "energy.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Design and library."""
        return record["unit"], record["library"]


def origin(files: Sequence[Path]) -> Record:
    """Commit and date of a record. The commit ends in ``+`` if one of the files, or of this room, differs
    from it.
    """
    decisive = [*files, Path(__file__).parent, ROOT / "sim"]
    changed = external.run(["git", "status", "--porcelain", "--", *decisive], cwd=ROOT, timeout=60)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"commit": commit().removesuffix("+") + ("+" if changed.out else ""), "date": now}
