"""eccel_gf2m_core does what its header says: operands of any origin, sums, squares, clocks. Mutants are
noticed.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.model import lopez_dahab
from tests.gf2m.core import AFTER, FILE, NOTHING, RESULT, Core, Operation, model
from tests.gf2m.multiplier import degree
from tests.gf2m.test_multiplier import PAPER, SMALL
from tests.sampled import sampled
from tests.verilated import Patch


def stream(f: int, digits: int, rng: random.Random, count: int) -> list[Operation]:
    """Operations with operands of any origin and any number of squares, at full rate and with gaps."""
    m = degree(f)
    edges = [0, 1, (1 << m) - 1, 1 << (m - 1)]
    operations, least = [], digits

    def pair() -> tuple[int, int]:
        first, second = (rng.choice(edges) if rng.random() < 0.2 else rng.getrandbits(m) for _ in range(2))
        return first, second

    for _ in range(count):
        squares = rng.choice([0, 0, 1, 1, 1, 2, 2, 3, m - 1 if rng.random() < 0.2 else 2])
        a_from, b_from = rng.choices([FILE, FILE, RESULT, AFTER], k=2)
        operations.append(
            Operation(
                pair(), pair(), pair(), least + rng.choice([0, 0, 0, 1, 2, rng.randrange(12)]),
                rng.randrange(2), a_from, b_from, rng.randrange(2),
                rng.choice([NOTHING, FILE, FILE, RESULT, AFTER]), squares,
            )
        )  # fmt: skip
        least = max(digits, squares)
    # The registers are undefined until the first operation has finished.
    for each in operations[:6]:
        each.a_from, each.b_from, each.c_from, each.gap = FILE, FILE, FILE, max(each.gap, 12)
    return operations


def check(core: Core, f: int, count: int = 300) -> bool:
    operations = stream(f, core.digits(f), random.Random(f"{f} {core.digit_bits}"), count)
    return core.run(f, operations) == model(f, core.digits(f), operations, core.stage)


@pytest.mark.parametrize("digit_bits", [64, 16])
def test_named_fields(digit_bits: int) -> None:
    core = Core(PAPER, digit_bits, stage=digit_bits == 64)
    assert all(check(core, f) for f in PAPER)


@pytest.mark.parametrize("stage", [False, True])
@pytest.mark.parametrize("digit_bits", [2, 3])
def test_small_fields(digit_bits: int, stage: bool) -> None:
    core = Core(SMALL, digit_bits, stage=stage)
    assert all(check(core, f, 3000) for f in SMALL)


def test_a_ladder_step_every_eighteen_cycles() -> None:
    """Six operations directly after each other in GF(2^163), with three digits each, and steps without a gap.
    Operands come from the registers or, three cycles later, from a file. The numbers are those of decision
    0006.
    """
    curve = find_curve("B-163")
    f, rng = curve.p, random.Random(1)
    c, x = lopez_dahab.fourth_root(f, curve.b), curve.gx
    state = lopez_dahab.start(f, curve.b, x, rng.randrange(1, curve.field_size))
    operations: list[Operation] = []
    expected = []
    for _ in range(20):
        bit = rng.randrange(2)
        xe, ze = (state.xs, state.xd), (state.zs, state.zd)
        after = lopez_dahab.step(f, c, x, state, double_sum=not bit)
        nothing = (0, 0)
        operations += [
            Operation((c, c), ze, xe, 3, take=bit, c_take=bit, squares=2),
            Operation((state.xs, 0), (state.zd, 0), (state.t2, 0), 3, squares=1),
            Operation(xe, ze, nothing, 3, take=bit, squares=1),
            # T1 is in the result register, two products later.
            Operation(nothing, (state.t2, 0), nothing, 3, a_from=RESULT),
            # Zs' is in the other register, and T3 is still in the result register when it is added.
            Operation((x, 0), (after.zs, 0), nothing, 3, c_from=RESULT),
            Operation((after.xd, 0), (after.zs, 0), nothing, 3),
        ]
        expected.append(after)
        state = after
    outcomes = Core(PAPER, 64).run(f, operations)
    for index, after in enumerate(expected):
        m6, t1, zd, _, xs, t2 = outcomes[6 * index : 6 * index + 6]
        assert (m6.after, t1.after, zd.after, xs.after, t2.result) == (
            after.xd, after.zs, after.zd, after.xs, after.t2,
        )  # fmt: skip
    # Each value is in its register, or was there three cycles ago, when the next operation reads it.
    for index in range(19):
        m6, t1, zd, t3, xs, _ = outcomes[6 * index : 6 * index + 6]
        base = 18 * index
        assert t1.result_at == base + 9 and t1.after_at <= base + 12 - 1
        assert t3.result_at <= xs.addend_at and m6.after_at <= base + 15 - 3
        assert xs.after_at <= base + 21 - 1 and zd.after_at <= base + 18


@sampled(
    "patch",
    [
        ("eccel_gf2m_core.sv", "square) ^ adding.c", "square) | adding.c"),
        ("eccel_gf2m_core.sv", "any_q ? square : sum_q", "square"),
        ("eccel_gf2m_core.sv", "two_q  <= adding.squares ==", "two_q  <= adding.squares !="),
        ("eccel_gf2m_operand.sv", "from_i.upper ? file_i[1]", "from_i.upper ? file_i[0]"),
        ("eccel_gf2m_operand.sv", "from_i.after ? after_i", "from_i.after ? result_i"),
        ("eccel_gf2m_square.sv", "value_i[i]}", "value_i[i/2]}"),
    ],
    now=1,
)
def test_mutants_fail(patch: Patch) -> None:
    core = Core(SMALL, 3, patches=[patch])
    with pytest.raises(AssertionError):
        assert all(check(core, f) for f in SMALL)
