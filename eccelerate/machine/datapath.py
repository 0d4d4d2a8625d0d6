"""Field unit of the simulator: 64 registers, the selected modulus, the reduction exactly as the hardware
does it.

A register is an integer kept in two parts: `lo`, its s low digits, which the short operations read and
write, and `hi`, what lies above, which only the long operations and loads touch.
"""

from __future__ import annotations

from eccelerate import isa

REGISTERS = isa.load().machine["registers"]
EXTRA_BITS = isa.load().machine["extra_bits"]


class Datapath:
    """Registers and modulus of one field unit with digits of `digit_bits` bits."""

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
        """Registers of s = ceil(32 * words / digit_bits) digits from now on; contents stay."""
        s = -(-32 * words // self.digit_bits)
        if s != self.s:
            whole = [h << self.bits | low for h, low in zip(self.hi, self.lo, strict=True)]
            self.s, self.bits = s, s * self.digit_bits
            self.mask = (1 << self.bits) - 1
            self.long_bits = self.bits + -(-EXTRA_BITS // self.digit_bits) * self.digit_bits
            self.lo[:] = [w & self.mask for w in whole]
            self.hi[:] = [w >> self.bits for w in whole]

    def read_long(self, register: int) -> int:
        """The long length of a register."""
        return (self.hi[register] << self.bits | self.lo[register]) & ((1 << self.long_bits) - 1)

    def write_long(self, register: int, value: int) -> None:
        """Replace the long length of a register."""
        extra = self.long_bits - self.bits
        self.hi[register] = (self.hi[register] >> extra << extra) | value >> self.bits
        self.lo[register] = value & self.mask
        if register < 4:
            self.refresh()

    def select(self, modulus: int) -> None:
        """Modulus register 0 (p) or 1 (n); fetches its constant from register 2, the parameter element."""
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

        With a constant that does not fit the modulus the digit-serial loop is followed literally.
        """
        m, bits, mask, prime = self.ctx
        if prime >= 0:
            t = (t + ((t & mask) * prime & mask) * m) >> bits
        else:
            digit = (1 << self.digit_bits) - 1
            for _ in range(self.s):
                t = (t + ((t & digit) * self.constant & digit) * m) >> self.digit_bits
        return (t - m if t >= m else t) & mask
