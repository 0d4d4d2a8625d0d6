"""eccel_gfp_row: sums of products and of other operations, row after row, with the bit above."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.gfp.rows import DIGIT, ROW_STAGE, SUM_STAGE, Pipeline, Row, edge_value, split
from tests.gfp.unit import SOURCES
from tests.module import Module
from tests.verilated import Patch


@dataclass
class Sum:
    """A row with its operands (of a product: a, m, t; of another operation: x as a, y as t)."""

    row: Row
    product: bool
    a: int
    m: int
    t: int
    b: int
    q: int
    value: int
    """What the row adds up to, with the bit above its highest digit; 1 there: a difference has no borrow."""


def operation(rng: random.Random, bits: int, base: int, top: int) -> tuple[Sum, list[int]]:
    """A row that begins in a cycle, and what happens to its digits. top: the bit above the previous row."""
    s, size = rng.randrange(3, 12), 1 << bits
    row = Row(base, s)
    a, m, t = (edge_value(rng, bits * s) for _ in range(3))
    if rng.random() < 0.6:
        b, q, first = edge_value(rng, bits), edge_value(rng, bits), rng.random() < 0.2
        value = a * b + q * m + (0 if first else t + (top << bits * s))
        digits = [
            DIGIT.pack(
                valid=1, first=int(not j), top=int(j == s), product=int(j < s), reduce=int(j < s),
                t_en=int(j < s and not first), t_top=int(j == s and not first), d_neg=1,
            )
            for j in range(s + 1)
        ]  # fmt: skip
        return Sum(row, True, a, m, t, b, q, value), digits
    b, add, minus = rng.getrandbits(1), rng.random() < 0.8, rng.getrandbits(1)
    y = t if add else 0
    value = (a * b + (-y if minus else y)) * size
    if minus:
        value += size << bits * s
    digits = [
        DIGIT.pack(
            valid=1,
            first=int(not j),
            top=int(j == s),
            product=int(j > 0),
            y_en=int(add and j > 0),
            y_neg=minus,
        )
        for j in range(s + 1)
    ]
    return Sum(row, False, a, m, t, b, 0, value), digits


def run(bits: int, patches: Sequence[Patch] = ()) -> None:
    """Rows without a gap and with gaps; an input that no row uses in a cycle has a random value."""
    module = Module("gfp", "eccel_gfp_row", SOURCES, {"DigitBits": bits}, patches)
    rng = random.Random(bits)
    pipeline, rows, top, following = Pipeline(rng), list[Sum](), 0, 2
    for now in range(6000):
        if now == following:
            each, digits = operation(rng, bits, now, top)
            pipeline.begin(digits)
            rows = [*rows[-2:], each]
            top = each.value >> bits * (each.row.top + 1)
            following = now + max(each.row.top + 1, 9) + rng.choice((0, 0, 1, rng.randrange(12)))
        inputs = {f"{name}_i": rng.getrandbits(bits) for name in "ambqty"}
        for each in rows:
            s, row = each.row.top, each.row
            shift = 0 if each.product else 1  # other operations have their digits one later
            if (j := row.at(now, 2)) is not None:
                if 0 <= j - shift < s:
                    inputs["a_i"] = split(each.a, bits, s)[j - shift]
                if each.product and j < s:
                    inputs["m_i"] = split(each.m, bits, s)[j]
                if j == 0:
                    inputs["b_i"], inputs["q_i"] = each.b, each.q
            if (j := row.at(now, ROW_STAGE - 1)) is not None and 0 <= j - shift < s:
                inputs["t_i" if each.product else "y_i"] = split(each.t, bits, s)[j - shift]
        module.clock(stage_i=pipeline.clock(), **inputs)
        for each in rows:
            row = each.row
            if (j := row.at(now, SUM_STAGE)) is not None:
                assert module["sum_o"] == split(each.value, bits, row.top + 1)[j]
            if each.product and (j := row.at(now, SUM_STAGE + 1)) is not None and j < row.top:
                assert module["m_o"] == split(each.m, bits, row.top)[j]
        settled = [each for each in rows if now >= each.row.base + each.row.top + SUM_STAGE]
        if settled:
            each = settled[-1]
            assert module["top_o"] == each.value >> bits * (each.row.top + 1)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_a_row_adds_up(bits: int) -> None:
    run(bits)


def test_a_mutant_without_the_bit_above_the_previous_row_fails() -> None:
    with pytest.raises(AssertionError):
        run(32, [("eccel_gfp_row.sv", "addend_q <= word_t'(top_o)", "addend_q <= '0")])
