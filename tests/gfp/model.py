"""What a field unit guarantees, on integers: results, flags and cycles of a stream of operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eccelerate.timing.compact_cycles import FieldClock, FieldTiming
from tests.gfp.unit import Op

LONG = ("iaddl", "isubl", "caddl", "movl")
CARRY = ("iadd", "isub", "cadd", "iaddl", "isubl", "caddl")


@dataclass
class Expected:
    """The value that an operation writes (s digits, or the long length), its flags, and the cycles of its
    acceptance, of done and of the first idle one, counted from the first acceptance.
    """

    value: int
    zero: bool
    carry: bool | None
    accepted: int
    done: int
    idle: int


class FieldModel:
    """64 registers of the long length, and the selected modulus."""

    def __init__(self, digit_bits: int, words: int, m: int, modulus: int = 0) -> None:
        self.timing = FieldTiming(digit_bits, words)
        self.m = m
        self.short = 1 << digit_bits * self.timing.digits
        self.long = 1 << digit_bits * self.timing.long_digits
        self.registers = [0] * 64
        self.registers[modulus] = m
        self.registers[2] = pow(-m, -1, 1 << 64) << (128 if modulus else 64)

    def run(self, ops: Sequence[Op]) -> list[Expected]:
        """Execute a stream on a unit that is empty at the start."""
        clock, now, zero, found = FieldClock(self.timing.digit_bits), 0, 0, []
        for i, op in enumerate(ops):
            value, carry = self._result(op)
            length = self.long if op.name in LONG else self.short
            value %= length
            above = 0 if op.name in LONG else self.registers[op.rd] // self.short * self.short
            self.registers[op.rd] = above | value
            at = clock.accept(now, self.timing.cost(op.name), op.rd, op.ra, op.rb)
            zero = zero if i else at
            idle = clock.idle
            carry = carry if op.name in CARRY else None
            found.append(Expected(value, value == 0, carry, at - zero, clock.done - zero, idle - zero))
            if i + 1 < len(ops):
                now = idle - 2 + max(ops[i + 1].gap, 3) if op.wait else at + ops[i + 1].gap
        return found

    def _result(self, op: Op) -> tuple[int, bool]:
        """The value before it is cut to its length, and carry or borrow."""
        x, y, m = self.registers[op.ra], self.registers[op.rb], self.m
        name, y_or_0 = op.name, self.registers[op.rb] if op.sel else 0
        if name in LONG:
            value = {"iaddl": x + y, "isubl": x - y, "caddl": x + y_or_0, "movl": x}[name]
            return value, not 0 <= value < self.long
        x, y, y_or_0 = x % self.short, y % self.short, y_or_0 % self.short
        match name:
            case "mul" | "mulx":
                return x * y * pow(self.short, -1, m) % m, False
            case "add":
                return (x + y) % m, False
            case "sub":
                return (x - y) % m, False
            case "half":
                return x * pow(2, -1, m) % m, False
            case "mov":
                return x, False
            case "movx":
                return y, False
            case "csel":
                return (y if op.sel else x), False
            case "isub":
                return x - y, x < y
        value = x + (y if name == "iadd" else y_or_0)
        return value, value >= self.short
