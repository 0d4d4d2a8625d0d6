"""The divide-and-conquer multiplier gives the product of every pair at small widths, and at the widths of the
tables the products of operands that push each carry of the recursion to its limits, in the cycle that the
model says. A fault in each of its rows is noticed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import pytest

from eccelerate.model.multiplier_operands import Pair, operand_pairs
from eccelerate.rtlsim.multiplier_bench import ProductError
from eccelerate.rtlsim.verilate import BuildError
from eccelerate.timing import karatsuba_timing as timing
from tests.mul.unit import every_pair, exhaust, faulty, full_width, run, unit
from tests.sampled import sampled

TOP = "eccel_mul_karatsuba"
BOTH = pytest.mark.parametrize("pipelined", [False, True], ids=["plain", "pipelined"])
# Bits, levels, leaf, segment. The last split takes differences if its halves have at most `leaf` bits, else
# sums; some halves have different lengths, and some places of use are inside of a segment.
SMALL = [
    *((7, 1, 2, 3), (4, 1, 2, 2), (5, 1, 2, 2), (8, 2, 2, 2), (6, 1, 3, 4), (9, 1, 5, 4)),
    *((9, 2, 3, 3), (8, 1, 4, 4), (9, 2, 2, 3), (8, 0, 3, 4), (7, 0, 2, 2), (5, 0, 5, 8)),
]
WIDTHS = (32, 64, 128, 192, 224, 256, 377, 384, 521)
ALWAYS = {(32, 0), (64, 1), (64, 2), (256, 4)}
"""Widths and levels that are tested at every change; the others in the long campaigns."""
LONGEST_SCHOOL = 64
"""A leaf of more bits is possible, but has no place in the tables."""


def corner_pairs(bits: int, levels: int, count: int) -> Iterator[Pair]:
    """Operands whose parts at the last level are 0, 1, all ones, or random ones that repeat: halves that are
    equal, larger or smaller than the other half by any amount, and sums of halves of every length.
    """
    generator, parts = random.Random(f"{bits} {levels}"), 1 << max(1, levels)
    cuts = [-(-bits * i // parts) for i in range(parts + 1)]

    def operand() -> int:
        common, value = generator.getrandbits(bits), 0
        choices = generator.choices(range(6), k=2)
        for low, high in pairwise(cuts):
            ones = (1 << (high - low)) - 1
            part = (0, 1, ones, ones - 1, common & ones, generator.getrandbits(bits) & ones)
            value |= part[generator.choice(choices)] << low
        return value

    for _ in range(count):
        a = operand()
        yield a, generator.choice([a, operand(), operand()])


def test_products_of_blocks_with_32_bits() -> None:
    """Verilator multiplies them as int, and g++ must not take them for positive."""
    full_width("karatsuba", 48, Levels=0, Pipelined=0)


@BOTH
@sampled(("bits", "levels", "leaf", "segment"), SMALL, now=4)
def test_every_product_of_a_small_unit(
    bits: int, levels: int, leaf: int, segment: int, pipelined: bool
) -> None:
    found = exhaust(TOP, Bits=bits, Levels=levels, Leaf=leaf, Segment=segment, Pipelined=pipelined)
    assert found.latency == timing.latency(bits, levels, pipelined, leaf, segment)
    assert found.interval == timing.INTERVAL


def units() -> list[object]:
    return [
        pytest.param(
            bits,
            levels,
            pipelined,
            id=f"{bits}-l{levels}{'-pipelined' * pipelined}",
            marks=() if (bits, levels) in ALWAYS and not (pipelined and bits == 256) else pytest.mark.soak,
        )
        for bits in WIDTHS
        for levels in range(5)
        if bits >> levels >= 8 and bits >> levels <= LONGEST_SCHOOL
        for pipelined in (False, True)
    ]


@pytest.mark.parametrize(("bits", "levels", "pipelined"), units())
def test_full_width(bits: int, levels: int, pipelined: bool) -> None:
    pairs = chain(operand_pairs(bits, 300), corner_pairs(bits, levels, 2000))
    found = run(unit(TOP, Bits=bits, Levels=levels, Pipelined=pipelined), pairs)
    assert found.latency == timing.latency(bits, levels, pipelined)
    assert found.interval == timing.INTERVAL


def test_one_product_in_each_cycle_and_81_blocks_at_256_bits() -> None:
    assert timing.latency(256, 4, True) == 37
    assert timing.latency(256, 4, False) == 2


NODE, SCHOOL = "eccel_mul_karatsuba_node", "eccel_mul_karatsuba_school"
# Levels, leaf, and the fault: file, text, replacement. With a leaf of 2 bits the last split takes sums.
MUTANTS = [
    (1, 4, (NODE, "!z1[2*Low]", "1'b1")),
    (1, 4, (NODE, "passes = |guard;", "passes = 1'b1;")),
    (1, 4, (NODE, "Guard'(guard[1])", "'0")),
    (1, 4, (NODE, "w_carry_late, (2 * Low)", "1'b0, (2 * Low)")),
    (1, 4, (NODE, "localparam bit Swap = Differ && k == 1", "localparam bit Swap = 1'b0")),
    (1, 2, (NODE, "w_carry_r ? !guard[Guard-1] : |guard", "|guard")),
    (1, 2, (NODE, "Guard'(!w_carry_r)", "Guard'(0)")),
    (
        1,
        2,
        (
            "eccel_mul_karatsuba_school",
            "Whole - lowest(r) + 2 < Top ? Whole - lowest(r) + 2 : Top",
            "Whole - lowest(r)",
        ),
    ),
    (1, 4, ("eccel_mul_karatsuba_align", "d_q[delay(i)][i]", "d_q[1][i]")),
    (1, 4, ("eccel_mul_karatsuba_block", "p_o <= product;", "p_o <= p_o & product;")),
    (1, 4, ("eccel_mul_karatsuba_row", "(carry[s])", "(s == First && carry[s])")),
    (1, 2, ("eccel_mul_karatsuba_pkg", "return 2 * wh + (wh < m ? 1 : 0);", "return 2 * wh;")),
]


@sampled(("levels", "leaf", "patch"), MUTANTS, ids=[str(m[2][1])[:30] for m in MUTANTS], now=2)
def test_a_fault_is_noticed(levels: int, leaf: int, patch: tuple[str, str, str], tmp_path: Path) -> None:
    source = faulty(tmp_path, patch, TOP, Bits=7, Levels=levels, Leaf=leaf, Segment=3, Pipelined=1)
    with pytest.raises((ProductError, BuildError)):
        run(source, every_pair(7))


def test_too_many_levels_are_refused() -> None:
    with pytest.raises(BuildError, match="too short for so many levels"):
        exhaust(TOP, Bits=6, Levels=2, Pipelined=0)
