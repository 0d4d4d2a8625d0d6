"""Compares a published accelerator for several curves with ours: cycles, cells, operations per second.

Yosys counts our lookup tables and flip-flops for the paper's family; the vendor's tools counted theirs after
placement. Rates are those of the engine from packet to response, at its placed clock. The paper's ECDH and
ECDSA rates are those of a whole host with its accelerator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.figures import Figures, Record, Stores, figures
from eccelerate.explore.published import CurveRates, System
from eccelerate.explore.software import origin, software_here
from eccelerate.explore.tables import GroupedTable, count, times

LABELS = {
    "scalar_mul": "k P / s",
    "ecdh": "ECDH / s",
    "ecdsa_sign": "signatures / s",
    "ecdsa_verify": "verifications / s",
}
CELLS = ("device", "lut4", "ff", "mult", "bram")


def comparison(
    system: System, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> dict[str, Any]:
    """Both sides on every curve as one JSON object, together with OpenSSL on the paper's host and on this
    one.
    """
    software = {name: software_here(find_curve(name), progress) for name in {c.curve for c in system.curves}}
    curves = {}
    for each in system.curves:
        ours = figures(find_config(each.config), find_curve(each.curve), progress, stores)
        curves[each.name] = side_by_side(system, each, ours, software[each.curve])
    return {
        "published": {key: getattr(system, key) for key in ("name", "title", "source", "tables", "device")},
        "curves": curves,
    }


def side_by_side(system: System, curve: CurveRates, ours: Figures, software: Record | None) -> dict[str, Any]:
    """One curve: published, ours, and the factor by which ours is better. `ours` has to be complete.
    `software` is OpenSSL on this machine, or None.
    """
    cycles, cells, placed = ours.records()
    mhz = ours.mhz or 0.0
    own = {name: round(1e6 * mhz / cycles["cycles"][name]) for name in curve.rates}
    each = cycles["cycles"]["scalar_mul"]
    host = software["rates"] if software else {}
    return {
        "curve": curve.curve,
        "kind": curve.kind,
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
            "software": {name: host.get(name) for name in curve.rates},
            "host": origin(software) if software else None,
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


def tables(system: System, record: dict[str, Any]) -> list[GroupedTable]:
    """The tables of a comparison, for people: one for each kind of curve."""
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for each in record["curves"].values():
        by_kind.setdefault(each["kind"], []).append(each)
    return [
        rate_table(f"{kind.capitalize()}: {alike[0]['ours']['config']}", alike)
        for kind, alike in by_kind.items()
    ]


def rate_table(title: str, pairs: list[dict[str, Any]]) -> GroupedTable:
    """Cycles, cells, clock and rates on several curves. Each rate is followed by that of OpenSSL and by their
    ratio.
    """
    table = GroupedTable(title, "", [each["curve"] for each in pairs])

    def row(label: str, value: Callable[[dict[str, Any]], Any], better: str = "") -> None:
        cells = [(count(value(each["published"])), count(value(each["ours"]))) for each in pairs]
        ratios = [each["ratio"].get(better) for each in pairs]
        table.add_row(label, [(*cell, times(r) if r else "") for cell, r in zip(cells, ratios, strict=True)])

    row("cycles of k P", lambda side: side["cycles"], "cycles")
    row("lookup tables", lambda side: side["luts"] if "luts" in side else side["cells"]["lut4"], "luts")
    row("flip-flops", lambda side: side["ffs"] if "ffs" in side else side["cells"]["ff"])
    row("clock, MHz", lambda side: side["mhz"])
    for name, label in LABELS.items():
        if any(name in each["published"]["rates"] for each in pairs):
            row(label, partial(_rate, name), name)
            row("  of OpenSSL on the host", partial(_software, name))
            row("  times OpenSSL", partial(_gain, name))
    return table


def _rate(job: str, side: dict[str, Any]) -> int | None:
    """Operations per second of the accelerator on one side."""
    rate: int | None = side["rates"].get(job)
    return rate


def _software(job: str, side: dict[str, Any]) -> int | None:
    """Operations per second of OpenSSL on the host of that side."""
    rate: int | None = side["software"].get(job)
    return rate


def _gain(job: str, side: dict[str, Any]) -> float | None:
    """The ratio of the first to the second."""
    rate, software = _rate(job, side), _software(job, side)
    return round(rate / software, 1) if rate and software else None


def notes(record: dict[str, Any]) -> list[str]:
    """What a reader has to know in order to judge the tables and to repeat them."""
    ours = [each["ours"] for each in record["curves"].values()]
    seeds = sorted({seed for own in ours for seed in own["placed"]["fmax_mhz"]}, key=int)
    commits = sorted({commit for own in ours for commit in own["commits"]})
    placed = sorted({own["placed"]["device"] for own in ours})
    mapped = sorted({own["cells"]["device"] for own in ours})
    multipliers = max(own["cells"]["mult"] for own in ours)
    tools = ", ".join(f"{name} {version}" for name, version in ours[0]["tools"].items())
    hosts = sorted({own["host"] for own in ours if own["host"]})
    return [
        "Ours: any point, in constant time, conversions included.",
        f"Cells of {', '.join(mapped)} (LUT4, as the paper's) as Yosys maps the bare engine, with "
        f"{multipliers} multipliers at most; the paper's are of one engine for both.",
        f"Clock on {', '.join(placed)}: cycles compare architectures, rates of other devices do not.",
        "Ours: rates of one engine, packet to answer. Paper: ECDH and ECDSA of a host through OpenSSL.",
        f"OpenSSL on this machine: {', '.join(hosts)}; k P is its ECDH."
        if hosts
        else "OpenSSL on this machine: no openssl command here.",
        f"Seeds {', '.join(seeds)}, the worst counts; commit {', '.join(commits)}; {tools}.",
    ]
