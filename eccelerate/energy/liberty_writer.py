"""Writes a Library as a Liberty file for Yosys and ABC: areas, functions, pin capacitances and timing.

Internal energies and leakage are not written, because no tool that reads the file looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eccelerate.energy.library import Arc, Cell, Library, Pin

Axes = tuple[tuple[float, ...], tuple[float, ...]]


def liberty_text(library: Library) -> str:
    """The Liberty file of a library."""
    head = [
        f"/* {library.name}: {library.source}. Licence: {library.licence}. A reduced table. */",
        f"library ({library.name}) {{",
        "  delay_model : table_lookup;",
        '  time_unit : "1ns";',
        '  voltage_unit : "1V";',
        '  current_unit : "1mA";',
        '  leakage_power_unit : "1nW";',
        '  pulling_resistance_unit : "1kohm";',
        "  capacitive_load_unit (1, pf);",
        f"  nom_voltage : {library.voltage:g};",
    ]
    axes: dict[Axes, str] = {}
    cells = [line for cell in library.cells.values() for line in _cell(cell, axes)]
    templates = [line for axis, name in axes.items() for line in _template(name, axis)]
    return "\n".join([*head, *templates, *cells, "}"]) + "\n"


def _template(name: str, axes: Axes) -> Iterator[str]:
    yield f"  lu_table_template ({name}) {{"
    yield "    variable_1 : input_net_transition;"
    yield "    variable_2 : total_output_net_capacitance;"
    for number, values in enumerate(axes, 1):
        yield f'    index_{number} ("{_numbers(values)}");'
    yield "  }"


def _cell(cell: Cell, axes: dict[Axes, str]) -> Iterator[str]:
    yield f"  cell ({cell.name}) {{"
    yield f"    area : {cell.area!r};"
    if cell.gate:
        yield f"    clock_gating_integrated_cell : {cell.gate};"
    if cell.register:
        yield f"    ff ({cell.register['state']}, {cell.register['inverse']}) {{"
        for name in ("clocked_on", "next_state", "clear", "preset"):
            if name in cell.register:
                yield f'      {name} : "{cell.register[name]}";'
        yield "    }"
    for name, pin in cell.pins.items():
        yield from _pin(name, pin, axes if not cell.register and not cell.gate else None)
    yield "  }"


def _pin(name: str, pin: Pin, axes: dict[Axes, str] | None) -> Iterator[str]:
    yield f"    pin ({name}) {{"
    yield f"      direction : {pin.direction};"
    if pin.direction == "input":
        yield f"      capacitance : {pin.capacitance!r};"
    if pin.clock:
        yield "      clock : true;"
    if pin.function:
        yield f'      function : "{pin.function}";'
    if pin.limit:
        yield f"      max_capacitance : {pin.limit!r};"
    if axes is not None:
        for arc in pin.arcs:
            yield from _arc(arc, axes.setdefault((arc.slews, arc.loads), f"delay_{len(axes)}"))
    yield "    }"


def _arc(arc: Arc, template: str) -> Iterator[str]:
    yield "      timing () {"
    yield f'        related_pin : "{arc.related}";'
    if arc.sense:
        yield f"        timing_sense : {arc.sense};"
    for kind, rows in arc.tables.items():
        yield f"        {kind} ({template}) {{"
        yield f'          index_1 ("{_numbers(arc.slews)}");'
        yield f'          index_2 ("{_numbers(arc.loads)}");'
        values = ", ".join(f'"{_numbers(row)}"' for row in rows)
        yield f"          values ({values});"
        yield "        }"
    yield "      }"


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
