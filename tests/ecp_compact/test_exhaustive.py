"""Every point and every scalar on small curves, with the RTL and microcode that large curves use.

The curves have prime order of at most 8 bits. The expected results come from adding points one by one.
"""

import random
from collections.abc import Sequence

import pytest

from eccelerate.curves import Curve
from eccelerate.curves.small import curve_points, small_cofactor_curves, small_curves
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from tests.ecp_compact.bench import DIGITS, Bench, config_of

TINY = small_curves()[-2:]
SMALL = small_curves()[-3:]
EIGHT_BIT = small_curves()[:-3]
Point = tuple[int, int]
INFINITY: Point = (0, 0)


def opened(backend: str, digits: int, curve: Curve) -> Engine:
    engine = open_engine(config_of(digits), backend)
    engine.load_curve(curve)
    return engine


def multiples(curve: Curve, base: Point) -> list[Point]:
    """0, base, 2 base, ... up to 2^bits(N) - 1 times base, by the textbook's addition. Infinity is (0, 0)."""
    found, running = [], None
    for _ in range(1 << curve.order_bits):
        found.append(running or INFINITY)
        running = point.add(curve, running, base)
    return found


def answered(engine: Engine, op: Op, operands: Sequence[int], expected: Point, flags: int = 0) -> None:
    job = engine.submit(op, tuple(operands), flags)
    status = Status.INFINITY if expected == INFINITY else Status.OK
    assert (job.status_name, job.values) == (status.name, expected), (op, operands, flags)


def every_multiple(engine: Engine, curve: Curve, point_step: int = 1, scalar_step: int = 1) -> None:
    for base in curve_points(curve)[::point_step]:
        table = multiples(curve, base)
        # With this offset a coarse sweep uses other scalars at every point.
        for k in range(base[0] % scalar_step, len(table), scalar_step):
            answered(engine, Op.MUL, (k, *base), table[k])
    for k, expected in enumerate(multiples(curve, curve.generator)):
        answered(engine, Op.BASE_MUL, (k,), expected)


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_every_point_and_scalar_on_the_simulator(curve: Curve) -> None:
    every_multiple(opened("iss", 32, curve), curve)


@pytest.mark.parametrize("curve", TINY, ids=lambda curve: curve.name)
def test_every_point_and_scalar_on_the_rtl(curve: Curve) -> None:
    every_multiple(opened("rtl", 32, curve), curve)


@pytest.mark.parametrize("curve", EIGHT_BIT, ids=lambda curve: curve.name)
def test_eight_bit_curves_sampled(curve: Curve) -> None:
    every_multiple(opened("iss", 32, curve), curve, 9, 5)


@pytest.mark.parametrize("digits", DIGITS)
def test_larger_curve_on_the_rtl_sampled(digits: int) -> None:
    curve = SMALL[0]
    every_multiple(opened("rtl", digits, curve), curve, 9, 5)
    every_multiple(opened("rtl", digits, TINY[0]), TINY[0], 3, 2)


@pytest.mark.parametrize("backend", ["iss", "rtl"])
def test_blinded_scalars(backend: str) -> None:
    """A blinded scalar is random. On so small a curve it meets exceptions, exactly where the model says."""
    bench = Bench(backend)
    statuses = set()
    for curve in (SMALL[0], TINY[0]):
        bench.load(curve)
        for base in curve_points(curve)[::6]:
            statuses |= {bench.submit(Op.MUL, (k, *base), Flag.BLIND).status for k in range(0, curve.n, 5)}
    assert statuses == {Status.OK, Status.INFINITY, Status.EXCEPTIONAL}


@pytest.mark.parametrize("curve", small_cofactor_curves(), ids=lambda curve: f"h{curve.h}")
def test_points_of_small_order(curve: Curve) -> None:
    """The result is right, or EXCEPTIONAL where the model of the ladder meets infinity on its way."""
    bench = Bench("iss")
    bench.load(curve)
    statuses = set()
    for base in curve_points(curve)[::11]:
        for k in (0, 1, 2, 3, curve.n, curve.order - 1, *range(base[0] % 7, curve.order, 7)):
            statuses.add(bench.submit(Op.MUL, (k, *base)).status)
    assert statuses == {Status.OK, Status.INFINITY, Status.EXCEPTIONAL}


@pytest.mark.parametrize(("backend", "curve"), [("iss", SMALL[0]), ("rtl", TINY[0])], ids=["iss", "rtl"])
def test_every_sum_of_two_points(backend: str, curve: Curve) -> None:
    engine = opened(backend, 32, curve)
    written = [None, *curve_points(curve)]
    for left in written:
        for right in written:
            expected = point.add(curve, left, right) or INFINITY
            answered(engine, Op.POINT_ADD, (*(left or INFINITY), *(right or INFINITY)), expected)


@pytest.mark.parametrize("backend", ["iss", "rtl"])
def test_every_pair_of_coordinates_is_judged(backend: str) -> None:
    curve = TINY[0]
    engine, points = opened(backend, 32, curve), set(curve_points(curve))
    for x in range(curve.p + 2):
        for y in range(curve.p + 2):
            expected = Status.OK if (x, y) in points else Status.NOT_ON_CURVE
            if max(x, y) >= curve.p:
                expected = Status.COORD_RANGE
            assert engine.submit(Op.ON_CURVE, (x, y)).status == expected, (x, y)


@pytest.mark.parametrize(("backend", "step"), [("iss", 1), ("rtl", 5)])
def test_every_double_multiplication(backend: str, step: int) -> None:
    """u1 G + u2 P for all pairs of scalars and every P of the group, including P = G and P = -G."""
    curve = TINY[1]
    engine, of_g = opened(backend, 32, curve), multiples(curve, curve.generator)
    for number, base in enumerate(curve_points(curve)):
        of_p = multiples(curve, base)
        for u1 in range(number % 3, 1 << curve.order_bits, 3):
            for u2 in range((number + u1) % step, 1 << curve.order_bits, step):
                sum_ = point.add(curve, _group(of_g[u1]), _group(of_p[u2]))
                answered(engine, Op.DOUBLE_MUL, (u1, u2, *base), sum_ or INFINITY)


def _group(written: Point) -> Point | None:
    return None if written == INFINITY else written


@pytest.mark.parametrize(
    ("backend", "curve", "step"), [("iss", TINY[0], 1), ("rtl", TINY[0], 13)], ids=["iss", "rtl"]
)
def test_every_signature(backend: str, curve: Curve, step: int) -> None:
    """For every key and nonce, r, s and RETRY are those of the model. For a few keys, every r and s is
    verified, including those out of range.
    """
    engine = opened(backend, 32, curve)
    n, rng = curve.n, random.Random(6)
    cases = [(d, k) for d in range(n + 1) for k in range(n + 1)]
    for d, k in cases[::step]:
        e = rng.randrange(2 * n)
        job = engine.submit(Op.ECDSA_SIGN, (e, d, k))
        if not (1 <= d < n and 1 <= k < n):
            assert job.status == Status.SCALAR_RANGE
            continue
        expected = ecdsa.sign(curve, d, e, k)
        assert (job.status, job.values) == ((Status.OK, expected) if expected else (Status.RETRY, ()))
    pairs = [(r, s) for r in range(n + 2) for s in range(n + 2)]
    for public in curve_points(curve)[::7]:
        for r, s in pairs[public[0] % step :: step]:
            e = rng.randrange(2 * n)
            expected_status = Status.OK if ecdsa.verify(curve, e, r, s, public) else Status.BAD_SIGNATURE
            assert engine.submit(Op.ECDSA_VERIFY, (e, r, s, *public)).status == expected_status, (
                e,
                r,
                s,
                public,
            )


@pytest.mark.soak
@pytest.mark.parametrize("curve", EIGHT_BIT, ids=lambda curve: curve.name)
def test_every_point_and_scalar_of_eight_bit_curves(curve: Curve) -> None:
    every_multiple(opened("iss", 32, curve), curve)


@pytest.mark.soak
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("curve", [*SMALL, small_curves()[4]], ids=lambda curve: curve.name)
def test_every_point_and_scalar_on_every_digit_size(digits: int, curve: Curve) -> None:
    every_multiple(opened("rtl", digits, curve), curve)
