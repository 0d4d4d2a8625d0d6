"""eccel_gf2m_file: each of six operands reads the register that it names, two cycles later."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.module import Module
from tests.verilated import Patch

WIDTH, REGISTERS = 163, 64
SOURCES = ("gf2m/eccel_gf2m_pkg.sv", "prim/eccel_ram.sv", "gf2m/eccel_gf2m_file.sv")


def traffic(patches: Sequence[Patch] = ()) -> None:
    """Six reads in each cycle, also of a register written in the cycle before, and writes at random."""
    module = Module("gf2m", "eccel_gf2m_file", SOURCES, {"Width": WIDTH}, patches)
    rng = random.Random(1)
    values: list[int] = []
    for register in range(REGISTERS):
        values.append(rng.choice((0, (1 << WIDTH) - 1, rng.getrandbits(WIDTH))))
        module.clock(we_i=1, waddr_i=register, wdata_i=values[register])
    expected: list[list[int]] = []
    last = 0
    for now in range(3000):
        writes, register = rng.getrandbits(1), rng.randrange(REGISTERS)
        # A register that is being written cannot be read.
        readable = [r for r in (last, *rng.sample(range(REGISTERS), 12)) if not (writes and r == register)]
        reads = [rng.choice((readable[0], *readable)) for _ in range(6)]
        expected.append([values[r] for r in reads])
        value = rng.getrandbits(WIDTH)
        module.clock(
            a_reg_i=reads[:2], b_reg_i=reads[2:4], c_reg_i=reads[4:],
            we_i=writes, waddr_i=register, wdata_i=value,
        )  # fmt: skip
        if writes:
            values[register] = value
        last = register
        if now >= 2:
            assert [*module.array("a_o"), *module.array("b_o"), *module.array("c_o")] == expected[now - 2]


def test_reads_give_the_last_value_written() -> None:
    traffic()


def test_a_mutant_that_exchanges_two_operands_fails() -> None:
    with pytest.raises(AssertionError):
        traffic([("eccel_gf2m_file.sv", "b_o[i] = values[2+i]", "b_o[i] = values[3-i]")])
