"""The reduction model: bounds for every prime, classical formulas, small fields, and the generated
package.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.curves.loader import find_curve
from eccelerate.model.solinas import FORMS, BoundError, Form, Solinas
from eccelerate.model.solinas_files import COMMAND, outputs
from tests.gfp_turbo.values import operand_pairs, representatives

TOYS = [Form("toy-below", 11, ((-1, 4), (1, 0))), Form("toy-mersenne", 11, ((-1, 0),))]


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_the_primes_of_the_curves(name: str) -> None:
    assert FORMS[name].p == find_curve(name).p


def test_matrix_of_p256_is_that_of_nist() -> None:
    """FIPS 186-4, D.2.3: s1 + 2 s2 + 2 s3 + s4 + s5 - s6 - s7 - s8 - s9, words c8..c15, lowest first."""
    sums = {
        1: [[9, 10, 11, 13, 14, 15, 13, 8], [8, 9, 10, 0, 0, 0, 14, 15]],
        2: [[0, 0, 0, 11, 12, 13, 14, 15], [0, 0, 0, 12, 13, 14, 15, 0]],
        -1: [[11, 12, 13, 0, 0, 0, 8, 10], [12, 13, 14, 15, 0, 0, 9, 11],
             [13, 14, 15, 8, 9, 10, 0, 12], [14, 15, 0, 9, 10, 11, 0, 13]],
    }  # fmt: skip
    want = [[0] * 8 for _ in range(8)]
    for factor, terms in sums.items():
        for term in terms:
            for row, word in enumerate(term):
                if word:
                    want[row][word - 8] += factor
    assert [list(row) for row in Solinas(FORMS["P-256"]).matrix] == want


@pytest.mark.parametrize("name", FORMS)
def test_worst_cases_and_random_operands(name: str) -> None:
    """The model asserts the range of every carry."""
    field, rng = Solinas(FORMS[name]), random.Random(name)
    for a, b in operand_pairs(field, rng, 1200):
        results = {
            field.multiply(a, b): a * b, field.add(a, b): a + b, field.subtract(a, b): a - b,
        }  # fmt: skip
        assert all(0 <= r < 1 << field.bits and (r - value) % field.p == 0 for r, value in results.items())
    assert all(field.canonical(a) == a % field.p for a in representatives(field))


@pytest.mark.parametrize("form", TOYS, ids=lambda f: f.name)
def test_every_sum_of_a_small_field(form: Form) -> None:
    field = Solinas(form, 2)
    size = 1 << field.bits
    assert [field.canonical(a) for a in range(size)] == [a % field.p for a in range(size)]
    for a in range(0, size, 7):
        for b in range(0, size, 5):
            total, difference = field.add(a, b), field.subtract(a, b)
            assert 0 <= total < size and (total - a - b) % field.p == 0
            assert 0 <= difference < size and (difference - a + b) % field.p == 0


def test_largest_overflow_of_p256_occurs() -> None:
    """The bounds are tight: chosen high words reach both ends of k, except for the last carry."""
    field, rng, seen = Solinas(FORMS["P-256"]), random.Random(2), set()
    for a, b in operand_pairs(field, rng, 4000):
        words = field.product(a, b)
        seen.add(field.ripple(field.rows(words[:8], words[8:]))[1])
    assert min(seen) == field.overflow[0] and max(seen) >= field.overflow[1] - 1


@pytest.mark.parametrize(
    "form",
    [
        Form("second term too close", 256, ((-1, 250), (1, 0))),
        Form("second term inside a word", 256, ((-1, 40), (1, 0))),
        Form("second term added", 256, ((1, 32), (1, 0))),
        Form("too short", 64, ((-1, 32), (1, 0))),
    ],
    ids=lambda f: f.name,
)
def test_forms_that_do_not_fit_are_refused(form: Form) -> None:
    with pytest.raises(BoundError):
        Solinas(form)


def test_package_is_up_to_date() -> None:
    for name, text in outputs().items():
        assert (ROOT / name).read_text() == text, f"{name}: run {COMMAND}"


@pytest.mark.parametrize("name", ["P-192", "P-256", "secp256k1"])
def test_karatsuba_has_fewer_multipliers_and_takes_longer(name: str) -> None:
    """From issue to issue: W / 2 + 3 clocks in the core, less W - 7 that the start is earlier."""
    comba, halves = Solinas(FORMS[name]), Solinas(FORMS[name], karatsuba=True)
    assert (comba.lanes, halves.multipliers) == (comba.multipliers, comba.lanes * 3 // 4)
    latencies = [field.start_latency + field.multiply_latency for field in (comba, halves)]
    assert latencies[1] - latencies[0] == 10 - comba.words // 2


@pytest.mark.parametrize("name", ["P-224", "P-384", "P-521"])
def test_karatsuba_refuses_other_sizes(name: str) -> None:
    with pytest.raises(BoundError, match="Karatsuba"):
        Solinas(FORMS[name], karatsuba=True)
