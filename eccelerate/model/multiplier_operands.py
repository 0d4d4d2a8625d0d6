"""Operands that push the carries of a multiplier to their limits, beside random ones, with the products."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

Pair = tuple[int, int]
BLOCKS = (16, 17, 18, 32)
"""Bits of multiplier blocks and of words. A carry between two of them has to be right at these places."""


def corners(bits: int) -> list[int]:
    """The ends of the range, powers of two and their neighbours, runs of ones in each half and quarter of an
    operand (the sum of two such halves has one bit more than a half), and alternating bits and blocks.
    """
    full = (1 << bits) - 1
    half, quarter = -(-bits // 2), -(-bits // 4)
    found = [0, 1, 2, 3, full, full - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
    found += [(1 << half) - 1, full >> half << half, (1 << half) + 1, 1 << half]
    found += [((1 << quarter) - 1) << at & full for at in (0, quarter, 2 * quarter, 3 * quarter)]
    found += [int("01" * bits, 2) & full, int("10" * bits, 2) & full]
    for block in BLOCKS:
        ones = (1 << block) - 1
        found.append(sum(ones << at for at in range(0, bits, 2 * block)) & full)
        found.append(((1 << block) - 1) & full)
        found.append((1 << block) & full)
    return list(dict.fromkeys(found))


def operand_pairs(bits: int, count: int, seed: int = 1) -> Iterator[Pair]:
    """Every pair of corners, then `count` pairs of random operands, of which some are sparse or nearly all
    ones.
    """
    yield from product(corners(bits), repeat=2)
    yield from random_pairs(bits, count, seed)


def random_pairs(bits: int, count: int, seed: int = 1) -> Iterator[Pair]:
    """Random operands: uniform, sparse, or nearly all ones."""
    generator = random.Random(f"{bits} {seed}")

    def operand() -> int:
        style = generator.randrange(4)
        value = generator.getrandbits(bits)
        if style == 0:
            return value & generator.getrandbits(bits) & generator.getrandbits(bits)
        if style == 1:
            return value | generator.getrandbits(bits) | generator.getrandbits(bits)
        return value

    for _ in range(count):
        yield operand(), operand()


def residue_pairs(modulus: int, count: int, seed: int = 1) -> Iterator[Pair]:
    """As `operand_pairs`, below a modulus: its own ends and halves, and the corners of its width."""
    bits = modulus.bit_length()
    ends = [0, 1, 2, modulus - 1, modulus - 2, modulus // 2, modulus // 2 + 1, modulus // 3]
    inside = [value for value in corners(bits) if value < modulus]
    few = list(dict.fromkeys(value % modulus for value in (*ends, *inside)))
    yield from product(few, repeat=2)
    for a, b in random_pairs(bits, count, seed):
        yield a % modulus, b % modulus


def moduli(bits: int, seed: int = 1) -> list[int]:
    """Odd moduli of a width: the largest and the smallest number of that width, one close to each, a tiny
    one, and two random ones.
    """
    generator = random.Random(f"moduli {bits} {seed}")
    full, top = (1 << bits) - 1, 1 << (bits - 1)
    found = [full, full - 2, top + 1, top + 3, 3]
    found += [top | generator.getrandbits(bits) | 1 for _ in range(2)]
    return found
