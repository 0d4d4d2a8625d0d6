"""What eccel_field_machine (rtl/compare) computes with a program, instruction by instruction, without
cycles of its units. It says where a program is wrong before any RTL runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from eccelerate.model.field_program import CONDITIONS, TWO_CYCLES, Instruction, ProgramError


@dataclass
class FieldMachine:
    """A run of a program.

    bits, modulus: of the machine. program: from address 0. operands: what Input takes, by number.
    digit: gives (digit, whether it is the last one) and goes to the next one if it is called with True.
    """

    bits: int
    modulus: int
    program: Sequence[Instruction]
    operands: dict[int, int]
    digit: Callable[[bool], tuple[int, bool]]
    external: bool = False
    multiplier_cycles: int = 257
    registers: dict[int, int] = field(default_factory=dict)
    outputs: dict[int, int] = field(default_factory=dict)
    flag: bool = False
    products: int = 0
    quotients: int = 0
    steps: int = 0
    now: int = 0

    def run(self, limit: int = 10_000_000) -> None:
        """Runs to Done. Raises ProgramError if there is none, or for a use of what does not exist."""
        at, zero = 0, False
        product: dict[int, tuple[int, int]] = {}
        quotient = 0
        shrink = pow(1 << self.bits, -1, self.modulus)
        while True:
            if at >= len(self.program) or self.steps >= limit:
                raise ProgramError(f"no Done: the program is at address {at} after {self.steps} steps")
            line = self.program[at]
            self.steps += 1
            self.now += 1 + (line.op in TWO_CYCLES)
            at += 1
            value: int | None = None
            match line.op:
                case "Add":
                    value = self._get(line.d) + self._get(line.b)
                case "Sub":
                    value = self._get(line.d) - self._get(line.b)
                case "Move":
                    value = self._get(line.b)
                case "Negate":
                    value = -self._get(line.b)
                case "Input":
                    value = self.operands[line.b]
                case "Multiply":
                    if line.unit in product:
                        raise ProgramError(f"address {at - 1}: multiplier {line.unit} has a product")
                    result = self._get(line.d) * self._get(line.b) * shrink % self.modulus
                    product[line.unit] = (result, self.now + self.multiplier_cycles)
                    self.products += 1
                case "Product":
                    value, ready = product.pop(line.unit)
                    self.now = max(self.now, ready)
                case "Divide":
                    number = self._get(line.b)
                    inverse = pow(number, -1, self.modulus) if number else 0
                    quotient = self._get(line.d) * inverse % self.modulus
                    self.quotients += 1
                case "Quotient":
                    value = quotient
                case "Output":
                    self.outputs[line.unit] = self._get(line.b)
                case "Test":
                    zero = self._get(line.b) == 0
                case "Flag":
                    self.flag = bool(line.unit)
                case "Jump":
                    if self._holds(CONDITIONS[line.unit], zero):
                        at = line.d << 6 | line.b
                case "Done":
                    return
            if value is not None:
                self.registers[line.d] = value % self.modulus

    def _get(self, number: int) -> int:
        if number not in self.registers:
            raise ProgramError(f"register {number} is read before it is written")
        return self.registers[number]

    def _holds(self, condition: str, zero: bool) -> bool:
        digit, last = self.digit(condition == "More")
        return {
            "Always": True,
            "Zero": zero,
            "Nonzero": not zero,
            "Flag": self.flag,
            "NoDigit": digit == 0,
            "NotNegative": digit >= 0,
            "More": not last,
            "External": self.external,
        }[condition]
