"""The digit multipliers give products digit by digit, and low halves, with the latency in their headers."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from tests.gfp.unit import DigitMultiplier
from tests.verilated import Patch

COUNT = 50_000


def digits(digit_bits: int, count: int) -> list[int]:
    """Digits made of worst-case 16-bit tiles, and random ones."""
    rng = random.Random(digit_bits)
    tiles = [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0xFFFF, 0xFFFF, 0x5555, 0xAAAA]

    def digit() -> int:
        if rng.random() < 0.5:
            return rng.getrandbits(digit_bits)
        return sum(rng.choice(tiles) << 16 * i for i in range(digit_bits // 16))

    return [digit() for _ in range(count)]


def wrong_low(digit_bits: int, patches: tuple[Patch, ...] = ()) -> int:
    """The number of wrong low halves among random pairs."""
    some = digits(digit_bits, 2 * COUNT)
    pairs = list(zip(some[::2], some[1::2], strict=True))
    products = DigitMultiplier(digit_bits, True, patches).products(pairs, latency=2)
    return sum(p != a * b % (1 << digit_bits) for p, (a, b) in zip(products, pairs, strict=True))


def wrong_full(digit_bits: int, patches: tuple[Patch, ...] = ()) -> int:
    """The number of wrong products among consecutive numbers of one to five digits, each times a digit."""
    rng, some = random.Random(digit_bits), iter(digits(digit_bits, COUNT))
    numbers = [([next(some) for _ in range(rng.randrange(1, 6))], next(some)) for _ in range(COUNT // 6)]
    pairs = list(chain.from_iterable([(digit, b) for digit in (*a, 0)] for a, b in numbers))
    out = iter(
        DigitMultiplier(digit_bits, False, patches).products(pairs, latency=4 if digit_bits == 64 else 3)
    )

    def value(number: list[int]) -> int:
        return sum(digit << digit_bits * i for i, digit in enumerate(number))

    return sum(value([next(out) for _ in (*a, 0)]) != value(a) * b for a, b in numbers)


@pytest.mark.parametrize("digit_bits", [16, 32, 64])
def test_product(digit_bits: int) -> None:
    assert wrong_full(digit_bits) == 0


@pytest.mark.parametrize("digit_bits", [16, 32, 64])
def test_low_half(digit_bits: int) -> None:
    assert wrong_low(digit_bits) == 0


def test_mutants_with_one_lost_bit_are_noticed() -> None:
    lost = (".b_i    (b_i[16*j+:16])", ".b_i    (b_i[16*j+:16] & 16'(i != j || i == 0 ? 65535 : 65503))")
    assert wrong_full(32, (("gfp/eccel_digit_mul.sv", *lost),)) > 0
    lost = (lost[0], ".b_i    (b_i[16*j+:16] & 16'(i + j == 1 && i == 0 ? 32767 : 65535))")
    assert wrong_low(32, (("gfp/eccel_digit_mul_low.sv", *lost),)) > 0
    assert wrong_low(64, (("gfp/eccel_digit_mul_low.sv", ".c_i(odd_q[32])", ".c_i(1'b0)"),)) > 0


def test_mutant_without_a_carry_between_digits_is_noticed() -> None:
    patch = ("gfp/eccel_serial_add.sv", "carry_q <= sum[Width]", "carry_q <= 1'b0")
    assert wrong_full(64, (patch,)) > 0
