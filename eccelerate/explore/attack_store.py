"""Campaigns of `eccel fault` and `eccel leak` as records in ``results/attacks.jsonl``."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eccelerate.configs.config import ROOT
from eccelerate.configs.kind import Config
from eccelerate.explore.designs import config_design
from eccelerate.explore.versions import simulator_versions
from eccelerate.flow.store import Record, RecordFile, commit
from eccelerate.flow.synth import synthesise

FAULT, LEAK = "fault", "leak"


@dataclass(frozen=True)
class AttackStore(RecordFile):
    """The newest record of each campaign."""

    path: Path = ROOT / "results" / "attacks.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Kind, engine, curve, job, measures that were off, places, library of a netlist."""
        names = ("kind", "config", "curve", "job", "off", "places", "skips", "cells")
        return tuple(str(record.get(name)) for name in names)


def attack_record(kind: str, config: str, curve: str, job: str, off: tuple[str, ...], **found: Any) -> Record:
    """The record of a campaign: what was attacked, without which measures, and what was found."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    what = {"kind": kind, "config": config, "curve": curve, "job": job, "off": sorted(off)}
    return what | {"commit": commit(), "date": now, "tools": simulator_versions()} | found


def mapped_cells(config: Config, parameters: Mapping[str, int], device: str) -> int:
    """LUT4 of the bare engine with other parameters, as mapped for a device. Raises FlowError."""
    changed = replace(config, parameters=(*config.parameters, *parameters.items()))
    return synthesise(config_design(changed, shell=False), device).counts.lut4
