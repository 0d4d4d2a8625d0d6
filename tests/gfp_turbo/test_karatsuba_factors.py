"""eccel_karatsuba_factors: operands as eccel_karatsuba_array requires them, at full rate and with gaps."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.module import Module
from tests.verilated import Patch

DIGIT_BITS, WORDS, FAR = 16, 8, 2
WORD_BITS, START = 2 * DIGIT_BITS, 6
HALF = WORDS * DIGIT_BITS
SOURCES = ("prim/eccel_inc.sv", "gfp_turbo/eccel_karatsuba_factors.sv")


def digit(value: int, index: int) -> int:
    return value >> DIGIT_BITS * index & (1 << DIGIT_BITS) - 1


def stream(patches: Sequence[Patch] = ()) -> None:
    """Products with words of the register file at the right time only; all outputs are checked."""
    module = Module("gfp_turbo", "eccel_karatsuba_factors", SOURCES, {"DigitBits": DIGIT_BITS}, patches)
    rng = random.Random(1)
    top = (1 << 2 * HALF) - 1
    reads: list[tuple[int, int, int]] = []  # cycle, a, b
    following = 3
    for now in range(3000):
        if now == following:
            a, b = (rng.choice([0, 1, top, rng.getrandbits(2 * HALF)]) for _ in range(2))
            reads.append((now, a, b))
            following = now + 2 * WORDS + rng.choice((0, 0, 0, 1, 2, 3, WORDS))
        rdata = [rng.getrandbits(WORD_BITS) for _ in range(WORDS)]
        for read, a, b in reads[-2:]:
            for at, value in ((now - read, a), (now - read - 1, b)):
                if 0 <= at < WORDS:
                    rdata[at] = value >> WORD_BITS * at & (1 << WORD_BITS) - 1
        module.clock(read_i=bool(reads) and reads[-1][0] == now, rdata_i=rdata)
        assert module["start_o"] == any(read + START == now for read, _, _ in reads[-2:])
        for read, a, b in reads[-2:]:
            at = now - read - START
            if 0 <= at < 2 * WORDS:
                assert digit(module["digits_o"], 0) == digit(b, at % WORDS)
            if FAR <= at < FAR + 2 * WORDS:
                assert digit(module["digits_o"], 1) == digit(b, WORDS + (at - FAR) % WORDS)
            if 0 <= at <= WORDS:
                assert module["a_o"] % (1 << HALF) == a % (1 << HALF)
            if FAR + 1 <= at <= FAR + 1 + WORDS:
                assert module["a_o"] >> HALF == a >> HALF


def test_both_halves_come_twice() -> None:
    stream()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("pick_q[2] ?", "pick_q[0] ?"), ("far_b_q[index_q[2]]", "far_b_q[index_q[1]]"), ("!at[3];", "!at[4];")],
)
def test_mutants_fail(right: str, wrong: str) -> None:
    with pytest.raises(AssertionError):
        stream([("eccel_karatsuba_factors.sv", right, wrong)])
