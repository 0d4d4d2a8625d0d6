"""Toggles are counted exactly, by net and by clock, and a netlist of another design is noticed."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from eccelerate.energy.activity import Window, replay
from eccelerate.energy.gate_netlist import Bit, Gate, GateNetlist
from eccelerate.flow.errors import FlowError
from tests.energy.small_netlists import gate, netlist, tiny, toggle_flip_flop, toggle_trace, write_trace

LIBRARY = tiny()
GATES, INPUTS, CLOCKS = 150, 9, 5000


def random_netlist(chance: random.Random) -> GateNetlist:
    """Gates and flip-flops at random, without loops of gates."""
    nets: list[Bit] = [*range(3, 3 + INPUTS), "0", "1"]
    gates: list[Gate] = []
    flops = [200 + i for i in range(30)]
    sources = nets + flops
    for i in range(GATES):
        out = 300 + i
        pins = {"A": chance.choice(sources), "B": chance.choice(sources)}
        gates.append(gate(LIBRARY, f"g{i}", "nand2_1", **pins, Y=out))
        sources.append(out)
    gates += [gate(LIBRARY, f"f{q}", "dff_1", D=chance.choice(sources), CK=2, Q=q) for q in flops]
    chance.shuffle(gates)
    inputs = tuple(range(3, 3 + INPUTS))
    ports = {
        "clk_i": ("input", (2,)),
        "a_i": ("input", inputs),
        "y_o": ("output", tuple(range(300 + GATES - 20, 300 + GATES))),
    }
    return GateNetlist("top", ports, tuple(gates), {})


def simulate(netlist_: GateNetlist, given: list[int]) -> list[dict[Bit, int]]:
    """The levels of all nets before each edge, computed gate by gate until nothing changes."""
    now: dict[Bit, int] = dict.fromkeys(netlist_.nets, 0) | {"0": 0, "1": 1}
    history = []
    nands = sorted((g for g in netlist_.gates if g.kind == "nand2_1"), key=lambda g: str(g.pins["Y"][0]))
    for levels in given:
        for i in range(INPUTS):
            now[3 + i] = levels >> i & 1
        for g in nands:  # their outputs are numbered in an order without forward references
            now[g.pins["Y"][0]] = 1 - (now[g.pins["A"][0]] & now[g.pins["B"][0]])
        history.append(dict(now))
        loaded = {g.pins["Q"][0]: now[g.pins["D"][0]] for g in netlist_.gates if g.kind == "dff_1"}
        now |= loaded
    return history


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    chance = random.Random(18)
    found = random_netlist(chance)
    given = [chance.getrandbits(INPUTS) for _ in range(CLOCKS)]
    history = simulate(found, given)
    outputs = found.ports["y_o"][1]
    rows = [
        (a, sum(levels[net] << i for i, net in enumerate(outputs)))
        for a, levels in zip(given, history, strict=True)
    ]
    path = tmp_path_factory.mktemp("trace") / "trace"
    return found, write_trace(path, [("a_i", INPUTS)], [("y_o", 20)], rows), history, rows


def test_counts_equal_those_of_a_plain_simulation(case) -> None:  # type: ignore[no-untyped-def]
    """More clocks than a counter of the bench holds before it is flushed."""
    found, trace, history, _ = case
    weights = dict.fromkeys(found.nets, 1.5)
    activity = replay(found, trace, LIBRARY, weights=weights)
    assert activity.clocks == CLOCKS - 1
    counted = [net for net in found.nets if net != 2]
    for net in counted:
        levels = [each[net] for each in history]
        assert activity.toggles[net] == sum(a != b for a, b in pairwise(levels))
        assert activity.high[net] == sum(levels[:-1])
    by_clock = [sum(a[n] != b[n] for n in counted) for a, b in pairwise(history)]
    assert list(activity.by_clock) == by_clock
    assert list(activity.weighted) == [1.5 * n for n in by_clock]


def test_window_counts_its_clocks_only(case) -> None:  # type: ignore[no-untyped-def]
    found, trace, history, _ = case
    activity = replay(found, trace, LIBRARY, window=Window(100, 50))
    for net in found.nets:
        if net != 2:
            levels = [each[net] for each in history[100:151]]
            assert activity.toggles[net] == sum(a != b for a, b in pairwise(levels))
    with pytest.raises(FlowError, match="ends after"):
        replay(found, trace, LIBRARY, window=Window(CLOCKS - 10, 50))


def test_a_gate_of_another_function_is_noticed(case) -> None:  # type: ignore[no-untyped-def]
    """A wrong gate changes an output: the netlist is then not that of the trace."""
    found, trace, _, _ = case
    last = found.ports["y_o"][1][-1]
    others = tuple(g for g in found.gates if g.pins.get("Y") != (last,))
    mutant = GateNetlist("top", found.ports, (*others, gate(LIBRARY, "m", "adder_1", A=3, B=4, S=last)), {})
    with pytest.raises(FlowError, match="outputs differ from the trace in"):
        replay(mutant, trace, LIBRARY)


def test_outputs_of_several_bits_count_only_with_their_qualifier(tmp_path: Path) -> None:
    ports = {
        "clk_i": ("input", (2,)), "a_i": ("input", (3,)), "v_i": ("input", (4,)),
        "valid_o": ("output", (4,)), "d_o": ("output", (3, 3)),
    }  # fmt: skip
    wires = netlist(ports, [], {2: "clk_i", 3: "a_i", 4: "v_i"})
    rows = [(0b10, 0b011), (0b11, 0b111), (0b00, 0b000), (0b00, 0b000)]
    inputs, outputs = [("a_i", 1), ("v_i", 1)], [("valid_o", 1), ("d_o", 2)]
    path = write_trace(tmp_path / "t", inputs, outputs, rows)
    assert replay(wires, path, LIBRARY, qualifier="valid_o", settle=0).clocks == 3
    wrong = write_trace(tmp_path / "w", inputs, outputs, [rows[0], (0b11, 0b101), *rows[2:]])
    with pytest.raises(FlowError, match="in 1 clocks, first in clock 1"):
        replay(wires, wrong, LIBRARY, qualifier="valid_o", settle=0)
    with pytest.raises(FlowError, match="outputs differ"):
        first = write_trace(tmp_path / "f", inputs, outputs, [(0b10, 0b001), *rows[1:]])
        replay(wires, first, LIBRARY, settle=0)


def test_wrong_outputs_of_a_clock_are_located(tmp_path: Path) -> None:
    trace = toggle_trace(tmp_path / "t", [1] * 40, wrong=lambda clock: clock == 17)
    with pytest.raises(FlowError, match="in 1 clocks, first in clock 17"):
        replay(toggle_flip_flop(LIBRARY), trace, LIBRARY)


def test_what_cannot_be_simulated_is_refused(tmp_path: Path) -> None:
    found = toggle_flip_flop(LIBRARY)
    trace = toggle_trace(tmp_path / "t", [1] * 10)
    loop = netlist(found.ports, [*found.gates[:2], gate(LIBRARY, "i", "nand2_1", A=6, B=6, Y=6)], {})
    with pytest.raises(FlowError, match="loop"):
        replay(loop, trace, LIBRARY)
    other = netlist(found.ports, [gate(LIBRARY, "f", "dff_1", D=5, CK=3, Q=4), *found.gates[1:]], {})
    with pytest.raises(FlowError, match="rising edge"):
        replay(other, trace, LIBRARY)
    with pytest.raises(FlowError, match="no driver"):
        replay(netlist(found.ports, found.gates[1:], {4: "q"}), trace, LIBRARY)
    with pytest.raises(FlowError, match="not one of top: y_o differ"):
        wrong = write_trace(tmp_path / "w", [("a_i", 1)], [("y_o", 2)], [(0, 0)] * 4)
        replay(found, wrong, LIBRARY)
    (tmp_path / "none").write_text("no trace\n")
    with pytest.raises(FlowError, match="no port trace"):
        replay(found, tmp_path / "none", LIBRARY)
