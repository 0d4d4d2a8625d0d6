"""Inverse, square root and Montgomery product against their definitions, exhaustively in small fields."""

import random

import pytest

from eccelerate.curves import load_catalogue
from eccelerate.model.field import mod_inverse, mod_sqrt, montgomery_product, neg_inverse


@pytest.mark.parametrize("p", [3, 5, 17, 97, 251, 257])
def test_inverse_and_root_exhaustively(p: int) -> None:
    squares = {x * x % p for x in range(p)}
    assert mod_inverse(0, p) == mod_inverse(p, p) == 0
    for a in range(1, p):
        assert a * mod_inverse(a, p) % p == 1
    for a in range(p):
        root = mod_sqrt(a, p)
        assert (root is not None) == (a in squares)
        assert root is None or (root * root % p == a and root % 2 == 0 and root < p)


def test_root_at_catalogue_primes() -> None:
    """For P-224, p - 1 is divisible by 2^96, which is the worst case of Tonelli-Shanks."""
    rng = random.Random(1)
    for curve in load_catalogue().values():
        if curve.kind != "binary":
            x = rng.randrange(curve.p)
            assert mod_sqrt(x * x, curve.p) in (x, curve.p - x)


def test_montgomery_product_exhaustively() -> None:
    """Every a < R, b < m for every odd m of four bits, in digits of 1, 2 and 4 bits."""
    for w, s in ((4, 1), (2, 2), (1, 4)):
        for m in range(3, 16, 2):
            inverse = pow(16, -1, m)
            for a in range(16):
                for b in range(m):
                    assert montgomery_product(a, b, m, w, s) == a * b * inverse % m


@pytest.mark.parametrize("w", [8, 16, 32, 64])
def test_montgomery_product_worst_operands(w: int) -> None:
    """Operands and moduli are at the ends of their ranges, where the accumulator is largest."""
    rng = random.Random(w)
    s = -(-256 // w)
    r = 1 << (w * s)
    for m in (r - 1, r - 3, (r >> 1) + 1, 3, *(rng.randrange(3, r) | 1 for _ in range(10))):
        for a in (0, 1, r - 1, m - 1, rng.randrange(r)):
            for b in (0, 1, m - 1, rng.randrange(m)):
                assert montgomery_product(a, b, m, w, s) == a * b * pow(r, -1, m) % m


@pytest.mark.parametrize(("a", "b", "m"), [(256, 0, 7), (-1, 0, 7), (0, 7, 7), (0, 0, 8), (0, 0, 257)])
def test_montgomery_product_refuses_what_it_does_not_guarantee(a: int, b: int, m: int) -> None:
    with pytest.raises(ValueError):
        montgomery_product(a, b, m, 8, 1)


def test_neg_inverse() -> None:
    for m in range(1, 256, 2):
        assert m * neg_inverse(m, 8) % 256 == 255
