"""eccel_gf2m_mul does what its header says for every field, digit size and rate. Mutants are noticed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from eccelerate.curves import gf2m, load_catalogue
from tests.gf2m.multiplier import Multiplier, Product, degree, table
from tests.sampled import sampled
from tests.verilated import Patch

SMALL = [f for f in table() if degree(f) <= 8]
LARGE = [f for f in table() if degree(f) > 8]
PAPER = [f for f in table() if f in (1 << 163 | 0xC9, 1 << 193 | 1 << 15 | 1, 1 << 233 | 1 << 74 | 1)]


def test_the_table_is_the_catalogue() -> None:
    """The table has the polynomial of every binary curve once, and all are irreducible."""
    assert {curve.p for curve in load_catalogue().values() if curve.kind == "binary"} == set(LARGE)
    assert len(set(table())) == len(table()) and all(map(gf2m.is_irreducible, table()))
    assert {degree(f) for f in SMALL} == {5, 6, 7, 8}


def operands(f: int, rng: random.Random, count: int) -> Iterator[tuple[int, int]]:
    """All coefficients set, single ones at the ends of digits, those that are reduced furthest, and random
    values.
    """
    m = degree(f)
    ones = (1 << m) - 1
    edges = [0, 1, 2, ones, 1 << (m - 1), 3 << (m - 2), f & ones]
    edges += [1 << i for d in (16, 32, 64, 128) for i in (d - 1, d, m - m % d) if i < m]
    yield from ((a, b) for a in edges[:8] for b in edges[:8])
    for _ in range(count):
        yield rng.choice([*edges, rng.getrandbits(m)]), rng.choice([rng.choice(edges), rng.getrandbits(m)])
        yield rng.getrandbits(m), rng.getrandbits(m)


def check(unit: Multiplier, f: int, count: int) -> bool:
    """Whether results and latencies are right, at full rate and with gaps."""
    rng = random.Random(f"{f} {unit.digit_bits}")
    gaps = [0, 0, 0, 0, 1, 2, unit.digits(f), rng.randrange(20)]
    products = [Product(a, b, unit.digits(f) + rng.choice(gaps)) for a, b in operands(f, rng, count)]
    unit.run(f, products)
    return all(
        product.result == gf2m.mul(product.a, product.b, f) and product.latency == unit.latency(f)
        for product in products
    )


@pytest.mark.parametrize("digit_bits", [1, 2, 3, 4, 8])
def test_every_product_of_small_fields(digit_bits: int) -> None:
    unit = Multiplier(SMALL, digit_bits, leaf=2, stage=digit_bits % 2 == 0)
    assert all(unit.exhaust(f) == 0 for f in SMALL)


@pytest.mark.parametrize(
    "digit_bits", [64, *(pytest.param(d, marks=pytest.mark.soak) for d in (16, 32, 128))]
)
def test_every_field_of_the_catalogue(digit_bits: int) -> None:
    """All fields are in one build, with 1 to 36 digits."""
    unit = Multiplier(LARGE, digit_bits)
    assert all(check(unit, f, 60) for f in LARGE)


@pytest.mark.parametrize("f", [PAPER[0], PAPER[2]], ids=degree)
def test_one_digit(f: int) -> None:
    """The whole of b is one digit, so there is a product in each cycle."""
    unit = Multiplier([f], degree(f), stage=f == PAPER[0])
    assert unit.digits(f) == 1
    assert check(unit, f, 60)


@sampled(
    "patch",
    [
        ("eccel_gf2m_mul.sv", "first_sum_q ? '0 :", "1'b0 ? '0 :"),
        ("eccel_gf2m_mul.sv", "b_q <= b_moved", "b_q <= (Digits * Digit)'(b_i)"),
        ("eccel_gf2m_mul.sv", "top_q[i] ? b[", "i == Digits - 1 ? b["),
        ("eccel_gf2m_mul.sv", "last_q <= turn_q[0] ||", "last_q <= turn_q[1] ||"),
        ("eccel_gf2m_digit_product.sv", "if (a_we_i) a_parts_q", "a_parts_q"),
        ("eccel_gf2m_join.sv", "middle) << Half)", "middle) << Half - 1)"),
        ("eccel_gf2m_join.sv", "halves[0] ^ halves[1] ^ halves[2]", "halves[0] ^ halves[2]"),
        ("eccel_gf2m_fold.sv", "Over < Poly.m ? Over", "Over < Poly.m ? Over - 1"),
        ("eccel_gf2m_fold.sv", "if (above[i]) low_q[i] <= 1'b0", "if (1'b0) low_q[i] <= 1'b0"),
        ("eccel_gf2m_fold.sv", "if (!select_i[f]) high_q <= '0", "if (1'b0) high_q <= '0"),
        ("eccel_gf2m_reduce.sv", "i < Folds", "i < Folds - 1"),
        ("eccel_gf2m_pkg.sv", "m: 131, e3: 8", "m: 131, e3: 7"),
    ],
    now=2,
)
def test_mutants_fail(patch: Patch) -> None:
    unit = Multiplier(LARGE[:2], 32, patches=[patch])
    with pytest.raises(AssertionError):
        assert all(check(unit, f, 20) for f in LARGE[:2])
