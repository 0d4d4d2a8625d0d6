"""eccel_ascon and eccel_hedge against their models."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate.model.ascon import XOF_IV, HedgeSponge, permute
from tests.module import Module
from tests.verilated import Patch

SOURCES = ("isa/eccel_packet_pkg.sv", "engine/eccel_ascon.sv", "engine/eccel_hedge.sv")
VALID, FAILED = 1 << 32, 1 << 33
SETTLE = 8


def permutations(columns: int, patches: Sequence[Patch] = ()) -> None:
    """A chain of permutations with edge and random words, its duration, and a reset in the middle."""
    rng = random.Random(columns)
    module = Module("engine", "eccel_ascon", SOURCES, {"Columns": columns}, patches)
    for _ in range(2):
        state = [XOF_IV, 0, 0, 0, 0]
        for word in (0, (1 << 64) - 1, *(rng.getrandbits(64) for _ in range(4))):
            module.clock(start_i=1, word_i=word)
            module.clock(start_i=0, word_i=rng.getrandbits(64))
            clocks = 0
            while module["busy_o"]:
                module.clock()
                clocks += 1
            assert clocks == 24 * 64 // columns
            state[0] ^= word
            state = permute(state)
            assert module["word_o"] == state[0]
        module.clock(start_i=1)
        module.clock(30, start_i=0)
        module.clock(rst_ni=0)
        module.clock(rst_ni=1)
        assert not module["busy_o"] and module["word_o"] == XOF_IV


@pytest.mark.parametrize("columns", [8, 16, 32])
def test_the_permutation_is_that_of_the_model(columns: int) -> None:
    permutations(columns)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{~round_q, round_q}", "{round_q, round_q}"),
        ("x[4] ^= x[3];", ""),
        ("'{28, 39, 6, 17, 41}", "'{28, 39, 6, 17, 40}"),
        ("4'd11", "4'd10"),
    ],
    ids=["another constant", "another substitution", "another rotation", "a round less"],
)
def test_a_mutant_is_another_permutation(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        permutations(8, [("eccel_ascon.sv", old, new)])


def test_every_word_of_entropy_gives_one_word_of_the_sponge() -> None:
    """Source and mover stall at random. The old word is random until it has to be valid."""
    rng = random.Random(1)
    module = Module("engine", "eccel_hedge", SOURCES, {"Columns": 32})
    sponge, taken, given = HedgeSponge(), list[int](), list[int]()
    valid, entropy, old, asked, ready = 0, 0, rng.getrandbits(32), 0, 0
    olds: list[int] = []
    for _ in range(6000):
        if not valid and rng.random() < 0.1:
            valid, entropy = 1, rng.getrandbits(32)
        if not ready and rng.random() < 0.3:
            ready, asked, old = 1, 0, rng.getrandbits(32)
        seen = old if asked >= SETTLE else rng.getrandbits(32)
        module.clock(ent_i=valid * VALID | entropy, ent_ready_i=ready, old_i=seen)
        if valid and module["ent_ready_o"]:
            taken.append(entropy)
            olds.append(old)
            valid = 0
        if ready and module["ent_o"] & VALID:
            given.append(module["ent_o"] & 0xFFFFFFFF)
            asked, old = 0, rng.getrandbits(32)
            ready = rng.getrandbits(1)
        elif ready:
            asked += 1
    expected = [sponge.draw(*pair) for pair in zip(taken, olds, strict=True)]
    assert len(given) > 60 and given == expected[: len(given)]


def test_a_reset_wipes_the_sponge_and_a_failure_is_passed_on() -> None:
    module = Module("engine", "eccel_hedge", SOURCES, {"Columns": 32})
    words = []
    for _ in range(2):
        module.clock(200, ent_i=VALID | 7, ent_ready_i=1, old_i=9)
        module.clock(200, ent_ready_i=0)
        module.clock(100, ent_ready_i=1, ent_i=VALID | 7)
        words.append(module["ent_o"] & 0xFFFFFFFF)
        module.clock(rst_ni=0)
        module.clock(rst_ni=1, ent_ready_i=0)
    assert words[0] == words[1]
    assert module.clock(ent_i=FAILED)["ent_o"] == FAILED | XOF_IV & 0xFFFFFFFF
