"""One trace of a turbo engine tells nothing about the digits of a scalar (docs/security.md).

The attacked job runs alone, so that an engine with four threads adds no activity of other scalars. Traces end
after a few digits, by the zeroise input: all later digits are alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.model.comb import TABLES, Comb
from eccelerate.model.jobs import Op
from tests.leakage.activity import Score, attack, together
from tests.leakage.victim import Change, Victim
from tests.sampled import sampled

TRIALS = 40
CONTROLS = 24
"""Trials of attacks that succeed."""
CLOCK_TRIALS = 150
"""Trials of attacks from single clocks."""
POINTS = 2
"""Clocks of a round from which a bit is guessed."""
INDEX_BITS = 3
"""Bits of the table's index in a window of 4 bits."""


@dataclass(frozen=True)
class Target:
    """What is attacked: a job and its rounds.

    rounds: label that begins a round. count: rounds of a trace. stop: clocks after which the trace ends.
    labels: the bits of the recoded scalar that belong to a round.
    """

    op: Op
    rounds: str
    count: int
    stop: int
    labels: Callable[[Curve, int, int], list[bool]]

    def operands(self, curve: Curve, k: int) -> tuple[int, ...]:
        return (k, *curve.generator) if self.op == Op.MUL else (k,)

    def parts(self, victim: Victim, curve: Curve, k: int, part: int) -> list[list[int]]:
        """For each round, the activity of its parts of `part` clocks."""
        trace = victim.short_trace(self.op, self.operands(curve, k), self.stop)
        begins = trace.passes[victim.labels[self.rounds]]
        assert len(begins) > self.count
        found = []
        for begin, end in pairwise(begins[: self.count + 1]):
            clocks = trace.between(begin, end)
            found.append([sum(clocks[i : i + part]) for i in range(0, len(clocks), part)])
        return found


def window_bits(curve: Curve) -> int:
    """Number of bits of a scalar that is recoded for windows."""
    return -(-curve.n.bit_length() // 4) * 4


def window(curve: Curve, k: int, place: int) -> int:
    """The digit of window `place`, from the top, as 4 bits; ucode/turbo/recode.s."""
    bits = window_bits(curve)
    u = (k + (1 << bits) - 1) * pow(2, -1, curve.n) % curve.n
    return u >> bits - 4 * (place + 1) & 15


def window_labels(curve: Curve, k: int, place: int) -> list[bool]:
    """Sign of the digit, and the bits of its index. The first window is not part of the loop."""
    digit = 2 * window(curve, k, place + 1) - 15
    return [digit < 0, *(bool(abs(digit) >> 1 + i & 1) for i in range(INDEX_BITS))]


def comb_labels(curve: Curve, k: int, place: int) -> list[bool]:
    """Signs and bits of the indices of the four digits of a column."""
    comb = Comb(curve)
    u = comb.recode(k)
    digits = [comb.digit(u, comb.columns - 1 - place, table) for table in range(TABLES)]
    return [bit for each in digits for bit in (each.negative, *(bool(each.index >> i & 1) for i in range(5)))]


ROUND, CLOCK = 1 << 20, 1
"""As the length of a part: a round in one piece, and single clocks."""
TARGETS = {
    "turbo-p256-t1": Target(Op.MUL, "scalar_mul.window", 4, 10_000, window_labels),
    "turbo-p256": Target(Op.BASE_MUL, "comb_mul.second", 2, 17_000, comb_labels),
}
SOAK = {
    **TARGETS,
    "turbo-p256 MUL": Target(Op.MUL, "scalar_mul.window", 3, 24_000, window_labels),
    "turbo-p256-t1 BASE_MUL": Target(Op.BASE_MUL, "comb_mul.second", 2, 9_000, comb_labels),
    "turbo-generic256": Target(Op.MUL, "scalar_mul.window", 2, 60_000, window_labels),
}
WINDOWS = {name: target for name, target in SOAK.items() if target.op == Op.MUL}


def digits(victim: Victim, target: Target, curve: Curve, scalars: Sequence[int], part: int = ROUND) -> Score:
    """Guesses every label of every round from the activity of the round's parts, and counts all guesses."""
    traces = [target.parts(victim, curve, k, part) for k in scalars]
    labels = [[target.labels(curve, k, place) for place in range(target.count)] for k in scalars]
    scores = []
    for place in range(target.count):
        for which in range(len(labels[0][place])):
            trials = [
                (trace[place], label[place][which]) for trace, label in zip(traces, labels, strict=True)
            ]
            if len({label for _, label in trials[: len(trials) // 2]}) == 2:
                scores.append(attack(trials, 2))
    return together(scores)


def windows(victim: Victim, target: Target, curve: Curve, scalars: Sequence[int]) -> list[Score]:
    """Guesses from single clocks of a round whether its digit is negative, and for each entry of the table
    whether the digit selects it. Each guess is right with probability 1/2: of the rounds with the more
    frequent answer, only as many are used.

    All rounds but the first one run the same instructions, and count as traces of the same round.
    """
    rounds: list[tuple[list[int], int]] = []
    for k in scalars:
        for place, part in enumerate(target.parts(victim, curve, k, CLOCK)[1:], 1):
            rounds.append((part, 2 * window(curve, k, place + 1) - 15))
    questions: list[Callable[[int], bool]] = [lambda digit: digit < 0]
    questions += [lambda digit, entry=entry: abs(digit) >> 1 == entry for entry in range(1 << INDEX_BITS)]
    rng, scores = random.Random(1), []
    for question in questions:
        answers = [
            [(part, answer) for part, digit in rounds if question(digit) == answer]
            for answer in (False, True)
        ]
        count = min(map(len, answers))
        trials = [trial for each in answers for trial in rng.sample(each, count)]
        rng.shuffle(trials)
        score = attack(trials, 2, POINTS)
        scores.append(replace(score, attempts=len(questions)))
    return scores


def open_victim(
    name: str, folder: Path, changes: Sequence[Change] = (), rtl_changes: Sequence[Change] = ()
) -> tuple[Victim, Curve]:
    curve = find_curve(find_config(name).curve_name)
    return Victim(name, curve, folder, changes, rtl_changes), curve


def draw(curve: Curve, count: int) -> list[int]:
    rng = random.Random(1)
    return [rng.randrange(1, curve.n) for _ in range(count)]


@sampled("name", TARGETS, now=1)
def test_rounds_tell_nothing_about_digits(name: str, tmp_path: Path) -> None:
    victim, curve = open_victim(name, tmp_path)
    score = digits(victim, TARGETS[name], curve, draw(curve, TRIALS))
    assert not score.tells, score


@sampled("name", WINDOWS, now=1)
def test_single_clocks_tell_nothing_about_windows(name: str, tmp_path: Path) -> None:
    victim, curve = open_victim(name.split()[0], tmp_path)
    scores = windows(victim, WINDOWS[name], curve, draw(curve, CLOCK_TRIALS))
    assert not any(score.tells for score in scores), scores


@pytest.mark.soak
@pytest.mark.timeout(14_000)
@pytest.mark.parametrize(
    ("name", "part"),
    [(name, part) for name in SOAK for part in (ROUND, 16) if (name, part) != ("turbo-p256", 16)],
)
def test_a_thousand_guesses_tell_nothing_about_digits(name: str, part: int, tmp_path: Path) -> None:
    """From whole rounds, and from every 16 clocks: those in which one entry of the comb's table passes."""
    victim, curve = open_victim(name.split()[0], tmp_path)
    score = digits(victim, SOAK[name], curve, draw(curve, 2000), part)
    assert not score.tells, score


@pytest.mark.soak
@pytest.mark.timeout(14_000)
@pytest.mark.parametrize("name", WINDOWS)
def test_single_clocks_of_a_thousand_traces_tell_nothing_about_windows(name: str, tmp_path: Path) -> None:
    victim, curve = open_victim(name.split()[0], tmp_path)
    scores = windows(victim, WINDOWS[name], curve, draw(curve, 1000))
    assert not any(score.tells for score in scores), scores


# A digit of +-1 selects a summand with coordinates that are 0, as a recoding with digits that are 0 would.
ZERO_DIGIT: tuple[Change, ...] = (
    (
        "turbo/digit.s",
        "    candidate 7\n",
        "    candidate 7\n    setb X==0\n    csel sx, sx, zero\n    csel sy, sy, zero\n",
    ),
    # Room for it: operands of refused jobs stay.
    (
        "shared/wipe_operands.s",
        "    wipe 2\n    wipe 3\n    wipe 4\n    wipe 5\n    wipe 6\n    wipe 7\n",
        "",
    ),
)
# Three products more in each column, with factors that are 0 unless its second digit is negative.
ZERO_FACTOR: tuple[Change, ...] = (
    (
        "turbo/comb_mul.s",
        ".added:\n    take_next\n",
        ".added:\n    take_next\n    csel y2, sy, zero\n" + 3 * "    mul  y2, y2, y2\n",
    ),
)


@pytest.mark.soak
@pytest.mark.timeout(14_000)
def test_the_comb_of_four_threads_shows_its_entries(tmp_path: Path) -> None:
    """Here every 16 clocks do tell (docs/security.md)."""
    victim, curve = open_victim("turbo-p256", tmp_path)
    score = digits(victim, SOAK["turbo-p256"], curve, draw(curve, 2000), 16)
    assert score.tells, score


# csel reads the register that it replaces first, and while it waits.
SELECTION_FIRST: tuple[Change, ...] = (
    ("gfp_turbo/eccel_turbo_pkg.sv", "return op == OpCsel;", "return 1'b0;"),
    ("gfp_turbo/eccel_turbo_pkg.sv", "sum.take_y = !b;", "sum.take_y = b;"),
)
# csel masks one operand and adds the other, as it did.
MASKED_SELECTION: tuple[Change, ...] = (
    (
        "gfp_turbo/eccel_turbo_pkg.sv",
        "OpCsel:  sum.take_y = !b;",
        "OpCsel:  {sum.take_y, sum.add} = {2{!b}};",
    ),
    ("gfp_turbo/eccel_turbo_terms.sv", "!x_due || op_q[1].load", "!x_due || op_q[1].load || op_q[1].take_y"),
    ("gfp_turbo/eccel_turbo_terms.sv", "op_q[4].take_y ? y_soon : x_soon_o", "x_soon_o"),
)
# Between two operations the words that are read go on to the adder.
NO_END: tuple[Change, ...] = (("gfp_turbo/eccel_turbo_terms.sv", "x_due && !end_i", "1'b1"),)
# Changes of the RTL that single clocks tell, and how many traces it takes.
TELLING: dict[str, tuple[Sequence[Change], int]] = {
    "no end": (NO_END, CLOCK_TRIALS),
    "mask": (MASKED_SELECTION, 800),
    "order": (SELECTION_FIRST, 800),
}


@sampled("what", TELLING, now=1)
def test_single_clocks_tell_windows(what: str, tmp_path: Path) -> None:
    """The controls of the attack on single clocks."""
    rtl_changes, trials = TELLING[what]
    victim, curve = open_victim("turbo-p256-t1", tmp_path, (), rtl_changes)
    scores = windows(victim, WINDOWS["turbo-p256-t1"], curve, draw(curve, trials))
    assert any(score.tells for score in scores), scores


def test_the_attack_finds_windows_whose_summand_is_zero(tmp_path: Path) -> None:
    """The control: without it, an attack that never works would pass."""
    victim, curve = open_victim("turbo-p256-t1", tmp_path, ZERO_DIGIT)
    rng, bits = random.Random(1), window_bits(curve)
    scalars = []
    for _ in range(CONTROLS):  # in every second digit +-1
        u = rng.randrange(curve.n >> 4)
        for place in range(1, 6):
            value = rng.choice([7, 8]) if rng.random() < 0.5 else rng.choice([*range(7), *range(9, 16)])
            shift = bits - 4 * (place + 1)
            u = u & ~(15 << shift) | value << shift
        scalars.append((2 * u - (1 << bits) + 1) % curve.n)

    def is_one(curve: Curve, k: int, place: int) -> list[bool]:
        return [window(curve, k, place + 1) in (7, 8)]

    found = TARGETS["turbo-p256-t1"]
    target = Target(found.op, found.rounds, found.count, found.stop, is_one)
    assert digits(victim, target, curve, scalars).tells


def test_the_attack_finds_signs_if_a_factor_is_zero(tmp_path: Path) -> None:
    """The control of the comb."""
    victim, curve = open_victim("turbo-p256", tmp_path, ZERO_FACTOR)
    found = TARGETS["turbo-p256"]

    def negative(curve: Curve, k: int, place: int) -> list[bool]:
        return comb_labels(curve, k, place + 1)[6:7]  # a round ends with this digit of the next column

    target = Target(found.op, found.rounds, found.count, found.stop, negative)
    assert digits(victim, target, curve, draw(curve, TRIALS)).tells
