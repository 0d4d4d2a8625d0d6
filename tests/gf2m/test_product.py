"""eccel_gf2m_product, eccel_gf2m_split and eccel_gf2m_join against products, parts and sums of integers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.module import Module
from tests.verilated import Patch

SOURCES: tuple[str | Path, ...] = (
    "gf2m/eccel_gf2m_pkg.sv",
    *(f"gf2m/eccel_gf2m_{name}.sv" for name in ("split", "join", "product")),
    Path(__file__).with_name("karatsuba_units.sv"),
)
LEAF, LARGE = 16, 41
"""Widths of products: one leaf; one that is halved several times."""
PART, MOST_LEVELS = 3, 3


def units(patches: Sequence[Patch] = ()) -> Module:
    return Module("gf2m", "karatsuba_units", SOURCES, patches=patches)


def carry_less(a: int, b: int) -> int:
    """The product of two polynomials over GF(2)."""
    product = 0
    for i in range(b.bit_length()):
        product ^= (a << i) * (b >> i & 1)
    return product


def split(value: int, part: int, levels: int) -> list[int]:
    """The parts of Karatsuba's method: those of the lower half, of the upper half, and of their sum."""
    if not levels:
        return [value]
    half = part << levels - 1
    lower, upper = value & (1 << half) - 1, value >> half
    return [each for side in (lower, upper, lower ^ upper) for each in split(side, part, levels - 1)]


def joined(fields: Sequence[int], width: int) -> int:
    """Fields of `width` bits next to each other, the first one lowest."""
    return sum(field << i * width for i, field in enumerate(fields))


def operands(width: int) -> Iterator[int]:
    """Edge values, single coefficients at the ends of halves, and random values."""
    rng = random.Random(width)
    yield from (0, 1, 2, (1 << width) - 1, 1 << width - 1, (1 << width // 2) - 1, 1 << width // 2)
    yield from (rng.getrandbits(width) for _ in range(20))


def check_small_products(patches: Sequence[Patch] = ()) -> None:
    module = units(patches)
    for a in range(1 << 5):
        for b in range(1 << 5):
            products = module.clock(a_i=a, b_i=b).array("small_o")
            for width, product in enumerate(products, 1):
                mask = (1 << width) - 1
                assert product == carry_less(a & mask, b & mask)


def check_parts(patches: Sequence[Patch] = ()) -> None:
    module = units(patches)
    for value in operands(PART << MOST_LEVELS):
        found = module.clock(value_i=value).array("parts_o")
        for levels, parts in enumerate(found):
            mask = (1 << (PART << levels)) - 1
            assert parts == joined(split(value & mask, PART, levels), PART)


def check_products_of_parts(patches: Sequence[Patch] = ()) -> None:
    module = units(patches)
    for a in operands(PART << MOST_LEVELS):
        for b in operands(PART << MOST_LEVELS):
            for levels in range(MOST_LEVELS + 1):
                mask = (1 << (PART << levels)) - 1
                pairs = zip(split(a & mask, PART, levels), split(b & mask, PART, levels), strict=True)
                products = joined([carry_less(*pair) for pair in pairs], 2 * PART - 1)
                found = module.clock(products_i=products).array("product_o")[levels]
                assert found == carry_less(a & mask, b & mask)


def test_small_products_of_every_width_are_right_for_all_operands() -> None:
    check_small_products()


def test_a_leaf_and_a_product_of_many_levels_are_right_for_edge_and_random_operands() -> None:
    module = units()
    for a in operands(LARGE):
        for b in operands(LARGE):
            module.clock(a_i=a, b_i=b)
            mask = (1 << LEAF) - 1
            assert module["leaf_o"] == carry_less(a & mask, b & mask)
            assert module["large_o"] == carry_less(a, b)


def test_parts_are_lower_half_upper_half_and_sum_on_every_level() -> None:
    check_parts()


def test_the_products_of_the_parts_join_to_the_product() -> None:
    check_products_of_parts()


@pytest.mark.parametrize(
    ("module", "old", "new", "claim"),
    [
        ("product", "(2 * Half)'(b_i)", "Width'(b_i[Width-2:0])", check_small_products),
        ("split", "+:Width/2] ^ value_i", "+:Width/2] | value_i", check_parts),
        ("join", "halves[0] ^ halves[1] ^ halves[2]", "halves[0] ^ halves[2]", check_products_of_parts),
    ],
    ids=["the highest coefficient is lost", "halves are joined by or", "the upper product is not subtracted"],
)
def test_a_mutant_multiplies_or_splits_wrongly(
    module: str, old: str, new: str, claim: Callable[[Sequence[Patch]], None]
) -> None:
    with pytest.raises(AssertionError):
        claim([(f"eccel_gf2m_{module}.sv", old, new)])
