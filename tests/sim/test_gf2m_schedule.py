"""The schedule model computes the ladder, keeps its own rules, and meets the targets of the binary engine."""

import random
from collections.abc import Sequence

import pytest

from eccelerate.curves import find_curve, gf2m
from eccelerate.model import lopez_dahab
from eccelerate.sim.gf2m_schedule import (
    Operation,
    Pipe,
    Unit,
    full_width,
    generic,
    ladder_step,
    ladder_step_of_products,
    multiplication_cycles,
    named,
    step_cycles,
)

CURVE = find_curve("B-163")
COORDINATES = ("xs", "zs", "xd", "zd", "t2")


def execute(operations: Sequence[Operation], values: dict[str, int], bit: int) -> None:
    """What the unit computes; `bit` takes the first or the second register of a pair."""

    def read(names: tuple[str, ...]) -> int:
        return values[names[0] if len(names) == 1 or bit else names[1]] if names else 0

    for each in operations:
        product = gf2m.mul(read(each.a), read(each.b), CURVE.p)
        after = product ^ read(each.c)
        for _ in range(each.squares):
            after = gf2m.square(after, CURVE.p)
        values |= {each.plain: product, each.after: after}


@pytest.mark.parametrize("program", [ladder_step, ladder_step_of_products])
def test_steps_compute_the_ladder(program) -> None:
    rng = random.Random(1)
    c, x = lopez_dahab.fourth_root(CURVE.p, CURVE.b), CURVE.gx
    state = lopez_dahab.start(CURVE.p, x, rng.randrange(1, CURVE.field_size))
    values = {"c": c, "x": x} | {f"{name}.0": getattr(state, name) for name in COORDINATES}
    for number in range(12):
        bit = rng.randrange(2)
        execute(program(number), values, bit)
        state = lopez_dahab.step(CURVE.p, c, x, state, double_sum=bool(bit))
        assert [values[f"{name}.{number + 1}"] for name in COORDINATES] == [
            getattr(state, name) for name in COORDINATES
        ]


def test_the_multiplier_never_idles_with_three_digits_and_more() -> None:
    for digits in (3, 4, 6, 8, 11, 36):
        assert step_cycles(named(digits)) == 6 * digits
    unit = Unit(named(3))
    for number in range(6):
        for each in ladder_step(number):
            unit.run(each)
    assert unit.starts == list(range(0, 108, 3))


@pytest.mark.parametrize("slower", [{"product": 3}, {"reduce": 2}])
def test_a_stage_more_costs_a_cycle_a_step(slower: dict[str, int]) -> None:
    assert step_cycles(named(3, **slower)) == 19
    assert step_cycles(named(4, **slower)) == 24


def test_targets() -> None:
    """Cycles of k P, any point, with conversions: 3,600 and 6,800 named; generic at most three times that."""
    for m, digits, most in ((163, 3, 3600), (233, 4, 6800)):
        cycles = multiplication_cycles(named(digits), m, m + 1)
        assert cycles <= most
        assert multiplication_cycles(generic(digits), m, m + 1) <= 3 * cycles
    assert step_cycles(full_width()) == 6


def test_operands_are_waited_for() -> None:
    """A chain of dependent products: each starts when the result register before it can be loaded."""
    pipe = Pipe(interval=3)
    unit = Unit(pipe)
    chain = [Operation((f"r{i}",), (f"r{i}",), plain=f"r{i + 1}") for i in range(3)]
    assert [unit.run(each) for each in chain] == [0, 6, 12]
    squares = [Operation((f"s{i}",), (f"s{i}",), squares=2, after=f"s{i + 1}") for i in range(3)]
    unit = Unit(pipe)
    assert [unit.run(each) for each in squares] == [0, 8, 16]
