"""Digits of a constant factor, and rows of its multiples: the functions of eccel_fixed_pkg.

A number times a constant is a sum of shifted small odd multiples of the number, one for each digit of the
constant in non-adjacent form of width w: digits are odd, below 2^(w-1) in magnitude, and at least w places
apart. Multiples that do not overlap share a row. Width 2 is the canonical signed-digit form.
"""

from __future__ import annotations

_BLS_SEED = 0x8508C00000000001
FIXED_MODULI = {
    "BLS12-377": (_BLS_SEED - 1) ** 2 * (_BLS_SEED**4 - _BLS_SEED**2 + 1) // 3 + _BLS_SEED,
}
"""Constant moduli of eccel_modmul, in the order of their numbers."""


def recode(value: int, window: int) -> dict[int, int]:
    """The digits that are not 0, by place. value >= 0."""
    found, place = {}, 0
    while value:
        if value & 1:
            digit = value & (1 << window) - 1
            digit -= digit >> window - 1 << window
            found[place] = digit
            value -= digit
        value, place = value >> 1, place + 1
    return found


def row_count(places: list[int], span: int) -> int:
    """Rows that multiples of `span` bits at these places need, at least 1."""
    free_from: list[int] = []
    for place in sorted(places):
        row = next((r for r, end in enumerate(free_from) if end <= place), len(free_from))
        free_from[row : row + 1] = [place + span]
    return max(1, len(free_from))


def max_rows(value: int, window: int, span: int) -> int:
    """Rows of the sign that has more of them."""
    digits = recode(value, window)
    return max(row_count([i for i, d in digits.items() if (d < 0) == negative], span) for negative in (0, 1))
