"""eccel_digit_mul_skew: two numbers whose sum is the product, with the upper half of b one cycle late."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.gfp.test_digit_mul import digits
from tests.gfp.unit import SOURCES
from tests.module import Module
from tests.verilated import Patch

BITS, LATENCY, SETTLE, COUNT = 64, 4, 8, 4000


def wrong(patches: Sequence[Patch] = ()) -> int:
    """Wrong products among numbers of one to five digits, one after the other, each times a digit."""
    module, rng = Module("gfp", "eccel_digit_mul_skew", SOURCES, patches=patches), random.Random(1)
    some = iter(digits(BITS, 16 * COUNT))
    numbers = [([next(some) for _ in range(rng.randrange(1, 6))], next(some)) for _ in range(COUNT)]
    # In each cycle: the end of a number, its digit, whether b comes, b. What is not used is random.
    early = [(1, 0, 1, 0)] * SETTLE  # the carries are undefined at first
    for number, b in numbers:
        early += [(0, digit, not j, b if not j else next(some)) for j, digit in enumerate(number)]
        early.append((1, next(some), 0, next(some)))
    late, sums = (1, 0, 0, 0), []
    for cycle in range(len(early) + LATENCY):
        clear, digit, enable, b = early[min(cycle, len(early) - 1)]
        module.clock(
            a_clr_i=clear, a_i=digit, b_en_i=enable, b_i=b & 0xFFFFFFFF,
            late_a_clr_i=late[0], late_a_i=late[1], late_b_en_i=late[2], late_b_i=late[3] >> 32,
        )  # fmt: skip
        late = clear, digit, enable, b
        sums.append(module["low_o"] + module["high_o"])
    out, errors = iter(sums[LATENCY + SETTLE :]), 0
    for number, b in numbers:
        product = sum(next(out) << BITS * j for j in range(len(number) + 1))
        errors += product != b * sum(digit << BITS * j for j, digit in enumerate(number))
    return errors


def test_both_outputs_add_up_to_the_product() -> None:
    assert wrong() == 0


def test_a_mutant_that_loses_what_belongs_to_the_next_digit_fails() -> None:
    assert wrong([("eccel_digit_mul_skew.sv", "upper_q[i] <= pp[i][3-i][31:16];", "upper_q[i] <= '0;")]) > 0
