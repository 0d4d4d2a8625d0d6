"""The digit multipliers give the product and its low half, one a clock, in the latency of their headers."""

from __future__ import annotations

import random

import pytest

from tests.gfp.unit import DigitMultiplier, Patch

COUNT = 50_000


def pairs(digit_bits: int) -> list[tuple[int, int]]:
    """Pairs of digits made of worst-case 16-bit tiles, and random ones."""
    rng = random.Random(digit_bits)
    tiles = [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x5555, 0xAAAA]

    def digit() -> int:
        if rng.random() < 0.5:
            return rng.getrandbits(digit_bits)
        return sum(rng.choice(tiles) << 16 * i for i in range(digit_bits // 16))

    return [(digit(), digit()) for _ in range(COUNT)]


def wrong(digit_bits: int, low: bool, patches: tuple[Patch, ...] = ()) -> int:
    latency = 2 if low or digit_bits == 16 else 3
    mask = (1 << (1 if low else 2) * digit_bits) - 1
    chosen = pairs(digit_bits)
    products = DigitMultiplier(digit_bits, low, patches).products(chosen, latency)
    return sum(p != a * b & mask for p, (a, b) in zip(products, chosen, strict=True))


@pytest.mark.parametrize("low", [False, True], ids=["full", "low"])
@pytest.mark.parametrize("digit_bits", [16, 32, 64])
def test_product(digit_bits: int, low: bool) -> None:
    assert wrong(digit_bits, low) == 0


def test_mutants_with_one_lost_bit_are_noticed() -> None:
    lost = (".b_i    (b_i[16*j+:16])", ".b_i    (b_i[16*j+:16] & 16'(i != j || i == 0 ? 65535 : 65503))")
    assert wrong(32, False, (("gfp/eccel_digit_mul.sv", *lost),)) > 0
    lost = (lost[0], ".b_i    (b_i[16*j+:16] & 16'(i + j == 1 && i == 0 ? 32767 : 65535))")
    assert wrong(32, True, (("gfp/eccel_digit_mul_low.sv", *lost),)) > 0
