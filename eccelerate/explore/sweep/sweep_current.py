"""Which results of a store are of the current sources and tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eccelerate.configs.config import Config, ConfigError
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.curves import find_curve
from eccelerate.explore.cycle_records import cycles_key
from eccelerate.explore.designs import config_design
from eccelerate.explore.study.study_store import part_key
from eccelerate.explore.sweep.sweep_commit import unchanged_since
from eccelerate.explore.sweep.sweep_design import VARIANT, find_design
from eccelerate.explore.sweep.sweep_import import ORIGIN, ORIGIN_DEVICE
from eccelerate.explore.sweep.sweep_key import point_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_store import SweepStore
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_device, unit_key
from eccelerate.flow.store import netlist_key


def mark_current(store: SweepStore) -> int:
    """Enter for each result whether it is of the current sources. Returns how many are not."""
    rows = store.rows(
        'SELECT key, kind, design, measure, curve, device, library, shell, seeds, "commit",'
        f" json_extract(figures, '$.{ORIGIN}') AS origin,"
        f" coalesce(json_extract(figures, '$.{ORIGIN_DEVICE}'), device) AS origin_device FROM result"
    )
    old = [row["key"] for row in rows if not _is_current(row)]
    with store.writing() as write:
        write.execute("UPDATE result SET current = 1 WHERE current = 0")
        write.executemany("UPDATE result SET current = 0 WHERE key = ?", [(key,) for key in old])
    return len(old)


def point_of(row: Mapping[str, Any]) -> Point:
    """The point that a result of a sweep is of."""
    names = ("kind", "design", "measure", "curve", "device", "library")
    seed = int(row["seeds"] or 0)
    return Point(**{name: row[name] for name in names}, seed=seed, shell=bool(row["shell"]))


def _is_current(row: Mapping[str, Any]) -> bool:
    try:
        if row["origin"] is None and not row["key"].startswith("file:"):
            return point_key(point_of(row)) == row["key"]
        unit = find_design(row["kind"], row["design"])
        if row["origin"] is None:
            return unchanged_since(row["commit"], unit)
        if isinstance(unit, Yardstick) and unit.name.startswith(VARIANT):
            return part_key(unit, row["origin_device"]) == row["origin"]
        if not isinstance(unit, Config):
            return unit_key(unit, unit_device(row["origin_device"])) == row["origin"]
        if row["measure"] == "cycles":
            return cycles_key(unit, find_curve(row["curve"])) == row["origin"]
        design = config_design(unit, shell=bool(row["shell"]))
        return netlist_key(design, unit_device(row["device"]).rules) == row["origin"]
    except (ConfigError, FlowError):
        return False
