"""A flat netlist of cells, read from the JSON that Yosys writes."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from eccelerate.flow.errors import FlowError

Bit = int | str
"""The number of a net, or a constant: "0", "1" or "x"."""


@dataclass(frozen=True)
class Gate:
    """An instance of a cell. `pins` has the bits of each pin, least significant first."""

    name: str
    kind: str
    pins: dict[str, tuple[Bit, ...]]
    outputs: frozenset[str]
    parameters: dict[str, str]

    def bit(self, pin: str) -> Bit | None:
        """The net of a pin of one bit; None if it is not connected."""
        bits = self.pins.get(pin)
        return bits[0] if bits else None


@dataclass(frozen=True)
class GateNetlist:
    """The netlist of the module `top`. `ports` has direction and bits; `names` the names of each net;
    `memories` the modules of memories that are no cells, as Yosys writes them.
    """

    top: str
    ports: dict[str, tuple[str, tuple[Bit, ...]]]
    gates: tuple[Gate, ...]
    names: dict[int, tuple[str, ...]]
    memories: dict[str, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def nets(self) -> list[int]:
        """The nets that a cell or an input port drives, in ascending order."""
        driven = {b for way, bits in self.ports.values() if way == "input" for b in bits}
        driven |= {b for gate in self.gates for pin in gate.outputs for b in gate.pins.get(pin, ())}
        return sorted(b for b in driven if isinstance(b, int))

    @cached_property
    def sinks(self) -> dict[int, list[tuple[Gate, str]]]:
        """The input pins of cells on each net."""
        found: dict[int, list[tuple[Gate, str]]] = defaultdict(list)
        for gate in self.gates:
            for pin, bits in gate.pins.items():
                if pin not in gate.outputs:
                    for bit in bits:
                        if isinstance(bit, int):
                            found[bit].append((gate, pin))
        return found

    @cached_property
    def drivers(self) -> dict[int, tuple[Gate, str]]:
        """The cell and the pin that drive each net; nets of input ports are not in it."""
        return {
            bit: (gate, pin)
            for gate in self.gates
            for pin in gate.outputs
            for bit in gate.pins.get(pin, ())
            if isinstance(bit, int)
        }

    def width(self, port: str) -> int:
        """Bits of a port."""
        return len(self.ports[port][1])


def read_netlist(path: Path, top: str) -> GateNetlist:
    """The module `top` of a JSON file of Yosys, with the file memories.json beside it if there is one. Raises
    FlowError.
    """
    beside = path.with_name("memories.json")
    memories = json.loads(beside.read_text())["modules"] if beside.is_file() else {}
    modules = json.loads(path.read_text())["modules"]
    if top not in modules:
        raise FlowError(f"{path.name} has no module {top}; it has: {', '.join(modules)}")
    module = modules[top]
    gates = tuple(
        Gate(
            name=name,
            kind=cell["type"],
            pins={pin: tuple(bits) for pin, bits in cell["connections"].items()},
            outputs=frozenset(p for p, way in cell.get("port_directions", {}).items() if way == "output"),
            parameters=cell.get("parameters", {}),
        )
        for name, cell in module["cells"].items()
        if cell["type"] != "$scopeinfo"
    )
    names: dict[int, list[str]] = defaultdict(list)
    for name, net in module["netnames"].items():
        bits = net["bits"]
        for index, bit in enumerate(bits):
            if isinstance(bit, int):
                place = index + net.get("offset", 0)
                names[bit].append(name if len(bits) == 1 else f"{name}[{place}]")
    return GateNetlist(
        top=top,
        ports={n: (p["direction"], tuple(p["bits"])) for n, p in module["ports"].items()},
        gates=gates,
        names={bit: tuple(found) for bit, found in names.items()},
        memories=memories,
    )
