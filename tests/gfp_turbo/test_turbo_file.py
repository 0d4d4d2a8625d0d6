"""eccel_turbo_file: every read gets the words of the last write that began at least two cycles before."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.module import Module
from tests.verilated import Patch

WORDS, DEPTH, BITS = 5, 96, 32
SOURCES = ("prim/eccel_ram.sv", "gfp_turbo/eccel_turbo_file.sv")
Write = tuple[int, int, list[int]]
"""First cycle, element, words."""


def traffic(patches: Sequence[Patch] = ()) -> None:
    """A read in each cycle, writes of products and sums at full rate and with gaps."""
    parameters = {"Words": WORDS, "Depth": DEPTH, "WordBits": BITS}
    module = Module("gfp_turbo", "eccel_turbo_file", SOURCES, parameters, patches)
    rng = random.Random(1)
    elements = [0, 1, DEPTH - 1, *(rng.randrange(DEPTH) for _ in range(3))]
    writes: list[Write] = []
    reads: list[int] = []
    current: dict[str, Write] = {kind: (-WORDS, 0, [0] * WORDS) for kind in ("mul", "sum")}
    for now in range(6000):
        inputs = {"raddr_i": rng.choice(elements)}
        reads.append(inputs["raddr_i"])
        begins = rng.choice(("mul", "sum", ""))  # never both
        for kind in current:
            first = kind == begins and now - current[kind][0] >= WORDS and rng.random() < 0.5
            if first:
                current[kind] = now, rng.choice(elements), [rng.getrandbits(BITS) for _ in range(WORDS)]
                writes.append(current[kind])
            start, element, words = current[kind]
            inputs[f"{kind}_first_i"] = first
            inputs[f"{kind}_addr_i"] = element if first else rng.randrange(DEPTH)
            at = now - start
            inputs[f"{kind}_word_i"] = words[at] if at < WORDS else rng.getrandbits(BITS)
        module.clock(**inputs)
        running = [write for write in writes[-3:] if now - write[0] <= WORDS]
        assert module["busy_o"] == bool(running)
        last = [write for write in running if write[0] == now - 1]
        assert module["first_o"] == bool(last)
        assert not last or module["addr_o"] == last[0][1]
        for j, word in enumerate(module.array("rdata_o")):
            began = now - j - 2
            if began >= 0:
                check(word, j, began, reads[began], writes)


def check(word: int, j: int, began: int, element: int, writes: Sequence[Write]) -> None:
    """Word j of a read that began in a cycle; not of one whose word is being written in the same cycle."""
    for start, written, words in reversed(writes):
        if written == element and start == began - 1:
            return
        if written == element and start <= began - 2:
            assert word == words[j]
            return


def test_a_read_gets_the_words_of_the_last_write() -> None:
    traffic()


def test_a_mutant_in_which_a_write_moves_an_earlier_one_fails() -> None:
    with pytest.raises(AssertionError):
        traffic([("eccel_turbo_file.sv", "waddr_q[j] <= waddr_q[j-1]", "waddr_q[j] <= waddr_q[0]")])
