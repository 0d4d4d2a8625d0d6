"""The binary ladder with every scalar on every point of small curves, and on the catalogue's curves."""

import random

import pytest

from eccelerate.curves import Curve, gf2m, load_catalogue
from eccelerate.curves.small import curve_points, small_binary_curves
from eccelerate.model import point
from eccelerate.model.lopez_dahab import fourth_root, ladder_mul, multiple
from tests.sampled import sampled


@sampled("curve", small_binary_curves(), ids=lambda curve: curve.name, now=3)
def test_every_multiple_of_every_point(curve: Curve) -> None:
    """Points have all orders. There is infinity on the way, k P = -P, x = 0, leading zeros, and scalars above
    the order. Half of the scalars are blinded.
    """
    rng = random.Random(curve.name)
    for base in curve_points(curve)[:: 1 if curve.order < 100 else 5]:
        running = None
        for k in range(1 << curve.order_bits):
            blinding = (rng.getrandbits(5), 5) if k % 2 else (0, 0)
            assert ladder_mul(curve, k, base, rng.randrange(1, curve.field_size), *blinding) == running
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
    for k, r, rho in (
        (1 << curve.order_bits, 1, 0),
        (-1, 1, 0),
        (1, 0, 0),
        (1, curve.field_size, 0),
        (1, 1, 8),
    ):
        with pytest.raises(ValueError, match="needed"):
            ladder_mul(curve, k, curve.generator, r, rho, 3)


def test_scalars_get_the_same_length() -> None:
    """With every even order of up to nine bits, for the least and the largest scalar, blinded or not."""
    for order in range(2, 1 << 9, 2):
        bits = order.bit_length()
        assert multiple(order) % (2 * order) in (0, order) and multiple(order) % 2 == 0
        for rho_bits in (0, 64):
            least = multiple(order) << rho_bits
            largest = least + ((1 << rho_bits) - 1) * order + (1 << bits) - 1
            assert least.bit_length() == largest.bit_length() == bits + rho_bits + 2
