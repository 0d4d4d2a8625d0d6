"""eccel_wide_add, eccel_tree_add, eccel_mod_add with eccel_mod_correct, eccel_word_queue, eccel_delay."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from eccelerate.configs.rtl_reach import reached_files
from eccelerate.timing import modmul_timing
from tests.modmul.unit import module, stream
from tests.module import Module
from tests.verilated import Patch

TREE_TOP = Path(__file__).with_name("tree_add_top.sv")


def numbers(width: int, rng: random.Random) -> list[int]:
    """Numbers at the edges, random ones, and runs of ones, through which carries pass."""
    top = (1 << width) - 1
    runs = [(top >> rng.randrange(width)) << rng.randrange(width) & top for _ in range(40)]
    return [0, 1, top, top - 1, top >> 1, 1 << width - 1, *runs, *(rng.getrandbits(width) for _ in range(40))]


def long_sums(width: int, pipelined: bool, patches: Sequence[Patch] = ()) -> None:
    rng, top = random.Random(width), (1 << width) - 1
    some = numbers(width, rng)
    pairs = [(a, b) for a in some for b in (*rng.sample(some, 8), top - a, -a & top)]
    carries = [rng.getrandbits(1) for _ in pairs]
    unit = module("eccel_wide_add", {"Width": width, "Pipelined": int(pipelined)}, patches)
    found = stream(
        unit, modmul_timing.wide_add(width, pipelined), "sum_o",
        a_i=[a for a, _ in pairs], b_i=[b for _, b in pairs], c_i=carries,
    )  # fmt: skip
    assert found == [a + b + c for (a, b), c in zip(pairs, carries, strict=True)]


@pytest.mark.parametrize(
    ("width", "pipelined"), [(5, True), (33, True), (70, True), (256, True), (70, False)]
)
def test_long_sums_are_exact(width: int, pipelined: bool) -> None:
    long_sums(width, pipelined)


def test_a_mutant_whose_carries_do_not_pass_segments_fails() -> None:
    with pytest.raises(AssertionError):
        long_sums(256, True, [("eccel_wide_add.sv", "i != 0 && &sum_1_q[At+:Bits]", "1'b0")])


@pytest.mark.parametrize(("terms", "depth", "pipelined"), [(1, 2, 1), (5, 3, 1), (9, 5, 1), (7, 3, 0)])
def test_a_tree_adds_all_terms(terms: int, depth: int, pipelined: int) -> None:
    rng, width = random.Random(terms), 20
    sources = [*reached_files("eccel_tree_add"), TREE_TOP]
    unit = Module(
        "modmul",
        "tree_add_top",
        sources,
        {"Terms": terms, "Width": width, "Depth": depth, "Pipelined": pipelined},
    )
    rows = [
        [rng.choice((0, (1 << width) - 1, rng.getrandbits(width))) for _ in range(terms)] for _ in range(300)
    ]
    packed = [sum(v << width * i for i, v in enumerate(row)) for row in [*rows, [(1 << width) - 1] * terms]]
    found = stream(unit, depth if pipelined else 0, "sum_o", term_i=packed)
    assert found[:-1] == [sum(row) for row in rows]
    assert found[-1] == terms * ((1 << width) - 1)


@pytest.mark.parametrize(("width", "pipelined"), [(6, True), (6, False), (70, True)])
def test_sums_and_differences_are_canonical(width: int, pipelined: bool) -> None:
    rng = random.Random(width)
    unit = module("eccel_mod_add", {"Width": width, "Pipelined": int(pipelined)})
    for m in (1, 3, (1 << width - 1) + 1, (1 << width) - 1, rng.getrandbits(width) | 1):
        if m < 64:
            pairs = [(a, b) for a in range(m) for b in range(m)]
        else:
            edges = [0, 1, m // 2, m - 1, *(rng.randrange(m) for _ in range(12))]
            pairs = [(a, b) for a in edges for b in (*edges, m - a - 1, (m - a) % m)]
        for sub in (0, 1):
            unit.clock(modulus_i=m, sub_i=sub, c_i=0)
            found = stream(
                unit, modmul_timing.mod_add(width, pipelined), "r_o",
                a_i=[a for a, _ in pairs], b_i=[b for _, b in pairs],
            )  # fmt: skip
            assert found == [(a - b if sub else a + b) % m for a, b in pairs]


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_queue_gives_its_values_back_in_order(depth: int) -> None:
    rng = random.Random(depth)
    unit = module("eccel_word_queue", {"Width": 12, "Depth": depth})
    inside: list[int] = []
    for _ in range(400):
        pop = rng.random() < 0.5 and bool(inside)
        push = rng.random() < 0.6 and len(inside) - pop < depth
        value = rng.getrandbits(12)
        unit.clock(push_i=int(push), pop_i=int(pop), data_i=value)
        oldest = inside.pop(0) if pop else None
        if push:
            inside.append(value)
        if oldest is not None:
            unit.clock(push_i=0, pop_i=0)
            assert unit["data_o"] == oldest


@pytest.mark.parametrize("cycles", [0, 1, 4])
def test_a_delay_takes_its_cycles(cycles: int) -> None:
    unit, values = module("eccel_delay", {"Width": 9, "Cycles": cycles}), [*range(100, 130)]
    assert stream(unit, cycles, "q_o", d_i=values) == values
