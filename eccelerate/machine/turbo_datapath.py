"""One thread of the turbo engine's field unit in the simulator: 64 registers of W words, one sparse prime.

In the RTL a residue can be any representative below 2^n, where n is the number of bits of p. Here it is
always the largest one. So a program that compares or returns a value that it did not make canonical is wrong
here whenever it can be wrong in the RTL.
"""

from __future__ import annotations

from collections.abc import Callable

from eccelerate.machine.datapath import REGISTERS, Datapath
from eccelerate.machine.thread_state import B, C, ProgramError, ThreadState, X, Z
from eccelerate.model.comb import columns


class TurboDatapath(Datapath):
    """Registers of a thread, for the field of the prime `p`."""

    unit = "turbo"

    def __init__(self, p: int) -> None:
        self.p = p
        self.words = -(-p.bit_length() // 32)
        self.bits = self.long_bits = 32 * self.words
        self.half_bits = p.bit_length()  # mull and mulh split products at this bit
        self.mask = (1 << self.bits) - 1
        self.gap = (1 << p.bit_length()) - p  # a residue below this has two representatives
        self.columns = columns(p.bit_length())  # columns of the base point's comb
        self.registers = [0] * REGISTERS

    def read_long(self, register: int) -> int:
        """The value of a register: all its W words."""
        return self.registers[register]

    def write_long(self, register: int, value: int) -> None:
        """Replace the value of a register: all its W words."""
        self.registers[register] = value & self.mask

    def residue(self, value: int) -> int:
        """The largest representative below 2^n."""
        r = value % self.p
        return r + self.p if r < self.gap else r

    def action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """A function that applies a field operation to registers and flags."""
        r, f, mask, bits = self.registers, state.f, self.mask, self.bits
        rd, ra, rb = v["rd"], v.get("ra", 0), v.get("rb", 0)
        residue, half_bits = self.residue, self.half_bits
        half_mask = (1 << half_bits) - 1

        def factor(register: int) -> int:
            if r[register] >> half_bits:
                raise ProgramError(f"register {register} is no factor: it has more than {half_bits} bits")
            return r[register]

        def mul() -> None:
            r[rd] = residue(factor(ra) * factor(rb))

        def mulx() -> None:
            r[rd] = residue(factor(ra) * factor(rb | f[X]))

        def mull() -> None:
            r[rd] = r[ra] * factor(rb) & half_mask

        def mulh() -> None:
            r[rd] = factor(ra) * factor(rb) >> half_bits

        def mulw() -> None:
            value = factor(ra) * factor(rb)
            r[rd], r[rd | 1] = value & half_mask, value >> half_bits

        def put(value: int) -> None:
            r[rd] = value
            f[Z] = value == 0

        def integer(value: int) -> None:
            f[C] = value >> bits & 1
            put(value & mask)

        return {
            "mul": mul, "mulx": mulx, "mull": mull, "mulh": mulh, "mulw": mulw,
            "add": lambda: put(residue(r[ra] + r[rb])),
            "sub": lambda: put(residue(r[ra] - r[rb])),
            "addsub": lambda: put(residue(r[ra] - r[rb] if f[B] else r[ra] + r[rb])),
            "canon": lambda: put(r[ra] % self.p),
            "mov": lambda: put(r[ra]),
            "take": lambda: put(state.comb.take() if state.comb else 0),
            "movx": lambda: put(r[rb | f[X]]),
            "csel": lambda: put(r[rb] if f[B] else r[ra]),
            "iadd": lambda: integer(r[ra] + r[rb]),
            "isub": lambda: integer(r[ra] - r[rb]),
            "cadd": lambda: integer(r[ra] + (r[rb] if f[B] else 0)),
            "caddc": lambda: integer(r[ra] + (r[rb] if f[C] else 0)),
        }[name]  # fmt: skip
