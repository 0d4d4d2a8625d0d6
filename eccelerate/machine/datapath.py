"""Field unit of the simulator: 64 registers, the selected modulus, and the reduction exactly as the hardware
does it.

A register is an integer in two parts. `lo` has its s low digits, which short operations read and write. `hi`
has the digits above, which only long operations and loads use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from eccelerate import isa
from eccelerate.machine.thread_state import B, C, ProgramError, ThreadState, X, Z

REGISTERS = isa.load().machine["registers"]
EXTRA_BITS = isa.load().machine["extra_bits"]
MIRRORED = 4
"""Registers with a lower number are mirrored in the modulus memory."""


class Datapath(ABC):
    """What the sequencer asks of a field unit, or of several units that share its instructions.

    unit: name of the unit in the ISA table.
    bits, long_bits: length of a register in short and in long operations.
    columns: columns of the base point's table.
    """

    unit: ClassVar[str]
    bits: int
    long_bits: int
    columns: int = 0

    @abstractmethod
    def read_long(self, register: int) -> int:
        """The value of a register over the long length."""

    @abstractmethod
    def write_long(self, register: int, value: int) -> None:
        """Replace the value of a register over the long length."""

    @abstractmethod
    def action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """A function that applies a field operation with the operands `v` to registers and flags."""

    def begin(self, words: int) -> None:
        """Begin a job whose elements have so many words."""
        del words

    def load(self, register: int, value: int, state: ThreadState) -> None:
        """Instruction `ld`: copy a number from the mailbox to a register."""
        del state
        self.write_long(register, value)

    def select(self, modulus: int) -> None:
        """Instruction `mod`: select the modulus of the operations that follow."""
        raise ProgramError(f"mod {modulus}: this field unit has one modulus")

    def knows(self, degree: int) -> bool:
        """Whether the engine has a field GF(2^degree)."""
        del degree
        return False


class DigitDatapath(Datapath):
    """Registers and modulus of one field unit with digits of `digit_bits` bits."""

    unit = "compact"

    def __init__(self, digit_bits: int) -> None:
        if digit_bits < 8 or digit_bits % 8:
            raise ValueError(f"digit_bits = {digit_bits}: use 8, 16, 32 or 64")
        self.digit_bits = digit_bits
        self.lo = [0] * REGISTERS
        self.hi = [0] * REGISTERS
        self.s = self.bits = self.mask = self.long_bits = 0
        self.m = 0
        # (m, bits, mask, m' or -1 when the digit constant does not fit m), read by every modular operation.
        self.ctx: list[int] = [0, 0, 0, -1]
        self.selected = self.constant = 0
        self._primes: dict[tuple[int, int], int] = {}

    def set_width(self, words: int) -> None:
        """Give registers s = ceil(32 * words / digit_bits) digits from now on. Their contents stay."""
        s = -(-32 * words // self.digit_bits)
        if s != self.s:
            whole = [h << self.bits | low for h, low in zip(self.hi, self.lo, strict=True)]
            self.s, self.bits = s, s * self.digit_bits
            self.mask = (1 << self.bits) - 1
            self.long_bits = self.bits + -(-EXTRA_BITS // self.digit_bits) * self.digit_bits
            self.lo[:] = [w & self.mask for w in whole]
            self.hi[:] = [w >> self.bits for w in whole]

    def read_long(self, register: int) -> int:
        """The value of a register over the long length."""
        return (self.hi[register] << self.bits | self.lo[register]) & ((1 << self.long_bits) - 1)

    def write_long(self, register: int, value: int) -> None:
        """Replace the value of a register over the long length."""
        extra = self.long_bits - self.bits
        self.hi[register] = (self.hi[register] >> extra << extra) | value >> self.bits
        self.lo[register] = value & self.mask
        if register < MIRRORED:
            self.refresh()

    def select(self, modulus: int) -> None:
        """Select modulus register 0 (p) or 1 (n), and fetch its constant from register 2, the parameter
        element.
        """
        self.selected = modulus
        self.constant = self.lo[2] >> (128 if modulus else 64) & ((1 << self.digit_bits) - 1)
        self.refresh()

    def refresh(self) -> None:
        """Read the selected modulus again (registers 0..3 are mirrored in the modulus memory)."""
        m = self.lo[self.selected]
        fits = m & 1 and (self.constant * m + 1) & ((1 << self.digit_bits) - 1) == 0
        prime = -1
        if fits:
            key = (m, self.bits)
            if key not in self._primes:
                self._primes[key] = pow(-m, -1, 1 << self.bits)
            prime = self._primes[key]
        self.ctx[:] = [m, self.bits, self.mask, prime]

    def reduce(self, t: int) -> int:
        """Montgomery reduction of a product, then one conditional subtraction, cut to s digits.

        If the constant does not fit the modulus, the digit-serial loop is followed literally.
        """
        m, bits, mask, prime = self.ctx
        if prime >= 0:
            t = (t + ((t & mask) * prime & mask) * m) >> bits
        else:
            digit = (1 << self.digit_bits) - 1
            for _ in range(self.s):
                t = (t + ((t & digit) * self.constant & digit) * m) >> self.digit_bits
        return (t - m if t >= m else t) & mask

    def begin(self, words: int) -> None:
        """See `Datapath`."""
        self.set_width(words)
        self.refresh()

    def action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """See `Datapath`."""
        act = self.integer_action(name, v, state)
        return act if v["rd"] >= MIRRORED else self.refreshing(act)

    def refreshing(self, act: Callable[[], None]) -> Callable[[], None]:
        """The operation for a destination that may be mirrored in the modulus memory: it also refreshes the
        mirror.
        """

        def run() -> None:
            act()
            self.refresh()

        return run

    def integer_action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """As `action`, for a register that is not mirrored."""
        data, r, ctx, f = self, self.lo, self.ctx, state.f
        rd, ra, rb = v["rd"], v.get("ra", 0), v.get("rb", 0)

        def mul() -> None:
            modulus, bits, mask, prime = ctx
            t = r[ra] * r[rb]
            if prime < 0:
                t = data.reduce(t)
            else:
                t = (t + ((t & mask) * prime & mask) * modulus) >> bits
                if t >= modulus:
                    t = (t - modulus) & mask
            r[rd] = t
            f[Z] = t == 0

        def mulx() -> None:
            r[rd] = t = data.reduce(r[ra] * r[rb | f[X]])
            f[Z] = t == 0

        def add() -> None:
            t = r[ra] + r[rb]
            if t >= ctx[0]:
                t -= ctx[0]
            r[rd] = t = t & ctx[2]
            f[Z] = t == 0

        def sub() -> None:
            t = r[ra] - r[rb]
            if t < 0:
                t = (t + ctx[0]) & ctx[2]
            r[rd] = t
            f[Z] = t == 0

        def half() -> None:
            t = r[ra]
            r[rd] = t = (t + ctx[0] if t & 1 else t) >> 1
            f[Z] = t == 0

        def mov() -> None:
            r[rd] = t = r[ra]
            f[Z] = t == 0

        def movx() -> None:
            r[rd] = t = r[rb | f[X]]
            f[Z] = t == 0

        def csel() -> None:
            r[rd] = t = r[rb] if f[B] else r[ra]
            f[Z] = t == 0

        def iadd() -> None:
            t = r[ra] + r[rb]
            f[C] = t >> ctx[1]
            r[rd] = t = t & ctx[2]
            f[Z] = t == 0

        def isub() -> None:
            t = r[ra] - r[rb]
            f[C] = t < 0
            r[rd] = t = t & ctx[2]
            f[Z] = t == 0

        def cadd() -> None:
            t = r[ra] + (r[rb] if f[B] else 0)
            f[C] = t >> ctx[1]
            r[rd] = t = t & ctx[2]
            f[Z] = t == 0

        def long_sum(addend: int) -> None:
            t = data.read_long(ra) + addend
            f[C] = (t >> data.long_bits) & 1
            t &= (1 << data.long_bits) - 1
            data.write_long(rd, t)
            f[Z] = t == 0

        def iaddl() -> None:
            long_sum(data.read_long(rb))

        def isubl() -> None:
            long_sum(-data.read_long(rb))

        def caddl() -> None:
            long_sum(data.read_long(rb) if f[B] else 0)

        def movl() -> None:
            t = data.read_long(ra)
            data.write_long(rd, t)
            f[Z] = t == 0

        return {
            "mul": mul, "mulx": mulx, "add": add, "sub": sub, "half": half, "mov": mov, "movx": movx,
            "csel": csel, "iadd": iadd, "isub": isub, "cadd": cadd,
            "iaddl": iaddl, "isubl": isubl, "caddl": caddl, "movl": movl,
        }[name]  # fmt: skip
