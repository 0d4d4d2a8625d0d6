"""One trace of the steps of the compact engine's ladders tells nothing about the scalar (docs/security.md).

Most traces end soon after the first steps, by the zeroise input: all later steps are alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.model.jobs import Op
from eccelerate.model.ladder import ladder_scalar
from eccelerate.model.montgomery import small_order_u
from tests.leakage.activity import (
    Score,
    Trace,
    attack_bits,
    attack_leading_zeros,
    best,
    together,
    totals,
)
from tests.leakage.victim import Change, Victim
from tests.sampled import sampled

CONFIG = "compact-w32"
FIRST = "first_ladder_step"
STEP = "ladder_step"
STEP_X = "ladder_step_x"
STEPS = 10
"""Steps that a short trace has."""
STOP = 14_000
"""Clocks after which the zeroise input ends the job of a short trace."""
ZEROS = 4
"""Leading zeros of scalars: from 0 to 3, each number as often as the others."""
TRIALS = 120
CONTROLS = 40
"""Trials of attacks that succeed."""
POINTS = 3
"""Clocks of a step from which a bit is guessed."""

Operands = Callable[[Curve, int], tuple[int, ...]]
JOBS: dict[Op, Operands] = {
    Op.MUL: lambda curve, k: (k, *curve.generator),
    Op.ECDSA_SIGN: lambda curve, k: (curve.n // 3, curve.n // 5, k),
}
CURVES = {Op.MUL: "P-256", Op.ECDSA_SIGN: "brainpoolP256r1"}

# The first step is one of the loop, with X_Q - X_P = 0, as it was.
OLD_START: tuple[Change, ...] = (
    ("compact/ladder.s", "    first_step\n    loop c0, ladder_step\n", "    sub  xa, xd, xd\n"),
)
# X_LADDER takes every scalar, as it did.
ANY_SCALAR: tuple[Change, ...] = (("compact/x_ladder.s", "    br   !B, scalar_range\n", ""),)
# csel reads both registers and masks one of them, as it did.
MASKED_SELECTION: tuple[Change, ...] = (
    (
        "gfp/eccel_gfp_pkg.sv",
        "op_e'(code) == OpMovx || op_e'(code) == OpCsel && sel",
        "op_e'(code) == OpMovx",
    ),
    ("gfp/eccel_gfp_pkg.sv", "default: ;  // OpMov", "OpCsel: op.y_en = sel;\n      default: ;  // OpMov"),
    (
        "gfp/eccel_gfp_schedule.sv",
        "digit_o.valid && !digit_o.first && !cur_q.op.is_mul;",
        "digit_o.valid && !digit_o.first && !cur_q.op.is_mul && !(cur_q.op.y_en && cur_q.op.keep == KeepT &&"
        " !cur_q.op.set_carry);",
    ),
)
# X_LADDER runs its ladder with a u of small order, as it did.
ANY_U: tuple[Change, ...] = (("compact/x_ladder.s", "    br   Z, .small_order\n", ""),)


def steps(trace: Trace, victim: Victim, first: str | None, loop: str, count: int) -> list[list[int]]:
    """The first `count` steps. first: label of the step before the loop, if there is one."""
    passes = trace.passes[victim.labels[loop]]
    begins = [*(trace.passes[victim.labels[first]] if first else []), *passes][: count + 1]
    return [trace.between(begin, end) for begin, end in pairwise(begins)]


def leading_zeros(rng: random.Random, curve: Curve) -> tuple[int, int]:
    """A number of leading zeros, and a scalar in [1, n) that has as many of the bits of n."""
    zeros = rng.randrange(ZEROS)
    length = curve.n.bit_length() - 1 - zeros
    while (k := 1 << length | rng.getrandbits(length)) >= curve.n:
        pass
    return zeros, k


def attack(victim: Victim, curve: Curve, op: Op, trials: int, count: int = STEPS) -> dict[str, Score]:
    """Attacks on the number of leading zeros of k, and on the first `count` bits that the ladder reads."""
    rng = random.Random(1)
    traces, zeros, scalars = [], [], []
    for _ in range(trials):
        zero, k = leading_zeros(rng, curve)
        trace = victim.short_trace(op, JOBS[op](curve, k), STOP if count == STEPS else None)
        activity = steps(trace, victim, FIRST, STEP, count)
        traces.append([[total] for total in totals(activity)])
        zeros.append(zero)
        scalar = ladder_scalar(curve.order, k)
        scalars.append(scalar.khat >> scalar.steps - count & (1 << count) - 1)
    return scores(traces, zeros, scalars)


def attack_clocks(victim: Victim, curve: Curve, op: Op, stop: int, trials: int = TRIALS) -> dict[str, Score]:
    """Attacks on the first bits that the loop reads, and on their changes, from single clocks of the steps.

    The step before the loop does not select.
    """
    rng, top = random.Random(1), curve.p_bits - 1
    traces, scalars = [], []
    for _ in range(trials):
        if op == Op.X_LADDER:
            k = 1 << top | rng.getrandbits(top)
            trace = victim.short_trace(op, (k, rng.randrange(curve.p)), stop)
            traces.append(steps(trace, victim, None, STEP_X, STEPS)[1:])
            scalars.append(k >> top + 1 - STEPS)
        else:
            k = rng.randrange(1, curve.n)
            trace = victim.short_trace(op, JOBS[op](curve, k), stop)
            traces.append(steps(trace, victim, FIRST, STEP, STEPS)[1:])
            scalar = ladder_scalar(curve.order, k)
            scalars.append(scalar.khat >> scalar.steps - STEPS & (1 << STEPS) - 1)
    found = {}
    for what, numbers in (("bits", scalars), ("changes", [scalar ^ scalar >> 1 for scalar in scalars])):
        later = [number & (1 << STEPS - 1) - 1 for number in numbers]
        each = attack_bits(traces, later, clocks=True, points=POINTS)
        found |= {f"{what}, best": best(each), f"{what}, all": together(each)}
    return found


def scores(traces: list[list[list[int]]], zeros: list[int], scalars: list[int]) -> dict[str, Score]:
    bits = attack_bits(traces, scalars)
    return {
        "zeros": attack_leading_zeros(traces, zeros, ZEROS),
        "bit": best(bits),
        "bits": together(bits),
    }


@pytest.mark.parametrize("op", JOBS)
def test_the_steps_of_the_ladder_tell_nothing(op: Op, tmp_path: Path) -> None:
    curve = find_curve(CURVES[op])
    found = attack(Victim(CONFIG, curve, tmp_path), curve, op, TRIALS)
    assert not any(score.tells for score in found.values()), found


@pytest.mark.parametrize("op", JOBS)
def test_the_attack_finds_a_bit_if_the_first_step_has_operands_that_are_zero(op: Op, tmp_path: Path) -> None:
    """The control: without it, an attack that never works would pass."""
    curve = find_curve(CURVES[op])
    found = attack(Victim(CONFIG, curve, tmp_path, OLD_START), curve, op, CONTROLS)
    assert found["bit"].hits == found["bit"].trials


# Configuration, job, curve, and the clocks after which a trace ends.
CLOCKS = [
    (CONFIG, Op.MUL, "P-256", STOP),
    (CONFIG, Op.X_LADDER, "curve25519", STOP),
    (CONFIG, Op.ECDSA_SIGN, "brainpoolP256r1", STOP),
    ("compact-w16", Op.MUL, "P-256", 40_000),
    ("compact-w16", Op.X_LADDER, "curve25519", 40_000),
    ("compact-w64", Op.MUL, "P-256", STOP),
    ("compact-w64", Op.X_LADDER, "curve25519", STOP),
]


@sampled(("config", "op", "curve_name", "stop"), CLOCKS, now=1)
def test_single_clocks_of_the_ladder_tell_nothing(
    config: str, op: Op, curve_name: str, stop: int, tmp_path: Path
) -> None:
    curve = find_curve(curve_name)
    found = attack_clocks(Victim(config, curve, tmp_path), curve, op, stop)
    assert not any(score.tells for score in found.values()), found


@pytest.mark.soak
@pytest.mark.timeout(14_000)
@pytest.mark.parametrize(
    ("config", "op", "curve_name", "stop"), [case for case in CLOCKS if case[0] != "compact-w16"]
)
def test_single_clocks_of_a_thousand_traces_tell_nothing(
    config: str, op: Op, curve_name: str, stop: int, tmp_path: Path
) -> None:
    curve = find_curve(curve_name)
    found = attack_clocks(Victim(config, curve, tmp_path), curve, op, stop, 2000)
    assert not any(score.tells for score in found.values()), found


@pytest.mark.soak
@pytest.mark.timeout(14_000)
@pytest.mark.parametrize(
    ("config", "op", "curve_name", "stop"), [case for case in CLOCKS if case[0] == "compact-w16"]
)
def test_control_bits_of_the_smallest_engine_tell_some_changes(
    config: str, op: Op, curve_name: str, stop: int, tmp_path: Path
) -> None:
    """So few other bits change here that as many traces tell control bits (docs/security.md)."""
    curve = find_curve(curve_name)
    found = attack_clocks(Victim(config, curve, tmp_path), curve, op, stop, 2000)
    assert any(score.tells for score in found.values()), found


# Changes of the RTL or of the program that single clocks tell: a selection by a mask, as it was; a product in
# the multiplier of the quotient in rows without a reduction; the port at the result of a selection; a
# selection whose last operand is one of the two registers between which the next operand has been selected.
TELLING: dict[str, tuple[Op, Sequence[Change], Sequence[Change]]] = {
    "mask": (Op.MUL, (), MASKED_SELECTION),
    "mask of X_LADDER": (Op.X_LADDER, (), MASKED_SELECTION),
    "quotient": (
        Op.X_LADDER,
        (),
        (
            (
                "gfp/eccel_gfp_row.sv",
                ".b_en_i (stage_i[2].first && stage_i[2].reduce)",
                ".b_en_i (stage_i[2].first)",
            ),
        ),
    ),
    "port": (Op.X_LADDER, (), (("gfp/eccel_gfp_cios.sv", "port_re_i ? port_addr_i : '0", "port_addr_i"),)),
    "order": (
        Op.X_LADDER,
        (
            (
                "compact/montgomery_ladder.s",
                "    csel zs, zd, z3\n    csel z3, z3, zd\n    csel xs, xd, x3\n    csel x3, x3, xd\n",
                "    csel xs, xd, x3\n    csel x3, x3, xd\n    csel zs, zd, z3\n    csel z3, z3, zd\n",
            ),
        ),
        (),
    ),
}


@sampled("what", TELLING, now=1)
def test_single_clocks_tell_whether_a_bit_changes(what: str, tmp_path: Path) -> None:
    """The controls of the attack on single clocks."""
    op, changes, rtl_changes = TELLING[what]
    curve = find_curve("P-256" if op == Op.MUL else "curve25519")
    victim = Victim(CONFIG, curve, tmp_path, changes, rtl_changes)
    found = attack_clocks(victim, curve, op, STOP)
    assert found["changes, all"].tells, found


@pytest.mark.soak
@pytest.mark.timeout(14_000)
@pytest.mark.parametrize(
    ("curve_name", "op", "count"), [("P-256", Op.MUL, STEPS), ("P-192", Op.ECDSA_SIGN, 192)]
)
def test_a_thousand_guesses_tell_nothing(curve_name: str, op: Op, count: int, tmp_path: Path) -> None:
    """From the first steps, and from all steps of a whole job."""
    curve = find_curve(curve_name)
    found = attack(Victim(CONFIG, curve, tmp_path), curve, op, 2000, count)
    assert not any(score.tells for score in found.values()), found


def attack_x(victim: Victim, curve: Curve, trials: int) -> dict[str, Score]:
    """The same attacks on X_LADDER. Leading zeros are those after the bit that clamping sets."""
    rng, top = random.Random(1), curve.p_bits - 1
    traces, zeros, scalars = [], [], []
    for _ in range(trials):
        zeros.append(rng.randrange(ZEROS))
        length = top - 1 - zeros[-1]
        k = 1 << top | 1 << length | rng.getrandbits(length)
        trace = victim.short_trace(Op.X_LADDER, (k, rng.randrange(curve.p)), STOP)
        traces.append(steps(trace, victim, None, STEP_X, STEPS))
        scalars.append(k >> top + 1 - STEPS)
    return scores(traces, zeros, scalars)


def test_the_steps_of_x_ladder_tell_nothing(tmp_path: Path) -> None:
    curve = find_curve("curve25519")
    found = attack_x(Victim(CONFIG, curve, tmp_path), curve, TRIALS)
    assert not any(score.tells for score in found.values()), found


def test_the_attack_finds_the_leading_zeros_of_a_scalar_that_is_not_clamped(tmp_path: Path) -> None:
    """The control: the program as it was, with scalars that it now refuses."""
    curve, rng = find_curve("curve25519"), random.Random(1)
    victim = Victim(CONFIG, curve, tmp_path, ANY_SCALAR)
    traces, zeros = [], []
    for _ in range(CONTROLS):
        zeros.append(rng.randrange(ZEROS))
        length = curve.p_bits - 1 - zeros[-1]
        k = 1 << length | rng.getrandbits(length)
        trace = victim.short_trace(Op.X_LADDER, (k, rng.randrange(curve.p)), STOP)
        traces.append(steps(trace, victim, None, STEP_X, STEPS))
    score = attack_leading_zeros(traces, zeros, ZEROS)
    assert score.hits == score.trials


def test_no_ladder_runs_on_a_u_of_small_order(tmp_path: Path) -> None:
    curve = find_curve("curve25519")
    victim = Victim(CONFIG, curve, tmp_path)
    ladder = victim.labels[STEP_X]
    assert ladder in victim.short_trace(Op.X_LADDER, (1 << 254, 9), STOP).passes
    for u in small_order_u(curve):
        assert ladder not in victim.short_trace(Op.X_LADDER, (1 << 254, u)).passes


def test_the_attack_finds_a_bit_if_u_has_small_order(tmp_path: Path) -> None:
    """The control: u = 0 is a point of order 2. The second bit is the first one that is not known."""
    curve, rng = find_curve("curve25519"), random.Random(1)
    victim = Victim(CONFIG, curve, tmp_path, ANY_U)
    traces, scalars = [], []
    for _ in range(CONTROLS):
        k = 1 << 254 | rng.getrandbits(254)
        trace = victim.short_trace(Op.X_LADDER, (k, 0), STOP)
        traces.append(steps(trace, victim, None, STEP_X, STEPS))
        scalars.append(k >> 255 - STEPS)
    assert best(attack_bits(traces, scalars)).tells
