"""One trace of the steps of the binary engine's ladder tells nothing about the scalar (docs/security.md)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.model import koblitz
from eccelerate.model.jobs import Flag, Op
from eccelerate.model.lopez_dahab import blinded, multiple
from tests.leakage.activity import Score, attack, attack_choices, attack_leading_zeros, together, totals
from tests.leakage.victim import Change, Victim

ZEROS = 8
"""Leading zeros of the scalars: from 0 to 7, each number as often as the others."""
BLINDING = 92
"""Random bits of a blinded scalar above those of N."""
WAIT = "ladder_wait"
TRIALS = 120
SOAK_TRIALS = 2000
"""Half of them are for the profile: 1,000 guesses."""
Steps = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Job:
    """A job with a secret scalar. steps: labels of the instructions that make the steps. operands: those of
    the job for a curve and the scalar. even: the scalar has to be even.
    """

    op: Op
    operands: Callable[[Curve, int], tuple[int, ...]]
    steps: str = "ladder_step"
    flags: int = 0
    even: bool = False


MUL = Job(Op.MUL, lambda curve, k: (k, *curve.generator))
BLINDED = Job(Op.MUL, MUL.operands, "ladder_blinded.high ladder_blinded.low", Flag.BLIND)
SIGN = Job(Op.ECDSA_SIGN, lambda curve, k: (curve.n // 3, curve.n // 5, k), "nonce_steps")
JOBS = {
    "MUL": MUL,
    "MUL, blinded": BLINDED,
    "SIGN": SIGN,
    "BASE_MUL": Job(Op.BASE_MUL, lambda curve, k: (k,)),
    # With cofactor 2 the scalar of an even key is the key.
    "ECDH": Job(Op.ECDH, lambda curve, k: (*curve.generator, k), even=True),
    "KEYGEN": Job(Op.KEYGEN, lambda curve, k: (k,)),
}

# The ladder starts at 0 P, with the scalar as it is: Z is 0 until the first bit that is set.
OLD_START: tuple[Change, ...] = (
    (
        "binary/scalar_mul.s",
        "    mula xs, square, zs\n    mul  t2, xd, zs\n",
        "    mov  xs, xd\n    mov  xd, zd\n    mov  zs, zd\n    mul  t2, zs, zs\n    add  zd, zs, zs\n",
    ),
    ("binary/curve_load.s", "isub t, multiple, u", "isub t, multiple, multiple"),
)
# Of two products in turn the first factor is Xs, Xs if S is doubled, and Xs, Xd if D is doubled.
SAME_FACTOR: tuple[Change, ...] = (
    (
        "gf2m/eccel_gf2m_step.sv",
        "operation.a = {RegZs, RegZd};\n        operation.b = {RegXs, RegXd};\n",
        "operation.a = {RegXs, RegXd};\n        operation.b = {RegZs, RegZd};\n",
    ),
)


def attack_job(
    victim: Victim, curve: Curve, job: Job, trials: int, *, added: bool = True
) -> dict[str, Score]:
    """The scores of all attacks on one job. added: the ladder works on k + multiple(N), else on k."""
    rng, bits = random.Random(1), curve.n.bit_length() - 1
    count, length = curve.order_bits + 1, 0
    if job == SIGN:  # the inversion begins while the ladder runs
        trace = victim.trace(MUL.op, MUL.operands(curve, 1))
        length = len(trace.of_unit(victim.labels[MUL.steps], count, victim.labels[WAIT])[0])
    addresses = [victim.labels[name] for name in job.steps.split()]
    traces: list[Steps] = []
    zeros, scalars = [], []
    for _ in range(trials):
        zeros.append(rng.randrange(ZEROS))
        top = bits - 1 - zeros[-1]
        k = 1 << top | rng.getrandbits(top) & -1 - job.even
        if job.flags & Flag.BLIND:
            drawn = curve.element_words + 3  # for Z, then for the scalar
            words = [rng.getrandbits(32) for _ in range(2 * drawn)]
            trace = victim.trace(job.op, job.operands(curve, k), job.flags, words)
            traces.append([step for address in addresses for step in trace.of_loop(address)])
            draw = sum(word << 32 * i for i, word in enumerate(words[drawn:][: curve.element_words]))
            scalars.append(blinded(curve, k, draw, victim.radix_bits(curve)))
            assert len(traces[-1]) == curve.order_bits + BLINDING
        else:
            trace = victim.trace(job.op, job.operands(curve, k))
            traces.append(trace.of_unit(addresses[0], count, victim.labels[WAIT], length))
            scalars.append(k + multiple(curve.order) * added)
    first = len(traces[0]) - bits
    scores = attack_choices(traces, scalars, bits - ZEROS)
    scores["leading zeros"] = attack_leading_zeros([steps[first:] for steps in traces], zeros, ZEROS)
    return scores


def told(scores: dict[str, Score]) -> dict[str, str]:
    """The attacks that do better than guessing."""
    return {name: str(score) for name, score in scores.items() if score.tells}


def test_leading_zeros_are_found_if_the_ladder_starts_at_infinity(tmp_path: Path) -> None:
    """The control: an attack that never works would prove nothing."""
    curve = find_curve("B-163")
    victim = Victim("binary-163-d64", curve, tmp_path, OLD_START)
    zeros = attack_job(victim, curve, MUL, TRIALS, added=False)["leading zeros"]
    assert zeros.hits == zeros.trials


def test_every_bit_is_found_if_a_factor_stays_for_one_choice(tmp_path: Path) -> None:
    """The control of the attacks on single bits: nearly all of a scalar is read from one trace."""
    curve = find_curve("B-163")
    victim = Victim("binary-163-d64", curve, tmp_path, rtl_changes=SAME_FACTOR)
    scores = attack_job(victim, curve, MUL, TRIALS)
    for name in ("changes from steps, all", "changes from clocks, best", "changes from clocks, all"):
        assert scores[name].tells, name
    found = scores["changes from clocks, all"]
    assert found.hits > 0.75 * found.trials


CASES = [
    ("binary-163-d64", "B-163", "MUL"),
    ("binary-163-d64", "K-163", "MUL, blinded"),
    ("binary-163-d64", "K-163", "SIGN"),
]


@pytest.mark.parametrize(("config", "curve_name", "name"), CASES)
def test_one_trace_tells_nothing(config: str, curve_name: str, name: str, tmp_path: Path) -> None:
    curve = find_curve(curve_name)
    victim = Victim(config, curve, tmp_path)
    assert told(attack_job(victim, curve, JOBS[name], TRIALS)) == {}


@pytest.mark.soak
@pytest.mark.parametrize("name", JOBS)
@pytest.mark.parametrize(
    ("config", "curve_name"),
    [
        ("binary-163-d64", "B-163"),
        ("binary-163-d16", "K-163"),
        ("binary-233-d64", "B-233"),
        ("binary-generic-d64", "sect113r1"),
    ],
)
def test_a_thousand_traces_tell_nothing(config: str, curve_name: str, name: str, tmp_path: Path) -> None:
    curve = find_curve(curve_name)
    victim = Victim(config, curve, tmp_path)
    assert told(attack_job(victim, curve, JOBS[name], SOAK_TRIALS)) == {}


def test_the_frobenius_map_shows_its_digits(tmp_path: Path) -> None:
    """Not protected: each column selects one of two points whose coordinates are public, and one trace shows
    which, so that it tells whether its two digits are equal.
    """
    curve, rng, columns = find_curve("K-163"), random.Random(1), 60
    victim = Victim("binary-163-koblitz", curve, tmp_path)
    ring = koblitz.ring_of(curve)
    traces, choices = [], []
    for _ in range(60):
        k = rng.randrange(1, curve.n)
        trace = victim.trace(Op.MUL, MUL.operands(curve, k))
        traces.append(totals(trace.of_loop(victim.labels["frobenius_column"])[:columns]))
        first, second = (koblitz.digits(ring, r) for r in koblitz.reduce(ring, curve.n, k))
        # A round adds the point that the round before has selected, and selects the next one.
        choices.append([a == b for a, b in zip(first, second, strict=True)][2:])
    scores = [
        attack([(steps[at : at + 2], choice[at]) for steps, choice in zip(traces, choices, strict=True)], 2)
        for at in range(columns - 1)
    ]
    assert together(scores).tells
