"""eccel_gf2m_unit of a generic build runs any program by any irreducible polynomial in the right clocks.
Mutants are noticed.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import find_curve, gf2m
from eccelerate.curves.small import small_binary_curves
from eccelerate.model import lopez_dahab
from eccelerate.timing.gf2m_cycles import step_cycles
from tests.gf2m.multiplier import degree, product_cycles
from tests.gf2m.test_generic_multiplier import CATALOGUE, SMALL, random_irreducible
from tests.gf2m.test_unit import check, check_division, check_zero, ladder
from tests.gf2m.unit import GenericUnit, Request
from tests.sampled import sampled
from tests.verilated import Patch


@sampled("digit_bits", [1, 2, 3, 8], now=2)
def test_random_programs_in_small_fields(digit_bits: int) -> None:
    unit = GenericUnit(8, digit_bits)
    assert all(check(unit, f, 4) for f in SMALL)


def test_random_programs_with_divisions() -> None:
    unit = GenericUnit(8, 3, divider=True)
    assert all(check(unit, f, 2, length=40) and check_division(unit, f) for f in SMALL)


def test_random_programs_in_large_fields() -> None:
    """The fields of the catalogue, the largest degree, and second exponents that need more than one fold."""
    unit = GenericUnit(255, 64)
    fields = [*CATALOGUE, *SMALL[:2]]
    more = ((255, 190), (255, 191), (255, 254), (97, 60), (64, 62))
    fields += [random_irreducible(m, top) for m, top in more]
    assert {product_cycles(f, 64) // -(-degree(f) // 64) for f in fields} >= {1, 3, 192}
    assert all(check(unit, f, 2, length=40) for f in fields)


@sampled("m", [5, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 224, 254, 255], now=6)
def test_random_programs_of_every_degree(m: int) -> None:
    """Degrees around words and digits, each with a sparse polynomial and a dense one."""
    unit = GenericUnit(255, 64)
    assert all(check(unit, random_irreducible(m, top), 1, length=30) for top in (m // 3 + 2, m - 1))


def test_zero_is_known_when_the_unit_is_idle() -> None:
    unit = GenericUnit(255, 64)
    assert all(check_zero(unit, f) for f in (CATALOGUE[0], CATALOGUE[-1]))


def check_ladder(unit: GenericUnit, f: int, b: int, x: int, cycles: int = 1) -> None:
    """Steps give the model's state. Their ten products have no gap, except for one cycle with the shortest
    products.
    """
    rng = random.Random(f)
    state = lopez_dahab.start(f, b, x, rng.randrange(1, 1 << degree(f)))
    c, bits = lopez_dahab.fourth_root(f, b), [rng.randrange(2) for _ in range(60)]
    interval = max(3, -(-degree(f) // unit.digit_bits) * cycles)
    assert interval == max(3, product_cycles(f, unit.digit_bits))
    step = 10 * interval + (interval == 3)
    assert ladder(unit, f, c, state, x, bits) == step == step_cycles(unit.model(f))


def test_steps_in_small_fields() -> None:
    unit = GenericUnit(8, 2)
    for curve in small_binary_curves():
        cycles = product_cycles(curve.p, 2) // -(-curve.p_bits // 2)
        check_ladder(unit, curve.p, curve.b, curve.gx, cycles)


@pytest.mark.parametrize(
    ("name", "cycles"), [("sect131r1", 3), ("B-163", 1), ("c2pnb163v1", 1), ("B-233", 1)]
)
def test_the_ladder_keeps_the_multiplier_busy(name: str, cycles: int) -> None:
    curve = find_curve(name)
    check_ladder(GenericUnit(255, 64), curve.p, curve.b, curve.gx, cycles)


@pytest.mark.parametrize(("top", "cycles"), [(127, 1), (128, 3), (191, 3), (192, 6), (224, 12), (254, 192)])
def test_steps_by_polynomials_that_fold_more_often(top: int, cycles: int) -> None:
    """The second exponent decides how often a polynomial folds."""
    check_ladder(GenericUnit(255, 64), random_irreducible(255, top), 5, 7, cycles)


@sampled(
    "patch",
    [
        ("eccel_gf2m_generic_core.sv", "product ^ c", "product"),
        ("eccel_gf2m_step.sv", "swap_q ^ (step && last)", "swap_q ^ last"),
        ("eccel_gf2m_step.sv", "squaring_q ? left_none_q", "squaring_q ? 1'b1"),
    ],
    now=1,
)
def test_mutants_fail(patch: Patch) -> None:
    unit = GenericUnit(8, 3, patches=[patch])
    with pytest.raises(AssertionError):
        assert all(check(unit, f, 4) for f in SMALL)


def product_behind_wider_elements(unit: GenericUnit) -> bool:
    """A product by a polynomial that is loaded after an element in which all bits of the last word are
    set.
    """
    wide, narrow = random_irreducible(224, 100), CATALOGUE[0]
    unit.select(wide)
    unit.load(1, (1 << degree(wide)) - 1)
    unit.select(narrow)
    unit.load(1, (1 << degree(narrow)) - 1)
    unit.load(2, 1 << degree(narrow) - 1)
    unit.run([Request((1, 1), (2, 2), plain=3)])
    return unit.store(3) == gf2m.mul((1 << degree(narrow)) - 1, 1 << degree(narrow) - 1, narrow)


def test_fields_in_turn() -> None:
    assert product_behind_wider_elements(GenericUnit(255, 64))


@sampled("patch", [("count_q != words_q", "1'b1"), ("last_q <= '0;", "")], now=1)
def test_mutants_of_words_fail(patch: tuple[str, str]) -> None:
    assert not product_behind_wider_elements(
        GenericUnit(255, 8, patches=[("eccel_gf2m_generic_stage.sv", *patch)])
    )
