"""eccel_solinas_core does what its header says: residues, ranges, clocks, at full rate. Mutants are
noticed.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.model.solinas import FORMS, Form, Solinas
from tests.gfp_turbo.core import Core, Operation
from tests.gfp_turbo.values import operand_pairs
from tests.sampled import sampled
from tests.verilated import Patch

# Primes that are small enough to try every pair of operands. The second term is just below the first one, or
# the lowest.
TOYS = [Form("toy-below", 11, ((-1, 4), (1, 0))), Form("toy-mersenne", 11, ((-1, 0),))]
# Primes with the form of P-256 and of P-384, in four words of eight bits.
SMALL = [
    Form("small-top", 32, ((-1, 24), (1, 8), (-1, 0))),
    Form("small-above", 32, ((-1, 16), (-1, 8), (1, 0))),
    Form("small-inside", 29, ((-1, 16), (-1, 0))),
]
FIELDS = [*(Solinas(form) for form in FORMS.values()), *(Solinas(form, 4) for form in SMALL)]
KARATSUBA = [
    *(Solinas(FORMS[name], karatsuba=True) for name in ("P-192", "P-256", "secp256k1")),
    *(Solinas(form, 4, karatsuba=True) for form in SMALL),
]


def label(field: Solinas) -> str:
    return f"{field.form.name}{'-karatsuba' if field.karatsuba else ''}"


def products(field: Solinas, rng: random.Random, count: int) -> list[Operation]:
    """Runs at full rate, with gaps between them."""
    gaps = [0, 0, 0, 0, 0, 0, 1, 2, 3, field.words, rng.randrange(200)]
    return [
        Operation("mul", a, b, field.multiply_interval + rng.choice(gaps))
        for a, b in operand_pairs(field, rng, count)
    ]


def sums(field: Solinas, rng: random.Random, count: int) -> list[Operation]:
    found = []
    for a, b in operand_pairs(field, rng, count):
        kind = rng.choice(["add", "sub", "canon"])
        gap = field.add_interval + rng.choice([0, 0, 0, 0, 1, 3, rng.randrange(50)])
        found.append(Operation(kind, a, field.d if kind == "canon" else b, gap))
    return found


def wrong(field: Solinas, op: Operation) -> bool:
    """Whether a result breaks the contract. The model has to agree in every bit."""
    model = {"mul": field.multiply, "add": field.add, "sub": field.subtract}
    if op.kind == "canon":
        return op.result != op.x % field.p or field.canonical(op.x) != op.result
    value = {
        "mul": op.x * op.y,
        "add": op.x + op.y,
        "sub": op.x - op.y,
    }[op.kind]
    in_range = 0 <= op.result < 1 << field.bits
    return not in_range or (op.result - value) % field.p != 0 or model[op.kind](op.x, op.y) != op.result


@sampled("field", [*FIELDS, *KARATSUBA], ids=label, now=5)
def test_products_and_sums_side_by_side(field: Solinas) -> None:
    core, rng = Core(field), random.Random(field.bits)
    for _ in range(3):
        operations, others = products(field, rng, 700), sums(field, rng, 1000)
        core.run(operations, others)
        assert [op for op in (*operations, *others) if wrong(field, op)] == []
        assert {op.latency for op in operations} == {field.multiply_latency}
        assert {op.latency for op in others} == {field.add_latency}


@pytest.mark.parametrize("form", TOYS, ids=lambda f: f.name)
def test_every_product_of_a_small_field(form: Form) -> None:
    assert Core(Solinas(form, 2)).exhaust() == 0


# Each mutant is a small mistake that leaves most results right.
P256_MUTANTS: dict[str, Patch] = {
    "sign of a tap": (
        "eccel_solinas_pkg.sv", "add: 8'h40, sub: 8'h0}", "add: 8'h0, sub: 8'h40}",
    ),
    "no borrow out of a negative upper part": (
        "eccel_solinas_taps.sv", "- GuardBits'(upper_q[GuardBits-1])", "- GuardBits'(1'b0)",
    ),
    "no carry into the high words": (
        "eccel_comba_array.sv", "left_c_q <= low_sum[WordBits];", "left_c_q <= 1'b0;",
    ),
    "no second guess upwards": ("eccel_solinas_fold.sv", "guess_q >= Limit", "1'b0"),
    "no second guess downwards": ("eccel_solinas_fold.sv", "zeros_q && guess_q < Bias", "1'b0"),
    "guess off by one": ("eccel_solinas_fold.sv", "guess_q >= Limit", "guess_q > Limit"),
    "no borrow between the words of q * d": (
        "eccel_solinas_fold.sv", "part_t'({1'b0, multiple[Lower][PartBits-1]})", "part_t'(0)",
    ),
}  # fmt: skip


ARRAY, LANES, WORDS = "eccel_karatsuba_array.sv", "eccel_karatsuba_lanes.sv", "eccel_karatsuba_words.sv"
KARATSUBA_MUTANTS: dict[str, Patch] = {
    "no carry of a half sum of a": (
        ARRAY, "+:FactorBits] <= sum;", "+:FactorBits] <= {1'b0, sum[DigitBits-1:0]};",
    ),
    "no carry of a half sum of b": (ARRAY, ".b_i    (b),", ".b_i    ({1'b0, b[DigitBits-1:0]}),"),
    "last columns of the first pass lost": (ARRAY, ".more_i (more_q),", ".more_i (1'b0),"),
    "last columns of the second pass lost": (ARRAY, "if (!first_q && !last_q)", "if (!first_q)"),
    "second pass with the digits of the first": (ARRAY, "a_far = second_q ?", "a_far = 1'b0 ?"),
    "the middle is not added": (ARRAY, ".add_i(middle_q)", ".add_i(1'b0)"),
    "upper columns a lane too far": (LANES, "load_q ? acc_q[i+1] :", "load_q ? acc_q[i] :"),
    "no carry into the high words": (WORDS, "left_c_q <= top_c_q && at_q[Out];", "left_c_q <= 1'b0;"),
    "a pair that waits is not taken away": (WORDS, "wait_q <= '0;", "wait_q <= wait_q;"),
    "the second time a word late": (WORDS, "second_q ? past_q[Words-2]", "second_q ? past_q[Words-3]"),
}  # fmt: skip
MUTANTS = [(False, name) for name in P256_MUTANTS] + [(True, name) for name in KARATSUBA_MUTANTS]


@sampled(("karatsuba", "name"), MUTANTS, now=3)
def test_mutants_are_noticed(karatsuba: bool, name: str) -> None:
    field = Solinas(FORMS["P-256"], karatsuba=karatsuba)
    patch = KARATSUBA_MUTANTS[name] if karatsuba else P256_MUTANTS[name]
    core, rng = Core(field, [patch]), random.Random(1)
    for _ in range(10):
        operations, others = products(field, rng, 700), sums(field, rng, 700)
        core.run(operations, others)
        if any(wrong(field, op) for op in (*operations, *others)):
            return
    pytest.fail("the mutant passes")
