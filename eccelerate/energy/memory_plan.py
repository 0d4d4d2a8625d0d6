"""The lines of a plan (sim/toggle_cells.cpp) for a memory that is not made of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eccelerate.energy.gate_netlist import Bit, Gate
from eccelerate.flow.errors import FlowError


@dataclass
class MemoryPlan:
    """Lines of a memory, and for each read port without a clock the nets of its address and its data."""

    lines: list[str]
    at_once: dict[int, tuple[list[int], list[int]]]


def memory_plan(
    gate: Gate, module: dict[str, Any], net: Callable[[Bit | None], int], clock: Bit
) -> MemoryPlan:
    """The plan of an instance of a memory module, whose only cell is a $mem_v2 of Yosys. FlowError for what
    the bench does not know: other clocks, asynchronous resets, ports of several words.
    """
    cell = next(iter(module["cells"].values()))
    outer: dict[int, Bit] = {}
    for port, info in module["ports"].items():
        outer |= dict(zip(info["bits"], gate.pins.get(port, ()), strict=False))

    def bits(pin: str) -> list[Bit]:
        return [outer.get(b, "x") if isinstance(b, int) else b for b in cell["connections"][pin]]

    def number(name: str) -> int:
        return int(cell["parameters"][name].replace("x", "0") or "0", 2)

    def wrong(what: str) -> FlowError:
        return FlowError(f"memory {gate.name}: {what} is not simulated")

    words, width, address_bits = number("SIZE"), number("WIDTH"), number("ABITS")
    lines = [f"m {words} {width} {number('OFFSET')}"]
    content = cell["parameters"]["INIT"]
    content = content if len(content) == words * width else "x" * (words * width)
    for address in range(words):
        low = len(content) - (address + 1) * width
        word = int(content[low : low + width].replace("x", "0"), 2)
        if word:
            lines.append(f"v {address} {word:x}")
    if number("RD_WIDE_CONTINUATION") or number("WR_WIDE_CONTINUATION"):
        raise wrong("a port of several words")
    at_once: dict[int, tuple[list[int], list[int]]] = {}
    for port in range(number("RD_PORTS")):
        clocked = number("RD_CLK_ENABLE") >> port & 1
        if clocked and bits("RD_CLK")[port] != clock:
            raise wrong("a read on another clock")
        if clocked and bits("RD_ARST")[port] not in ("0", "x"):
            raise wrong("an asynchronous reset of a read")
        enable, reset = bits("RD_EN")[port], bits("RD_SRST")[port]
        at = [net(b) for b in bits("RD_ADDR")[port * address_bits : (port + 1) * address_bits]]
        data = bits("RD_DATA")[port * width : (port + 1) * width]
        if not all(isinstance(bit, int) for bit in data):
            if any(isinstance(bit, int) for bit in data):
                raise wrong("a read of a part of a word")
            continue
        nets = [net(b) for b in data]
        if not clocked:
            at_once[port] = (at, nets)
        lines.append(f"r {clocked} {net(enable)} {net(reset)} {_list(at)} ; {_list(nets)}")
    for port in range(number("WR_PORTS")):
        if not number("WR_CLK_ENABLE") >> port & 1 or bits("WR_CLK")[port] != clock:
            raise wrong("a write on another clock, or without one,")
        at = [net(b) for b in bits("WR_ADDR")[port * address_bits : (port + 1) * address_bits]]
        values = [net(b) for b in bits("WR_DATA")[port * width : (port + 1) * width]]
        enables = [net(b) for b in bits("WR_EN")[port * width : (port + 1) * width]]
        lines.append(f"w {_list(at)} ; {_list(values)} ; {_list(enables)}")
    return MemoryPlan(lines, at_once)


def _list(nets: list[int]) -> str:
    return " ".join(map(str, nets))
