"""The plan of a netlist of library cells for the bench that counts its toggles (sim/toggle_cells.cpp)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import product

from eccelerate.energy.gate_netlist import Bit, Gate, GateNetlist
from eccelerate.energy.library import Cell, Library
from eccelerate.energy.memory_plan import MemoryPlan, memory_plan
from eccelerate.energy.pin_function import evaluate
from eccelerate.flow.errors import FlowError

MOST_INPUTS = 6


@dataclass
class CellPlan:
    """Lines of the plan, the nets whose toggles are counted in the order of their numbers, and the nets of
    gated clocks. The number of a gated clock has its enable: the clock runs in the clocks in which it is 1.
    """

    lines: list[str]
    nets: list[int]
    gated: set[int] = field(default_factory=set)


def cell_plan(netlist: GateNetlist, clock: str, library: Library) -> CellPlan:
    """The plan of a netlist with one clock, without the lines on the trace. The net of the clock is not
    counted. FlowError for cells that the library does not have, for registers with another clock or edge or
    with an asynchronous reset that is used, and for loops.
    """
    if clock not in netlist.ports:
        raise FlowError(f"{netlist.top} has no clock port {clock}; ports: {', '.join(netlist.ports)}")
    return _Planner(netlist, clock, library).plan()


@cache
def table_of(function: str, pins: tuple[str, ...]) -> int:
    """The table of a function of pins: bit sum(pin k << k) is its value."""
    if len(pins) > MOST_INPUTS:
        raise FlowError(f"a function of more than {MOST_INPUTS} pins: {function}")
    table = 0
    for levels in product((0, 1), repeat=len(pins)):
        at = sum(level << k for k, level in enumerate(levels))
        table |= evaluate(function, dict(zip(pins, levels, strict=True))) << at
    return table


class _Planner:
    def __init__(self, netlist: GateNetlist, clock: str, library: Library) -> None:
        self.netlist, self.library = netlist, library
        self.clock = netlist.ports[clock][1][0]
        self.nets = [net for net in netlist.nets if net != self.clock]
        self.number: dict[Bit | None, int] = {net: i for i, net in enumerate(self.nets)}
        hidden = -(-len(self.nets) // 64) * 64  # the last word of counters has no other nets
        self.number |= {"0": hidden, "x": hidden, "z": hidden, None: hidden, "1": hidden + 1}
        self.next = hidden + 2
        self.gated: dict[int, Bit | None] = {}
        self.gates: dict[int, str] = {}  # by output: the line
        self.needs: dict[int, list[int]] = {}
        self.registers: list[str] = []

    def plan(self) -> CellPlan:
        for gate in self.netlist.gates:
            self._clock_gate(gate)
        memories: list[MemoryPlan] = []
        for gate in self.netlist.gates:
            if gate.kind in self.netlist.memories:
                module = self.netlist.memories[gate.kind]
                memories.append(memory_plan(gate, module, self.net, self.clock))
            else:
                self._cell(gate, self.library.cell(gate.kind))
        for index, memory in enumerate(memories):
            for port, (address, data) in memory.at_once.items():
                first = data[0]
                self.gates[first] = f"a {index} {port}"
                self.needs[first] = address
                for other in data[1:]:
                    self.needs[other] = [first]
        lines = [f"nets {len(self.nets)} {self.next}", f"c {self.number['0']} 0", f"c {self.number['1']} 1"]
        lines += [line for memory in memories for line in memory.lines]
        return CellPlan(lines + self._ordered() + self.registers, self.nets, set(self.gated))

    def net(self, bit: Bit | None) -> int:
        if bit == self.clock:
            raise FlowError(f"{self.netlist.top}: the clock is data of a cell, which is not simulated")
        if bit not in self.number:
            raise FlowError(f"{self.netlist.top}: net {self._name(bit)} has no driver")
        return self.number[bit]

    def _name(self, bit: Bit | None) -> str:
        return self.netlist.names.get(bit, (str(bit),))[0] if isinstance(bit, int) else str(bit)

    def _clock_gate(self, gate: Gate) -> None:
        cell = self.library.cells.get(gate.kind)
        if cell is None or not cell.gate:
            return
        enable, output = gate.bit(next(p for p in cell.inputs if p != cell.clock)), gate.bit(cell.outputs[0])
        if cell.gate != "latch_posedge" or gate.bit(cell.clock) != self.clock:
            raise FlowError(f"{gate.name} ({gate.kind}): only gates of the clock port's rising edge")
        if isinstance(output, int):
            self.gated[output] = enable

    def _cell(self, gate: Gate, cell: Cell) -> None:
        if cell.gate:
            output = gate.bit(cell.outputs[0])
            if isinstance(output, int):
                self._gate(output, 2, [self.net(self.gated[output])])
        elif cell.register:
            self._register(gate, cell)
        else:
            pins = tuple(cell.inputs)
            for pin in cell.outputs:
                output = gate.bit(pin)
                if isinstance(output, int):
                    inputs = [self.net(gate.bit(p)) for p in pins]
                    self._gate(output, table_of(cell.pins[pin].function, pins), inputs)

    def _gate(self, output: int, table: int, inputs: list[int]) -> None:
        number = self.number.get(output, output)
        self.gates[number] = f"g {number} {table:x} {len(inputs)} {' '.join(map(str, inputs))}"
        self.needs[number] = inputs

    def _hidden(self, table: int, inputs: list[int]) -> int:
        self.next += 1
        self._gate(self.next - 1, table, inputs)
        return self.next - 1

    def _register(self, gate: Gate, cell: Cell) -> None:
        register = cell.register
        source = gate.bit(cell.clock) if cell.clock else None
        rising = register.get("clocked_on", "").strip("() ") == cell.clock
        if not rising or not (source == self.clock or source in self.gated):
            raise FlowError(f"{gate.name} ({gate.kind}): only flip-flops on the clock port's rising edge")
        for reset in ("clear", "preset"):
            if reset in register and not self._never(register[reset], gate, cell):
                raise FlowError(f"{gate.name} ({gate.kind}): an asynchronous {reset} is not simulated")
        enable = self.net(self.gated[source]) if source in self.gated else self.number["1"]
        pins = tuple(p for p in cell.inputs if p != cell.clock)
        inputs = [self.net(gate.bit(p)) for p in pins]
        for pin in cell.outputs:
            output = gate.bit(pin)
            if not isinstance(output, int):
                continue
            table = table_of(register["next_state"], pins)
            if cell.pins[pin].function != register["state"]:
                table ^= (1 << (1 << len(pins))) - 1
            plain = register["next_state"].strip("() ")
            if plain in pins and cell.pins[pin].function == register["state"]:
                data = inputs[pins.index(plain)]
            else:
                data = self._hidden(table, inputs)
            self.registers.append(f"f {self.net(output)} {data} {enable}")

    def _never(self, condition: str, gate: Gate, cell: Cell) -> bool:
        """Whether an asynchronous reset is tied off, by a constant or a tie cell."""
        levels = {}
        for pin in cell.inputs:
            bit = gate.bit(pin)
            driver = self.netlist.drivers.get(bit) if isinstance(bit, int) else None
            if driver is not None and driver[0].kind in self.library.cells:
                bit = self.library.cells[driver[0].kind].pins[driver[1]].function
            levels[pin] = bit if bit in ("0", "1") else None
        try:
            return evaluate(condition, {p: int(x) for p, x in levels.items() if x is not None}) == 0
        except KeyError:
            return False

    def _ordered(self) -> list[str]:
        try:
            order = TopologicalSorter(self.needs).static_order()
            return [self.gates[net] for net in order if net in self.gates]
        except CycleError as error:
            raise FlowError(f"{self.netlist.top}: a loop of gates") from error


def trace_lines(
    netlist: GateNetlist,
    plan: CellPlan,
    inputs: list[tuple[str, int]],
    outputs: list[tuple[str, int]],
) -> Iterator[str]:
    """The lines that connect the bits of a trace with nets."""
    number = {net: i for i, net in enumerate(plan.nets)}
    hidden = -(-len(plan.nets) // 64) * 64
    for letter, ports in (("i", inputs), ("o", outputs)):
        low = sum(bits for _, bits in ports)
        yield f"{'inputs' if letter == 'i' else 'outputs'} {low}"
        for port, bits in ports:
            low -= bits
            for index, bit in enumerate(netlist.ports[port][1]):
                if isinstance(bit, int) and bit in number:
                    yield f"{letter} {low + index} {number[bit]}"
                elif letter == "o":
                    yield f"o {low + index} {hidden + (bit == '1')}"
