"""eccel_gfp_correct: the result of a row and the same minus or plus the modulus, digit by digit."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.gfp.rows import DIGIT, SUM_STAGE, Pipeline, Row, edge_value, split
from tests.gfp.unit import SOURCES
from tests.module import Module
from tests.verilated import Patch


def run(bits: int, patches: Sequence[Patch] = ()) -> None:
    """Rows of different lengths, some without a gap; t close to the modulus in half of them."""
    parameters = {"DigitBits": bits, "IndexBits": 5}
    module = Module("gfp", "eccel_gfp_correct", SOURCES, parameters, patches)
    rng = random.Random(bits)
    keep_stage = SUM_STAGE + (bits == 16)
    pipeline, rows = Pipeline(rng), []
    following = 2
    for now in range(8000):
        if now == following:
            s = rng.randrange(3, 18)
            t, m = edge_value(rng, bits * s), edge_value(rng, bits * s)
            if rng.getrandbits(1):
                t = min(max(m + rng.choice((-1, 0, 1)), 0), (1 << bits * s) - 1)
            minus = rng.getrandbits(1)
            pipeline.begin([
                DIGIT.pack(valid=1, first=int(not j), top=int(j == s), d_neg=minus) for j in range(s + 1)
            ])  # fmt: skip
            rows = [*rows[-2:], (Row(now, s), t, m, minus)]
            following = now + s + 1 + rng.choice((0, 0, 1, rng.randrange(12)))
        inputs = {"sum_i": rng.getrandbits(bits), "m_i": rng.getrandbits(bits)}
        for row, t, m, _ in rows:
            if j := row.at(now, SUM_STAGE):
                inputs |= {"sum_i": split(t, bits, row.top)[j - 1], "m_i": split(m, bits, row.top)[j - 1]}
        module.clock(stage_i=pipeline.clock(), **inputs)
        pairs = [(row, t, m, minus) for row, t, m, minus in rows if row.at(now, SUM_STAGE + 1)]
        assert module["pair_we_o"] == bool(pairs)
        for row, t, m, minus in pairs:
            j = now - row.base - SUM_STAGE - 2
            d = t - m if minus else t + m
            assert module["pair_addr_o"] == j
            assert (module["t_o"], module["d_o"]) == (split(t, bits, j + 1)[j], split(d, bits, j + 1)[j])
        for row, t, m, minus in rows:
            if row.at(now, keep_stage) == row.top:
                assert module["carry_o"] == (t >= m if minus else t + m >= 1 << bits * row.top)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_both_candidates_come_digit_by_digit(bits: int) -> None:
    run(bits)


def test_a_mutant_that_starts_a_difference_with_a_borrow_fails() -> None:
    with pytest.raises(AssertionError):
        run(32, [("eccel_gfp_correct.sv", "first ? stage_i[SumStage].d_neg", "first ? 1'b0")])
