"""The comb: digits, tables, and the proof that only the last addition has exceptions on the named curves."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.model import point
from eccelerate.model.comb import BLOCKS, ENTRIES, TABLES, TEETH, Comb
from eccelerate.model.solinas import FORMS

NAMES = list(FORMS)


def digit_value(comb: Comb, u: int, column: int, table: int) -> int:
    """The multiple of G that a digit stands for, from the definition of the entry."""
    digit = comb.digit(u, column, table)
    signs = [*((digit.index >> i & 1) * 2 - 1 for i in range(TEETH - 1)), 1]
    size = sum(sign << comb.columns * (TEETH * table + i) for i, sign in enumerate(signs))
    return -size if digit.negative else size


@pytest.mark.parametrize("name", NAMES)
def test_digits_add_up_to_the_scalar(name: str) -> None:
    comb, rng = Comb(find_curve(name)), random.Random(name)
    n = comb.curve.n
    for k in (0, 1, 2, n - 1, n // 2, *(rng.randrange(n) for _ in range(20))):
        u, total = comb.recode(k), 0
        assert 0 <= u < n
        for column in reversed(range(comb.columns)):
            total *= 2
            total += sum(digit_value(comb, u, column, table) for table in range(TABLES))
        assert total == 2 * u - (1 << comb.bits) + 1
        assert total % n == k


@pytest.mark.parametrize("name", NAMES)
def test_entries_are_what_their_signs_say(name: str) -> None:
    comb = Comb(find_curve(name))
    assert [len(table) for table in comb.tables] == [ENTRIES] * TABLES
    for table in range(TABLES):
        for index in (0, 1, 6, 16, ENTRIES - 1):
            bits = [(index | ENTRIES) >> i & 1 for i in range(TEETH)]
            u = sum(bit << comb.columns * (TEETH * table + i) for i, bit in enumerate(bits))
            assert comb.digit(u, 0, table).index == index
            assert comb.tables[table][index] == point.base_mul(comb.curve, digit_value(comb, u, 0, table))
    words = comb.words()
    count = -(-comb.curve.p_bits // 32)
    assert len(words) == TABLES * ENTRIES * 2 * count
    x = sum(word << 32 * i for i, word in enumerate(words[2 * count : 3 * count]))
    assert x == comb.tables[0][1][0]


@pytest.mark.parametrize("name", NAMES)
def test_products(name: str) -> None:
    comb, rng = Comb(find_curve(name)), random.Random(name)
    for k in (0, 1, comb.curve.n - 1, rng.randrange(comb.curve.n)):
        assert comb.multiply(k) == point.base_mul(comb.curve, k)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_last_addition_has_exceptions(name: str) -> None:
    """For k = 0 the sum is infinity. For one or two scalars it is a doubling, which last_addition handles."""
    comb = Comb(find_curve(name))
    found = {(c.column, c.table, c.sign): c.scalars for c in comb.coincidences()}
    assert found.keys() <= {(0, TABLES - 1, 1), (0, TABLES - 1, -1)}
    assert found[0, TABLES - 1, -1] == (0,)
    for k in found[0, TABLES - 1, 1] or ():
        last = digit_value(comb, comb.recode(k), 0, TABLES - 1)
        assert (k - 2 * last) % comb.curve.n == 0


def small(p_bits: int, n: int) -> Curve:
    """As much of a curve as the search for coincidences needs."""
    return replace(find_curve("P-256"), name="small", p=(1 << p_bits) - 1, n=n)


@pytest.mark.parametrize(("p_bits", "n"), [(24, 2039), (25, 1021), (48, 4093), (26, 509)])
def test_search_finds_all_exceptions_of_small_orders(p_bits: int, n: int) -> None:
    """Compared with all scalars. An order far below 2^(24 e) has many exceptions, also in the middle."""
    comb = Comb(small(p_bits, n))
    met: dict[tuple[int, int, int], set[int]] = {}
    for k in range(n):
        u, total = comb.recode(k), 0
        for column in reversed(range(comb.columns)):
            total *= 2
            for table in range(TABLES):
                digit = digit_value(comb, u, column, table)
                for sign in (1, -1, 0):
                    if (total - sign * digit) % n == 0 and (column, table) != (comb.columns - 1, 0):
                        met.setdefault((column, table, sign), set()).add(k)
                total += digit
    found = {(c.column, c.table, c.sign): c.scalars for c in comb.coincidences()}
    assert met and met.keys() <= found.keys()
    for sign in (1, -1):
        last = met.get((0, TABLES - 1, sign), set())
        assert set(found.get((0, TABLES - 1, sign)) or ()) == last
    assert BLOCKS * comb.columns == comb.bits
