"""The integer model of the engine's ladder is right where it does not give up, and `exceptional` says where
it does.
"""

import random
from dataclasses import replace

import pytest

from eccelerate.curves import Curve, load_catalogue
from eccelerate.curves.small import curve_points, small_cofactor_curves, small_curves
from eccelerate.model import point
from eccelerate.model.ladder import (
    BLIND_BITS,
    ExceptionalPoint,
    State,
    exceptional,
    first_step,
    ladder_mul,
    ladder_scalar,
    point_order,
    step,
)

LARGE = [curve for curve in load_catalogue().values() if curve.kind == "weierstrass"]
TINY = small_curves()[-3:]


def scalars(curve: Curve, rng: random.Random) -> list[int]:
    edges = [0, 1, 2, 3, curve.n - 1, curve.n, curve.n + 1, curve.order - 1, (1 << curve.order_bits) - 1]
    return [k for k in edges if k < 1 << curve.order_bits] + [rng.getrandbits(curve.order_bits)]


def agrees(curve: Curve, k: int, base: tuple[int, int], blind: int | None, rng: random.Random) -> bool:
    """Whether the ladder gives up, which must be predicted. If it does not, its result must be right."""
    expected = exceptional(curve, k, base, blind)
    if expected:
        with pytest.raises(ExceptionalPoint):
            ladder_mul(curve, k, base, rng.randrange(1, curve.p), blind)
    else:
        assert ladder_mul(curve, k, base, rng.randrange(1, curve.p), blind) == point.mul(curve, k, base)
    return expected


@pytest.mark.parametrize("curve", LARGE, ids=lambda curve: curve.name)
def test_ladder_is_scalar_multiplication(curve: Curve) -> None:
    """With a cofactor, a scalar near a multiple of n also has a prefix near one, and is exceptional."""
    rng = random.Random(curve.name)
    base = point.base_mul(curve, rng.randrange(1, curve.n))
    assert base is not None
    for k in scalars(curve, rng):
        for blind in (None, rng.getrandbits(BLIND_BITS)):
            near = min(k % curve.n, -k % curve.n) < curve.h
            assert not agrees(curve, k, base, blind, rng) or (curve.h > 1 and near)


@pytest.mark.parametrize("curve", TINY, ids=lambda curve: curve.name)
def test_every_point_and_every_scalar_on_curves_of_prime_order(curve: Curve) -> None:
    """There are no exceptions, except that a blinded scalar, which is random, may meet a multiple of so small
    an order.
    """
    rng = random.Random(curve.name)
    for base in curve_points(curve):
        for k in range(1 << curve.order_bits):
            assert not agrees(curve, k, base, None, rng)
            agrees(curve, k, base, rng.getrandbits(BLIND_BITS), rng)


@pytest.mark.parametrize("curve", small_cofactor_curves(), ids=lambda curve: f"h{curve.h}")
def test_exceptions_are_exactly_the_predicted_ones(curve: Curve) -> None:
    rng = random.Random(curve.name)
    met = {True: 0, False: 0}
    for base in curve_points(curve)[::5]:
        for k in range(0, 1 << curve.order_bits, 3):
            met[agrees(curve, k, base, rng.choice((None, rng.getrandbits(BLIND_BITS))), rng)] += 1
    assert min(met.values()) > 100


def test_the_scalar_has_its_top_bit_in_a_fixed_place() -> None:
    """The number of steps does not depend on k, and the scalar stands for k or -k."""
    rng = random.Random(4)
    for curve in (*small_curves(), *small_cofactor_curves(), *LARGE):
        for k in scalars(curve, rng):
            for blind in (None, 0, (1 << BLIND_BITS) - 1):
                scalar = ladder_scalar(curve.order, k, blind)
                assert scalar.steps == curve.order_bits + (0 if blind is None else BLIND_BITS + 2)
                assert scalar.khat.bit_length() == scalar.steps + 1
                assert scalar.khat % curve.order == scalar.even in (k % curve.order, -k % curve.order)
                assert scalar.prefixes()[0] == 1 and scalar.prefixes()[-1] == scalar.khat


def test_orders_of_points() -> None:
    for curve in small_cofactor_curves():
        orders = {point_order(curve, base) for base in curve_points(curve)}
        assert orders > {curve.n} and all(curve.order % order == 0 for order in orders)


def test_ranges_are_checked() -> None:
    curve = TINY[0]
    with pytest.raises(ValueError, match="0 <= k"):
        ladder_scalar(curve.order, 1 << curve.order_bits)
    with pytest.raises(ValueError, match="64 random bits"):
        ladder_scalar(curve.order, 1, 1 << BLIND_BITS)


@pytest.mark.parametrize("curve", LARGE, ids=lambda curve: curve.name)
def test_nothing_is_zero_after_the_first_step_whatever_its_bit(curve: Curve) -> None:
    """Nor are two values of the state equal. The factors of 2 Y_P that `step` would leave after a bit 0 are
    such a pair: the check can fail.
    """
    p, rng = curve.p, random.Random(curve.name)
    start = State(0, *(rng.randrange(1, p) for _ in range(4)))
    states = first_step(p, start)
    for state in states:
        assert len({0, state.xa, state.xd, state.m2, state.w, state.nn}) == 6
    swapped = replace(start, xa=start.xd, xd=start.xa)
    general = step(p, swapped)
    assert general.xd == general.nn
    assert replace(states[0], w=0, nn=0) == replace(general, w=0, nn=0)
    assert (states[0].w * states[0].nn - general.w * general.nn) % p == 0
