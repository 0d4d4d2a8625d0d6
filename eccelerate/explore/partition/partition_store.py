"""Plans and the question of the paper as records in ``results/partition.jsonl``."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.explore.partition.link_spec import DEFAULT_LATENCY_NS
from eccelerate.explore.partition.offload_question import OffloadLine
from eccelerate.explore.partition.partition_cuts import Job
from eccelerate.explore.partition.partition_plan import Plan
from eccelerate.explore.versions import simulator_versions
from eccelerate.flow.store import Record, RecordFile, commit

PLAN, QUESTION = "plan", "question"
DEFAULT_MHZ = 150
"""Clock of the devices that `eccel partition` takes if none is given."""


@dataclass(frozen=True)
class PartitionStore(RecordFile):
    """The newest record of each request."""

    path: Path = ROOT / "results" / "partition.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """The kind of record, and the command line."""
        return record["kind"], record["command"]


def command_of(job: Job, devices: int) -> str:
    """The command that makes a plan again."""
    link = job.link.text.removesuffix(f"+{DEFAULT_LATENCY_NS:g}ns")
    clock = "" if job.mhz == DEFAULT_MHZ else f" --clock {job.mhz:g}"
    return (
        f"eccel partition --bits {job.bits} --op {job.op} --devices {devices} --link {link}"
        f" --device {job.device}{clock}"
    )


def _common(kind: str, job: Job, devices: int) -> Record:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    common = {"kind": kind, "command": command_of(job, devices), "devices": devices, "commit": commit()}
    return common | {"date": now, "tools": simulator_versions()}


def plan_record(found: Plan, devices: int) -> Record:
    """The record of a plan: the object of `--json`, with the command and the versions."""
    return _common(PLAN, found.job, devices) | found.record


def question_record(lines: Sequence[OffloadLine], job: Job, devices: int) -> Record:
    """The record of the question what to move to the devices."""
    what = {"bits": job.bits, "device": job.device, "clock_mhz": job.mhz, "gbit_s": job.link.gbit_s}
    return _common(QUESTION, job, devices) | what | {"lines": [asdict(line) for line in lines]}
