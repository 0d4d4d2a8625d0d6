"""Power and energy of a netlist of library cells from the toggles of its nets.

- Switching: each toggle of a net costs C V^2 / 2, where C is the sum of the pin capacitances on the net and
  of its wire (none by default).
- Internal: the tables of the library, at the load of the pin and the nominal slew. Half of the toggles are
  rises. A clock pin counts in each clock, by the state of the flip-flop where the library knows it.
- Leakage: the figure of each cell.

Nets of input ports, and of the clock, are charged like others; the cells that drive them are not in the
netlist. There is no clock tree, and memories outside the netlist cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eccelerate.energy.activity import Activity
from eccelerate.energy.gate_netlist import Gate, GateNetlist
from eccelerate.energy.library import Cell, Internal, Library
from eccelerate.energy.pin_function import evaluate
from eccelerate.flow.errors import FlowError

DEFAULT_MHZ = 100.0


@dataclass(frozen=True)
class Wires:
    """Capacitance of a wire in pF: `fixed` for each net and `sink` for each input pin on it; `nets` has those
    that are known, as of a SPEF file.
    """

    fixed: float = 0.0
    sink: float = 0.0
    nets: Mapping[int, float] | None = None

    def of(self, net: int, sinks: int) -> float:
        """Capacitance of the wire of a net."""
        if self.nets is not None and net in self.nets:
            return self.nets[net]
        return self.fixed + self.sink * sinks if sinks else 0.0


@dataclass(frozen=True)
class Energy:
    """Energy of all clocks of an activity in pJ, and the power while they run.

    clock_pj is the part of switching and internal energy that is due to the nets and pins of clocks.
    """

    switching_pj: float
    internal_pj: float
    leakage_pj: float
    clock_pj: float
    clocks: int
    seconds: float

    @property
    def energy_pj(self) -> float:
        """Everything."""
        return self.switching_pj + self.internal_pj + self.leakage_pj

    @property
    def switching_w(self) -> float:
        """Power of charging nets."""
        return self.switching_pj * 1e-12 / self.seconds

    @property
    def internal_w(self) -> float:
        """Power inside cells."""
        return self.internal_pj * 1e-12 / self.seconds

    @property
    def leakage_w(self) -> float:
        """Power without any activity."""
        return self.leakage_pj * 1e-12 / self.seconds

    @property
    def total_w(self) -> float:
        """All of it."""
        return self.energy_pj * 1e-12 / self.seconds


def estimate(
    netlist: GateNetlist,
    activity: Activity,
    library: Library,
    clock_mhz: float = DEFAULT_MHZ,
    *,
    clock: str = "clk_i",
    wires: Wires | None = None,
) -> Energy:
    """Power and energy of a netlist.

    clock_mhz: the clock of the run; an activity that has a time of its own, as of a VCD file, keeps it.
    FlowError for cells that the library does not have.
    """
    seconds = activity.seconds if activity.seconds is not None else activity.clocks / (clock_mhz * 1e6)
    if seconds <= 0:
        raise FlowError("no time passes in this activity: nothing can be said about power")
    model = _Model(netlist, activity, library, clock, wires or Wires())
    leakage = sum(library.cell(g.kind).leakage for g in netlist.gates if g.kind not in netlist.memories)
    switching, internal = model.switching(), model.internal()
    return Energy(switching, internal, leakage * seconds * 1e3, model.clock_pj, activity.clocks, seconds)


def net_energies(
    netlist: GateNetlist, activity: Activity, library: Library, *, wires: Wires | None = None
) -> dict[int, float]:
    """Energy of one toggle of each net in pJ: its charge, the table of the pin that drives it, and the tables
    of the input pins on it. As weights of a replay they give the energy of data by clock.
    """
    model = _Model(netlist, activity, library, "", wires or Wires())
    found = {net: model.charge(net) for net in netlist.nets}
    for gate in netlist.gates:
        cell = library.cells.get(gate.kind)
        if cell is None:
            continue
        for pin in gate.pins:
            net = gate.bit(pin)
            if isinstance(net, int) and pin != cell.clock:
                found[net] = found.get(net, 0.0) + model.of_pin(gate, cell, pin)
    return found


class _Model:
    def __init__(
        self, netlist: GateNetlist, activity: Activity, library: Library, clock: str, wires: Wires
    ) -> None:
        self.netlist, self.activity, self.library, self.wires = netlist, activity, library, wires
        self.root = netlist.ports[clock][1][0] if clock in netlist.ports else None
        self.clock_pj = 0.0
        self.clock_nets = {
            gate.bit(cell.clock)
            for gate in netlist.gates
            if (cell := library.cells.get(gate.kind)) is not None and cell.clock
        }

    def toggles(self, net: object) -> float:
        if not isinstance(net, int):
            return 0.0
        if net in self.activity.toggles:
            return self.activity.toggles[net]
        return 2.0 * self.activity.clocks if net == self.root else 0.0

    def load(self, net: int) -> float:
        """Capacitance on a net in pF."""
        sinks = self.netlist.sinks.get(net, [])
        pins = sum(
            self.library.cell(gate.kind).pins[pin].capacitance
            for gate, pin in sinks
            if gate.kind not in self.netlist.memories
        )
        return pins + self.wires.of(net, len(sinks))

    def charge(self, net: int) -> float:
        return self.load(net) * self.library.voltage**2 / 2

    def switching(self) -> float:
        total = 0.0
        for net in {*self.netlist.nets, *([self.root] if isinstance(self.root, int) else [])}:
            energy = self.toggles(net) * self.charge(net)
            total += energy
            if net in self.clock_nets:
                self.clock_pj += energy
        return total

    def internal(self) -> float:
        total = 0.0
        for gate in self.netlist.gates:
            if gate.kind in self.netlist.memories:
                continue
            cell = self.library.cell(gate.kind)
            for pin in cell.pins:
                net = gate.bit(pin)
                if not isinstance(net, int):
                    continue
                if pin == cell.clock and cell.register:
                    energy = self._clock_pin(gate, cell, net)
                    self.clock_pj += energy
                else:
                    energy = self.toggles(net) * self.of_pin(gate, cell, pin)
                    if net in self.clock_nets:
                        self.clock_pj += energy
                total += energy
        return total

    def of_pin(self, gate: Gate, cell: Cell, pin: str) -> float:
        """Mean internal energy of a rise and a fall of a pin. That of an output is weighted with the toggles
        of the inputs that can cause it.
        """
        tables = cell.pins[pin].internal
        if not tables:
            return 0.0
        if cell.pins[pin].direction == "input":
            own = tuple(t for t in tables if not t.related)
            if cell.register:  # data changes after the rising edge, while the clock is high
                chosen = _chosen(own, {p: self._level(gate, p) for p in cell.inputs} | {cell.clock: 1})
                return _mean([chosen] if chosen else [], 0.0)
            return _mean(list(own), 0.0)
        net = gate.bit(pin)
        load = self.load(net) if isinstance(net, int) else 0.0
        by_pin = {name: _mean([t for t in tables if t.related == name], load) for name in
                  dict.fromkeys(t.related for t in tables)}  # fmt: skip
        if cell.register and cell.clock in by_pin:  # a reset that is tied off causes nothing
            return by_pin[cell.clock]
        weights = {name: self.toggles(gate.bit(name)) for name in by_pin}
        whole = sum(weights.values())
        if not whole:
            return sum(by_pin.values()) / len(by_pin)
        return sum(by_pin[name] * weights[name] for name in by_pin) / whole

    def _clock_pin(self, gate: Gate, cell: Cell, net: int) -> float:
        """Internal energy of the clock pin of a flip-flop: a rise and a fall in each clock that it gets, each
        in the state (next value, value) of the flip-flop before the rising edge.
        """
        pulses = self.toggles(net) / 2
        state = next((p for p in cell.outputs if cell.pins[p].function == cell.register["state"]), "")
        output = gate.bit(state or cell.outputs[0])
        changes = self.toggles(output)
        high = self.activity.high.get(output, 0) if isinstance(output, int) else 0
        if not state:
            high = self.activity.clocks - high
        share = high / self.activity.clocks if self.activity.clocks else 0.0
        up = down = min(changes / 2, pulses / 2)
        stay_high = min(max(pulses * share - down, 0.0), pulses - up - down)
        counts = {(1, 0): up, (0, 1): down, (1, 1): stay_high, (0, 0): pulses - up - down - stay_high}
        fixed = {p: self._level(gate, p) for p in cell.inputs}
        data = next((p for p in cell.inputs if p in cell.register["next_state"]), "")
        total = 0.0
        for (following, value), count in counts.items():
            levels = fixed | {data: following}
            for pin in cell.outputs:
                same = cell.pins[pin].function == cell.register["state"]
                levels[pin] = value if same else 1 - value
            for edge, level in (("rise", 0), ("fall", 1)):
                table = _chosen(cell.pins[cell.clock].internal, levels | {cell.clock: level})
                if table is not None:
                    total += count * getattr(table, edge)[0]
        return total

    def _level(self, gate: Gate, pin: str) -> int:
        """The level that a pin has most of the time."""
        bit = gate.bit(pin)
        if not isinstance(bit, int):
            return int(bit == "1")
        driver = self.netlist.drivers.get(bit)
        if driver is not None and driver[0].kind in self.library.cells:
            function = self.library.cells[driver[0].kind].pins[driver[1]].function
            if function in ("0", "1"):
                return int(function)
        return int(2 * self.activity.high.get(bit, 0) > self.activity.clocks)


def _mean(tables: list[Internal], load: float) -> float:
    """Mean over the conditions and both edges. A table without a condition is for those that none names, and
    there are none if others are there.
    """
    kept = [t for t in tables if t.when] or tables
    return sum(sum(t.at(load)) / 2 for t in kept) / len(kept) if kept else 0.0


def _chosen(tables: tuple[Internal, ...], levels: dict[str, int]) -> Internal | None:
    """The table whose condition holds, or the one without a condition."""
    for table in tables:
        if table.when:
            try:
                if evaluate(table.when, levels):
                    return table
            except KeyError:
                continue
    return next((t for t in tables if not t.when), None)
