"""eccel_solinas_reduce with eccel_fold_multiple, alone and in eccel_modmul."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate.model.fold_rows import Rows
from eccelerate.model.solinas import FORMS
from eccelerate.timing.modmul_timing import modmul_timing, solinas_reduce
from tests.modmul.unit import module, products, residues, stream, timing
from tests.sampled import sampled
from tests.verilated import Patch


def numbers(name: str, rng: random.Random) -> list[int]:
    """Numbers below 2^(2 n): edges, those that make a row largest or smallest, and multiples of p and their
    neighbours, for which the last choice is close.
    """
    rows = Rows(FORMS[name])
    n, p = rows.form.bits, rows.form.p
    found = [0, 1, p - 1, p, p + 1, (p - 1) ** 2, (1 << 2 * n) - 1, (1 << n) - 1, 1 << n]
    for j in range(rows.words):
        for sign in (1, -1):
            extreme = rows.extreme_product(j, sign)
            found += [extreme, extreme - extreme % p, extreme - extreme % p + p - 1]
    for _ in range(150):
        found += [rng.getrandbits(2 * n), rng.getrandbits(n) * p + rng.randrange(-2, 3)]
    return [t for t in found if 0 <= t < 1 << 2 * n]


def reduced(name: str, pipelined: bool, patches: Sequence[Patch] = ()) -> None:
    p, number = FORMS[name].p, list(FORMS).index(name)
    some = numbers(name, random.Random(number))
    unit = module("eccel_solinas_reduce", {"Prime": number, "Pipelined": int(pipelined)}, patches)
    found = stream(unit, solinas_reduce(name, pipelined), "r_o", t_i=some)
    assert found == [t % p for t in some]


@sampled("name", FORMS, now=3)
def test_numbers_are_reduced_in_every_cycle(name: str) -> None:
    reduced(name, True)


def test_the_reduction_without_registers_gives_the_same() -> None:
    reduced("P-256", False)


@pytest.mark.parametrize("name", FORMS)
def test_k_d_stays_below_p_so_that_two_candidates_are_enough(name: str) -> None:
    rows = Rows(FORMS[name])
    d = (1 << rows.form.bits) - rows.form.p
    assert (rows.overflow_max + 1) * d < rows.form.p - d
    assert rows.constant < rows.form.p


@sampled(
    ("name", "kind", "own", "pipelined"),
    [("P-192", 4, {"Word": 24}, 1), ("P-256", 3, {"Levels": 4}, 1), ("P-224", 5, {"Lanes": 7}, 0)],
    now=1,
)
def test_products_modulo_sparse_primes(name: str, kind: int, own: dict[str, int], pipelined: int) -> None:
    form = FORMS[name]
    sizes = {"Kind": kind, "Bits": form.bits, "Pipelined": pipelined, **own}
    unit = module("eccel_modmul", {**sizes, "Reduction": 2, "Prime": list(FORMS).index(name)})
    pairs = residues(form.p, random.Random(name), 80)
    assert products(unit, pairs, (0, 0, 3)) == [a * b % form.p for a, b in pairs]
    mul = timing(module("eccel_mul", sizes))
    assert timing(unit) == modmul_timing(mul, "solinas", form.bits, pipelined=bool(pipelined), prime=name)


@sampled(
    "patch",
    [
        ("eccel_solinas_reduce.sv", "next[Bits] ? next", "1'b0 ? next"),
        ("eccel_solinas_reduce.sv", "term_t'(inverted)", "term_t'(high[i])"),
        ("eccel_fold_pkg.sv", "return found - excess;", "return '0;"),
    ],
    ids=["no-subtraction", "no-complement", "no-constant"],
    now=1,
)
def test_mutants_fail(patch: Patch) -> None:
    with pytest.raises(AssertionError):
        reduced("P-256", True, [patch])
