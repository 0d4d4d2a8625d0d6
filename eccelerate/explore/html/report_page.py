"""The HTML page of the results: every row of a store with its origin, in one file that needs no network.

The page draws its plots with a canvas of its own (``report_plot.js``), because a general plotting library
takes most of two seconds to load, and the page is to be there in less with thousands of points.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eccelerate.explore.sweep.sweep_rows import Origin, origins, rows
from eccelerate.explore.sweep.sweep_store import Row, SweepStore, now
from eccelerate.flow.store import commit

FOLDER = Path(__file__).parent
SCRIPTS = ("report_rows.js", "report_plot.js", "report_page.js")
COLUMNS = (
    "kind", "family", "task", "design", "device", "curve", "measure", "shell", "seeds", "library",
    "lut4", "ff", "mult", "bram", "mhz", "cycles", "time_us", "per_second", "area_time", "energy_pj",
    "power_w", "energy_power", "area_um2", "gates", "current", "note", "origins",
)  # fmt: skip
DIGITS = 6
"""Significant digits of the figures on the page."""


def page(store: SweepStore) -> str:
    """The page of all rows of a store."""
    found, known = rows(store), origins(store)
    used = list(dict.fromkeys(key for row in found for key in row["origins"]))
    place = {key: number for number, key in enumerate(used)}
    failed = store.rows("SELECT label, error, log FROM point WHERE state = 'failed' ORDER BY label")
    data = {
        "meta": {"summary": _summary(found, failed), "failures": failed},
        "columns": COLUMNS,
        "rows": [[_value(name, row, place) for name in COLUMNS] for row in found],
    }
    parts = {
        "/*{css}*/": (FOLDER / "report.css").read_text(),
        "/*{script}*/": "\n".join((FOLDER / name).read_text() for name in SCRIPTS),
        "{data}": _json(data),
        "{origins}": _json(_origins([known[key] for key in used])),
    }
    text = (FOLDER / "report.html").read_text()
    for mark, part in parts.items():
        before, _, after = text.partition(mark)
        text = before + part + after
    return text


def _summary(found: Sequence[Row], failed: Sequence[Row]) -> str:
    designs = len({row["design"] for row in found})
    old = sum(not row["current"] for row in found)
    text = f"{len(found):,} points of {designs:,} designs"
    text += f"; {old:,} of earlier sources" if old else ""
    text += f"; {len(failed):,} failed" if failed else ""
    return f"{text}. Written {now()[:10]} at commit {commit()}."


def _value(name: str, row: Row, place: Mapping[str, int]) -> Any:
    if name == "origins":
        return [place[key] for key in row["origins"]]
    value = row[name]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _origins(found: Sequence[Origin]) -> dict[str, Any]:
    """The origins, with each set of tools once."""
    tools: dict[str, int] = {}
    made = []
    for each in found:
        text = ", ".join(f"{name} {version}" for name, version in sorted(each.tools.items()))
        made.append({**asdict(each), "tools": tools.setdefault(text, len(tools))})
    return {"rows": made, "tools": list(tools)}


def _json(value: object) -> str:
    """JSON that may stand in a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
