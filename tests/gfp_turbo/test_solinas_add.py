"""eccel_solinas_add: sums and differences modulo p and of integers, with their carries, at full rate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate.model.solinas import FORMS, Solinas
from tests.gfp_turbo.values import operand_pairs
from tests.module import Module
from tests.verilated import Patch

SOURCES = (
    "gfp_turbo/gen/eccel_solinas_pkg.sv",
    "prim/eccel_add.sv",
    "prim/eccel_inc.sv",
    "gfp_turbo/eccel_solinas_fold.sv",
    "gfp_turbo/eccel_solinas_add.sv",
)


@dataclass
class Sum:
    """An operation, its first cycle, and what has to come."""

    kind: str
    a: int
    b: int
    first: int
    result: int
    carry: int | None


def operation(field: Solinas, rng: random.Random, a: int, b: int, first: int) -> Sum:
    """A random operation on a and b; those on integers take operands of whole words."""
    kind, size = (
        rng.choice(("add", "sub", "canon", "iadd", "isub", "mov")),
        1 << field.word_bits * field.words,
    )
    if kind in ("iadd", "isub", "mov"):
        a, b = (rng.choice((v, size - 1, size - 1 - v, 0)) for v in (a, b))
        value = {"iadd": a + b, "isub": a - b, "mov": a}[kind]
        return Sum(kind, a, b, first, value % size, None if kind == "mov" else int(not 0 <= value < size))
    model = {"add": field.add, "sub": field.subtract, "canon": lambda a, _: field.canonical(a)}
    result = model[kind](a, b)
    value = {"add": a + b, "sub": a - b, "canon": a}[kind]
    assert (result - value) % field.p == 0 and 0 <= result < (field.p if kind == "canon" else 1 << field.bits)
    return Sum(kind, a, field.d if kind == "canon" else b, first, result, None)


def stream(name: str, patches: Sequence[Patch] = ()) -> None:
    """Operations at full rate and with gaps; inputs between them are random."""
    field, number = Solinas(FORMS[name]), list(FORMS).index(name)
    module = Module("gfp_turbo", "eccel_solinas_add", SOURCES, {"Prime": number}, patches)
    rng, words, mask = random.Random(number), field.words, (1 << field.word_bits) - 1
    latency = words + 4
    sums, at = [], 3
    for a, b in operand_pairs(field, rng, 600):
        sums.append(operation(field, rng, a, b, at))
        at += words + rng.choice((0, 0, 0, 0, 1, words, rng.randrange(20)))
    started = finished = 0
    found = 0
    for now in range(at + latency + words):
        while started < len(sums) and sums[started].first <= now:
            started += 1
        inputs = {name: rng.getrandbits(1) for name in ("add_i", "sub_i", "whole_i", "canon_i")}
        inputs |= {"a_i": rng.getrandbits(field.word_bits), "b_i": rng.getrandbits(field.word_bits)}
        inputs |= {"first_i": 0, "pass_i": 1}
        each = sums[started - 1]
        j = now - each.first
        if started and j < words:
            inputs["add_i"], inputs["sub_i"] = (
                each.kind in ("add", "canon", "iadd"),
                each.kind in ("sub", "isub"),
            )
            inputs["a_i"], inputs["b_i"] = (v >> field.word_bits * j & mask for v in (each.a, each.b))
            if j == 0:
                inputs |= {"first_i": 1, "pass_i": 0, "canon_i": each.kind == "canon"}
                inputs["whole_i"] = each.kind in ("iadd", "isub", "mov")
        module.clock(**inputs)
        for each in sums[max(0, started - 2) : started]:
            if now == each.first + words and each.carry is not None:
                assert module["carry_o"] == each.carry
        if finished < len(sums):
            each = sums[finished]
            j = now - each.first - latency
            assert module["first_o"] == (j == 0)
            if j >= 0:
                found |= module["word_o"] << field.word_bits * j
            if j == words - 1:
                assert found == each.result, each
                finished, found = finished + 1, 0
        else:
            assert not module["first_o"]
    assert finished == len(sums)


@pytest.mark.parametrize("name", ["P-256", "P-521"])
def test_sums_and_differences_are_those_of_the_model(name: str) -> None:
    stream(name)


def test_a_mutant_without_the_borrow_of_a_difference_fails() -> None:
    with pytest.raises(AssertionError):
        stream("P-256", [("eccel_solinas_add.sv", "signed'({OverBits{sub_q}})", "'0")])
