"""The study core in Python, instruction by instruction: results, cycles, and what a schedule must not do.

It knows when a product and a quotient can be read, and raises MachineError if a program reads one at
another time, or starts a multiplier too early. In the RTL the same fault gives a wrong point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from eccelerate.curves import gf2m
from eccelerate.ucode.study.study_program import Program
from eccelerate.ucode.study.study_schedule import Timing
from eccelerate.ucode.study.study_words import Control, Word


class MachineError(RuntimeError):
    """A program uses a unit at a wrong time."""


def digits_from_top(k: int, bits: int) -> Iterator[int]:
    """The digits -1, 0 and 1 of k < 2^bits, bits + 1 of them, the highest one first; as few of them as in the
    non-adjacent form are not 0. After M. Joye, S.-M. Yen, IEEE Trans. Computers 49, 2000: the prefix of the
    digits is that of k, or 1 more.
    """
    more = 0
    for i in reversed(range(bits + 1)):
        below = (more + (k >> i - 1 & 1 if i > 0 else 0) + (k >> i - 2 & 1 if i > 1 else 0)) // 2
        yield (k >> i & 1) + below - 2 * more
        more = below


@dataclass
class Machine:
    """A core with a program. `c` is b^(1/4), `f` the polynomial of the field."""

    program: Program
    timing: Timing
    f: int
    c: int
    cycle: int = 0
    registers: list[int] = field(default_factory=list)
    swap: bool = False

    def run(self, x: int, y: int, k: int) -> tuple[tuple[int, int], int]:
        """The coordinates of k (x, y), and the cycles from the operands to the result."""
        self.cycle, self.swap, self.registers = 0, False, [0] * self.program.registers
        self.results: dict[int, list[tuple[int, int]]] = {i: [] for i in range(self.timing.multipliers)}
        self.quotient: tuple[int, int] | None = None
        digits = self._digits(k)
        digit, at = 0, 0
        while True:
            word = self.program.words[at]
            for _ in range(word.count):
                self._execute(word, x, y)
            at += 1
            match word.control:
                case Control.DONE:
                    return (self.read(word.a), self.read(word.b)), self.cycle - 1
                case Control.SCAN:
                    while digits and not digits.pop(0):
                        self.cycle += 1
                    at, digit = self._next(digits)
                case Control.STEP:
                    at, digit = self._next(digits)
                case Control.SKIP if not digit:
                    at, digit = self._next(digits)

    def _digits(self, k: int) -> list[int]:
        m = self.timing.degree
        if self.program.signed:
            return list(digits_from_top(k, m))
        return [k >> i & 1 for i in reversed(range(m))]

    def _next(self, digits: list[int]) -> tuple[int, int]:
        """The address of the next block and its digit."""
        if not digits:
            self.swap = False
            return self.program.finish, 0
        digit = digits.pop(0)
        self.swap = digit == 1 if self.program.ladder else digit == -1
        return self.program.steps, digit

    def _place(self, register: int) -> int:
        return register ^ 1 if self.swap and register < 2 * self.program.pairs else register

    def read(self, register: int) -> int:
        """The value of a register, as an instruction sees it."""
        return self.registers[self._place(register)]

    def _product(self, unit: int) -> int:
        begun = [each for each in self.results[unit] if each[0] + self.timing.hold < self.cycle]
        if not begun or begun[-1][0] + self.timing.latency > self.cycle:
            raise MachineError(f"cycle {self.cycle}: multiplier {unit} has no product")
        return begun[-1][1]

    def _quotient(self) -> int:
        if self.quotient is None or self.quotient[0] != self.cycle:
            raise MachineError(f"cycle {self.cycle}: there is no quotient")
        return self.quotient[1]

    def _operand(self, word: Word, x: int, y: int) -> int:
        match word.source.split():
            case ["register"]:
                return self.read(word.a)
            case ["mult", unit]:
                return self._product(int(unit))
            case ["quotient"]:
                return self._quotient()
            case [name]:
                return {"x": x, "y": y, "1": 1, "c": self.c}[name]
        return 0

    def _execute(self, word: Word, x: int, y: int) -> None:
        a, b = self._operand(word, x, y), self.read(word.b)
        for unit in range(self.timing.multipliers):
            if word.start >> unit & 1:
                if self.results[unit] and self.cycle < self.results[unit][-1][0] + self.timing.interval:
                    raise MachineError(f"cycle {self.cycle}: multiplier {unit} is busy")
                self.results[unit].append((self.cycle, gf2m.mul(a, b, self.f)))
        if word.divide:
            value = gf2m.mul(a, gf2m.inverse(b, self.f), self.f) if b else 0
            self.quotient = self.cycle + self.timing.division, value
        if word.write:
            value = a ^ b if word.add else a
            value = gf2m.square(value, self.f) if word.square else value
            self.registers[self._place(word.d)] = value
        self.cycle += 1
