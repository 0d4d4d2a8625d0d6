"""Health tests of the entropy port: published cut-offs, the rate of false alarms, and what is detected."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.model.entropy_health import (
    ALPHA_BITS,
    FAILED,
    MIN_ENTROPY,
    SAMPLE_BITS,
    SAMPLE_STEP,
    WINDOW,
    CheckedSource,
    HealthTest,
    outputs,
    proportion_cutoff,
    repetition_cutoff,
)

SCALED = 10
"""Tests whose false alarms can be counted have a false-alarm probability of 2^-SCALED."""


def test_cutoffs_are_the_published_ones() -> None:
    """Those of the noise source jitterentropy (table jent_apt_cutoff_lookup) for 1 / H = 1, 2, 4, ...,
    alpha = 2^-30 and windows of 512 samples.
    """
    published = {1: 325, 2: 422, 4: 477, 6: 494, 7: 499, 8: 502, 10: 507, 14: 511}
    assert {r: proportion_cutoff(1 / r, 30, 512) for r in published} == published
    assert [repetition_cutoff(1 / r, 30) for r in (1, 2, 3)] == [31, 61, 91]


def test_the_cutoff_is_the_critical_value_in_exact_arithmetic() -> None:
    """H = 1: half of the samples equal the first one."""

    def above(critical: int) -> Fraction:
        return Fraction(sum(math.comb(WINDOW, i) for i in range(critical + 1, WINDOW + 1)), 2**WINDOW)

    for alpha in (10, 20, ALPHA_BITS):
        critical = proportion_cutoff(1.0, alpha) - 1
        assert above(critical) <= Fraction(1, 2**alpha) < above(critical - 1)


def test_the_package_is_generated() -> None:
    assert all((ROOT / path).read_text() == text for path, text in outputs().items())
    cutoff = repetition_cutoff(SAMPLE_BITS * MIN_ENTROPY)
    assert f"RepetitionCutoff = {cutoff};" in "".join(outputs().values())


def biased(rng: random.Random, ones: float) -> Callable[[], int]:
    """Words whose bits are 1 with the probability `ones`."""
    threshold = round(ones * 2**32)
    return lambda: sum((rng.getrandbits(32) < threshold) << SAMPLE_STEP * i for i in range(SAMPLE_BITS))


def alarms(source: Callable[[], int], test: HealthTest, words: int) -> int:
    """How often the test fails within so many words; it starts again after a failure."""
    tested = CheckedSource(source, test)
    failed = 0
    for _ in range(words):
        tested()
        failed += tested.test.failed
        if tested.test.failed:
            tested.restart()
    return failed


def test_the_repetition_count_has_the_stated_rate_of_false_alarms() -> None:
    """A source that has just the stated min-entropy: one value has the probability 2^-H. A run of C equal
    samples begins at a word with the probability 2^-HC (1 - 2^-H) < alpha.
    """
    h = MIN_ENTROPY * SAMPLE_BITS
    cutoff = repetition_cutoff(h, SCALED)
    likely, words = 2.0**-h, 100_000
    rng = random.Random(1)
    rest = range(1, 256)

    def source() -> int:
        value = 0 if rng.random() < likely else rng.choice(rest)
        return sum((value >> i & 1) << SAMPLE_STEP * i for i in range(SAMPLE_BITS))

    expected = words * likely**cutoff * (1 - likely)
    found = alarms(source, HealthTest(cutoff, WINDOW + 1), words)
    assert expected <= words * 2.0**-SCALED and abs(found - expected) <= 4 * math.sqrt(expected)


@pytest.mark.parametrize("h", [MIN_ENTROPY, 1.0])
def test_the_adaptive_proportion_has_the_stated_rate_of_false_alarms(h: float) -> None:
    """Windows whose first bit is the more likely value, which is the worst case. At alpha = 2^-5, one window
    in 32 fails at most, and half as many at least.
    """
    alpha, windows, rng = 5, 2000, random.Random(2)
    cutoff, p = proportion_cutoff(h, alpha), 2.0**-h
    counts = [1 + sum(rng.random() < p for _ in range(WINDOW - 1)) for _ in range(windows)]
    rate = sum(count >= cutoff for count in counts) / windows
    assert 2.0**-alpha / 2 < rate < 1.5 * 2.0**-alpha
    bits = [1] * cutoff + [0] * (WINDOW - cutoff)
    # The model counts as the formula does.
    assert alarms(iter(bits).__next__, HealthTest(1 << 20, cutoff), len(bits)) == 1
    bits[1] = 0
    assert alarms(iter(bits).__next__, HealthTest(1 << 20, cutoff), len(bits)) == 0


def test_an_ideal_source_and_one_at_the_stated_min_entropy_pass() -> None:
    """2^18 words of an ideal source; of the other one, 2^14."""
    rng = random.Random(3)
    assert alarms(lambda: rng.getrandbits(32), HealthTest(), 1 << 18) == 0
    assert alarms(biased(rng, 2.0**-MIN_ENTROPY), HealthTest(), 1 << 14) == 0


@pytest.mark.parametrize(
    ("words", "within"),
    [
        (itertools.repeat(0), 9),
        (itertools.repeat(0xFFFFFFFF), 9),
        (itertools.repeat(0x12345678), 9),
        (itertools.cycle([0x00000001, 0x80000001]), WINDOW),
    ],
    ids=["all zeros", "all ones", "a word that repeats", "two words with one bit in common"],
)
def test_a_broken_source_is_detected(words: Iterator[int], within: int) -> None:
    tested = CheckedSource(words.__next__)
    first = [next_word for _ in range(within) if (next_word := tested()) is not FAILED]
    assert len(first) <= within and tested() is FAILED
    tested.restart()
    assert tested() is not FAILED


def test_a_biased_source_is_detected() -> None:
    """Nine ones in ten have a min-entropy of 0.15 for each bit."""
    tested = CheckedSource(biased(random.Random(4), 0.9))
    assert any(tested() is FAILED for _ in range(2 * WINDOW))


def test_words_that_repeat_after_a_while_are_not_detected() -> None:
    """As docs/security.md says: a good sequence that comes again looks like a good source."""
    rng = random.Random(5)
    tested = CheckedSource(itertools.cycle([rng.getrandbits(32) for _ in range(64)]).__next__)
    assert not any(tested() is FAILED for _ in range(2 * WINDOW))
