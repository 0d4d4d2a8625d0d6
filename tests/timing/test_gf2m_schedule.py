"""The operations of the binary engine's unit compute the ladder and the inversion."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate.curves import find_curve, gf2m
from eccelerate.isa.binary_registers import C4, INV, NEXT, T2, XS, X
from eccelerate.model import lopez_dahab
from eccelerate.timing.gf2m_schedule import (
    Operation,
    as_products,
    inversion,
    ladder_step,
    ladder_step_of_products,
)

CURVE = find_curve("B-163")


def execute(operations: Sequence[Operation], f: int, values: dict[int, int], bit: int = 0) -> None:
    """The result of the unit. `bit` selects the first or the second register of a pair."""

    def read(registers: tuple[int, ...], default: int) -> int:
        return values[registers[0] if len(registers) == 1 or bit else registers[1]] if registers else default

    for each in operations:
        product = gf2m.mul(read(each.a, 0), read(each.b, 1), f)
        after = product ^ read(each.c, 0)
        for _ in range(each.squares):
            after = gf2m.square(after, f)
        values |= {each.plain: product, each.after: after}


@pytest.mark.parametrize("program", [ladder_step, ladder_step_of_products])
def test_steps_compute_the_ladder(program) -> None:
    rng = random.Random(1)
    c, x = lopez_dahab.fourth_root(CURVE.p, CURVE.b), CURVE.gx
    state = lopez_dahab.start(CURVE.p, CURVE.b, x, rng.randrange(1, CURVE.field_size))
    values = {C4: c, X: x, T2: state.t2}
    values |= {XS: state.xs, XS + 1: state.zs, XS + 2: state.xd, XS + 3: state.zd}
    for number in range(12):
        bit = rng.randrange(2)
        execute(program(number & 1), CURVE.p, values, bit)
        state = lopez_dahab.step(CURVE.p, c, x, state, double_sum=bool(bit))
        new = XS if number & 1 else XS + NEXT
        assert [values[new + i] for i in range(4)] == [state.xs, state.zs, state.xd, state.zd]
        assert values[T2] == state.t2


@pytest.mark.parametrize("squarer", [False, True])
@pytest.mark.parametrize("name", ["sect113r1", "B-163", "B-233", "B-571"])
def test_inversion(name: str, squarer: bool) -> None:
    f = find_curve(name).p
    operations = inversion(f.bit_length() - 1, squarer)
    assert sum(each.squares for each in operations) == f.bit_length() - 2
    if not squarer:
        operations = tuple(part for each in operations for part in as_products(each))
        assert not any(each.squares for each in operations)
    for value in (0, 1, 2, CURVE.gx):
        values = {INV: value}
        execute(operations, f, values)
        assert values[INV] == (gf2m.inverse(value, f) if value else 0)
