"""Rows of the prime-field unit: what each pipeline stage is told of each digit, cycle by cycle."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.module import Struct

DIGIT = Struct("gfp/eccel_gfp_pkg.sv", "digit_t")
ROW_STAGE, SUM_STAGE = 6, 7
STAGES = SUM_STAGE + 2


@dataclass
class Row:
    """A row whose digits 0 to `top` are addressed from cycle `base` on."""

    base: int
    top: int

    def at(self, now: int, stage: int) -> int | None:
        """The digit that is at a stage in a cycle."""
        j = now - self.base - stage
        return j if 0 <= j <= self.top else None


class Pipeline:
    """stage_i, clock by clock. Without a digit, the signs are random and all other fields 0."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._digits = [self._no_digit() for _ in range(STAGES)]
        self._coming: list[int] = []

    def _no_digit(self) -> int:
        return DIGIT.pack(y_neg=self._rng.getrandbits(1), d_neg=self._rng.getrandbits(1))

    def begin(self, digits: list[int]) -> None:
        """The digits of a row, one in a cycle from this one on."""
        assert not self._coming
        self._coming = digits

    def clock(self) -> list[int]:
        """stage_i in the next cycle."""
        digit = self._coming.pop(0) if self._coming else self._no_digit()
        self._digits = [digit, *self._digits[:-1]]
        return self._digits


def split(value: int, bits: int, count: int) -> list[int]:
    """Digits, lowest first."""
    return [value >> bits * j & (1 << bits) - 1 for j in range(count)]


def edge_value(rng: random.Random, bits: int) -> int:
    """0, all ones, or random, also with long runs of equal bits."""
    ones = (1 << bits) - 1
    run = ones >> rng.randrange(bits) << rng.randrange(bits) & ones
    return rng.choice((0, ones, 1, ones ^ 1, run, run ^ ones, rng.getrandbits(bits), rng.getrandbits(bits)))
