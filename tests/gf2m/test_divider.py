"""Dividers do what their headers say: every field and polynomial, always the same cycles. Mutants are
noticed.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import gf2m
from tests.gf2m.divider import Divider, Division, GenericDivider
from tests.gf2m.multiplier import degree
from tests.gf2m.test_generic_multiplier import CATALOGUE, random_irreducible
from tests.gf2m.test_generic_multiplier import SMALL as POLYNOMIALS
from tests.gf2m.test_multiplier import LARGE, PAPER, SMALL
from tests.sampled import sampled
from tests.verilated import Patch


def right(f: int, each: Division) -> bool:
    """Whether quotient, flag and cycles are right."""
    product = gf2m.mul(each.quotient, each.x, f)
    expected = each.y if each.x else 0
    exact = product == expected and (each.x != 0 or each.quotient == 0) and each.quotient < 1 << degree(f)
    return exact and each.none == (each.x == 0) and each.cycles == 2 * degree(f) + 1


def check(unit: Divider, f: int, divisions: list[Division]) -> bool:
    """Whether all divisions are right, and nothing shows between them."""
    return unit.run(f, divisions) == 0 and all(right(f, each) for each in divisions)


def every(f: int) -> list[Division]:
    """The divisions for every quotient of two elements."""
    elements = range(1 << degree(f))
    return [Division(y, x, gap=x % 3) for y in elements for x in elements]


def reciprocals(f: int) -> list[Division]:
    """The divisions for the reciprocal of every element."""
    return [Division(1, x, gap=x % 3) for x in range(1 << degree(f))]


def some(f: int, count: int, *, one: bool = False) -> list[Division]:
    """Divisions of 0, 1, single and all coefficients, those of the polynomial, and random values."""
    rng, m = random.Random(f), degree(f)
    ones = (1 << m) - 1
    edges = [0, 1, 2, 3, ones, ones - 1, 1 << m - 1, 3 << m - 2, f & ones, f >> 1, 1 << m // 2]
    xs = [*edges, *(1 << rng.randrange(m) for _ in range(count)), *(rng.getrandbits(m) for _ in range(count))]
    ys = [1 if one else rng.choice([*edges, rng.getrandbits(m)]) for _ in xs]
    return [Division(y, x, gap=rng.randrange(4)) for y, x in zip(ys, xs, strict=True)]


def test_every_quotient_of_small_fields() -> None:
    unit = Divider(SMALL)
    assert all(check(unit, f, every(f)) for f in SMALL)


@pytest.mark.parametrize(
    "fields", [PAPER, LARGE[-1:], pytest.param(LARGE, marks=pytest.mark.soak)], ids=lambda fields: len(fields)
)
def test_fields_of_the_catalogue(fields: list[int]) -> None:
    """Three fields in a build, the largest one alone, and all of them in one build."""
    unit = Divider(fields)
    assert all(check(unit, f, some(f, 20)) for f in fields)


def test_every_reciprocal_by_every_polynomial_of_small_degree() -> None:
    """Degrees 5 to 8 in a module of width 8, 63 polynomials."""
    unit = GenericDivider(8)
    assert len(POLYNOMIALS) == 63 and all(check(unit, f, reciprocals(f)) for f in POLYNOMIALS)


def test_random_polynomials() -> None:
    """Those of the catalogue, and random ones, sparse and dense, of degrees from 2 to the width."""
    unit, rng = GenericDivider(255), random.Random(1)
    degrees = [2, 3, 5, 31, 32, 33, 64, 128, 254, 255, *rng.sample(range(9, 160), 6)]
    fields = [*CATALOGUE, *(random_irreducible(m, rng.randrange(m // 2, m)) for m in degrees)]
    assert all(check(unit, f, some(f, 10, one=True)) for f in fields)


@pytest.mark.parametrize("m", [5, 8])
def test_reducible_polynomials(m: int) -> None:
    """The result is the reciprocal if there is one, else 0. The cycles are always the same."""
    unit = GenericDivider(8)
    for f in range(1 << m, 2 << m):
        divisions = reciprocals(f)
        assert unit.run(f, divisions) == 0
        for each in divisions:
            there = gf2m.gcd(each.x, f) == 1
            assert gf2m.mul(each.quotient, each.x, f) == there == (each.quotient != 0) != each.none
            assert each.cycles == 2 * m + 1


@sampled(
    "patch",
    [
        ("eccel_gf2m_divstep.sv", "minus_q <= '1;", "minus_q <= '0;"),
        ("eccel_gf2m_divstep.sv", "minus_q <= ~minus_q", "minus_q <= -minus_q"),
        ("eccel_gf2m_divstep.sv", "degree_i - 1'b1", "degree_i - 2'd2"),
        ("eccel_gf2m_divstep.sv", "left_q != '0;", "left_q != '0 && !(left_q[0] && swap_o);"),
        ("eccel_gf2m_divstep.sv", "none_q <= none_o;", "none_q <= 1'b0;"),
        ("eccel_gf2m_divider.sv", " | One << Poly.e1", ""),
        ("eccel_gf2m_divider.sv", "f_q <= {1'b0, g_q[Width-1:1]};", ""),
        ("eccel_gf2m_divider.sv", "start_i || done_o", "start_i"),
        ("eccel_gf2m_divider.sv", "start_i || done_o", "done_o"),
    ],
    now=2,
)
def test_mutants_fail(patch: Patch) -> None:
    unit = Divider(SMALL, patches=[patch])
    assert not all(check(unit, f, every(f)) for f in SMALL)


@pytest.mark.parametrize(
    "patch",
    [
        ("swap ? r_q : v_q >> 1", "swap ? r_q : v_q"),
        ("if (swap) f_q <= g_q << 1;", "if (odd) f_q <= g_q << 1;"),
        ("odd ? v_q >> 1", "odd ? v_q"),
        ("none || done_o", "none"),
    ],
)
def test_mutants_of_the_generic_divider_fail(patch: tuple[str, str]) -> None:
    unit = GenericDivider(8, patches=[("eccel_gf2m_generic_divider.sv", *patch)])
    assert not all(check(unit, f, reciprocals(f)) for f in POLYNOMIALS)
