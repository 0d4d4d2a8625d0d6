"""A published accelerator for several curves beside ours: cycles, cells, operations per second.

Lookup tables and flip-flops of ours are counted by Yosys for the paper's family, theirs by the vendor's tools
after placement. Rates are the engine's, packet to answer, at its placed clock; the paper's ECDH and ECDSA are
those of a whole host with its accelerator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from eccelerate.curves import find_curve
from eccelerate.explore.figures import Figures, Stores, figures
from eccelerate.explore.published import CurveRates, System
from eccelerate.explore.tables import beside_table, count, grouped_row, times
from eccelerate.sim.config import find_config

LABELS = {
    "scalar_mul": "k P / s",
    "ecdh": "ECDH / s",
    "ecdsa_sign": "ECDSA signatures / s",
    "ecdsa_verify": "ECDSA verifications / s",
}
CELLS = ("device", "lut4", "ff", "mult", "bram")


def comparison(
    system: System, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> dict[str, Any]:
    """Both sides on every curve as one JSON object."""
    curves = {
        each.name: beside(
            system, each, figures(find_config(each.config), find_curve(each.name), progress, stores)
        )
        for each in system.curves
    }
    return {
        "published": {key: getattr(system, key) for key in ("name", "title", "source", "tables", "device")},
        "curves": curves,
    }


def beside(system: System, curve: CurveRates, ours: Figures) -> dict[str, Any]:
    """One curve: published, ours, and how many times better ours is; `ours` has to be complete."""
    cycles, cells, placed = ours.records()
    mhz = ours.mhz or 0.0
    own = {name: round(1e6 * mhz / cycles["cycles"][name]) for name in curve.rates}
    each = cycles["cycles"]["scalar_mul"]
    return {
        "published": {
            "cycles": curve.cycles,
            "luts": system.luts,
            "ffs": system.ffs,
            "mhz": system.mhz,
            "rates": curve.rates,
            "software": curve.software,
        },
        "ours": {
            "config": ours.config.name,
            "cycles": each,
            "rates": own,
            "mhz": mhz,
            "cells": {key: cells[key] for key in CELLS},
            "placed": {key: placed[key] for key in (*CELLS, "fmax_mhz", "worst_mhz")},
            "commits": sorted({record["commit"] for record in (cycles, cells, placed)}),
            "tools": {**cycles["tools"], **placed["tools"]},
        },
        "ratio": {
            "cycles": round(curve.cycles / each, 2),
            "luts": round(system.luts / cells["lut4"], 2),
            **{name: round(own[name] / rate, 2) for name, rate in curve.rates.items()},
        },
    }


def show(system: System, record: dict[str, Any], console: Console) -> None:
    """Print a comparison for people; fits 100 columns."""
    console.print(f"[bold]{system.title}[/bold]: {system.source}", highlight=False)
    console.print(f"{system.tables}\n", style="dim", highlight=False)
    console.print(rate_table(record["curves"]))
    console.print()
    for text in notes(record):
        console.print(text, style="dim", highlight=False)


def rate_table(curves: dict[str, Any]) -> Table:
    """Cycles, cells, clock and rates of every curve."""
    table = beside_table("One engine, several curves", "", list(curves))
    rows = [
        (
            "cycles of k P",
            [(c["published"]["cycles"], c["ours"]["cycles"], "cycles") for c in curves.values()],
        ),
        (
            "lookup tables",
            [(c["published"]["luts"], c["ours"]["cells"]["lut4"], "luts") for c in curves.values()],
        ),
        ("flip-flops", [(c["published"]["ffs"], c["ours"]["cells"]["ff"], "") for c in curves.values()]),
        ("clock, MHz", [(c["published"]["mhz"], c["ours"]["mhz"], "") for c in curves.values()]),
    ]
    for name, label in LABELS.items():
        rates = [
            (c["published"]["rates"].get(name), c["ours"]["rates"].get(name), name) for c in curves.values()
        ]
        rows.append((label, rates))
    for label, cells in rows:
        ratios = [c["ratio"].get(key) for (_, _, key), c in zip(cells, curves.values(), strict=True)]
        shown = [(count(theirs), count(own)) for theirs, own, _ in cells]
        grouped_row(
            table, label, [(*pair, times(r) if r else "") for pair, r in zip(shown, ratios, strict=True)]
        )
    return table


def notes(record: dict[str, Any]) -> list[str]:
    """What a reader has to know to judge the table, and what to repeat it with."""
    ours = [each["ours"] for each in record["curves"].values()]
    seeds = sorted({seed for own in ours for seed in own["placed"]["fmax_mhz"]}, key=int)
    commits = sorted({commit for own in ours for commit in own["commits"]})
    placed = sorted({own["placed"]["device"] for own in ours})
    mapped = sorted({own["cells"]["device"] for own in ours})
    multipliers = max(own["cells"]["mult"] for own in ours)
    tools = ", ".join(f"{name} {version}" for name, version in ours[0]["tools"].items())
    names = sorted({own["config"] for own in ours})
    return [
        f"Ours: {', '.join(names)}, any point, in constant time, conversions included.",
        f"Cells of {', '.join(mapped)} (LUT4, as the paper's) as Yosys maps the bare engine, with "
        f"{multipliers} multipliers.",
        f"Clock on {', '.join(placed)}: cycles compare architectures, rates of other devices do not.",
        "Ours: rates of one engine, packet to answer. Paper: ECDH and ECDSA of a host through OpenSSL.",
        f"Seeds {', '.join(seeds)}, the worst counts; commit {', '.join(commits)}; {tools}.",
    ]
