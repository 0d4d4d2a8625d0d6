"""u1 G + u2 P where tables, sums and signs of the windows meet exceptions. The model is the reference."""

from __future__ import annotations

from itertools import product

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.model import point
from eccelerate.model.jobs import Op
from tests.ecp_compact.bench import Bench

NAMES = ("P-256", "secp256k1", "brainpoolP160r1")


@pytest.mark.parametrize("name", NAMES)
def test_points_of_the_base_points_table(name: str) -> None:
    """With P = m G, multiples of P and G in both tables are equal, are opposite, or add up to infinity."""
    curve = find_curve(name)
    bench = Bench("iss")
    bench.load(curve)
    for m in (1, 2, 3, 15, 16, curve.n - 1, curve.n - 2, curve.n - 15, (curve.n + 1) // 2):
        p = point.base_mul(curve, m)
        assert p is not None
        for u1, u2 in (
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (curve.n - 1, 1),
            (15, 15),
            (m, curve.n - 1),
            (31, 17),
        ):
            bench.submit(Op.DOUBLE_MUL, (u1, u2, *p))


def bench_and_point(backend: str, m: int) -> tuple[Curve, Bench, tuple[int, int]]:
    """P-256 loaded on an engine, and the point m G."""
    curve = find_curve("P-256")
    bench = Bench(backend)
    bench.load(curve)
    p = point.base_mul(curve, m)
    assert p is not None
    return curve, bench, p


def test_short_scalars_of_every_window() -> None:
    _, bench, p = bench_and_point("iss", 0xC0FFEE)
    short = (0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64)
    for u1, u2 in product(short, short):
        bench.submit(Op.DOUBLE_MUL, (u1, u2, *p))


def test_long_runs_of_equal_bits_on_the_rtl() -> None:
    curve, bench, p = bench_and_point("rtl", 3)
    top = 1 << 255
    for u1, u2 in (
        (top, 1),
        (curve.n - 1, top - 1),
        (top - 1, curve.n - 1),
        (int("5" * 64, 16), int("a" * 64, 16)),
    ):
        bench.submit(Op.DOUBLE_MUL, (u1, u2, *p))
