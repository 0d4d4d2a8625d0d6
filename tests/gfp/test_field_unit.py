"""The field unit eccel_gfp_cios has the results, flags and cycles of its header. Mutants are noticed.

Streams of operations run on the RTL and on integers. Every result, flag, acceptance and completion agrees.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.gfp.model import FieldModel
from tests.gfp.unit import CODES, FieldUnit, Hung, Op
from tests.gfp.values import moduli, operands
from tests.sampled import sampled
from tests.verilated import Patch

DIGITS = (16, 32, 64)
CIOS = "gfp/eccel_gfp_cios.sv"
HAZARD = "gfp/eccel_gfp_hazard.sv"
QUOTIENT = "gfp/eccel_gfp_quotient.sv"
FINAL_PASS = "gfp/eccel_gfp_final_pass.sv"
BLOCK = 30  # registers of operands, and of results, in the exhaustive test
CANONICAL, INTEGERS = range(4, 12), range(12, 20)
MODULAR = ("mul", "mul", "mul", "add", "sub", "half", "mov", "csel", "mulx", "movx")
INTEGER = ("iadd", "isub", "cadd", "mov", "csel", "iaddl", "isubl", "caddl", "movl")


@pytest.fixture(scope="module", params=DIGITS)
def unit(request: pytest.FixtureRequest) -> FieldUnit:
    return FieldUnit(request.param)


def random_stream(rng: random.Random, count: int) -> list[Op]:
    """Operations on small pools of registers, so that most of them depend on the one or two before."""
    ops = []
    for _ in range(count):
        wait, sel = rng.random() < 0.15, rng.getrandbits(1)
        gap = rng.choice([3, 3, 3, 4, 5, 9, rng.randrange(3, 200)])
        if rng.random() < 0.7:
            name, pool = rng.choice(MODULAR), CANONICAL[: rng.choice([3, 8])]
            rd, ra, rb = (rng.choice(pool) for _ in range(3))
        else:
            name, rd = rng.choice(INTEGER), rng.choice(INTEGERS)
            ra, rb = (rng.choice([*INTEGERS, *INTEGERS, *CANONICAL]) for _ in range(2))
        ops.append(Op(name, rd, ra, rb, sel, wait, gap))
    return ops


def compare(
    unit: FieldUnit, words: int, m: int, ops: Sequence[Op], rng: random.Random, modulus: int = 0
) -> None:
    """Run a stream on worst-case register values. AssertionError names the first difference."""
    unit.start(words, m, modulus)
    model = FieldModel(unit.digit_bits, words, m, modulus)
    full, long = operands(model.short, rng), operands(model.long, rng)
    for register in (*CANONICAL, *INTEGERS):
        values = operands(m, rng) if register in CANONICAL else [*full, *long]
        model.registers[register] = rng.choice(values)
        unit.write(register, model.registers[register])
    expected, events = model.run(ops), unit.run(ops)
    first = events[0].accepted
    for i, (op, want, got) in enumerate(zip(ops, expected, events, strict=True)):
        where = f"W {words}, m {m:#x}, operation {i}: {op}"
        assert (got.accepted - first, got.done - first, got.rd) == (want.accepted, want.done, op.rd), where
        if op.wait:
            assert got.idle - first == want.idle, where
            assert got.zero == want.zero, where
            assert want.carry is None or got.carry == want.carry, where
    for register in (*CANONICAL, *INTEGERS):
        got_value, where = unit.read(register, long=True), f"W {words}, m {m:#x}, register {register}"
        assert got_value == model.registers[register], where


@pytest.mark.parametrize("words", [6, 7, 8, 9, 12, 16, 17])
def test_random_streams_give_results_flags_and_cycles_as_promised(unit: FieldUnit, words: int) -> None:
    rng = random.Random(words)
    for i, m in enumerate(moduli(words, rng)):
        compare(unit, words, m, random_stream(rng, 60), rng, i & 1)


@pytest.mark.parametrize("words", [6, 8, 17])
def test_products_of_worst_case_values(unit: FieldUnit, words: int) -> None:
    """Every worst-case operand times every other, for every worst-case modulus."""
    rng = random.Random(words)
    for m in moduli(words, rng):
        values = operands(m, rng)[:15]
        unit.start(words, m)
        for i, value in enumerate(values):
            unit.write(4 + i, value)
        inverse = pow(1 << unit.digit_bits * unit.timing.digits, -1, m)
        for a, x in enumerate(values):
            unit.run([Op("mul", 20 + b, 4 + a, 4 + b) for b in range(len(values))])
            for b, y in enumerate(values):
                assert unit.read(20 + b) == x * y * inverse % m, f"W {words}, m {m:#x}: {x:#x} * {y:#x}"


@pytest.mark.parametrize("m", [3, 193, 251])
def test_every_pair_modulo_a_small_prime(unit: FieldUnit, m: int) -> None:
    """mul, add and sub of all pairs, and half of all values."""
    assert exhaust(unit, m) == 0


def exhaust(unit: FieldUnit, m: int) -> int:
    """The number of wrong results among all pairs below m: one register holds a, a block of others b, a third
    results.
    """
    words, wrong = 6, 0
    unit.start(words, m)
    inverse = pow(1 << unit.digit_bits * unit.timing.digits, -1, m)
    names = {
        "mul": lambda a, b: a * b * inverse % m,
        "add": lambda a, b: (a + b) % m,
        "sub": lambda a, b: (a - b) % m,
    }
    for a in range(m):
        unit.write(3, a)
        unit.run([Op("half", 4, 3)])
        wrong += unit.read(4) != a * pow(2, -1, m) % m
    for start in range(0, m, BLOCK):
        block = range(start, min(m, start + BLOCK))
        for i, b in enumerate(block):
            unit.write(4 + i, b)
        for a in range(m):
            unit.write(3, a)
            for name, result in names.items():
                unit.run([Op(name, 4 + BLOCK + i, 3, 4 + i) for i in range(len(block))])
                wrong += sum(unit.read(4 + BLOCK + i) != result(a, b) for i, b in enumerate(block))
    return wrong


def test_latency_and_interval_are_those_of_the_header(unit: FieldUnit) -> None:
    """Measures the formulas of the RTL header. The streams above compare every single cycle."""
    shortest = 8 if unit.digit_bits == 64 else 9
    for words in range(6, 18):
        unit.start(words, (1 << 32 * words) - 1)
        s = -(-32 * words // unit.digit_bits)
        row, single = max(s + 1, shortest), max(s + 2, shortest)
        event = unit.run([Op("mul", 4, 5, 6, wait=True)])[0]
        latency = (s - 1) * row + 2 * s + {16: 16, 32: 15, 64: 14 if s > 3 else 15}[unit.digit_bits]
        assert event.done - event.accepted == unit.timing.latency("mul") == latency
        for name, interval in (("mul", s * row), ("add", single), ("half", row), ("csel", single)):
            assert unit.timing.interval(name) == interval
            accepted = [e.accepted for e in unit.run([Op(name, 4 + i, 10, 11, gap=2) for i in range(6)])]
            # The unit was empty when it accepted the first one.
            assert {b - a for a, b in pairwise(accepted[1:])} == {interval}, (words, name)


def test_timing_does_not_depend_on_data(unit: FieldUnit) -> None:
    """One stream takes the same cycles with eight sets of register contents and select bits."""
    rng = random.Random(5)
    shape = random_stream(rng, 80)
    seen = set()
    for i in range(8):
        m = moduli(8, rng)[i]
        unit.start(8, m)
        for register in (*CANONICAL, *INTEGERS):
            unit.write(register, 0 if i == 0 else rng.choice(operands(m, rng)))
        ops = [replace(o, sel=rng.getrandbits(1) if i else 0) for o in shape]
        events = unit.run(ops)
        seen.add(tuple((e.accepted - events[0].accepted, e.done - events[0].accepted) for e in events))
    assert len(seen) == 1


def test_every_operation_is_covered() -> None:
    assert set(MODULAR) | set(INTEGER) == set(CODES)


MUTANTS: dict[str, tuple[int, Patch]] = {
    "top bit of the row sum forgotten": (
        32,
        (FINAL_PASS, "keep_d = top_i | corr_carry_i", "keep_d = corr_carry_i"),
    ),
    "operand hazard not seen": (32, (HAZARD, "last_rd_q == ra_i ||", "")),
    "acceptance depends on a result": (
        16,
        (CIOS, ".clear_i    (clear)", ".clear_i    (clear && !zero_o)"),
    ),
    "half with a prefetched digit": (32, (QUOTIENT, "if (single_i || by_half) b_q", "if (single_i) b_q")),
    "b stays in the second product": (
        64,
        (QUOTIENT, "first_b_q <= pf_q[2] ? digit_i : '0", "first_b_q <= digit_i"),
    ),
    "final pass overtakes the last pair": (64, (CIOS, "digits == 3 ?", "digits == 0 ?")),
}


@sampled("name", MUTANTS, now=2)
def test_mutant_is_noticed(name: str) -> None:
    digit_bits, patch = MUTANTS[name]
    mutant, rng = FieldUnit(digit_bits, [patch]), random.Random(1)
    with pytest.raises((AssertionError, Hung)):
        for words in (8, 6):
            for m in moduli(words, rng):
                compare(mutant, words, m, random_stream(rng, 60), rng)


def test_mutant_is_noticed_by_exhausting_small_primes() -> None:
    mutant = FieldUnit(64, [(FINAL_PASS, "keep_d = top_i | corr_carry_i", "keep_d = 1'b0")])
    assert exhaust(mutant, 13) > 0
