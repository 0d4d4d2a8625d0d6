"""eccel_gf2m_wide_steps, with models of the core and of the register file: steps of the Montgomery ladder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import astuple
from itertools import pairwise

import pytest

from eccelerate.model import lopez_dahab
from tests.gf2m.test_multiplier import PAPER
from tests.gf2m.wide import WideCore
from tests.module import Module
from tests.verilated import Patch

SOURCES = ("gf2m/eccel_gf2m_pkg.sv", "gf2m/eccel_gf2m_wide_pkg.sv", "gf2m/eccel_gf2m_wide_steps.sv")
X, C, T2, XS, ZS, XD, ZD = 48, 49, 51, 56, 57, 58, 59
STATE = (XS, ZS, XD, ZD, T2)
STEP, BEFORE, AFTER = 6, 5, 2
Trace = list[tuple[int, ...]]


def ladder(bits: Sequence[int], seed: int, patches: Sequence[Patch] = ()) -> Trace:
    """A sequence of steps, which has to leave the state of the model; what it does in each cycle.

    A word comes two cycles after its address. A value leaves the core one cycle after its command, and can
    be addressed in the next one.
    """
    rng, f = random.Random(seed), PAPER[0]
    x, c, r = (rng.randrange(1, 1 << 163) for _ in range(3))
    state = lopez_dahab.start(f, c, x, r)
    file = {register: rng.getrandbits(163) for register in range(64)}
    file |= {X: x, C: c} | dict(zip(STATE, astuple(state), strict=True))
    module, core = Module("gf2m", "eccel_gf2m_wide_steps", SOURCES, patches=patches), WideCore(f)
    words = [[[0, 0]] * 3] * 2
    trace: Trace = []
    module.clock(3)
    assert not module["busy_o"] and not module["control_o"] and not module["we_o"]
    left, writes = list(bits), 0
    inputs = {"go_i": 1, "take_i": rng.getrandbits(1), "more_i": rng.getrandbits(1)}
    while not trace or module["busy_o"] or len(trace) == 1:
        module.clock(**inputs)
        reads = [module.array(name) for name in ("a_o", "b_o", "c_o")]
        value, _ = core.clock(module["control_o"], *words.pop(0))
        words.append([[file[register] for register in pair] for pair in reads])
        if writes:
            file[writes] = value
        writes = module["waddr_o"] if module["we_o"] else 0
        trace.append((module["busy_o"], module["ready_o"], *reads[0], *reads[1], *reads[2], writes))
        begins = inputs["go_i"] or (module["ready_o"] and inputs["more_i"])
        inputs["go_i"] = 0
        if begins:
            inputs["take_i"] = left.pop(0)
        inputs["more_i"] = int(bool(left))
    assert not left and not module["control_o"]
    for bit in bits:
        state = lopez_dahab.step(f, c, x, state, double_sum=bool(bit))
    assert tuple(file[register] for register in STATE) == astuple(state)
    return trace


def test_a_sequence_leaves_the_next_states() -> None:
    rng = random.Random(1)
    for steps in (1, 1, 2, 3, 10):
        ladder([rng.getrandbits(1) for _ in range(steps)], steps)


def test_the_cycles_are_those_of_the_contract() -> None:
    for steps in (1, 2, 5):
        trace = ladder([1] * steps, 7)
        assert sum(busy for busy, *_ in trace) == BEFORE + STEP * steps + AFTER
        ready = [cycle for cycle, (_, each, *_) in enumerate(trace) if each]
        assert [b - a for a, b in pairwise(ready)] == [STEP] * (steps - 1)


def test_no_address_and_no_time_depends_on_the_secret_bit() -> None:
    assert ladder([0] * 4, 3) == ladder([1] * 4, 3) == ladder([0, 1, 1, 0], 3)


def test_a_mutant_that_adds_the_wrong_x_fails() -> None:
    with pytest.raises(AssertionError):
        ladder(
            [1, 0, 1],
            1,
            [("eccel_gf2m_wide_steps.sv", "control_o.c.xd = !take_i;", "control_o.c.xd = take_i;")],
        )
