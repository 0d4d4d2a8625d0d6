"""eccel_gf2m_generic_mul does what its header says for any polynomial, digit size and rate. Mutants are
noticed.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from eccelerate.curves import gf2m, load_catalogue
from tests.gf2m.generic_multiplier import GenericMultiplier
from tests.gf2m.multiplier import degree, product_cycles
from tests.sampled import sampled
from tests.verilated import Patch

SMALL = [f for m in (5, 6, 7, 8) for f in range(1 << m | 1, 2 << m, 2) if gf2m.is_irreducible(f)]
CATALOGUE = sorted({c.p for c in load_catalogue().values() if c.kind == "binary" and c.p_bits <= 255})


@cache
def random_irreducible(m: int, top: int, seed: int = 0) -> int:
    """A polynomial of degree m whose second exponent is `top`."""
    rng = random.Random(f"{m} {top} {seed}")
    while True:
        f = 1 << m | 1 << top | rng.getrandbits(top) | 1
        if f.bit_count() % 2 and gf2m.is_irreducible(f):
            return f


def check(unit: GenericMultiplier, f: int, count: int) -> bool:
    """Whether `count` products, or all of them if it is 0, are right and take the right cycles."""
    return unit.select(f) == product_cycles(f, unit.digit_bits) and unit.products(count) == 0


@sampled("digit_bits", [8, 1, 2, 3, 4], now=1)
def test_every_product_by_every_polynomial_of_small_degree(digit_bits: int) -> None:
    """Degrees 5 to 8 in a module of width 8, 63 polynomials."""
    unit = GenericMultiplier(8, digit_bits, leaf=2)
    assert len(SMALL) == 63 and all(check(unit, f, 0) for f in SMALL)


@pytest.mark.parametrize(
    "digit_bits", [64, *(pytest.param(d, marks=pytest.mark.soak) for d in (16, 32, 128, 255))]
)
def test_random_polynomials(digit_bits: int) -> None:
    """Those of the catalogue, and random ones of degrees around words and digits, with second exponents of
    any size.
    """
    unit, rng = GenericMultiplier(255, digit_bits), random.Random(digit_bits)
    degrees = [2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 224, 254, 255]
    degrees += rng.sample(range(9, 160), 6)
    fields = [*CATALOGUE, *(random_irreducible(m, rng.randrange(m // 2, m)) for m in degrees)]
    fields += [random_irreducible(255, top) for top in (190, 191, 192, 224, 240, 248, 252, 254)]
    cycles = {f: product_cycles(f, unit.digit_bits) // -(-degree(f) // unit.digit_bits) for f in fields}
    assert digit_bits != 64 or {*cycles.values()} >= {1, 3, 6, 12, 24, 48, 96, 192}
    assert all(check(unit, f, max(10, 300 // cycles[f])) for f in fields)


@sampled(
    "patch",
    [
        ("eccel_gf2m_generic_mul.sv", "sum_first_q ? '0 :", ""),
        ("eccel_gf2m_generic_mul.sv", "!sum_new_q ? reduced :", ""),
        ("eccel_gf2m_digit_product.sv", "keep_i ? products : '0", "products"),
        ("eccel_gf2m_generic_mul.sv", "above_q <= top;", "above_q <= '0;"),
        ("eccel_gf2m_generic_mul.sv", "above_q <= '0;", ""),
        ("eccel_gf2m_generic_mul.sv", "one_q && last", "one_q"),
        ("eccel_gf2m_generic_mul.sv", "low_i >> (Width + 1 -", "low_i >> (Width + 2 -"),
        ("eccel_gf2m_generic_mul.sv", "? Width + 1 - 2", "? Width + 2 - 2"),
        ("eccel_gf2m_generic_mul.sv", "late_q && !sum_begun_q", "late_q"),
        ("eccel_gf2m_generic_mul.sv", "late_q ? '0 : fold", "fold"),
        ("eccel_gf2m_generic_mul.sv", "(fold << Digit)", "(fold)"),
        ("eccel_gf2m_generic_mul.sv", "degree_i <= unsigned", "degree_i < unsigned"),
    ],
    now=2,
)
def test_mutants_fail(patch: Patch) -> None:
    unit = GenericMultiplier(8, 3, leaf=2, patches=[patch])
    assert not all(check(unit, f, 0) for f in SMALL)
