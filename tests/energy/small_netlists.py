"""Netlists and port traces for tests: small, and written down by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from eccelerate.energy.gate_netlist import Bit, Gate, GateNetlist
from eccelerate.energy.liberty_import import import_library
from eccelerate.energy.library import Library

TINY = Path(__file__).with_name("tiny.lib")


def tiny() -> Library:
    """The library for tests, with all its cells."""
    return import_library(TINY, every=True)


def gate(library: Library, name: str, kind: str, **pins: Bit) -> Gate:
    cell = library.cells[kind]
    outputs = frozenset(pin for pin in pins if cell.pins[pin].direction == "output")
    return Gate(name, kind, {pin: (bit,) for pin, bit in pins.items()}, outputs, {})


def netlist(
    ports: dict[str, tuple[str, tuple[Bit, ...]]], gates: Sequence[Gate], names: dict[int, str]
) -> GateNetlist:
    return GateNetlist("top", ports, tuple(gates), {net: (name,) for net, name in names.items()})


def toggle_flip_flop(library: Library) -> GateNetlist:
    """q' = !(a & q), y = !n: with a = 1 the flip-flop toggles in each clock."""
    return netlist(
        {"clk_i": ("input", (2,)), "a_i": ("input", (3,)), "y_o": ("output", (6,))},
        [
            gate(library, "f", "dff_1", D=5, CK=2, Q=4),
            gate(library, "g", "nand2_1", A=3, B=4, Y=5),
            gate(library, "i", "inv_1", A=5, Y=6),
        ],
        {2: "clk_i", 3: "a_i", 4: "q", 5: "n", 6: "y_o"},
    )


def write_trace(
    path: Path,
    inputs: Sequence[tuple[str, int]],
    outputs: Sequence[tuple[str, int]],
    rows: Sequence[tuple[int, int]],
) -> Path:
    """A port trace of (inputs, outputs) in each clock."""
    widths = [-(-sum(bits for _, bits in ports) // 4) for ports in (inputs, outputs)]
    head = json.dumps({"inputs": inputs, "outputs": outputs})
    lines = [f"{a:0{widths[0]}x} {b:0{widths[1]}x}" for a, b in rows]
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


def toggle_trace(path: Path, levels: Sequence[int], wrong: Callable[[int], bool] = lambda _: False) -> Path:
    """The trace of `toggle_flip_flop` for levels of a: y = a & q, but not in clocks that `wrong` names."""
    q, rows = 0, []
    for clock, a in enumerate(levels):
        rows.append((a, (a & q) ^ wrong(clock)))
        q = 1 - (a & q)
    return write_trace(path, [("a_i", 1)], [("y_o", 1)], rows)
