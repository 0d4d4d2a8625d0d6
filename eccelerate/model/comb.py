"""Base-point multiplication by a comb with signed digits: tables, digits, and where additions could fail.

k G is computed with L = 24 e bits of a scalar U that represents k: bit i of U means +2^i if it is 1 and -2^i
if it is 0, so that k = 2 U - (2^L - 1) modulo n. A digit consists of the bits j, j + e, .. j + 5 e of a
quarter of U; four tables serve the four quarters of a column j:

    A = 0;  for j = e - 1 .. 0:  A = 2 A;  for t = 0 .. 3:  A = A + D(t, j)
    D(t, j) = sum over i of +-2^(e (6 t + i)) G, where bit e (6 t + i) + j decides the sign

A digit is never 0, and its negative is the digit of the complemented bits. So a table has the 32 entries
whose top sign is +. After Lim and Lee, CRYPTO 1994; signs as in Hedabou, Pinel, Beneteau, ISPEC 2005.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from eccelerate.curves.curve import WORD_BITS, Curve
from eccelerate.model import point
from eccelerate.model.point import Point

TEETH = 6
TABLES = 4
ENTRIES = 1 << (TEETH - 1)
BLOCKS = TEETH * TABLES  # number of pieces of e bits in U


@dataclass(frozen=True)
class Digit:
    """The bits of one table and column: the entry that they select, and whether it is subtracted."""

    index: int
    negative: bool


@dataclass(frozen=True)
class Coincidence:
    """Before the addition of table `table` in column `column` the sum may be `sign` times the digit, mod n.

    `scalars` are those k for which this holds. It is None if the bits that are added later are unknown, so
    that this may hold for some k or for none.
    """

    column: int
    table: int
    sign: int
    scalars: tuple[int, ...] | None


@dataclass(frozen=True)
class Comb:
    """The comb of one curve's base point."""

    curve: Curve

    @property
    def columns(self) -> int:
        """e, the number of columns of a table: one more than the number of doublings."""
        return columns(self.curve.p_bits)

    @property
    def bits(self) -> int:
        """L, the number of bits of U. The bits above n are 0."""
        return BLOCKS * self.columns

    @property
    def offset(self) -> int:
        """(2^L - 1) / 2 mod n."""
        return ((1 << self.bits) - 1) * pow(2, -1, self.curve.n) % self.curve.n

    def recode(self, k: int) -> int:
        """The U in [0, n) that represents k."""
        return (k * pow(2, -1, self.curve.n) + self.offset) % self.curve.n

    def digit(self, u: int, column: int, table: int) -> Digit:
        """The digit D(table, column) of U."""
        first = self.columns * TEETH * table + column
        bits = sum((u >> first + self.columns * i & 1) << i for i in range(TEETH))
        negative = bits < ENTRIES
        return Digit((~bits if negative else bits) & ENTRIES - 1, negative)

    @cached_property
    def tables(self) -> list[list[tuple[int, int]]]:
        """The entries of each table as affine points."""
        teeth = [point.base_mul(self.curve, 1 << self.columns * m) for m in range(BLOCKS)]
        return [self._table(teeth[TEETH * t : TEETH * (t + 1)]) for t in range(TABLES)]

    def _table(self, teeth: list[Point]) -> list[tuple[int, int]]:
        """Entry i is the top tooth, with tooth m added if bit m of i is 1, and subtracted if it is 0."""
        entries = [teeth[-1]]
        for tooth in reversed(teeth[:-1]):
            minus = point.negate(self.curve, tooth)
            entries = [point.add(self.curve, entry, s) for entry in entries for s in (minus, tooth)]
        found = [entry for entry in entries if entry is not None]
        assert len(found) == ENTRIES, "an entry is infinity"
        return found

    def words(self) -> list[int]:
        """Contents of the table memory: all tables, their entries, x then y, in words of 32 bits, lowest
        first.
        """
        count = -(-self.curve.p_bits // WORD_BITS)
        values = [value for table in self.tables for entry in table for value in entry]
        return [value >> WORD_BITS * i & 0xFFFFFFFF for value in values for i in range(count)]

    def multiply(self, k: int) -> Point:
        """k G, computed in the order of the engine."""
        u, total = self.recode(k), None
        for column in reversed(range(self.columns)):
            total = point.add(self.curve, total, total)
            for table, entries in enumerate(self.tables):
                digit = self.digit(u, column, table)
                entry = entries[digit.index]
                total = point.add(
                    self.curve, total, point.negate(self.curve, entry) if digit.negative else entry
                )
        return total

    # ------------------------------------------------------------------ additions that could fail

    def coincidences(self) -> Iterator[Coincidence]:
        """Every addition except the first one that may meet A = D, A = -D or A = 0 modulo n for some U < n.

        A - sign D = M n for an integer M. A has the form sum over m of g_m 2^(e m), where the g_m come from
        separate bits of U, and for most M at most one set of values of the g_m fits. The lowest g_m that is
        not 0 is no multiple of 2^e, so M = 0 never occurs: as integers the sums differ.
        """
        for column in reversed(range(self.columns)):
            for table in range(TABLES):
                if (column, table) == (self.columns - 1, 0):
                    continue  # A = 0, so the sum is the entry
                for sign in (1, -1, 0):
                    found = list(self._solutions(column, table, sign))
                    if (column, table) == (0, TABLES - 1) and sign:
                        scalars = [k for g in found if (k := self._scalar(g, sign)) is not None]
                        if scalars:
                            yield Coincidence(column, table, sign, tuple(scalars))
                    elif found:
                        yield Coincidence(column, table, sign, None)

    def _known(self, block: int, column: int) -> range:
        """Values of sum +-2^(j - column) over the columns j >= `column` of a block. Bits above n are -1."""
        if column >= self.columns:
            return range(0, 1)
        free = min(self.columns, max(self.curve.n.bit_length() - self.columns * block, 0))
        free, high = max(free - column, 0), self.columns - column
        centre = -(1 << high) + (1 << free)  # the sum of the bits that are always 0
        reach = (1 << free) - 1
        return range(centre - reach, centre + reach + 1, 2)

    def _parts(self, column: int, table: int, sign: int) -> list[range]:
        """The possible values of each g_m."""
        parts = []
        for block in range(BLOCKS):
            here = self._known(block, column)
            if block >= TEETH * table and (sign == 0 or block >= TEETH * (table + 1)):
                above = self._known(block, column + 1)
                here = range(2 * above.start, 2 * above.stop, 2 * above.step)
            elif block >= TEETH * table and sign > 0:
                # 2 c - d replaces 2 c + d: the values are the same if the bit d is free
                above, bit = self._known(block, column + 1), self._bit_is_free(block, column)
                low, high = 2 * above.start, 2 * above[-1]
                here = range(low - 1 if bit else low + 1, high + 2, 2)
            parts.append(here)
        return parts

    def _bit_is_free(self, block: int, column: int) -> bool:
        return self.columns * block + column < self.curve.n.bit_length()

    def _solutions(self, column: int, table: int, sign: int) -> Iterator[list[int]]:
        """All sets of g_m whose sum is a multiple of n, other than 0."""
        parts, e = self._parts(column, table, sign), self.columns
        least = [0] * (BLOCKS + 1)  # least sum that the blocks from m on can add, over 2^(e m)
        most = [0] * (BLOCKS + 1)
        for m in reversed(range(BLOCKS)):
            least[m] = parts[m].start + (least[m + 1] << e)
            most[m] = parts[m][-1] + (most[m + 1] << e)

        def extend(m: int, rest: int) -> Iterator[list[int]]:
            if m == BLOCKS:
                yield []
                return
            values = parts[m]
            first = values.start + ((rest - values.start) % (1 << e))
            for g in range(first, values.stop, 1 << e):
                above = (rest - g) >> e
                if g in values and least[m + 1] <= above <= most[m + 1]:
                    for tail in extend(m + 1, above):
                        yield [g, *tail]

        n = self.curve.n
        for multiple in range(-(-least[0] // n), most[0] // n + 1):
            yield from extend(0, multiple * n)

    def _scalar(self, g: list[int], sign: int) -> int | None:
        """The k whose last addition has these A - sign D. None if its U is no result of `recode`."""
        total = 0
        for m, value in enumerate(g):
            if sign > 0 and m >= TEETH * (TABLES - 1):
                # value = 2 c - d; c is odd, or 0 in a comb of one column
                d = -value if self.columns == 1 else next(d for d in (1, -1) if (value + d) % 4 == 2)
                value += 2 * d
            total += value << self.columns * m
        u = (total + (1 << self.bits) - 1) // 2
        return total % self.curve.n if 0 <= u < self.curve.n else None


def columns(bits: int) -> int:
    """The number e of columns for a field and a base point's order of so many bits."""
    return -(-bits // BLOCKS)
