"""The group law exhaustively on small curves, and scalar multiples against OpenSSL on the catalogue."""

import random
import re
import subprocess

import pytest

from eccelerate.curves import gf2m, load_catalogue
from eccelerate.curves.small import curve_points, small_binary_curves, small_cofactor_curves, small_curves
from eccelerate.model import point
from tests.sampled import sampled

PRIME_CURVES = [curve for curve in load_catalogue().values() if curve.kind == "weierstrass"]
BINARY_CURVES = [curve for curve in load_catalogue().values() if curve.kind == "binary"]
SMALL = (*small_curves(), *small_cofactor_curves(), *small_binary_curves())


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_group_law(curve) -> None:
    """The sum is closed and commutative, and has inverses and a neutral element, for all pairs. It is
    associative for a sample of triples.
    """
    points = [None, *curve_points(curve)]
    for left in points:
        assert point.add(curve, left, None) == left
        assert point.add(curve, left, point.negate(curve, left)) is None
        for right in points[::3]:
            total = point.add(curve, left, right)
            assert point.is_on_curve(curve, total)
            assert total == point.add(curve, right, left)
    rng = random.Random(curve.p)
    for _ in range(500):
        a, b, c = rng.choices(points, k=3)
        assert point.add(curve, point.add(curve, a, b), c) == point.add(curve, a, point.add(curve, b, c))


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_every_multiple_of_every_point(curve) -> None:
    """Both multiplications agree with repeated addition for k = 0 .. N + 1 and all P (N * P = O)."""
    for base in curve_points(curve)[:: 1 if curve.order < 100 else 4]:
        running = None
        for k in range(curve.order + 2):
            assert point.mul(curve, k, base) == running
            running = point.add(curve, running, base)
        assert point.mul(curve, curve.order, base) is None
        assert point.mul_affine(curve, curve.order - 1, base) == point.negate(curve, base)


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_order_annihilates_every_point(curve) -> None:
    assert all(point.mul(curve, curve.order, base) is None for base in curve_points(curve))


def test_negative_and_infinite() -> None:
    curve = small_curves()[0]
    assert point.mul(curve, -3, curve.generator) == point.negate(curve, point.base_mul(curve, 3))
    assert point.mul(curve, 5, None) is None and point.negate(curve, None) is None


@sampled("curve", [*PRIME_CURVES, *BINARY_CURVES], ids=lambda curve: curve.name, now=24)
def test_edge_scalars(curve) -> None:
    """Scalars around 0 and n with both multiplications, and u1 * G + u2 * Q whose two parts are equal or
    cancel.
    """
    n, g = curve.n, curve.generator
    assert point.base_mul(curve, 0) is None and point.base_mul(curve, n) is None
    assert point.base_mul(curve, 1) == point.base_mul(curve, n + 1) == g
    assert point.base_mul(curve, n - 1) == point.negate(curve, g)
    k = random.Random(curve.name).randrange(n)
    assert point.base_mul(curve, k) == point.mul_affine(curve, k, g)
    assert point.double_mul(curve, k, n - k, g) is None
    assert point.double_mul(curve, k, k, g) == point.base_mul(curve, 2 * k)


@pytest.mark.parametrize("curve", PRIME_CURVES, ids=lambda curve: curve.name)
def test_lift_x(curve) -> None:
    lifted = point.lift_x(curve, curve.gx)
    assert lifted in (curve.generator, point.negate(curve, curve.generator)) and lifted[1] % 2 == 0
    found = [point.lift_x(curve, x) for x in range(40)]
    assert None in found and any(found)
    assert all(point.is_on_curve(curve, each) for each in found)


@pytest.mark.parametrize("curve", BINARY_CURVES, ids=lambda curve: curve.name)
def test_lift_x_on_binary_curves(curve) -> None:
    lifted = point.lift_x(curve, curve.gx)
    assert lifted in (curve.generator, point.negate(curve, curve.generator))
    assert gf2m.mul(lifted[1], gf2m.inverse(curve.gx, curve.p), curve.p) % 2 == 0
    found = [point.lift_x(curve, x) for x in range(12)]
    assert None in found and found[0] == (0, found[0][1])
    assert all(point.is_on_curve(curve, each) for each in found)


@pytest.mark.parametrize("curve", [*PRIME_CURVES, *BINARY_CURVES], ids=lambda curve: curve.name)
def test_public_key_against_openssl(curve) -> None:
    """The public point of a fresh OpenSSL key is d * G."""
    for name in (curve.name, *curve.aliases):
        key = subprocess.run(
            ["openssl", "ecparam", "-name", name, "-genkey", "-noout"], capture_output=True, check=False
        )
        if key.returncode == 0:
            break
    else:
        pytest.skip(f"this OpenSSL does not know {curve.name}")
    text = subprocess.run(
        ["openssl", "ec", "-text", "-noout"], input=key.stdout, capture_output=True, check=True
    ).stdout.decode()
    blocks = dict(re.findall(r"^(priv|pub):\n((?:    .*\n)+)", text, re.MULTILINE))
    private, public = (re.sub(r"[\s:]", "", blocks[key]) for key in ("priv", "pub"))
    half = len(public) // 2 + 1
    assert point.base_mul(curve, int(private, 16)) == (int(public[2:half], 16), int(public[half:], 16))
