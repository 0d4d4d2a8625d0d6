"""Compares a published processor of several digit sizes with ours: cycles, area, and area times time.

Slices of Virtex-II Pro hold two LUT4 and two flip-flops. Yosys counts ours for the same family, without the
shell. The vendor's tools counted theirs after placement, without the communication unit. Two ways to compare
are printed: LUT4 / 2, and max(LUT4, FF) / 2, the smallest number of slices that hold what Yosys counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.figures import Figures, Stores, figures
from eccelerate.explore.published import OPERATIONS, System, Variant
from eccelerate.explore.tables import GroupedTable, count, fixed, times

LABELS = {
    "field_mul": "field multiplication",
    "field_add": "field add, subtract",
    "inversion": "modular inversion",
    "ladder_step": "ladder step",
    "scalar_mul": "scalar multiplication",
}


def comparison(
    system: System, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> dict[str, Any]:
    """Both sides of every variant as one JSON object."""
    curve = find_curve(system.curve)
    variants = {}
    for variant in system.variants:
        ours = figures(find_config(variant.config), curve, progress, stores)
        variants[variant.name] = side_by_side(variant, ours)
    return {
        "published": {key: getattr(system, key) for key in ("name", "title", "source", "tables", "device")},
        "curve": system.curve,
        "variants": variants,
    }


def side_by_side(variant: Variant, ours: Figures) -> dict[str, Any]:
    """One variant: published, ours, and the factor by which ours is better. `ours` has to be complete."""
    cycles, cells, placed = ours.records()
    own = {name: cycles["cycles"][name] for name in OPERATIONS}
    lut_slices, full_slices = cells["lut4"] / 2, max(cells["lut4"], cells["ff"]) / 2
    cycle_ratio = variant.cycles["scalar_mul"] / own["scalar_mul"]
    ms = ours.ms("scalar_mul") or 0.0
    return {
        "published": {
            "cycles": variant.cycles,
            "slices": variant.slices,
            "slices_engine": variant.slices_engine,
            "slices_engine_estimated": variant.slices_engine_estimated,
            "mult": variant.mult,
            "bram": variant.bram,
            "mhz": variant.mhz,
            "ms": variant.ms,
        },
        "ours": {
            "config": ours.config.name,
            "cycles": own,
            "field_mul_interval": cycles["cycles"]["field_mul_interval"],
            "cells": {key: cells[key] for key in ("device", "lut4", "ff", "mult", "bram")},
            "placed": {
                key: placed[key] for key in ("device", "lut4", "ff", "mult", "bram", "fmax_mhz", "worst_mhz")
            },
            "ms": round(ms, 4),
            "commits": {
                name: record["commit"]
                for name, record in (("cycles", cycles), ("cells", cells), ("placed", placed))
            },
            "tools": {**cycles["tools"], **placed["tools"]},
        },
        "ratio": {
            "cycles": {name: round(variant.cycles[name] / own[name], 2) for name in OPERATIONS},
            "area_time_lut4": round(variant.slices_engine / lut_slices * cycle_ratio, 2),
            "area_time_slices": round(variant.slices_engine / full_slices * cycle_ratio, 2),
            "time": round(variant.ms / ms, 2),
        },
    }


def tables(system: System, record: dict[str, Any]) -> list[GroupedTable]:
    """The tables of a comparison, for people."""
    variants = record["variants"]
    return [cycle_table(variants), area_table(variants, system), device_table(variants, system)]


def cycle_table(variants: dict[str, Any]) -> GroupedTable:
    """Clock cycles of each operation."""
    table = GroupedTable("Clock cycles", "256-bit prime", list(variants))
    for name in OPERATIONS:
        each = [
            (
                count(v["published"]["cycles"][name]),
                count(v["ours"]["cycles"][name]),
                times(v["ratio"]["cycles"][name]),
            )
            for v in variants.values()
        ]
        table.add_row(LABELS[name], each)
    return table


def area_table(variants: dict[str, Any], system: System) -> GroupedTable:
    """Cells of the paper's own family, for both without their bus side."""
    table = GroupedTable(f"Cells of {system.device}, without shell", "", list(variants))
    rows: list[tuple[str, str | None, str]] = [
        ("LUT4", None, "lut4"),
        ("flip-flops", None, "ff"),
        ("MULT18X18", "mult", "mult"),
        ("RAMB16", "bram", "bram"),
    ]
    slices = [
        (
            ("~" if v["published"]["slices_engine_estimated"] else "")
            + count(v["published"]["slices_engine"]),
            count(-(-v["ours"]["cells"]["lut4"] // 2)),
            times(v["published"]["slices_engine"] / (v["ours"]["cells"]["lut4"] / 2)),
        )
        for v in variants.values()
    ]
    table.add_row("slices | LUT4 / 2", slices)
    for label, theirs, own in rows:
        each = [
            (count(v["published"][theirs]) if theirs else "", count(v["ours"]["cells"][own]), "")
            for v in variants.values()
        ]
        table.add_row(label, each)
    for label, key in (("LUT4 / 2", "area_time_lut4"), ("slices*", "area_time_slices")):
        table.add_row(
            f"area x cycles, {label}", [("", "", times(v["ratio"][key])) for v in variants.values()]
        )
    return table


def device_table(variants: dict[str, Any], system: System) -> GroupedTable:
    """Clock and time, each on its own device. These are not comparable directly."""
    table = GroupedTable(
        f"Placed, with bus side: {system.device} and {placed_on(variants)}", "", list(variants)
    )
    placed = [(v["published"], v["ours"], v["ratio"]) for v in variants.values()]
    table.add_row(
        "clock, MHz",
        [
            (fixed(p["mhz"]), fixed(o["placed"]["worst_mhz"]), times(o["placed"]["worst_mhz"] / p["mhz"]))
            for p, o, _ in placed
        ],
    )
    table.add_row(
        "scalar multiplication, ms",
        [(fixed(p["ms"]), fixed(o["ms"]), times(r["time"])) for p, o, r in placed],
    )
    table.add_row(
        "slices | LUT4 as placed",
        [(count(p["slices"]), count(o["placed"]["lut4"]), "") for p, o, _ in placed],
    )
    return table


def placed_on(variants: dict[str, Any]) -> str:
    """Our devices, with the variants that are placed on each."""
    by_device: dict[str, list[str]] = {}
    for name, variant in variants.items():
        by_device.setdefault(variant["ours"]["placed"]["device"], []).append(name)
    return ", ".join(f"{device} ({', '.join(names)})" for device, names in by_device.items())


def notes(record: dict[str, Any]) -> list[str]:
    """What a reader has to know in order to judge the tables and to repeat them."""
    ours = [v["ours"] for v in record["variants"].values()]
    rates = ", ".join(str(o["field_mul_interval"]) for o in ours)
    seeds = sorted({seed for o in ours for seed in o["placed"]["fmax_mhz"]}, key=int)
    commits = sorted({commit for o in ours for commit in o["commits"].values()})
    tools = ", ".join(f"{name} {version}" for name, version in ours[0]["tools"].items())
    return [
        "Field operations: accepted to result written, alone. They overlap: in the ladder a multiplication"
        f" starts every {rates} cycles.",
        "Scalar multiplication: any point, constant time; conversions, projective randomisation and inversion"
        " included.",
        "~ estimated: the paper's figure with communication unit less 138 slices, that unit at w16 and w32.",
        "Cells: theirs are the vendor's placed slices, ours Yosys' mapped cells; a slice holds two of each.",
        "* max(LUT4, FF) / 2: the least number of slices that hold what Yosys counted.",
        "Clocks and milliseconds are of different devices and say nothing about the architectures alone.",
        f"Seeds {', '.join(seeds)}; commit {', '.join(commits)}; {tools}.",
    ]
