"""The signed-window recoder of `ldd` gives odd digits up to 15 that add up to the scalar."""

from __future__ import annotations

import random

from eccelerate.machine.thread_state import Recoder


def recode(k: int, bits: int) -> list[int]:
    """The digits bits-1..0 of k, for 32 k < 2^bits."""
    recoder, digits = Recoder(), []
    for j in range(bits - 1, -1, -1):
        due, negative, below = recoder.step((k << 5) >> j & 1)
        digits.append((-1 if negative else 1) * (below + 1) * due)
    return digits


def value(digits: list[int]) -> int:
    total = 0
    for digit in digits:
        total = 2 * total + digit
    return total


def test_digits_of_all_short_scalars_add_up():
    for k in range(1 << 13):
        digits = recode(k, 18)
        assert value(digits) == k
        assert all(d == 0 or (d % 2 and abs(d) <= 15) for d in digits)


def test_one_digit_in_six_differs_from_zero():
    rng = random.Random(1)
    digits = [d for _ in range(300) for d in recode(rng.getrandbits(256), 261)]
    assert 0.16 < sum(map(bool, digits)) / len(digits) < 0.175
