"""Compares a published array of multipliers, with one core and with many, with ours: cycles, work of each
multiplier, cells.

Cycles of one core are the paper's time multiplied by its clock. Slices of its family hold two LUT4 and two
flip-flops. Yosys counts ours for the same family; the vendor's tools counted theirs after placement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.figures import Figures, Stores, cluster_figures, figures
from eccelerate.explore.published import CurveCores, System
from eccelerate.explore.tables import GroupedTable, count, fixed, times

SUSTAINED = "scalar_mul_sustained"
ALONE = "scalar_mul"
PLACED_KEYS = ("device", "lut4", "ff", "mult", "bram", "fmax_mhz", "worst_mhz")


def comparison(
    system: System, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> dict[str, Any]:
    """Both sides of every design as one JSON object."""

    stores = stores or Stores()

    def ours_on(curve: str) -> Callable[[str], Figures]:
        return lambda name: figures(find_config(name), find_curve(curve), progress, stores)

    return {
        "published": {key: getattr(system, key) for key in ("name", "title", "source", "tables", "device")},
        "designs": {
            design.name: side_by_side(design, ours_on(design.name), stores) for design in system.designs
        },
    }


def side_by_side(design: CurveCores, ours: Callable[[str], Figures], stores: Stores) -> dict[str, Any]:
    """One design: published, ours by role (stream, alone, cluster), and the factor by which ours is better.
    `ours` gives the complete figures of a configuration. A cluster is included if `stores` have its figures.
    """
    stream = ours(design.config)
    own = {"stream": engine(stream, SUSTAINED)}
    if design.alone:
        own["alone"] = engine(ours(design.alone), ALONE)
    if design.cluster:
        found = cluster_figures(find_config(design.cluster), find_curve(design.name), stores)
        if found is not None:  # the cells of a cluster are those of its engines
            own["cluster"] = engine(replace(found, cells=stream.cells), SUSTAINED)
    theirs = {
        role: {
            "device": cores.device,
            "cores": cores.cores,
            "slices": cores.slices,
            "mult": cores.mult,
            "mhz": cores.mhz,
            "us": cores.us,
            "cycles": round(cores.cycles),
            "per_second": round(cores.per_second),
            "per_mult_and_mhz": round(cores.per_mult_and_mhz, 3),
        }
        for role, cores in (("one", design.one), ("many", design.many))
    }
    ratio = {
        "cycles": design.one.cycles / own["stream"]["cycles"],
        "per_second": own["stream"]["per_second"] / design.one.per_second,
        "per_mult_and_mhz": own["stream"]["per_mult_and_mhz"] / design.one.per_mult_and_mhz,
    }
    if "alone" in own:
        ratio["cycles_alone"] = design.one.cycles / own["alone"]["cycles"]
        ratio["us_alone"] = design.one.us / own["alone"]["us"]
    if "cluster" in own:
        ratio["per_second_cluster"] = own["cluster"]["per_second"] / design.many.per_second
    return {
        "published": theirs,
        "ours": own,
        "ratio": {name: round(value, 2) for name, value in ratio.items()},
    }


def engine(found: Figures, cycles_name: str) -> dict[str, Any]:
    """The figures of one of our configurations. Raises ValueError if figures are missing."""
    cycles, cells, placed = found.records()
    each, mhz = cycles["cycles"][cycles_name], found.mhz or 0.0
    return {
        "config": found.config.name,
        "cycles": each,
        "array_busy": cycles["cycles"].get("array_busy"),
        "cells": {key: cells[key] for key in ("device", "lut4", "ff", "mult", "bram")},
        "placed": {key: placed[key] for key in PLACED_KEYS},
        "mhz": mhz,
        "us": round(each / mhz, 2),
        "per_second": round(1e6 * mhz / each),
        "per_mult_and_mhz": round(1e6 / each / placed["mult"], 3),
        "commits": {
            name: record["commit"]
            for name, record in (("cycles", cycles), ("cells", cells), ("placed", placed))
        },
        "tools": {**cycles["tools"], **placed["tools"]},
    }


def tables(system: System, record: dict[str, Any]) -> list[GroupedTable]:
    """The tables of a comparison, for people."""
    designs = record["designs"]
    return [work_table(designs), cell_table(designs, system), placed_table(designs)]


def work_table(designs: dict[str, Any]) -> GroupedTable:
    """The figures that do not depend on the device: cycles, multipliers, and operations for each of them."""
    table = GroupedTable("One core, any point", "", list(designs))
    for label, theirs, role, key, better in (
        ("cycles, in a stream", "cycles", "stream", "cycles", "cycles"),
        ("cycles, one job alone", "cycles", "alone", "cycles", "cycles_alone"),
        ("multipliers", "mult", "stream", "mult", ""),
        ("op/s / multiplier / MHz", "per_mult_and_mhz", "stream", "per_mult_and_mhz", "per_mult_and_mhz"),
        ("array busy", "", "stream", "array_busy", ""),
    ):
        cells = []
        for design in designs.values():
            own = design["ours"].get(role)
            value = None if own is None else own["placed"]["mult"] if key == "mult" else own[key]
            ratio = design["ratio"].get(better)
            cells.append(
                (
                    shown(design["published"]["one"][theirs]) if theirs else "",
                    shown(value),
                    times(ratio) if ratio else "",
                )
            )
        table.add_row(label, cells)
    return table


def shown(value: float | None) -> str:
    """A count as an integer; the work of a multiplier with three digits."""
    return fixed(value, 3) if value is not None and value < 10 else count(value)


def cell_table(designs: dict[str, Any], system: System) -> GroupedTable:
    """Cells of the paper's own family."""
    table = GroupedTable(f"Cells of {system.family} (Virtex-4), one core", "", list(designs))
    rows = [
        ("slices | LUT4 / 2", lambda c: -(-c["lut4"] // 2)),
        ("slices | FF / 2", lambda c: -(-c["ff"] // 2)),
    ]
    for number, (label, half) in enumerate(rows):
        table.add_row(
            label,
            [
                (count(d["published"]["one"]["slices"]) if number == 0 else "", count(half(c)), "")
                for d, c in ((d, d["ours"]["stream"]["cells"]) for d in designs.values())
            ],
        )
    for label, key in (("DSP48", "mult"), ("RAMB16", "bram")):
        table.add_row(
            label,
            [
                (
                    count(d["published"]["one"]["mult"]) if key == "mult" else "",
                    count(d["ours"]["stream"]["cells"][key]),
                    "",
                )
                for d in designs.values()
            ],
        )
    return table


def placed_table(designs: dict[str, Any]) -> GroupedTable:
    """Clock, time and rate, each on its own device. These are not comparable directly."""
    table = GroupedTable(f"Placed, each on its own device ({placed_on(designs)})", "", list(designs))
    for label, where, theirs, role, key, better in (
        ("clock, MHz", "one", "mhz", "stream", "mhz", ""),
        ("op/s, one core", "one", "per_second", "stream", "per_second", "per_second"),
        ("one job alone, us", "one", "us", "alone", "us", "us_alone"),
        ("op/s, whole device", "many", "per_second", "cluster", "per_second", "per_second_cluster"),
        ("its clock, MHz", "many", "mhz", "cluster", "mhz", ""),
        ("its multipliers", "many", "mult", "cluster", "mult", ""),
    ):
        cells = []
        for design in designs.values():
            own = design["ours"].get(role)
            placed = {} if own is None else {"mult": own["placed"]["mult"]}
            ratio = design["ratio"].get(better)
            cells.append(
                (
                    count(design["published"][where][theirs]),
                    count(None if own is None else {**own, **placed}[key]),
                    times(ratio) if ratio else "",
                )
            )
        table.add_row(label, cells)
    return table


def placed_on(designs: dict[str, Any]) -> str:
    """Our devices, with what is placed on each."""
    by_device: dict[str, set[str]] = {}
    for design in designs.values():
        for role, own in design["ours"].items():
            by_device.setdefault(own["placed"]["device"], set()).add(role)
    return ", ".join(f"{device}: {', '.join(sorted(roles))}" for device, roles in sorted(by_device.items()))


def notes(record: dict[str, Any]) -> list[str]:
    """What a reader has to know in order to judge the tables and to repeat them."""
    designs = record["designs"].values()
    ours = [own for design in designs for own in design["ours"].values()]
    clusters = [design["ours"]["cluster"] for design in designs if "cluster" in design["ours"]]
    seeds = sorted({seed for own in ours for seed in own["placed"]["fmax_mhz"]}, key=int)
    whole = sorted({seed for own in clusters for seed in own["placed"]["fmax_mhz"]}, key=int)
    commits = sorted({commit for own in ours for commit in own["commits"].values()})
    tools = ", ".join(f"{name} {version}" for name, version in ours[0]["tools"].items())
    return [
        "Scalar multiplication of any point; ours in constant time, conversions and inversion included.",
        "In a stream: several independent jobs at once on one array. Alone: an engine built for one job.",
        "Paper: cycles are its time multiplied by its clock; of many cores, the time of all together.",
        "Whole device: one stream of jobs through all engines, at the clock of all placed together.",
        "Clocks, microseconds and rates are of different devices and do not compare the architectures.",
        "Clocks count up to the limit of multiplier blocks where the tool does not time them (ECP5-8: 225).",
        f"Seeds {', '.join(seeds)} (whole device: {', '.join(whole) or 'none'}), the worst counts; "
        f"commit {', '.join(commits)}; {tools}.",
    ]
