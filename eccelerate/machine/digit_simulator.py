"""Simulators of the engines with digit-serial integers: compact, and binary with its unit for GF(2^m)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eccelerate.curves.curve import MAX_BITS, WORD_BITS
from eccelerate.machine.binary_datapath import BinaryDatapath
from eccelerate.machine.datapath import DigitDatapath
from eccelerate.machine.simulator import ISA, Simulator, TwoUnits, UnitClock
from eccelerate.machine.thread_state import ThreadState
from eccelerate.timing import binary_cycles, compact_cycles
from eccelerate.timing.binary_cycles import BinaryBuild, BinaryClock
from eccelerate.timing.compact_cycles import RANDOM_WORDS
from eccelerate.ucode.program import Program


class DigitSimulator(Simulator):
    """One compact or binary engine, exact to the clock.

    program: the assembled program, or its words.
    digit_bits: 8, 16, 32 or 64 (any multiple of 8 works).
    entropy: returns one 32-bit word for each call, or None when the source is empty (NO_ENTROPY).
    max_instructions: ProgramError if a job executes more.
    max_words: words of the widest element. The port accepts no wider one, and the zeroise handler wipes so
        many.
    binary: the unit for GF(2^m) of a binary engine. The cycles are None after a program has used a field of a
        degree that this unit lacks.
    """

    def __init__(
        self,
        program: Program | Sequence[int],
        digit_bits: int,
        entropy: Callable[[], int | None] | None = None,
        max_instructions: int = 5_000_000,
        max_words: int = MAX_BITS // WORD_BITS,
        binary: BinaryBuild | None = None,
    ) -> None:
        words = program.words if isinstance(program, Program) else program
        self.state = ThreadState()
        self.data = (
            BinaryDatapath(digit_bits, binary.polynomials, binary.generic_degree)
            if binary
            else DigitDatapath(digit_bits)
        )
        self.binary = binary
        self._costs: dict[int, list[Any]] = {}
        widths = range(ISA.machine["min_words"], max_words + 1)
        super().__init__(words, [self.data], [self.state], entropy, widths, max_instructions)

    def read_register(self, register: int) -> int:
        """The value of a field register over the long length, for debuggers and tests."""
        self.data.set_width(self.state.width)
        return self.data.read_long(register)

    def write_register(self, register: int, value: int) -> None:
        """Set a field register over the long length (0 <= value < 2^long bits), for debuggers and tests."""
        self.data.set_width(self.state.width)
        self.data.write_long(register, value)

    def reset(self) -> None:
        """Pulse rst_ni. Key and curve then count as not loaded; memories keep their contents."""
        state = self.state
        state.key_valid = state.loaded = self.data.selected = 0
        self._restart_entropy()

    def _cost_table(self) -> list[Any]:
        width = self.state.width
        if width not in self._costs:
            source = binary_cycles if self.binary else compact_cycles
            table = source.costs(self.data.digit_bits, width)
            draw = {"rnd": table["rnd"] + (width + RANDOM_WORDS) * self.hedge_clocks}
            self._costs[width] = [(table | draw).get(entry[1], 0) for entry in self._code]
        return self._costs[width]

    def _clocks(self) -> tuple[UnitClock, TwoUnits | None]:
        if self.binary is None or not isinstance(self.data, BinaryDatapath):
            return compact_cycles.FieldClock(self.data.digit_bits), None
        clock = BinaryClock(self.binary, self.data, self.state)
        return clock, clock
