"""The binary ladder with every scalar on every point of small curves, and on the catalogue's curves."""

import random

import pytest

from eccelerate.curves import Curve, gf2m, load_catalogue
from eccelerate.curves.small import curve_points, small_binary_curves
from eccelerate.model import point
from eccelerate.model.lopez_dahab import fourth_root, ladder_mul


@pytest.mark.parametrize("curve", small_binary_curves(), ids=lambda curve: curve.name)
def test_every_multiple_of_every_point(curve: Curve) -> None:
    """Points have all orders. There is infinity on the way, k P = -P, x = 0, leading zeros, and scalars above
    the order.
    """
    rng = random.Random(curve.name)
    for base in curve_points(curve)[:: 1 if curve.order < 100 else 5]:
        running = None
        for k in range(1 << curve.order_bits):
            assert ladder_mul(curve, k, base, rng.randrange(1, curve.field_size)) == running
            running = point.add(curve, running, base)


@pytest.mark.parametrize(
    "curve",
    [curve for curve in load_catalogue().values() if curve.kind == "binary"],
    ids=lambda curve: curve.name,
)
def test_catalogue(curve: Curve) -> None:
    rng = random.Random(curve.name)
    k = rng.randrange(1 << curve.order_bits)
    assert ladder_mul(curve, k, curve.generator, 1 + rng.randrange(curve.field_size - 1)) == point.base_mul(
        curve, k
    )
    assert ladder_mul(curve, curve.n, curve.generator) is None
    assert ladder_mul(curve, curve.n - 1, curve.generator) == point.negate(curve, curve.generator)


def test_fourth_root() -> None:
    f = 0b100101
    for b in range(32):
        root = fourth_root(f, b)
        assert gf2m.square(gf2m.square(root, f), f) == b


def test_ranges() -> None:
    curve = small_binary_curves()[0]
    for k, r in ((1 << curve.order_bits, 1), (-1, 1), (1, 0), (1, curve.field_size)):
        with pytest.raises(ValueError, match="needed"):
            ladder_mul(curve, k, curve.generator, r)
