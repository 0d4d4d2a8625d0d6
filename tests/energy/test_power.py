"""The estimate of power equals what a reader computes by hand, and behaves as physics does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.energy.activity import Activity, Window, replay
from eccelerate.energy.gate_netlist import GateNetlist
from eccelerate.energy.power import Energy, Wires, estimate, net_energies
from eccelerate.flow.errors import FlowError
from tests.energy.small_netlists import gate, netlist, tiny, toggle_flip_flop, toggle_trace, write_trace

LIBRARY = tiny()
NETLIST = toggle_flip_flop(LIBRARY)
CLOCKS = 100


def run(folder: Path, levels: list[int], clocks: int = CLOCKS) -> Activity:
    """The flip-flop with levels of its input, without its first four clocks."""
    trace = toggle_trace(folder / "trace", levels)
    return replay(NETLIST, trace, LIBRARY, window=Window(4, clocks))


def busy(folder: Path, clocks: int = CLOCKS) -> Activity:
    return run(folder, [1] * (clocks + 6), clocks)


def idle(folder: Path) -> Activity:
    return run(folder, [0] * (CLOCKS + 6))


def test_hand_computed_netlist(tmp_path: Path) -> None:
    """In each clock q, n and y toggle once; V = 2, so that C V^2 / 2 = 2 C."""
    found = estimate(NETLIST, busy(tmp_path), LIBRARY, 100)
    # Loads in pF: clk 0.004, q 0.003 (B), n 0.001 (D) + 0.001 (A of the inverter), y none, a does not toggle.
    switching = CLOCKS * 2 * (2 * 0.004 + 0.003 + 0.002)
    # n: table B, because A never toggles; q: (0.05 + 0.06) / 2; y: 0.002; pins B and D in their states.
    outputs = 0.008 + 0.055 + 0.002
    inputs = (0.001 + 0.002) / 2 + 0.0005
    # Half of the clocks are in the state D = 1, Q = 0, half in D = 0, Q = 1; the rise is in the table of Q.
    clock = (0.020 + 0.030) / 2
    assert found.switching_pj == pytest.approx(switching)
    assert found.internal_pj == pytest.approx(CLOCKS * (outputs + inputs + clock))
    assert found.clock_pj == pytest.approx(CLOCKS * (2 * 2 * 0.004 + clock))
    # nand2 3, inverter 1, flip-flop the mean of its states 5: 9 nW for 1 us
    assert found.leakage_pj == pytest.approx(9e-9 * 1e-6 * 1e12)
    assert found.total_w == pytest.approx(found.energy_pj * 1e-12 / 1e-6)


def test_table_of_an_output_is_read_at_its_load(tmp_path: Path) -> None:
    """With a toggling and q at 1, only A causes n: its rise is interpolated between 0.010 and 0.020 pJ."""
    toggles = {3: 10, 4: 0, 5: 10, 6: 10}
    found = estimate(NETLIST, Activity(10, toggles, {4: 10}), LIBRARY)
    at_load = 0.010 + 0.010 * 0.002 / 0.01
    expected = 10 * ((at_load + 0.004) / 2 + 0.002 + 0.0005) + 10 * (0.010 + 0.011)
    assert found.internal_pj == pytest.approx(expected)


def test_idle_netlist_costs_its_clock_and_leakage_only(tmp_path: Path) -> None:
    found = estimate(NETLIST, idle(tmp_path), LIBRARY)
    assert found.switching_pj + found.internal_pj == pytest.approx(found.clock_pj)
    assert found.clock_pj == pytest.approx(CLOCKS * (2 * 2 * 0.004 + 0.010 + 0.011))
    still = estimate(gates_only(), Activity(CLOCKS, {}, {}), LIBRARY, clock="")
    assert still.switching_pj == 0 and still.energy_pj == pytest.approx(still.leakage_pj)


def gates_only() -> GateNetlist:
    """The netlist without its flip-flop."""
    ports = {"a_i": ("input", (3,)), "y_o": ("output", (6,))}
    return netlist(ports, NETLIST.gates[1:], {3: "a_i", 5: "n", 6: "y_o"})


def powers(energy: Energy) -> tuple[float, float, float]:
    return energy.switching_w, energy.internal_w, energy.leakage_w


def test_doubled_clock_doubles_dynamic_power_at_the_same_energy(tmp_path: Path) -> None:
    activity = busy(tmp_path)
    slow, fast = (estimate(NETLIST, activity, LIBRARY, mhz) for mhz in (100, 200))
    assert powers(fast)[:2] == pytest.approx([2 * power for power in powers(slow)[:2]])
    assert fast.leakage_w == pytest.approx(slow.leakage_w)
    assert (fast.switching_pj, fast.internal_pj) == (slow.switching_pj, slow.internal_pj)
    assert fast.leakage_pj == pytest.approx(slow.leakage_pj / 2)


def test_doubled_activity_doubles_energy(tmp_path: Path) -> None:
    once, twice = (estimate(NETLIST, busy(tmp_path, n), LIBRARY) for n in (CLOCKS, 2 * CLOCKS))
    assert twice.energy_pj == pytest.approx(2 * once.energy_pj)
    assert powers(twice) == pytest.approx(powers(once))


def test_data_that_toggles_twice_as_often_costs_twice_as_much() -> None:
    still = {3: 0, 4: 0, 5: 0, 6: 0}
    found = [
        estimate(NETLIST, Activity(CLOCKS, still | {3: n, 5: n, 6: n}, {}), LIBRARY) for n in (0, 20, 40)
    ]
    base, once, twice = (e.switching_pj + e.internal_pj for e in found)
    assert twice - base == pytest.approx(2 * (once - base)) and once > base


def test_gated_clock_costs_less_than_a_free_one(tmp_path: Path) -> None:
    """Ten flip-flops that hold their value: with a clock gate that is closed nothing beyond it toggles."""
    bits = range(10, 20)
    ports = {
        "clk_i": ("input", (2,)),
        "e_i": ("input", (3,)),
        "q_o": ("output", tuple(bits)),
    }
    trace_rows = CLOCKS + 2
    names = {2: "clk_i", 3: "e_i", 4: "gated"} | {bit: f"q{bit}" for bit in bits}
    free = netlist(ports, [gate(LIBRARY, f"f{b}", "dff_1", D=b, CK=2, Q=b) for b in bits], names)
    icg = gate(LIBRARY, "g", "gate_1", CLK=2, GATE=3, GCLK=4)
    flops = [gate(LIBRARY, f"f{b}", "dff_1", D=b, CK=4, Q=b) for b in bits]
    gated = netlist(ports, [icg, *flops], names)
    energies = {}
    for enable in (0, 1):
        path = write_trace(tmp_path / "t", [("e_i", 1)], [("q_o", 10)], [(enable, 0)] * trace_rows)
        for name, each in (("free", free), ("gated", gated)):
            activity = replay(each, path, LIBRARY)
            energies[name, enable] = estimate(each, activity, LIBRARY).clock_pj
    assert energies["gated", 0] < energies["free", 0] / 10
    # An open gate drives the same flip-flops and costs something itself.
    assert energies["gated", 1] > energies["free", 1]


def test_wires_add_their_capacitance(tmp_path: Path) -> None:
    activity = busy(tmp_path)
    bare = estimate(NETLIST, activity, LIBRARY)
    wired = estimate(NETLIST, activity, LIBRARY, wires=Wires(nets={4: 0.005}))
    assert wired.switching_pj - bare.switching_pj == pytest.approx(CLOCKS * 2 * 0.005)
    by_sink = estimate(NETLIST, activity, LIBRARY, wires=Wires(sink=0.001))
    # clk 1 sink and two toggles, q 1, n 2; y has none
    assert by_sink.switching_pj - bare.switching_pj == pytest.approx(CLOCKS * 2 * 0.001 * (2 + 1 + 2))


def test_energy_by_clock_adds_up_to_the_estimate(tmp_path: Path) -> None:
    trace = toggle_trace(tmp_path / "t", [n % 3 > 0 for n in range(60)])
    activity = replay(NETLIST, trace, LIBRARY)
    weights = net_energies(NETLIST, activity, LIBRARY)
    again = replay(NETLIST, trace, LIBRARY, weights=weights)
    found = estimate(NETLIST, activity, LIBRARY)
    assert sum(again.weighted) == pytest.approx(found.switching_pj + found.internal_pj - found.clock_pj)
    assert len(again.weighted) == again.clocks and len(set(again.weighted)) > 2


def test_no_time_is_an_error() -> None:
    with pytest.raises(FlowError, match="no time"):
        estimate(NETLIST, Activity(0, {}, {}), LIBRARY)


def test_a_wrong_capacitance_is_noticed(tmp_path: Path) -> None:
    """The control of the hand-computed netlist: one pin with another capacitance changes the result."""
    cell = LIBRARY.cells["inv_1"]
    pin = replace(cell.pins["A"], capacitance=0.0011)
    other = replace(LIBRARY, cells=LIBRARY.cells | {"inv_1": replace(cell, pins=cell.pins | {"A": pin})})
    activity = busy(tmp_path)
    assert estimate(NETLIST, activity, other).switching_pj != pytest.approx(
        estimate(NETLIST, activity, LIBRARY).switching_pj, rel=1e-3
    )
