"""Reduction modulo a sparse prime, as in the turbo engine's field unit. Everything is derived from the form
of the prime.

    p = 2^n + sum of +-2^e        x = 2^w, w = two digits        x^W = 2^n or the first word boundary above it

A product of two values in [0, 2^n) has W low words l and W high words h. There are three steps, each of which
is a stream of words:

    taps    row j = l_j + sum over i of C[j][i] * h_i     C = the words of x^(W+i) mod p, small integers
    ripple  the rows become words V_j in [0, x) and an overflow k: value = k * 2^n + V, V < 2^n
    fold    result = V + q * d,  d = 2^n mod p = 2^n - p, q = k - 1, k or k + 1: the result is in [0, 2^n)

:class:`Solinas` derives everything from the form, with the bound of every carry, and refuses a prime whose
bounds do not fit the hardware. :meth:`Solinas.multiply` and the other operations compute word by word, as the
RTL does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

Interval = tuple[int, int]


@dataclass(frozen=True)
class Form:
    """A modulus p = 2^bits + sum of sign * 2^exponent."""

    name: str
    bits: int
    terms: tuple[tuple[int, int], ...]

    @property
    def p(self) -> int:
        """The modulus."""
        return (1 << self.bits) + sum(sign << e for sign, e in self.terms)


FORMS = {
    form.name: form
    for form in (
        Form("P-192", 192, ((-1, 64), (-1, 0))),
        Form("P-224", 224, ((-1, 96), (1, 0))),
        Form("P-256", 256, ((-1, 224), (1, 192), (1, 96), (-1, 0))),
        Form("P-384", 384, ((-1, 128), (-1, 96), (1, 32), (-1, 0))),
        Form("P-521", 521, ((-1, 0),)),
        Form("secp256k1", 256, ((-1, 32), (-1, 9), (-1, 8), (-1, 7), (-1, 6), (-1, 4), (-1, 0))),
    )
}


@dataclass(frozen=True)
class Stage:
    """One adder of the tap chain. It adds +-2^shift times the high word j + position - delay (mod W) to row
    j.

    `position` is the clock of row 0, counted from the arrival of high word 0. `delay` is the number of clocks
    that the word waits. `add` and `sub` are the rows that add or subtract it.
    """

    position: int
    delay: int
    shift: int
    add: frozenset[int]
    sub: frozenset[int]

    def term(self, row: int, high: Sequence[int]) -> int:
        """What the stage adds to a row."""
        sign = (row in self.add) - (row in self.sub)
        return sign * (high[(row + self.position - self.delay) % len(high)] << self.shift)


class BoundError(ValueError):
    """A bound of the hardware does not hold for this form."""


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise BoundError(what)


def _signed_bits(interval: Interval) -> int:
    """Number of bits of the two's complement field that holds an interval."""
    low, high = interval
    return max((-low - 1).bit_length() if low < 0 else 0, high.bit_length()) + 1


def _digits(value: int, *, naf: bool) -> dict[int, int]:
    """Signed binary digits of an integer: plain, or in non-adjacent form."""
    sign, left, found, at = (-1 if value < 0 else 1), abs(value), {}, 0
    while left:
        if left & 1:
            digit = 2 - (left & 3) if naf else 1
            found[at] = sign * digit
            left -= digit
        left, at = left >> 1, at + 1
    return found


@dataclass(frozen=True)
class Solinas:
    """Everything that follows from a form and a digit size. Raises BoundError if the form does not fit.

    karatsuba: the array is eccel_karatsuba_array. Results are the same; products take longer.
    """

    form: Form
    digit_bits: int = 16
    karatsuba: bool = False

    def __post_init__(self) -> None:
        self.check()

    @property
    def p(self) -> int:
        """The modulus."""
        return self.form.p

    @property
    def bits(self) -> int:
        """n. Operands and results are in [0, 2^n)."""
        return self.form.bits

    @property
    def word_bits(self) -> int:
        """w, the bits of a word."""
        return 2 * self.digit_bits

    @property
    def words(self) -> int:
        """W, the words of an element."""
        return -(-self.bits // self.word_bits)

    @property
    def lanes(self) -> int:
        """Number of digits of an operand."""
        return -(-self.bits // self.digit_bits)

    @property
    def multipliers(self) -> int:
        """Number of multipliers."""
        return 3 * self.lanes // 4 if self.karatsuba else self.lanes

    @property
    def top_bits(self) -> int:
        """Number of bits of the last word below 2^n."""
        return self.bits - self.word_bits * (self.words - 1)

    # ------------------------------------------------------------------ what the form gives

    def _sparse(self, extra: int) -> tuple[int, ...]:
        """The words of 2^(n + extra) mod p as small signed coefficients."""
        found = [0] * self.words
        for sign, e in self.form.terms:
            place, shift = divmod(e + extra, self.word_bits)
            _need(place < self.words, f"{self.form.name}: the second term is too close to the first")
            found[place] -= sign << shift
        return tuple(found)

    @cached_property
    def matrix(self) -> tuple[tuple[int, ...], ...]:
        """C[j][i] is the part of high word i in low word j."""
        step = self._sparse(self.word_bits * self.words - self.bits)
        power, columns = list(step), []
        for _ in range(self.words):
            columns.append(tuple(power))
            power = [a + power[-1] * b for a, b in zip([0, *power[:-1]], step, strict=True)]
        return tuple(tuple(column[j] for column in columns) for j in range(self.words))

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The tap chain. High words come one in each clock, then once more, with word 0 in clock 0. Row j
        passes the stage at position s in clock s + j.
        """
        found: list[tuple[int, int, frozenset[int], frozenset[int]]] = []
        for residue in range(self.words):
            rows = {j: self.matrix[j][(j + residue) % self.words] for j in range(self.words)}
            rows = {j: c for j, c in rows.items() if c}
            # Word i < j of row j passes before the words from j on, and again after them. If this holds for
            # all entries of the diagonal, use the first pass.
            early = all(j + residue >= self.words for j in rows)
            kinds = [{j: _digits(c, naf=naf) for j, c in rows.items()} for naf in (False, True)]
            split = min(kinds, key=lambda kind: len({s for digits in kind.values() for s in digits}))
            for shift in sorted({s for digits in split.values() for s in digits}):
                signs = {j: digits.get(shift, 0) for j, digits in split.items()}
                add, sub = (frozenset(j for j, sign in signs.items() if sign == want) for want in (1, -1))
                found.append((residue - self.words if early else residue, shift, add, sub))
        found.sort(key=lambda item: item[:2])
        stages: list[Stage] = []
        for offset, shift, add, sub in found:
            position = max(offset, stages[-1].position + 1 if stages else offset)
            stages.append(Stage(position, position - offset, shift, add, sub))
        return tuple(stages)

    @cached_property
    def fold(self) -> tuple[int, ...]:
        """The words of d = 2^n - p as small signed coefficients."""
        return self._sparse(0)

    @property
    def d(self) -> int:
        """2^n - p."""
        return (1 << self.bits) - self.p

    @cached_property
    def fold_top(self) -> int:
        """Highest word of d."""
        return max(j for j, c in enumerate(self.fold) if c)

    @property
    def bias(self) -> int:
        """1 if d is above the power of two that it starts with."""
        return int(self.d > 1 << self.word_bits * self.fold_top)

    # ------------------------------------------------------------------ bounds

    @cached_property
    def high_max(self) -> tuple[int, ...]:
        """Largest value of each high word."""
        top = ((1 << self.bits) - 1) ** 2 >> self.word_bits * self.words
        mask = (1 << self.word_bits) - 1
        return tuple(min(mask, top >> self.word_bits * i) for i in range(self.words))

    @cached_property
    def row_bounds(self) -> tuple[Interval, ...]:
        """Smallest and largest value of each row."""
        found = []
        for row in self.matrix:
            low = sum(min(c, 0) * top for c, top in zip(row, self.high_max, strict=True))
            high = sum(max(c, 0) * top for c, top in zip(row, self.high_max, strict=True))
            found.append((low, high + (1 << self.word_bits) - 1))
        return tuple(found)

    @cached_property
    def guard_bits(self) -> int:
        """Number of bits of a row above its word."""
        bounds = self.row_bounds
        return _signed_bits((min(b[0] for b in bounds), max(b[1] for b in bounds))) - self.word_bits

    @cached_property
    def overflow(self) -> Interval:
        """Bounds of k, for products, and for sums and differences."""
        low = high = 0
        for j, (least, largest) in enumerate(self.row_bounds):
            shift = self.word_bits if j < self.words - 1 else self.top_bits
            low, high = (least + low) >> shift, (largest + high) >> shift
        return min(low, -1), max(high, 1)

    @cached_property
    def quotient_bits(self) -> int:
        """Number of bits of the signed q."""
        return _signed_bits((self.overflow[0] - 1, self.overflow[1] + 1))

    @cached_property
    def guess_bits(self) -> int:
        """Number of low bits of word `fold_top` that are added to k. Higher bits are only compared with 0 and
        -1.
        """
        return (max(-self.overflow[0], self.overflow[1]) + self.bias).bit_length()

    @cached_property
    def product_bits(self) -> int:
        """Number of bits of the signed fold[j] * q, less a borrow."""
        ends = [c * q for c in self.fold for q in (self.overflow[0] - 1, self.overflow[1] + 1)]
        return _signed_bits((min(ends) - 1, max(ends)))

    @cached_property
    def column_max(self) -> tuple[int, ...]:
        """Largest sum of each column of a product."""
        value = (1 << self.bits) - 1
        digit = [value >> self.digit_bits * i & (1 << self.digit_bits) - 1 for i in range(2 * self.words)]
        count = 4 * self.words
        return tuple(
            sum(digit[i] * digit[t - i] for i in range(2 * self.words) if 0 <= t - i < 2 * self.words)
            for t in range(count)
        )

    def check(self) -> None:
        """Prove the bounds on which the RTL relies. BoundError names the one that does not hold."""
        name, w, x = self.form.name, self.word_bits, 1 << self.word_bits
        halves = self.words in (4, 6, 8) and self.lanes == 2 * self.words
        _need(halves or not self.karatsuba, f"{name}: Karatsuba takes 4, 6 or 8 full words")
        _need(self.words + min(self.stages[0].position, 0) >= 3, f"{name}: too few words")
        _need(0 < self.d < 1 << self.bits - 1, f"{name}: the second term has to be negative")
        for t in range(0, 4 * self.words, 2):
            pair = self.column_max[t] + (self.column_max[t + 1] << self.digit_bits)
            _need(pair >> w < x, f"{name}: column sums too wide for a carry of one word")
        _need(self.guard_bits <= w, f"{name}: rows too wide")
        _need(self.product_bits <= w, f"{name}: fold products too wide")
        top_width = self.top_bits if self.fold_top == self.words - 1 else w
        _need(self.guess_bits < top_width, f"{name}: overflow too wide for the guess")
        _need(self.fold[self.fold_top] == 1, f"{name}: the second term has to begin a word")
        # q * d is streamed word by word: each word has one borrow from all lower words.
        for q in (self.overflow[0] - 1, self.overflow[1] + 1):
            self._fold_words(q)
        # The guess is right at the ends of its three regions, and so inside them, because the result grows
        # with V. At the ends it is linear in k on either side of 0, where regions vanish.

        unit, span = 1 << w * self.fold_top, 1 << self.bits - w * self.fold_top
        ends = {*range(-3, 4), *(end + i for end in self.overflow for i in (-1, 0, 1))}
        for k in sorted(k for k in ends if self.overflow[0] <= k <= self.overflow[1]):
            below, above = max(self.bias - k, 0), min(span - k - self.bias, span)
            for first, last, q in ((0, below, k - 1), (below, above, k), (above, span, k + 1)):
                for v in (first * unit, last * unit - 1) if first < last else ():
                    result = v + ((k - q) << self.bits) + q * self.d
                    _need(0 <= result < 1 << self.bits, f"{name}: the guess fails for k = {k}, V = {v:#x}")

    # ------------------------------------------------------------------ word by word

    def split(self, value: int, count: int) -> list[int]:
        """The lowest words of a value."""
        return [value >> self.word_bits * i & (1 << self.word_bits) - 1 for i in range(count)]

    def join(self, words: Sequence[int]) -> int:
        """The value of words in [0, x)."""
        return sum(word << self.word_bits * i for i, word in enumerate(words))

    def product(self, a: int, b: int) -> list[int]:
        """The 2W words of a * b, by columns of digits and by merging carries."""
        size, mask = 2 * self.words, (1 << self.digit_bits) - 1
        _need(0 <= a < 1 << self.bits and 0 <= b < 1 << self.bits, "operand out of range")
        digits_a = [a >> self.digit_bits * i & mask for i in range(size)]
        digits_b = [b >> self.digit_bits * i & mask for i in range(size)]
        columns = [0] * (2 * size)
        for i, x in enumerate(digits_a):
            for j, y in enumerate(digits_b):
                columns[i + j] += x * y
        found, upper, carry = [], 0, 0
        for m in range(size):
            pair = columns[2 * m] + (columns[2 * m + 1] << self.digit_bits)
            total = pair % (1 << self.word_bits) + upper + carry
            assert upper < 1 << self.word_bits and total < 2 << self.word_bits
            found.append(total % (1 << self.word_bits))
            upper, carry = pair >> self.word_bits, total >> self.word_bits
        assert upper == 0 and carry == 0  # no carry is left for the second pass of the high words
        return found

    def rows(self, low: Sequence[int], high: Sequence[int]) -> list[int]:
        """The rows of the tap chain."""
        found = []
        for j in range(self.words):
            row = low[j] + sum(stage.term(j, high) for stage in self.stages)
            assert self.row_bounds[j][0] <= row <= self.row_bounds[j][1]
            found.append(row)
        return found

    def ripple(self, rows: Sequence[int]) -> tuple[list[int], int]:
        """Words in [0, x) and the overflow above x^W, as in the carry loop: a signed upper part that is
        corrected outside the loop, and one carry bit.
        """
        x, words, upper, carry = 1 << self.word_bits, [], 0, 0
        for row in rows:
            total = row % x + upper % x + carry
            upper, carry = (row >> self.word_bits) - (upper < 0), total >> self.word_bits
            assert total < 2 * x and -(1 << self.guard_bits - 1) <= upper < 1 << self.guard_bits - 1
            words.append(total % x)
        return words, upper + carry

    def _fold_words(self, q: int) -> list[int]:
        """The words of q * d in two's complement."""
        x, words, borrow, total = 1 << self.word_bits, [], 0, 0
        for j, c in enumerate(self.fold):
            part = c * q - borrow
            _need(-x <= part < x, f"{self.form.name}: {q} * d does not fit into words")
            words.append(part % x)
            total += c * q << self.word_bits * j
            borrow = int(total < 0)
            if c * q:  # the sign of the highest part that is not 0 is that of the whole value
                assert borrow == (c * q < 0)
        return words

    def fold_result(self, words: Sequence[int], over: int, *, canonical: bool = False) -> list[int]:
        """The last pass: the result from V and the overflow above x^W. For `canonical`, q = k - 1."""
        w, x = self.word_bits, 1 << self.word_bits
        v = [*words[:-1], words[-1] % (1 << self.top_bits)]
        k = (over << w - self.top_bits) + (words[-1] >> self.top_bits)
        assert self.overflow[0] <= k <= self.overflow[1], k
        g, e = self.guess_bits, self.fold_top
        upper = [v[e] >> g, *v[e + 1 :]]
        sizes = [w] * (self.words - e)
        sizes[-1] = self.top_bits
        sizes[0] -= g
        ones = all(u == (1 << size) - 1 for u, size in zip(upper, sizes, strict=True))
        zeros = not any(upper)
        guess = v[e] % (1 << g) + k
        q = k + (ones and guess + self.bias >= 1 << g) - (zeros and guess - self.bias < 0)
        if canonical:
            q = k - 1
        result, carry = [], 0
        for word, part in zip(v, self._fold_words(q), strict=True):
            total = word + part + carry
            result.append(total % x)
            carry = total >> w
        result[-1] %= 1 << self.top_bits
        return result

    def multiply(self, a: int, b: int) -> int:
        """A value in [0, 2^n) that is a * b mod p; a, b in [0, 2^n)."""
        words = self.product(a, b)
        reduced, over = self.ripple(self.rows(words[: self.words], words[self.words :]))
        return self.join(self.fold_result(reduced, over))

    def _sum(self, a: int, b: int, subtract: bool) -> tuple[list[int], int]:
        x, words, carry = 1 << self.word_bits, [], int(subtract)
        for i, j in zip(self.split(a, self.words), self.split(b, self.words), strict=True):
            total = i + (x - 1 - j if subtract else j) + carry
            words.append(total % x)
            carry = total >> self.word_bits
        return words, carry - subtract

    def add(self, a: int, b: int) -> int:
        """A value in [0, 2^n) that is a + b mod p; a, b in [0, 2^n)."""
        return self.join(self.fold_result(*self._sum(a, b, False)))

    def subtract(self, a: int, b: int) -> int:
        """A value in [0, 2^n) that is a - b mod p; a, b in [0, 2^n)."""
        return self.join(self.fold_result(*self._sum(a, b, True)))

    def canonical(self, a: int) -> int:
        """a mod p in [0, p), for a in [0, 2^n): a + d, and q d is subtracted if q = k - 1."""
        return self.join(self.fold_result(*self._sum(a, self.d, False), canonical=True))

    # ------------------------------------------------------------------ clocks

    @property
    def multiply_interval(self) -> int:
        """Smallest number of clocks from one product to the next."""
        return 2 * self.words

    @property
    def multiply_latency(self) -> int:
        """Clocks from the start to word 0 of the result on the output. The other words follow, one in each
        clock.
        """
        later = self.words // 2 + 3 if self.karatsuba else 0
        return 3 * self.words + 12 + self.stages[-1].position + later

    @property
    def start_latency(self) -> int:
        """Clocks from word 0 of the first operand, as it leaves the register file, to the start."""
        return 6 if self.karatsuba else self.words - 1

    @property
    def add_interval(self) -> int:
        """Smallest number of clocks from one sum to the next."""
        return self.words

    @property
    def add_latency(self) -> int:
        """Clocks from word 0 of the operands to word 0 of the result."""
        return self.words + 4
