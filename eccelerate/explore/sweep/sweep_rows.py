"""The rows that are compared: a design on a device with its area, clock, cycles and energy, and with the
results that these figures come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from eccelerate.configs.config import Config, ConfigError
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.explore.sweep.sweep_design import VARIANT, find_design
from eccelerate.explore.sweep.sweep_store import Row, SweepStore

JOBS = {"scalar_mul": "k P", "x_ladder": "k P (x only)", "mod_mul": "modular product"}
KEYS = ("cycles_key", "energy_key")


@dataclass(frozen=True)
class Origin:
    """Where a figure comes from."""

    measure: str
    source: str
    commit: str
    date: str
    seeds: str
    tools: Mapping[str, str]
    command: str
    current: bool


def rows(store: SweepStore) -> list[Row]:
    """All rows of the store, by kind, task and design. In addition to the columns of the view `row` each has
    `family` (the kind of engine or of multiplier), `task` (what the design computes: rows of one task can be
    compared), `note` (what a user has to know), and `origins` (keys of results).
    """
    found = store.rows('SELECT * FROM "row"')
    for row in found:
        row |= _about(row["kind"], row["design"])
        row["task"] = _task(row)
        row["origins"] = [*filter(None, row.pop("area_keys").split(",")), *_keys(row)]
    return sorted(found, key=_order)


def origins(store: SweepStore) -> dict[str, Origin]:
    """The origin of every result, by its key."""
    found = store.rows(
        'SELECT key, measure, source, "commit", date, seeds, tools, command, current FROM result'
    )
    return {
        row.pop("key"): Origin(**{**row, "tools": json.loads(row["tools"]), "current": bool(row["current"])})
        for row in found
    }


def _keys(row: Row) -> Iterable[str]:
    return [key for key in (row.pop(name) for name in KEYS) if key]


def _order(row: Row) -> tuple[str, ...]:
    names = ("kind", "task", "design", "device", "shell", "library")
    return tuple(str(row[name] or "") for name in names)


@cache
def _about(kind: str, design: str) -> Mapping[str, Any]:
    """What a design is, apart from its figures."""
    try:
        unit = find_design(kind, design)
    except ConfigError:
        return {"family": kind, "subject": design, "note": "this design no longer exists"}
    if isinstance(unit, Config):
        return {"family": unit.engine.removeprefix("ecp_"), "subject": "", "note": unit.caution}
    if isinstance(unit, MultiplierConfig):
        reduction = "" if unit.reduction == "none" else f", {unit.reduction}"
        subject = f"{unit.bits}-bit product{reduction}"
        return {"family": unit.kind, "subject": subject, "note": ""}
    if design.startswith(VARIANT):
        return {"family": "study", "subject": "k P on B-163, core alone", "note": ""}
    return {"family": "yardstick", "subject": f"{unit.operation} of {unit.name}", "note": ""}


def _task(row: Row) -> str:
    if row["kind"] != "engine":
        return str(row.pop("subject"))
    row.pop("subject")
    job = row["operation"] or ""
    return f"{JOBS.get(job, job)} on {row['curve']}" if job else "not measured"
