"""A standard-cell library in the form in which this room uses it, and the file in which it is kept.

Units: pF, ns, pJ, nW, V, square micrometres. The energies of a table are those of one transition beyond the
charge of the load, at the library's nominal slew; the timing tables are for ABC only.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from eccelerate.flow.errors import FlowError

FOLDER = Path(__file__).parent / "libraries"
NAMES = ("sg13g2", "sky130")


@dataclass(frozen=True)
class Internal:
    """Internal energy of a pin's transition, by load: that caused by the pin `related` (an output pin), or
    that of the pin itself. `when` is the condition, "" for always.
    """

    related: str
    when: str
    loads: tuple[float, ...]
    rise: tuple[float, ...]
    fall: tuple[float, ...]

    def at(self, load: float) -> tuple[float, float]:
        """Energy of a rise and of a fall at a load, interpolated; outside the table extrapolated."""
        return interpolate(self.loads, self.rise, load), interpolate(self.loads, self.fall, load)


@dataclass(frozen=True)
class Arc:
    """Delay and transition time from the pin `related`: tables with a row for each slew."""

    related: str
    sense: str
    slews: tuple[float, ...]
    loads: tuple[float, ...]
    tables: dict[str, tuple[tuple[float, ...], ...]]


@dataclass(frozen=True)
class Pin:
    """A pin. `function` is that of an output, `clock` marks the clock of a register or a clock gate."""

    direction: str
    capacitance: float = 0.0
    function: str = ""
    clock: bool = False
    limit: float = 0.0
    internal: tuple[Internal, ...] = ()
    arcs: tuple[Arc, ...] = ()


@dataclass(frozen=True)
class Cell:
    """A cell. `register` has next_state, clocked_on, and clear or preset of a flip-flop, with `state` as the
    name of its state; `gate` is the kind of an integrated clock gate. `launch` and `setup` are times of a
    flip-flop at nominal slew.
    """

    name: str
    area: float
    leakage: float
    pins: dict[str, Pin]
    register: dict[str, str] = field(default_factory=dict)
    gate: str = ""
    launch: float = 0.0
    setup: float = 0.0

    @property
    def inputs(self) -> list[str]:
        """Its input pins."""
        return [name for name, pin in self.pins.items() if pin.direction == "input"]

    @property
    def outputs(self) -> list[str]:
        """Its output pins."""
        return [name for name, pin in self.pins.items() if pin.direction == "output"]

    @property
    def clock(self) -> str:
        """The clock pin of a flip-flop or a clock gate; "" for other cells."""
        return next((name for name, pin in self.pins.items() if pin.clock), "")


@dataclass(frozen=True)
class Library:
    """A library. `roles` names the cells for one purpose: equivalent (the NAND2 of gate equivalents),
    flip_flop, clock_gate, tie_high and tie_low (with a pin after a slash), driver (of input ports).
    """

    name: str
    source: str
    licence: str
    corner: str
    voltage: float
    slew: float
    roles: dict[str, str]
    cells: dict[str, Cell]

    def cell(self, name: str) -> Cell:
        """The cell called `name`. Raises FlowError."""
        if name not in self.cells:
            raise FlowError(f"the library {self.name} has no cell {name}")
        return self.cells[name]

    @property
    def equivalent(self) -> float:
        """Area of one gate equivalent."""
        return self.cell(self.roles["equivalent"]).area


def interpolate(axis: Sequence[float], values: Sequence[float], at: float) -> float:
    """Linear between the two nearest points of a table, and beyond its ends."""
    if len(axis) == 1:
        return values[0]
    low = min(max(bisect_right(axis, at) - 1, 0), len(axis) - 2)
    share = (at - axis[low]) / (axis[low + 1] - axis[low])
    return values[low] + share * (values[low + 1] - values[low])


def library_text(library: Library) -> str:
    """The file of a library: JSON with a line for each cell."""
    head = {k: v for k, v in asdict(library).items() if k != "cells"}
    lines = ",\n".join(f"{json.dumps(name)}: {_compact(asdict(c))}" for name, c in library.cells.items())
    return json.dumps(head, indent=1)[:-2] + f',\n "cells": {{\n{lines}\n}}}}\n'


def _compact(cell: dict[str, Any]) -> str:
    """A cell without what has its default value."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if v not in ("", 0.0, False, (), {}) or k == "when"}
        return [bare(v) for v in value] if isinstance(value, list | tuple) else value

    return json.dumps(bare({k: v for k, v in cell.items() if k != "name"}), separators=(",", ":"))


@cache
def load_library(name: str) -> Library:
    """A library of the project. Raises FlowError with the known names."""
    if name not in NAMES:
        raise FlowError(f"no library {name!r}; there are: {', '.join(NAMES)} (or give --liberty FILE)")
    return library_of(json.loads((FOLDER / f"{name}.json").read_text()))


def library_of(data: dict[str, Any]) -> Library:
    """A library from what its file has."""
    cells = {name: _cell(name, body) for name, body in data["cells"].items()}
    return Library(**{**data, "cells": cells})


def _cell(name: str, body: dict[str, Any]) -> Cell:
    pins = {pin: _pin(entry) for pin, entry in body["pins"].items()}
    return Cell(**{"name": name, "leakage": 0.0, "area": 0.0, **body, "pins": pins})


def _pin(body: dict[str, Any]) -> Pin:
    internal = tuple(
        Internal(x.get("related", ""), x["when"], *(tuple(x[k]) for k in ("loads", "rise", "fall")))
        for x in body.get("internal", ())
    )
    arcs = tuple(
        Arc(x["related"], x.get("sense", ""), tuple(x["slews"]), tuple(x["loads"]), _tables(x["tables"]))
        for x in body.get("arcs", ())
    )
    return Pin(**{**body, "internal": internal, "arcs": arcs})


def _tables(tables: dict[str, Any]) -> dict[str, tuple[tuple[float, ...], ...]]:
    return {name: tuple(tuple(row) for row in rows) for name, rows in tables.items()}
