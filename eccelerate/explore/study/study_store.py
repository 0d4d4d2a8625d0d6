"""Records of the study: ``results/study.jsonl``."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.configs.rtl_reach import used_code
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.flow.multiplier_store import unit_commit, unit_device, unit_key
from eccelerate.flow.store import Record, RecordFile
from eccelerate.flow.tools import digest, versions
from eccelerate.rtlsim.verilate import verilator_version

CYCLES, LIBRARY, PLACED = "cycles", "sg13g2", "placed"
DEVICES = ("xc2v", "ecp5-25f-6")
PLACED_ON = DEVICES[1]
PARTS = (CYCLES, LIBRARY, *DEVICES, PLACED)
"""What is measured of a variant: cycles on the RTL; cells and energy in a library; cells on each device; the
placement on PLACED_ON."""


@dataclass(frozen=True)
class StudyStore(RecordFile):
    """The newest record of each part of each variant."""

    path: Path = ROOT / "results" / "study.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Variant and part."""
        return record["config"], record["part"]


def part_key(unit: Yardstick, part: str) -> str:
    """A hash of the RTL, parameters and tools that a record is for. Another key comes of a change of them."""
    if part in DEVICES or part == PLACED:
        return unit_key(unit, unit_device(PLACED_ON if part == PLACED else part))
    tool = verilator_version() if part == CYCLES else versions()["pyosys"]
    return digest(sorted(used_code(unit.files)), unit.top, dict(unit.params), part, tool)


def part_record(unit: Yardstick, part: str, figures: Record, seconds: float) -> Record:
    """The record of a part."""
    return {
        "config": unit.name,
        "part": part,
        "key": part_key(unit, part),
        "commit": unit_commit(unit),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "tools": {**versions(), "verilator": verilator_version()},
        "seconds": round(seconds, 1),
        **figures,
    }
