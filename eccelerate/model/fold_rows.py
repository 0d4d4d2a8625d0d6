"""Rows of the reduction modulo a sparse prime in rtl/modmul: the functions of eccel_fold_pkg.

With p = 2^n - d, a product is l + 2^n h. Word i of h, worth 2^(n + 32 i), is modulo p a sum of words with
small signed factors: row j adds matrix[j][i] times this word to word j of l. Words that are subtracted enter
as complements, and `constant` makes up for that. The sum of the rows is k 2^n + l'.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from eccelerate.model.constant_digits import recode
from eccelerate.model.solinas import Form, Solinas

WORD = 32


@dataclass(frozen=True)
class Rows:
    """Everything that follows from the form of the prime."""

    form: Form

    @cached_property
    def words(self) -> int:
        """Words of an element."""
        return -(-self.form.bits // WORD)

    @cached_property
    def matrix(self) -> tuple[tuple[int, ...], ...]:
        """The factor of word i of h in row j."""
        step = Solinas(self.form).fold
        column, columns = list(step), []
        for _ in range(self.words):
            columns.append(tuple(column))
            top = column[-1] << WORD * self.words - self.form.bits
            column = [a + top * b for a, b in zip([0, *column[:-1]], step, strict=True)]
        return tuple(zip(*columns, strict=True))

    def word_max(self, word: int) -> int:
        """Largest value of a word of h or l."""
        return (1 << min(WORD, self.form.bits - WORD * word)) - 1

    def _digits(self, sign: int) -> int:
        """Sum of all terms with this sign if every word has its largest value."""
        return sum(
            self.word_max(i) << s + WORD * j
            for j, row in enumerate(self.matrix)
            for i, factor in enumerate(row)
            for s, digit in recode(abs(factor), 2).items()
            if (digit > 0) == (factor * sign > 0)
        )

    @cached_property
    def constant(self) -> int:
        """What makes up for the complements, modulo p."""
        return -self._digits(-1) % self.form.p

    @cached_property
    def max_terms(self) -> int:
        """Terms of the longest row."""
        return max(
            1 + sum(len(recode(abs(factor), 2)) for factor in row) + bool(self.constant)
            for row in self.matrix
        )

    @cached_property
    def overflow_max(self) -> int:
        """Largest k."""
        low = (1 << self.form.bits) - 1
        return low + self.constant + self._digits(1) + self._digits(-1) >> self.form.bits

    @cached_property
    def quotient_bits(self) -> int:
        """Bits of k + 1."""
        return (self.overflow_max + 1).bit_length()

    def extreme_product(self, row: int, sign: int) -> int:
        """A number below 2^(2 n) that makes a row largest (sign 1) or smallest (sign -1)."""
        high = sum(
            self.word_max(i) << WORD * i for i, factor in enumerate(self.matrix[row]) if factor * sign > 0
        )
        return (high << self.form.bits) + ((1 << self.form.bits) - 1 if sign > 0 else 0)
