"""eccel_turbo_factors: operands as eccel_comba_array requires them, at full rate and with gaps."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.module import Module
from tests.verilated import Patch

DIGIT_BITS = 16
WORD_BITS = 2 * DIGIT_BITS
SOURCES = ("prim/eccel_inc.sv", "gfp_turbo/eccel_turbo_factors.sv")
SIZES = {"P-192": (6, 12), "P-521": (17, 33)}
"""Words and lanes: even and odd numbers of words, a last word of which only the lower digit counts."""


def stream(words: int, lanes: int, patches: Sequence[Patch] = ()) -> None:
    """Products with words of the register file at the right time only; all outputs are checked."""
    parameters = {"DigitBits": DIGIT_BITS, "Words": words, "Lanes": lanes}
    module = Module("gfp_turbo", "eccel_turbo_factors", SOURCES, parameters, patches)
    rng, bits = random.Random(words), lanes * DIGIT_BITS
    top = (1 << bits) - 1
    edges = [0, 1, top, top - 1, 1 << bits - 1, top // 3, (1 << WORD_BITS) - 1]
    reads: list[tuple[int, int, int]] = []  # cycle, a, b
    following = 3
    for now in range(300 * words):
        if now == following:
            a, b = (rng.choice(edges) if rng.random() < 0.3 else rng.getrandbits(bits) for _ in range(2))
            reads.append((now, a, b))
            following = now + 2 * words + rng.choice((0, 0, 0, 1, 2, words))
        rdata = [rng.getrandbits(WORD_BITS) for _ in range(words)]
        for read, a, b in reads[-2:]:
            for at, value in ((now - read, a), (now - read - 1, b)):
                if 0 <= at < words:
                    rdata[at] = value >> WORD_BITS * at & (1 << WORD_BITS) - 1
        module.clock(read_i=bool(reads) and reads[-1][0] == now, rdata_i=rdata)
        started = [read for read in reads[-2:] if read[0] + words - 1 <= now]
        assert module["start_o"] == (bool(started) and started[-1][0] + words - 1 == now)
        if started:
            read, a, b = started[-1]
            digit = now - (read + words - 1)
            if digit < 2 * words:
                assert module["digit_o"] == b >> DIGIT_BITS * digit & (1 << DIGIT_BITS) - 1
            if digit == 1:
                assert module["a_o"] == a


@pytest.mark.parametrize("name", SIZES)
def test_all_of_a_comes_after_start_and_a_digit_of_b_in_each_cycle(name: str) -> None:
    stream(*SIZES[name])


def test_a_mutant_that_reads_a_word_twice_fails() -> None:
    with pytest.raises(AssertionError):
        stream(*SIZES["P-192"], [("eccel_turbo_factors.sv", "at[Words-4]) index_q", "at[Words-3]) index_q")])
