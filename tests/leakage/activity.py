"""Attacks with one trace: what the activity of the steps of a multiplication tells about its scalar.

A trace is the activity of the RTL model, clock by clock: how many bits of its state change. It has no noise,
so a measurement of a device tells less. The attacker knows the program, and has profiled an engine of the
same kind with scalars of his own. He then guesses from one trace of an unknown scalar. Guesses are counted
over many trials, and compared with those of somebody who has no trace.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from eccelerate.rtlsim.rtl import EventKind, RtlTransport

Features = Sequence[float]
Label = Hashable
FALSE_ALARM = 1e-4
"""Probability with which `Score.tells` may be wrong about an attacker who only guesses."""


@dataclass(frozen=True)
class Trace:
    """The activity of one job by clock from `begin`, and when its instructions and operations began.

    passes: clocks at which each address was executed. issues: clocks at which the field unit took an
    operation.
    """

    begin: int
    activity: list[int]
    passes: dict[int, list[int]]
    issues: list[int]

    def between(self, begin: int, end: int) -> list[int]:
        """The activity of the clocks from `begin` to before `end`."""
        assert self.begin <= begin <= end <= self.begin + len(self.activity)
        return self.activity[begin - self.begin : end - self.begin]

    def of_unit(self, address: int, count: int, wait: int, length: int = 0) -> list[list[int]]:
        """The steps that the instruction at `address` starts in the field unit: `count` of equal length. The
        first operation after that at `wait` waits for them.

        length: their clocks, if other operations begin before they end.
        """
        (start,) = self.passes[address]
        begin = next(clock for clock in self.issues if clock >= start)
        end = begin if length else next(clock for clock in self.issues if clock > self.passes[wait][-1])
        length = length or (end - begin) // count
        return [self.between(begin + i * length, begin + (i + 1) * length) for i in range(count)]

    def of_loop(self, address: int) -> list[list[int]]:
        """The rounds of the loop that passes `address` once in each. The last round is taken to be as long
        as the one before it.
        """
        passes = self.passes[address]
        ends = [*passes, 2 * passes[-1] - passes[-2]]
        return [self.between(begin, end) for begin, end in pairwise(ends)]


def record(transport: RtlTransport, job: Callable[[], object]) -> Trace:
    """The trace of `job`, which exchanges packets with the transport, opened with `events=True`."""
    transport.record_events(True)
    transport.count_activity(True)
    begin = transport.clocks
    job()
    activity = transport.take_activity()
    events = transport.take_events()
    transport.count_activity(False)
    transport.record_events(False)
    passes = defaultdict(list)
    for event in events:
        if event.kind == EventKind.INSTRUCTION:
            passes[event.value].append(event.cycle)
    issues = [event.cycle for event in events if event.kind == EventKind.FIELD_ISSUE]
    return Trace(begin, memoryview(activity).cast("H").tolist(), dict(passes), issues)


@dataclass(frozen=True)
class Score:
    """`hits` of `trials` guesses are right; without a trace each is right with probability `chance`.

    attempts: the number of attacks of which this is the best one.
    """

    hits: int
    trials: int
    chance: float
    attempts: int = 1

    @property
    def by_luck(self) -> float:
        """Probability that the best of the attempts has as many hits without a trace."""
        return min(1.0, self.attempts * binomial_tail(self.hits, self.trials, self.chance))

    @property
    def tells(self) -> bool:
        """Whether the traces tell something about the scalars."""
        return self.by_luck < FALSE_ALARM

    def __str__(self) -> str:
        expected = self.trials * self.chance
        return f"{self.hits} of {self.trials} right, {expected:.0f} by guessing (p = {self.by_luck:.2g})"


def binomial_tail(hits: int, trials: int, chance: float) -> float:
    """Probability of `hits` or more successes in independent trials."""

    def log_probability(i: int) -> float:
        ways = math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
        return ways + i * math.log(chance) + (trials - i) * math.log1p(-chance)

    return min(1.0, sum(math.exp(log_probability(i)) for i in range(hits, trials + 1)))


class Templates:
    """Normal distributions of independent features, one mean for each label and a common variance.

    points: use only so many features, those whose means differ most; None: all.
    """

    def __init__(self, profile: Iterable[tuple[Features, Label]], points: int | None = None) -> None:
        groups: dict[Label, list[Features]] = defaultdict(list)
        for features, label in profile:
            groups[label].append(features)
        self.means = {label: _means(group) for label, group in groups.items()}
        squares = [
            [(x - mean) ** 2 for x, mean in zip(features, self.means[label], strict=True)]
            for label, group in groups.items()
            for features in group
        ]
        # A feature that does not vary in the profile counts as one that varies by half a bit.
        self.weights = [1 / max(variance, 0.25) for variance in _means(squares)]
        if points is not None:
            spread = [max(means) - min(means) for means in zip(*self.means.values(), strict=True)]
            telling = [s * s * weight for s, weight in zip(spread, self.weights, strict=True)]
            kept = set(sorted(range(len(telling)), key=telling.__getitem__)[-points:])
            self.weights = [weight if i in kept else 0.0 for i, weight in enumerate(self.weights)]

    def guess(self, features: Features) -> Label:
        """The most likely label."""

        def distance(label: Label) -> float:
            terms = zip(features, self.means[label], self.weights, strict=True)
            return sum((x - mean) ** 2 * weight for x, mean, weight in terms)

        return min(self.means, key=distance)


def _means(rows: Sequence[Features]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]


def attack(trials: Sequence[tuple[Features, Label]], labels: int, points: int | None = None) -> Score:
    """Profiles with the first half of the trials, and guesses the label of each one of the other half.

    The labels are drawn evenly from so many. points: of `Templates`.
    """
    half = len(trials) // 2
    templates = Templates(trials[:half], points)
    hits = sum(templates.guess(features) == label for features, label in trials[half:])
    return Score(hits, len(trials) - half, 1 / labels)


def totals(steps: Sequence[Sequence[int]]) -> list[int]:
    """The activity of each step."""
    return [sum(step) for step in steps]


def attack_leading_zeros(
    traces: Sequence[Sequence[Sequence[int]]], zeros: Sequence[int], labels: int
) -> Score:
    """Guesses the number of leading zeros of scalars, drawn evenly from 0 to labels - 1.

    traces: for each scalar the activity of its steps by clock, from the top bit.
    """
    trials = [(totals(steps[: labels + 2]), zero) for steps, zero in zip(traces, zeros, strict=True)]
    return attack(trials, labels)


def attack_bits(
    traces: Sequence[Sequence[Sequence[int]]],
    numbers: Sequence[int],
    *,
    clocks: bool = False,
    points: int | None = None,
) -> list[Score]:
    """Guesses every bit of numbers with as many bits as steps, top bit first: a score for each bit that is
    not the same in all of them. Bits are even, each one from the activity of its step and of the next one.

    clocks: from their clocks one by one, in place of the sums of a step. points: of `Templates`.
    """
    count = len(traces[0])
    scores = []
    for place in range(count):
        bits = [number >> count - 1 - place & 1 for number in numbers]
        half = len(bits) // 2
        if len(set(bits[:half])) == 1:
            continue
        near = [steps[place : place + 2] for steps in traces]
        features: list[list[int]] = [
            [x for step in steps for x in step] if clocks else totals(steps) for steps in near
        ]
        scores.append(attack(list(zip(features, bits, strict=True)), 2, points))
    return scores


def attack_choices(
    traces: Sequence[Sequence[Sequence[int]]], scalars: Sequence[int], bits: int
) -> dict[str, Score]:
    """All attacks on single bits of scalars with as many bits as steps, of which the last `bits` are even:
    the score of the best one, and of all together, by what is guessed and from what.

    A step may show its bit, or whether its bit differs from the one before, which decides which registers it
    works on. Both tell the scalar.
    """
    scores = {}
    for what, numbers in (("bits", scalars), ("changes", [scalar ^ scalar >> 1 for scalar in scalars])):
        for clocks in (False, True):
            each = attack_bits([steps[-bits:] for steps in traces], numbers, clocks=clocks)
            name = f"{what} from {'clocks' if clocks else 'steps'}"
            scores[f"{name}, best"], scores[f"{name}, all"] = best(each), together(each)
    return scores


def best(scores: Sequence[Score]) -> Score:
    """The score with the most hits, as one of so many attempts."""
    top = max(scores, key=lambda score: score.hits)
    return Score(top.hits, top.trials, top.chance, len(scores))


def together(scores: Sequence[Score]) -> Score:
    """All guesses as those of one attack. They have the same chance."""
    hits, trials = sum(score.hits for score in scores), sum(score.trials for score in scores)
    return Score(hits, trials, scores[0].chance)
