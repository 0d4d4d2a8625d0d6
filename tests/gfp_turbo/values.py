"""Operands that drive the reduction of a sparse prime to its limits."""

from __future__ import annotations

import random

from eccelerate.model.solinas import Solinas


def representatives(field: Solinas) -> list[int]:
    """Values below 2^n around every edge: 0, p, 2^n, d and its multiples, and numbers of only ones or only
    zeros from a word on.
    """
    n, p, d = field.bits, field.p, field.d
    top = (1 << n) - 1
    found = [0, 1, 2, p - 2, p - 1, p, p + 1, top, top - 1, d - 1, d, d + 1, 2 * d, p - d, p // 2, top // 3]
    for j in range(1, field.words):
        edge = 1 << field.word_bits * j
        found += [edge - 1, edge, top - edge, top - edge + 1, p - edge]
    return sorted({v for v in found if 0 <= v <= top})


def with_high_words(field: Solinas, rng: random.Random) -> tuple[int, int]:
    """Operands whose product has chosen high words, which make one row, or all of them, smallest or
    largest.
    """
    x = 1 << field.word_bits
    row = rng.choice(field.matrix)
    sign = rng.choice((1, -1))
    words = [top if c * sign > 0 or (not c and rng.getrandbits(1)) else 0
             for c, top in zip(row, field.high_max, strict=True)]  # fmt: skip
    high = field.join(words) - rng.choice((0, 0, 1, rng.randrange(x)))
    a = (1 << field.bits) - 1 - rng.choice((0, 0, 1, rng.randrange(x)))
    b = (max(high, 0) << field.word_bits * field.words) // a + rng.getrandbits(1)
    return a, min(max(b, 0), (1 << field.bits) - 1)


def with_result(field: Solinas, rng: random.Random) -> tuple[int, int]:
    """Operands whose product is a chosen residue. Near 0, d and p the quotient is hard to estimate."""
    p = field.p
    target = rng.choice(representatives(field)) + rng.randrange(-8, 9)
    while True:
        a = rng.randrange(1, p)
        try:
            b = target * pow(a, -1, p) % p
        except ValueError:  # toy moduli need not be prime
            continue
        # Where there is another representative, sometimes use it.
        return tuple(v + p if v < field.d and rng.getrandbits(1) else v for v in (a, b))  # type: ignore[return-value]


def operand_pairs(field: Solinas, rng: random.Random, count: int) -> list[tuple[int, int]]:
    """A quarter each of pairs of edge values, of chosen high words, of chosen residues, and of random
    values.
    """
    edges = representatives(field)
    found = [(rng.choice(edges), rng.choice(edges)) for _ in range(count // 4)]
    found += [with_high_words(field, rng) for _ in range(count // 4)]
    found += [with_result(field, rng) for _ in range(count // 4)]
    found += [(rng.getrandbits(field.bits), rng.getrandbits(field.bits)) for _ in range(count - len(found))]
    rng.shuffle(found)
    return found
