"""eccel_gfp_file: three read ports, also of registers without room for digits that no register has."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.gfp.unit import SOURCES
from tests.module import Module
from tests.verilated import Patch

BITS, MAX_DIGITS, REGISTERS, MODULI = 16, 20, 64, 4
INDEX_BITS = 5
Place = tuple[int, int]
"""A register and a digit."""


def traffic(tight: int, patches: Sequence[Patch] = ()) -> None:
    """A write and three reads in each cycle; digit 0, the highest one and the one after it more often."""
    parameters = {"DigitBits": BITS, "MaxDigits": MAX_DIGITS, "TightMemory": f"1'd{tight}"}
    module = Module("gfp", "eccel_gfp_file", SOURCES, parameters, patches)
    rng, last = random.Random(tight), (0, 0)
    values: dict[Place, int] = {}
    expected: list[list[int]] = []

    def place(registers: int) -> Place:
        register = rng.choice((0, registers - 1, rng.randrange(registers)))
        return register, rng.choice((0, 7, 8, MAX_DIGITS, MAX_DIGITS + 1, rng.randrange(MAX_DIGITS)))

    def address(where: Place) -> int:
        return where[0] << INDEX_BITS | where[1]

    everywhere = [(r, d) for r in range(REGISTERS) for d in range(MAX_DIGITS + 2)]
    rng.shuffle(everywhere)
    for now in range(len(everywhere) + 3000):
        filling = now < len(everywhere)
        where = everywhere[now] if filling else place(REGISTERS)
        writes, value = filling or rng.getrandbits(1), rng.getrandbits(BITS)
        reads: list[Place] = []
        for registers in (REGISTERS, REGISTERS, MODULI):
            read = last if last[0] < registers and rng.random() < 0.3 else place(registers)
            while writes and read == where:  # a digit that is being written cannot be read
                read = place(registers)
            reads.append(read)
        expected.append([values.get(read, -1) for read in reads])
        module.clock(
            we_i=writes, waddr_i=address(where), wdata_i=value,
            a_addr_i=address(reads[0]), b_addr_i=address(reads[1]), m_addr_i=address(reads[2]),
        )  # fmt: skip
        if writes:
            values[where] = value
        last = where
        if now >= len(everywhere) + 2:
            assert [module[name] for name in ("a_o", "b_o", "m_o")] == expected[now - 2]


@pytest.mark.parametrize("tight", [0, 1])
def test_reads_give_the_last_digit_written(tight: int) -> None:
    traffic(tight)


def test_a_mutant_in_which_digits_share_a_place_fails() -> None:
    with pytest.raises(AssertionError):
        traffic(1, [("eccel_gfp_file.sv", "{digit >> 3, register,", "{digit >> 4, register,")])
