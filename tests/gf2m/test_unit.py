"""eccel_gf2m_unit: a program gives what its operations give one by one, in the right clocks. Mutants are
noticed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from eccelerate.curves import Curve, find_curve, gf2m
from eccelerate.curves.small import small_binary_curves
from eccelerate.model import lopez_dahab
from eccelerate.timing.gf2m_cycles import step_cycles
from tests.gf2m.multiplier import degree
from tests.gf2m.test_multiplier import PAPER, SMALL
from tests.gf2m.unit import INV, REGISTERS, T2, XD, XS, ZD, ZS, C, FieldUnit, Request, X, execute, timeline
from tests.sampled import sampled
from tests.verilated import Patch


def program(f: int, rng: random.Random, count: int, *, divider: bool = False) -> list[Request]:
    """Operations on few registers, so that each waits for another. Among them are steps of the ladder and
    divisions.
    """
    few = [1, 2, 3, XS, ZD, XS + 4, *([INV] if divider else [])]
    many = [*few, *range(10, 20)]
    requests = []
    for _ in range(count):
        gap = rng.choice([1, 1, 1, 1, 2, 3, rng.randrange(1, 30)])
        take = rng.randrange(2)
        if rng.random() < 0.15:
            requests.append(Request(step=True, take=take, gap=gap))
            continue
        if divider and rng.random() < 0.15:
            requests.append(Request(take=take, gap=gap, divide=True))
            continue
        registers = rng.choice([few, few, many])
        *firsts, plain, after = rng.choices(registers, k=5)
        a, b, c = ((first, rng.choice([first, first, *registers])) for first in firsts)
        c = c if rng.random() < 0.6 else (-1, -1)
        b = b if rng.random() < 0.8 else (-1, -1)
        both = rng.random()
        requests.append(
            Request(
                a, b, c, rng.choice([0, 0, 1, 1, 2, 3, rng.randrange(degree(f))]),
                plain if both < 0.7 else -1, after if both > 0.3 else -1, False, take, gap,
            )
        )  # fmt: skip
    return requests


def check(unit: FieldUnit, f: int, rounds: int, seed: int = 0, length: int = 60) -> bool:
    """Random programs give all registers as if executed one by one. Their clocks are those of the model of
    the unit, whatever the bits are.
    """
    rng = random.Random(f"{f} {unit.digit_bits} {seed}")
    unit.select(f)
    registers = [unit.constants(f).get(i, rng.getrandbits(degree(f))) for i in range(REGISTERS)]
    for register, value in enumerate(registers):
        unit.load(register, value)
    for _ in range(rounds):
        for register in (1, 2):
            registers[register] = rng.getrandbits(degree(f))
            unit.load(register, registers[register])
        requests = [unit.allowed(each) for each in program(f, rng, length, divider=unit.divider)]
        trace = unit.run(requests)
        if trace[0] != timeline(unit.model(f), f, requests):
            return False
        execute(f, registers, requests, wide=unit.wide)
        if [unit.store(register) for register in range(REGISTERS)] != registers:
            return False
        other = [replace(each, take=rng.randrange(2)) for each in requests]
        if sum(each.step for each in other) % 2 == 0 and unit.run(other) != trace:
            return False
        if sum(each.step for each in other) % 2 == 0:
            execute(f, registers, other, wide=unit.wide)
    return True


@sampled(("digit_bits", "stage"), [(0, False), (1, False), (1, True), (2, False), (2, True)], now=3)
def test_random_programs_in_small_fields(digit_bits: int, stage: bool) -> None:
    unit = FieldUnit(SMALL, digit_bits, stage=stage)
    assert all(check(unit, f, 60) for f in SMALL)


@sampled("digit_bits", [0, 16, 32, 64, 128, max(map(degree, PAPER))], now=3)
def test_random_programs_in_named_fields(digit_bits: int) -> None:
    unit = FieldUnit(PAPER, digit_bits, stage=digit_bits >= 64)
    assert all(check(unit, f, 10) for f in PAPER)


def check_zero(unit: FieldUnit, f: int) -> bool:
    """Zero is that of the whole value if one was written, and otherwise that of the product, whatever was
    added to it.
    """
    rng = random.Random(1)
    unit.select(f)
    one = 1 << (degree(f) - 1)
    registers = {4: 0, 1: 1, 2: one, 3: rng.getrandbits(degree(f))}
    for register, value in registers.items():
        unit.load(register, value)
    zero, single, any_ = (4, 4), (1, 1), (3, 3)
    cases = [
        (Request(zero, any_, plain=10), True),
        (Request(single, any_, plain=10), False),
        (Request(single, (2, 2), after=10), False),
        (Request(single, any_, any_, after=10), True),
        (Request(single, any_, (2, 2), after=10), False),
        (Request(single, any_, any_, plain=10), False),
        (Request(single, any_, any_, 7, plain=10, after=11), True),
        (Request(zero, any_, (2, 2), 7, plain=10, after=11), False),
        (Request(zero, any_, (2, 2), 7, plain=10), True),
        (Request(zero, (-1, -1), squares=7, after=11), True),
        (Request(single, (-1, -1), squares=7, after=11), False),
    ]
    cases = [(request, is_zero) for request, is_zero in cases if unit.allowed(request) == request]
    for _ in range(40):
        request, is_zero = rng.choice(cases)
        unit.run([rng.choice(cases)[0], request])
        if unit.zero() != is_zero:
            return False
    return True


def test_zero_is_known_when_the_unit_is_idle() -> None:
    unit = FieldUnit(PAPER, 64)
    assert all(check_zero(unit, f) for f in PAPER)


@pytest.mark.parametrize(("digit_bits", "stage"), [(1, False), (3, True)])
def test_random_programs_with_divisions(digit_bits: int, stage: bool) -> None:
    unit = FieldUnit(SMALL, digit_bits, stage=stage, divider=True)
    assert all(check(unit, f, 20) and check_division(unit, f) for f in SMALL)


def check_division(unit: FieldUnit, f: int) -> bool:
    """Zero is that of a reciprocal, then that of the next result. The cycles are right."""
    unit.select(f)
    zero, one = 4, 5
    unit.load(zero, 0)
    unit.load(one, 1)
    for value in (0, 1, 3, 1 << degree(f) - 1):
        unit.load(INV, value)
        accepted, writes = unit.run([Request(divide=True)])
        if unit.zero() != (value == 0) or writes != [(0, INV)]:
            return False
        for register in (zero, one):
            unit.run([Request((register, register), (one, one), plain=6)])
            if unit.zero() != (register == zero):
                return False
        accepted, _ = unit.run([Request(divide=True), Request(divide=True)])
        if accepted[1] - accepted[0] != 2 * degree(f) + 7:
            return False
        if unit.store(INV) != (value and gf2m.inverse(value, f)):
            return False
    return True


def ladder(unit: FieldUnit, f: int, c: int, state: lopez_dahab.Ladder, x: int, bits: Sequence[int]) -> int:
    """Run the steps and check the state. Returns the clocks of a step."""
    unit.select(f)
    for register, value in {X: x, C: c, XS: state.xs, ZS: state.zs, XD: state.xd, ZD: state.zd}.items():
        unit.load(register, value)
    unit.load(T2, state.t2)
    accepted, _ = unit.run([Request(step=True, take=bit) for bit in bits])
    for bit in bits:
        state = lopez_dahab.step(f, c, x, state, double_sum=bool(bit))
    values = [unit.store(register) for register in (XS, ZS, XD, ZD, T2)]
    assert values == [state.xs, state.zs, state.xd, state.zd, state.t2]
    periods = {after - before for before, after in pairwise(accepted[4:])}
    assert len(periods) == 1
    return periods.pop()


def check_ladder(unit: FieldUnit, curve: Curve, cycles: int) -> None:
    """Steps for a random scalar give the state and the clocks of the models."""
    rng = random.Random(curve.name)
    state = lopez_dahab.start(curve.p, curve.b, curve.gx, rng.randrange(1, curve.field_size))
    bits = [rng.randrange(2) for _ in range(max(40, curve.order_bits))]
    c = lopez_dahab.fourth_root(curve.p, curve.b)
    measured = ladder(unit, curve.p, c, state, curve.gx, bits)
    assert measured == cycles == step_cycles(unit.model(curve.p))


def test_steps_in_small_fields() -> None:
    """Elements have three and four digits, as in the named fields below."""
    unit = FieldUnit(SMALL, 2)
    curves = small_binary_curves()
    for curve, cycles in zip(curves, (18, 18, 18, 24, 24), strict=True):
        check_ladder(unit, curve, cycles)


@pytest.mark.parametrize("stage", [False, True])
@pytest.mark.parametrize(("name", "cycles"), [("B-163", 18), ("sect193r1", 24), ("B-233", 24)])
def test_the_ladder_keeps_the_multiplier_busy(name: str, cycles: int, stage: bool) -> None:
    """It is busy in all but two cycles of a step: those are what registered operands need beyond three
    digits.
    """
    lost = 2 * int(stage and cycles == 18)
    check_ladder(FieldUnit(PAPER, 64, stage=stage), find_curve(name), cycles + lost)


@sampled(
    "patch",
    [
        ("eccel_gf2m_issue.sv", "plain_blocks_q == '0 &&", ""),
        ("eccel_gf2m_issue.sv", "&& after_blocks_q == '0", ""),
        ("eccel_gf2m_issue.sv", "(after_soon_i || after_next_i) &&", ""),
        ("eccel_gf2m_issue.sv", "&& !gap_q", ""),
        ("eccel_gf2m_issue.sv", "!after_next_i && (after_soon_i", "(after_soon_i"),
        ("eccel_gf2m_issue.sv", "!addend_next_i && (addend_i", "(addend_i"),
        ("eccel_gf2m_issue.sv", "(after_soon_i) after_kept", "(after_soon_i && finishing_we_q) after_kept"),
        ("eccel_gf2m_issue.sv", "slot_take_q ? from[1] : from[0]", "from[0]"),
        ("eccel_gf2m_issue.sv", "(plain_newer_q || !after_holds_q[i])", "1'b1"),
        ("eccel_gf2m_issue.sv", "c_from_last_q[i] <= Result", "c_from_last_q[i] <= File[i]"),
        ("eccel_gf2m_issue.sv", "if (changed_i) begin", "if (1'b0) begin"),
        ("eccel_gf2m_issue.sv", "slot_q.one ? One :", ""),
        ("eccel_gf2m_step.sv", "swap_q ^ (step && last)", "1'b0"),
        ("eccel_gf2m_registers.sv", "port_write_i || divide_done_i;\n    waddr", "port_write_i;\n    waddr"),
        ("eccel_gf2m_division.sv", "valid_i && idle_i &&", "valid_i &&"),
        ("eccel_gf2m_unit.sv", "assign other = valid_i && !divide_i", "assign other = valid_i"),
    ],
    now=2,
)
def test_mutants_fail(patch: Patch) -> None:
    unit = FieldUnit(SMALL, 2, patches=[patch], divider=True)
    with pytest.raises(AssertionError):
        assert all(check(unit, f, 60) for f in SMALL)


@sampled(
    "patch",
    [
        ("eccel_gf2m_issue.sv", "slot_q.add && slot_q.after_we ?", "slot_q.add ?"),
        ("eccel_gf2m_zero.sv", "i < Groups", "i < Groups - 1"),
    ],
    now=1,
)
def test_mutants_of_zero_fail(patch: Patch) -> None:
    assert not check_zero(FieldUnit(PAPER[:1], 64, patches=[patch]), PAPER[0])


def test_a_step_takes_six_cycles_at_full_width() -> None:
    unit = FieldUnit(SMALL, 0)
    for curve in small_binary_curves():
        check_ladder(unit, curve, 6)


@sampled(
    "patch",
    [
        ("issue", "from.sum = !last.squares", "from.sum = 1'b1"),
        (
            "issue",
            "else if (last.plain_we && last.plain == register) from.result",
            "else if (1'b0) from.result",
        ),
        ("issue", "wait_d = 2'd3", "wait_d = 2'd2"),
        ("issue", "if (changed_i || go_step) begin", "if (go_step) begin"),
        ("issue", "source(slot_q.c[take_q], take_q, results_q)", "source(slot_q.c[take_q], take_q, '0)"),
        ("steps", "control_o.b.zs = next_q && take_i", "control_o.b.zs = next_q"),
        ("steps", "control_o.c.xd = !take_i", "control_o.c.xd = 1'b1"),
        ("steps", "control_o.b.lower = first_q;", "control_o.b.lower = 1'b0;"),
        ("steps", "waddr_o = RegT2;", "waddr_o = RegT1;"),
    ],
    now=2,
)
def test_mutants_of_the_wide_unit_fail(patch: Patch) -> None:
    module, old, new = patch
    unit = FieldUnit(SMALL, 0, patches=[(f"eccel_gf2m_wide_{module}.sv", old, new)])
    assert not all(check(unit, f, 60) for f in SMALL)
