"""Makes a Library of a Liberty file: the cells that the mapping may use, internal energies at the nominal
slew, and timing tables at the points that are kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from eccelerate.energy.liberty_text import Group, read_liberty
from eccelerate.energy.library import Arc, Cell, Internal, Library, Pin, interpolate
from eccelerate.flow.errors import FlowError

TABLES = ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
FLIP_FLOP = ("next_state", "clocked_on", "clear", "preset")
NOMINAL_SLEW_NS = 0.1
_UNUSED = re.compile(
    r"lpflow|probe|macro|spare|sighold|antenna|diode|decap|fill|tap|dly|clkdly|clkinv|clkbuf|bufbuf|bufinv"
    r"|ebuf|einv|sdf|sedf|edf|slgcp|sdlclk|_fa_|_fah|_ha_"
)
_ROLES = {
    "equivalent": r"nand2_?(x?1|1)$|^nand2x?1?$",
    "flip_flop": r"dfrbpq_1$|dfxtp_1$|dff(pos)?_?x?1$",
    "clock_gate": r"(?<!s)lgcp_1$|dlclkp_1$",
    "driver": r"(?<![a-z])buf_?(4|x4)$",
}
Points = tuple[tuple[int, ...], tuple[int, ...]]
"""Which slews and which loads of a table are kept; empty: all."""
ALL: Points = ((), ())


def is_unused(name: str) -> bool:
    """Whether the mapping never uses a cell: cells of low-power flows (lpflow), for scan, tri-state, delay or
    the clock tree, fillers, and cells with several outputs.
    """
    return _UNUSED.search(name.lower()) is not None


def import_library(
    path: Path,
    *,
    name: str = "",
    source: str = "",
    licence: str = "as its file says",
    points: Points = ALL,
    only: Collection[str] | None = None,
    every: bool = False,
) -> Library:
    """The library of a Liberty file. `only`: names of cells to keep. `every`: also cells that the mapping
    never uses, for netlists of others; a latch then counts as a gate. Raises FlowError.
    """
    root = read_liberty(path)
    units = _Units(root)
    groups = {group.name: group for group in root.of("cell") if only is None or group.name in only}
    read = {n: _cell(group, units, points) for n, group in groups.items() if every or not is_unused(n)}
    usable = {n: cell for n, cell in read.items() if _usable(cell)}
    cells = {n: _gate_of(cell) for n, cell in read.items()} if every else usable
    ties = _ties(usable)
    found = {role: _role(usable, role) for role in _ROLES} | ties
    if not every and not (found["equivalent"] and found["flip_flop"]):
        raise FlowError(f"{path}: the library has no two-input NAND or no plain D flip-flop")
    corner = next(root.of("operating_conditions"), Group("")).name or root.name
    voltage = root.number("nom_voltage") or _condition(root, "voltage")
    if voltage <= 0:
        raise FlowError(f"{path}: the library states no voltage")
    return Library(
        name=name or root.name,
        source=source or path.name,
        licence=licence,
        corner=corner,
        voltage=voltage,
        slew=NOMINAL_SLEW_NS,
        roles={role: cell for role, cell in found.items() if cell},
        cells=cells,
    )


class _Units:
    """Factors from the units of a file to pF, ns, pJ and nW."""

    def __init__(self, root: Group) -> None:
        amount, unit = (*root.lists.get("capacitive_load_unit", ("1", "pf")), "pf")[:2]
        self.capacitance = float(amount) * {"ff": 1e-3, "pf": 1.0}[unit.lower()]
        self.time = _factor(root.values.get("time_unit", "1ns"), {"ps": 1e-3, "ns": 1.0})
        volts = _factor(root.values.get("voltage_unit", "1V"), {"mv": 1e-3, "v": 1.0})
        # Liberty: the unit of internal energy is that of capacitance times the square of that of voltage.
        self.energy = self.capacitance * volts**2
        leak = root.values.get("leakage_power_unit", "1nW")
        self.leakage = _factor(leak, {"pw": 1e-3, "nw": 1.0, "uw": 1e3, "mw": 1e6})


def _factor(text: str, units: dict[str, float]) -> float:
    found = re.fullmatch(r"\s*([\d.]+)\s*([a-zA-Z]+)\s*", text)
    if not found or found[2].lower() not in units:
        raise FlowError(f"no unit that is known here: {text!r}; there are: {', '.join(units)}")
    return float(found[1]) * units[found[2].lower()]


def _condition(root: Group, value: str) -> float:
    return next((group.number(value) for group in root.of("operating_conditions")), 0.0)


def _cell(group: Group, units: _Units, points: Points) -> Cell:
    register = {}
    for ff in group.of("ff"):
        register = {
            k: v for k, v in ff.values.items() if k in ("next_state", "clocked_on", "clear", "preset")
        }
        register["state"] = ff.arguments[0]
        register["inverse"] = ff.arguments[1]
    if any(True for _ in group.of("latch")) and "clock_gating_integrated_cell" not in group.values:
        register = {"latch": "1"}
    pins = {
        name: _pin(pin, units, points, register=bool(register))
        for pin in group.of("pin")
        for name in pin.arguments
        if pin.values.get("direction") != "internal"
    }
    launch, gate = _launch(pins), group.values.get("clock_gating_integrated_cell", "")
    if register or gate:  # ABC looks at no timing of these, so that their tables need not be kept
        pins = {name: replace(pin, arcs=()) for name, pin in pins.items()}
    return Cell(
        name=group.name,
        area=group.number("area"),
        leakage=_round(_leakage(group) * units.leakage),
        pins=pins,
        register=register,
        gate=gate,
        launch=_round(launch) if register else 0.0,
        setup=_round(_setup(group, units)) if register else 0.0,
    )


def _leakage(group: Group) -> float:
    """The cell's own figure; without one, the mean of its states."""
    if "cell_leakage_power" in group.values:
        return group.number("cell_leakage_power")
    states = [state.number("value") for state in group.of("leakage_power")]
    return sum(states) / len(states) if states else 0.0


def _gate_of(cell: Cell) -> Cell:
    return replace(cell, register={}) if "latch" in cell.register else cell


def _usable(cell: Cell) -> bool:
    constant = all(cell.pins[pin].function in ("0", "1") for pin in cell.outputs)
    if "latch" in cell.register or (len(cell.outputs) != 1 and not constant) or not cell.outputs:
        return False
    if any(pin.direction not in ("input", "output") for pin in cell.pins.values()):
        return False
    return bool(cell.register or cell.gate or cell.pins[cell.outputs[0]].function)


def _role(cells: dict[str, Cell], role: str) -> str:
    wanted = {
        "flip_flop": lambda c: bool(c.register),
        "clock_gate": lambda c: c.gate == "latch_posedge",
    }.get(role, lambda c: not c.register and not c.gate)
    return next((n for n, c in cells.items() if re.search(_ROLES[role], n.lower()) and wanted(c)), "")


def _ties(cells: dict[str, Cell]) -> dict[str, str]:
    found = {}
    for role, level in (("tie_high", "1"), ("tie_low", "0")):
        pins = [(n, p) for n, c in cells.items() for p, pin in c.pins.items() if pin.function == level]
        found[role] = "/".join(pins[0]) if pins else ""
    return found


def _pin(pin: Group, units: _Units, points: Points, *, register: bool) -> Pin:
    direction = pin.values.get("direction", "input")
    clock = pin.values.get("clock") == "true" or pin.values.get("clock_gate_clock_pin") == "true"
    output = direction == "output"
    delays = [x for x in pin.of("timing") if output and _is_delay(x, register)]
    return Pin(
        direction=direction,
        capacitance=0.0 if output else _round(pin.number("capacitance") * units.capacitance),
        function=pin.values.get("function", "") if output else "",
        clock=clock,
        limit=_round(pin.number("max_capacitance") * units.capacitance) if output else 0.0,
        internal=tuple(_internal(x, units, points) for x in pin.of("internal_power") if x.groups),
        arcs=tuple(_arc(x, units, points) for x in delays),
    )


def _is_delay(timing: Group, register: bool) -> bool:
    kind = timing.values.get("timing_type", "combinational")
    return kind == ("rising_edge" if register else "combinational") and any(timing.of("cell_rise"))


def _internal(group: Group, units: _Units, points: Points) -> Internal:
    """Internal energy by load at the nominal slew. A file has one table for both edges, or one for each."""
    tables = {t.kind: t for t in group.groups}
    both = tables.get("power")
    loads: tuple[float, ...] = (0.0,)
    edges = []
    for kind in ("rise_power", "fall_power"):
        table = tables.get(kind, both)
        axis, values = _at_slew(table, units) if table is not None else ((0.0,), (0.0,))
        if len(axis) > 1:
            kept = points[1] or range(len(axis))
            axis = tuple(axis[i] for i in kept if i < len(axis))
            values = tuple(values[i] for i in kept if i < len(values))
            loads = axis
        edges.append(values)
    rise, fall = (x if len(x) == len(loads) else (x[0],) * len(loads) for x in edges)
    return Internal(
        related=group.values.get("related_pin", ""),
        when=group.values.get("when", ""),
        loads=tuple(_round(x) for x in loads),
        rise=tuple(_round(x) for x in rise),
        fall=tuple(_round(x) for x in fall),
    )


def _at_slew(table: Group, units: _Units) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(loads, energies) of a table at the nominal slew. Its first index is the slew."""
    first, second, values = (table.numbers(key) for key in ("index_1", "index_2", "values"))
    slew = NOMINAL_SLEW_NS / units.time
    if not first:
        return (0.0,), (values[0] * units.energy,)
    if not second:
        return (0.0,), (interpolate(first, values, slew) * units.energy,)
    width = len(second)
    rows = [values[i * width : (i + 1) * width] for i in range(len(first))]
    columns = [[row[j] for row in rows] for j in range(width)]
    energies = tuple(interpolate(first, column, slew) * units.energy for column in columns)
    return tuple(x * units.capacitance for x in second), energies


def _arc(timing: Group, units: _Units, points: Points) -> Arc:
    first = next(timing.of(TABLES[0]))
    slews, loads = first.numbers("index_1") or [0.0], first.numbers("index_2") or [0.0]
    rows = points[0] or tuple(range(len(slews)))
    columns = points[1] or tuple(range(len(loads)))
    tables = {}
    for kind in TABLES:
        table = next(timing.of(kind), None)
        if table is None:
            continue
        values, width = table.numbers("values"), len(loads)
        if len(values) == 1:  # a scalar among tables
            values = values * (len(slews) * width)
        tables[kind] = tuple(tuple(_round(values[i * width + j] * units.time) for j in columns) for i in rows)
    return Arc(
        related=timing.values.get("related_pin", ""),
        sense=timing.values.get("timing_sense", ""),
        slews=tuple(_round(slews[i] * units.time) for i in rows),
        loads=tuple(_round(loads[j] * units.capacitance) for j in columns),
        tables=tables,
    )


def _launch(pins: dict[str, Pin]) -> float:
    """Clock to output at the nominal slew and the least load of the tables."""
    times = [
        interpolate(arc.slews, [row[0] for row in arc.tables[kind]], NOMINAL_SLEW_NS)
        for pin in pins.values()
        for arc in pin.arcs
        for kind in TABLES[:2]
        if kind in arc.tables
    ]
    return max(times, default=0.0)


def _setup(group: Group, units: _Units) -> float:
    """The longest setup time in ns, at the nominal slew of clock and data."""
    slew = NOMINAL_SLEW_NS / units.time
    times = [
        _middle(table, slew) * units.time
        for pin in group.of("pin")
        for timing in pin.of("timing")
        if timing.values.get("timing_type") == "setup_rising"
        for table in timing.groups
    ]
    return max(times, default=0.0)


def _middle(table: Group, slew: float) -> float:
    first, second, values = (table.numbers(key) for key in ("index_1", "index_2", "values"))
    if not second:
        return max(values, default=0.0)
    rows = [values[i * len(second) : (i + 1) * len(second)] for i in range(len(first))]
    return interpolate(first, [interpolate(second, row, slew) for row in rows], slew)


def _round(value: float) -> float:
    """Five significant digits: the tables of the sources have no more that mean something."""
    return float(f"{value:.5g}")
