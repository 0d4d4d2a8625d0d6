"""ECDH on curves with a cofactor: a point of small order, alone or added to another one, tells nothing of d.

The control is MUL, whose scalar is taken as it is: it tells d modulo the order of such a point.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import curve_points, small_binary_curves, small_cofactor_curves
from eccelerate.driver import Engine
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.model.point import Point
from eccelerate.rtlsim.backend import open_engine

PRIME, BINARY = "compact-w32", "binary-generic-d64"
SMALL = [(PRIME, curve) for curve in small_cofactor_curves()] + [
    (BINARY, curve) for curve in small_binary_curves()
]
REAL = [
    (PRIME, "wei25519"),
    ("binary-163-d64", "B-163"),
    ("binary-163-d64", "K-163"),
    ("binary-233-d64", "K-233"),
    ("binary-163-koblitz", "K-163"),
]
EXCEPTIONS = 4
"""At a point of order n or more, the compact engine answers at most log2(h) + 4 keys with EXCEPTIONAL."""


@cache
def opened(name: str, backend: str) -> Engine:
    return open_engine(find_config(name), backend, seed=1)


def x_of(value: Point) -> int | None:
    return None if value is None else value[0]


def sums(curve: Curve, torsion: Point, multiple: int) -> tuple[int, int]:
    """multiple * G + torsion, which is not infinity."""
    found = point.add(curve, point.base_mul(curve, multiple), torsion)
    assert found is not None
    return found


def secret(engine: Engine, base: tuple[int, int], d: int, flags: int = 0) -> int | None:
    """x of the agreement; None for EXCEPTIONAL."""
    result = engine.submit(Op.ECDH, (*base, d), flags)
    assert result.status in (Status.OK, Status.EXCEPTIONAL), result.status_name
    return result.value if result.ok else None


@pytest.mark.parametrize(("name", "curve"), SMALL, ids=lambda value: getattr(value, "name", value))
def test_ecdh_is_that_of_the_part_of_order_n_for_every_key(name: str, curve: Curve) -> None:
    engine = opened(name, "iss")
    engine.load_curve(curve)
    small = [p for p in curve_points(curve) if point.mul(curve, curve.h, p) is None]
    assert len(small) == curve.h - 1
    keys = range(1, curve.n)
    allowed = 0 if curve.kind == "binary" else curve.h.bit_length() - 1 + EXCEPTIONS
    for torsion in small:
        for flags in (0, Flag.COFACTOR):
            assert {secret(engine, torsion, d, flags) for d in keys} == {None}
    for base in (curve.generator, *(sums(curve, torsion, 1) for torsion in small)):
        for flags, factor in ((0, 1), (Flag.COFACTOR, curve.h)):
            found = {d: secret(engine, base, d, flags) for d in keys}
            refused = [d for d in keys if found[d] is None]
            assert len(refused) <= allowed
            for d in found.keys() - refused:
                assert found[d] == x_of(point.base_mul(curve, factor * d))


@pytest.mark.parametrize(("name", "curve"), SMALL, ids=lambda value: getattr(value, "name", value))
def test_mul_tells_the_scalar_modulo_the_order_of_a_point(name: str, curve: Curve) -> None:
    """The control: without a cleared scalar the attack works."""
    engine = opened(name, "iss")
    engine.load_curve(curve)
    two = next(p for p in curve_points(curve) if point.mul(curve, 2, p) is None)
    base = sums(curve, two, 1)
    for d in range(5, curve.n - 5):
        result = engine.submit(Op.MUL, (d, *base))
        if result.ok:
            assert (result.point[0] == x_of(point.base_mul(curve, d))) == (d % 2 == 0)


def torsion_of(curve: Curve, order: int) -> Point:
    """A point of this order, a power of two that divides h."""
    for x in range(2, 1000):
        torsion = point.mul(curve, curve.n * (curve.h // order), point.lift_x(curve, x))
        if torsion is not None and point.mul(curve, order // 2, torsion) is not None:
            return torsion
    raise AssertionError(f"{curve.name} has no point of order {order}")


@pytest.mark.parametrize("backend", ["iss", "rtl"])
@pytest.mark.parametrize(("name", "curve_name"), REAL)
def test_points_of_small_order_tell_nothing_of_the_key(name: str, curve_name: str, backend: str) -> None:
    """The same status for odd and even keys at a point of order 2, 4, 8; the same secret with it and without.

    It holds for a key that comes with the job and for the key slot.
    """
    curve, engine = find_curve(curve_name), opened(name, backend)
    engine.load_curve(curve)
    rng = random.Random(curve_name)
    half = rng.randrange(1 << 100, curve.n // 2)
    orders = [1 << j for j in range(1, curve.h.bit_length())]
    for d in (2 * half, 2 * half + 1):
        engine.key_load(d)
        plain = secret(engine, curve.generator, d)
        assert plain == x_of(point.base_mul(curve, d))
        for order in orders if backend == "iss" else orders[-1:]:
            torsion = torsion_of(curve, order)
            assert torsion is not None
            assert secret(engine, torsion, d) is None
            assert secret(engine, sums(curve, torsion, 1), d) == plain
            blinded = engine.submit(Op.ECDH, sums(curve, torsion, 1), Flag.KEY | Flag.BLIND)
            assert blinded.check().value == plain
            cleared = x_of(point.base_mul(curve, curve.h * d))
            assert secret(engine, sums(curve, torsion, 1), d, Flag.COFACTOR) == cleared


@pytest.mark.parametrize(("name", "curve_name"), REAL)
def test_all_points_take_the_same_time(name: str, curve_name: str) -> None:
    curve, engine = find_curve(curve_name), opened(name, "iss")
    engine.load_curve(curve)
    base = sums(curve, torsion_of(curve, curve.h), 1)
    for flags in (0, Flag.COFACTOR):
        cycles = {engine.submit(Op.ECDH, (*base, d), flags).cycles for d in (6, 7, 8, 9, curve.n - 9)}
        assert len(cycles) == 1
