"""Simulator of the toy engine: what its field operations do, and how long they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eccelerate.machine.datapath import Datapath
from eccelerate.machine.simulator import Simulator, TwoUnits, UnitClock
from eccelerate.machine.thread_state import C, ThreadState, Z
from eccelerate.timing import compact_cycles

WORDS = 6
MASK = 0xFFFFFFFF
WIDE = 1 << 32
"""This bit is set in a register that was loaded with a number of more than 32 bits."""


class ToyDatapath(Datapath):
    """Eight registers of 32 bits; each has a mark that says whether its number was wider."""

    unit = "toy"
    bits = 32
    long_bits = 32 * (WORDS + 3)

    def __init__(self) -> None:
        self.registers = [0] * 8
        self.selected = 0

    def read_long(self, register: int) -> int:
        """See `Datapath`."""
        return self.registers[register] & MASK

    def write_long(self, register: int, value: int) -> None:
        """See `Datapath`."""
        self.registers[register] = value & MASK | (WIDE if value > MASK else 0)

    def select(self, modulus: int) -> None:
        """See `Datapath`."""
        self.selected = modulus

    def action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """See `Datapath`."""
        result: Callable[[int, int, int], int] = {
            "mul": lambda a, b, modulus: a * b % modulus,
            "add": lambda a, b, modulus: (a + b) % modulus,
            "sub": lambda a, b, modulus: (a - b) % modulus,
            "isub": lambda a, b, modulus: a - b & MASK,
        }[name]

        def run() -> None:
            a, b = self.registers[v["ra"]], self.registers[v["rb"]]
            value = result(a & MASK, b & MASK, self.registers[self.selected] & MASK)
            self.registers[v["rd"]] = value
            state.f[Z], state.f[C] = int(value == 0), int(a < b)

        return run


class ToyClock:
    """The field unit accepts an operation in every cycle, and is always idle."""

    idle = 0

    def accept(self, now: int, cost: Any, rd: int, ra: int, rb: int) -> int:
        """See `UnitClock`."""
        del cost, rd, ra, rb
        return now


class ToySimulator(Simulator):
    """One toy engine, exact to the clock. For `words` and `entropy` see `Simulator`."""

    def __init__(self, words: Sequence[int], entropy: Callable[[], int | None]) -> None:
        super().__init__(words, [ToyDatapath()], [ThreadState()], entropy, range(WORDS, WORDS + 1), 100_000)

    def _cost_table(self) -> list[Any]:
        return [compact_cycles.control_cost(entry[1], WORDS, digit_bits=32) for entry in self._code]

    def _clocks(self) -> tuple[UnitClock, TwoUnits | None]:
        return ToyClock(), None
