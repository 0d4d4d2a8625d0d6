"""Worst-case values for prime-field units, which push carries, borrows and corrections to their limits."""

from __future__ import annotations

import random

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def moduli(words: int, rng: random.Random) -> list[int]:
    """Odd moduli for elements of `words` 32-bit words, each at least 3.

    They are R - 1 and the like, R - 2^k + 1 (every digit all ones), 2^k + 1 (digits of zero), one that is a
    word shorter, small ones, a NIST prime, and random ones.
    """
    bits = 32 * words
    found = [
        (1 << bits) - 1, (1 << bits) - 3, (1 << bits - 1) + 1, (1 << bits - 1) - 1,
        (1 << bits) - (1 << 64) - 1, (1 << bits) - (1 << bits - 33) + 1,
        (1 << bits - 31) + (1 << 32) - 1, (1 << bits - 32) + 1,
        3, 251, (1 << 64) - 1, (1 << 65) + 1,
        rng.getrandbits(bits) | 1 << bits - 1 | 1, rng.getrandbits(bits - 5) | 1 << bits - 6 | 1,
    ]  # fmt: skip
    return [*found, P256] if words >= 8 else found


def operands(m: int, rng: random.Random) -> list[int]:
    """Values in [0, m): 0, 1, 2, m - 1, m - 2, the middle, all-ones digits, single bits, and random ones."""
    top = m.bit_length()
    found = [
        0, 1, 2, m - 1, m - 2, m // 2, m // 2 + 1, (1 << top - 1) - 1, 1 << top - 1, (1 << top // 2) - 1,
        (1 << 64) - 1, (1 << 16) - 1, m - (1 << top // 2), m ^ (1 << top) - 1, 1 << rng.randrange(top),
        rng.randrange(m), rng.randrange(m), rng.randrange(m),
    ]  # fmt: skip
    return [v % m for v in found]
