"""eccel_entropy_health: the same words and the same failures as its model, whatever the source and the engine
do; the start-up test; what ends a failure.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from eccelerate.model.entropy_health import MIN_ENTROPY, WINDOW, HealthTest
from tests.module import Module
from tests.verilated import Patch

SOURCES = ("isa/eccel_packet_pkg.sv", "engine/gen/eccel_health_pkg.sv", "engine/eccel_entropy_health.sv")
FAILED, VALID = 1 << 33, 1 << 32
LATE = 4
"""So many words pass after that of a failure."""
DROPPED = 3
"""So many words are dropped after the start-up words."""


class Port:
    """The module between a source and an engine.

    taken: the words that the source gave; given: those that the engine got.
    """

    def __init__(self, startup: int = 0, patches: Sequence[Patch] = (), seed: int = 1) -> None:
        parameters = {"StartupWords": startup}
        self.module = Module("engine", "eccel_entropy_health", SOURCES, parameters, patches)
        self.rng = random.Random(seed)
        self.taken, self.given = list[int](), list[int]()
        self.module.clock(2)

    @property
    def failed(self) -> bool:
        return bool(self.module["ent_o"] & FAILED)

    def run(self, words: Iterator[int], clocks: int, *, fast: bool = True) -> None:
        """Clocks in which source and engine stall at random, or never."""
        word = next(words)
        for _ in range(clocks):
            valid, ready = (1, 1) if fast else (self.rng.getrandbits(1), self.rng.getrandbits(1))
            self.module.clock(ent_i=valid * VALID | word, ent_ready_i=ready)
            if self.module["ent_o"] & VALID and ready:
                self.given.append(self.module["ent_o"] & 0xFFFFFFFF)
            if valid and self.module["ent_ready_o"]:
                self.taken.append(word)
                word = next(words)
        self.module.clock(4, ent_i=0)


def failing_word(words: Sequence[int]) -> int | None:
    """The number of the word at which the model fails."""
    test = HealthTest()
    for number, word in enumerate(words):
        test.take(word)
        if test.failed:
            return number
    return None


def sources() -> dict[str, list[int]]:
    """Words of sources, good and bad ones, and some at the limits of the tests."""
    rng = random.Random(1)
    random_words = [rng.getrandbits(32) for _ in range(WINDOW + 100)]
    likely = round(2**32 * 2**-MIN_ENTROPY)
    almost = list(itertools.chain(*([w] * 8 for w in random_words[: WINDOW // 8])))
    return {
        "ideal": random_words,
        "at the stated entropy": [
            sum((rng.getrandbits(32) < likely) << i for i in range(32)) for _ in random_words
        ],
        "all ones": [0xFFFFFFFF] * 40,
        "constant after a while": [*random_words[:100], *[0x13579BDF] * 20],
        "eight of each": almost,
        "nine of one": [*almost[:80], *[almost[79]]],
        "just enough ones": window_of(809),
        "too many ones": window_of(810),
        "too many zeros": [word ^ 0xFFFFFFFF for word in window_of(810)],
        "too many ones in the next window": [*random_words[:WINDOW], *window_of(810)],
        "biased": [sum((rng.random() < 0.9) << i for i in range(32)) for _ in range(2 * WINDOW)],
    }


def window_of(ones: int) -> list[int]:
    """A window that starts with 1 and has so many ones; the other bits are random."""
    rng = random.Random(ones)
    bits = [1] * (ones - 1) + [0] * (WINDOW - ones)
    rng.shuffle(bits)
    return [rng.getrandbits(32) & ~1 | bit for bit in (1, *bits)]


def good_words(seed: int) -> Iterator[int]:
    """An endless good source."""
    rng = random.Random(seed)
    return iter(lambda: rng.getrandbits(32), None)


def compare(patches: Sequence[Patch] = (), *, fast: bool = True) -> None:
    """All sources."""
    for name, words in sources().items():
        port = Port(patches=patches)
        port.run(itertools.chain(words, good_words(9)), (1 if fast else 5) * len(words), fast=fast)
        expected = failing_word(port.taken)
        assert port.failed == (expected is not None), name
        assert port.given == port.taken, name
        if expected is not None:
            assert len(port.taken) <= expected + 1 + LATE, name


@pytest.mark.parametrize("fast", [True, False])
def test_it_fails_where_the_model_fails_and_loses_no_word(fast: bool) -> None:
    compare(fast=fast)
    assert {name for name, words in sources().items() if failing_word(words) is not None} == {
        "all ones", "constant after a while", "nine of one", "too many ones", "too many zeros",
        "too many ones in the next window", "biased",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("repeats_q[RepetitionCutoff-2] ||", "repeats_q[RepetitionCutoff-3] ||"),
        ("if (sample_q != last_q) repeats_q <= '0;", ""),
        ("after(ProportionCutoff - 1)", "after(ProportionCutoff)"),
        ("sample_q[0] == first_q", "sample_q[0]"),
        ("if (fresh_q) equal_q <= 1;", ""),
        ("after(Window - 2)", "after(Window - 3)"),
    ],
    ids=[
        "one repetition fewer", "repetitions add up", "one sample more of a window",
        "zeros do not count", "windows add up", "a shorter window",
    ],
)  # fmt: skip
def test_a_mutant_differs_from_the_model(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        compare([("eccel_entropy_health.sv", old, new)])


def test_the_start_up_words_are_tested_and_not_given_on() -> None:
    port = Port(startup=1024)
    port.run(good_words(3), 1500)
    dropped = len(port.taken) - len(port.given)
    assert 1024 <= dropped <= 1024 + DROPPED and port.taken[dropped:] == port.given and not port.failed
    for words in ([0] * 2000, window_of(810)):
        bad = Port(startup=1024)
        bad.run(iter([*words, *[5] * 600]), 1500)
        assert bad.failed and not bad.given


def test_a_failure_stays_until_a_reset() -> None:
    port = Port()
    port.run(itertools.repeat(7), 30)
    assert port.failed
    port.taken.clear()
    port.run(good_words(4), 3000)
    assert port.failed and not port.taken
    port.module.clock(rst_ni=0)
    port.module.clock(4, rst_ni=1)
    assert not port.failed
    port.run(good_words(5), 3000)
    assert not port.failed and len(port.taken) > 2900


def test_a_source_that_calls_itself_broken_has_failed() -> None:
    port = Port()
    port.module.clock(ent_i=FAILED)
    assert port.module.clock(4, ent_i=VALID | 1, ent_ready_i=1)["ent_o"] & (FAILED | VALID) == FAILED
    assert not port.module["ent_ready_o"]
