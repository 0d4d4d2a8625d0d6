"""Field units of the binary engine in the simulator: GF(2^m) as modulus 0, integers mod n as modulus 1.

The unit for integers is that of the compact engine. A register of the other unit holds a polynomial whose bit
i is the coefficient of z^i; its length depends on the degree of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eccelerate import isa
from eccelerate.curves import gf2m
from eccelerate.isa.binary_registers import C4, CONSTANT, INV, NEXT, POLYNOMIAL, SCALAR, T1, T2, T3, XS, X
from eccelerate.machine.datapath import REGISTERS, DigitDatapath
from eccelerate.machine.thread_state import B, C, ProgramError, ThreadState, Z
from eccelerate.model import lopez_dahab
from eccelerate.model.binary_fields import LEAST_GENERIC_DEGREE

ISA = isa.load("binary")
INTEGERS = 1
"""Modulus that selects the unit for integers."""


class BinaryDatapath(DigitDatapath):
    """Registers of both units. The base class has those for integers.

    polynomials: those of the fields that the build has, one for each degree; empty for a generic build.
    generic_degree: the largest degree of a polynomial that a program of a generic build may load.
    gap: of this polynomial, the difference between the degrees of its two highest terms.
    aside: whether begin_steps or begin_recip was the last instruction, and nothing waits for what it started.
    """

    unit = "binary"

    def __init__(self, digit_bits: int, polynomials: Sequence[int], generic_degree: int = 0) -> None:
        super().__init__(digit_bits)
        self.generic_degree = generic_degree
        self.low = 1
        self.gap = self._gap(0, 0)
        self.fields = {f.bit_length() - 1: f for f in polynomials}
        self.elements = [0] * REGISTERS
        self.in_field = True
        self.aside = False
        self.scalar = self.added = 0
        super().select(1)

    def select(self, modulus: int) -> None:
        """Select the unit for GF(2^m) (modulus 0), or the one for integers modulo register 1 (modulus 1)."""
        self.in_field, self.aside = not modulus, False
        if modulus:
            super().select(1)

    def knows(self, degree: int) -> bool:
        """Whether the build has a field of this degree."""
        return degree in self.fields or LEAST_GENERIC_DEGREE <= degree <= self.generic_degree

    def polynomial(self, degree: int) -> int:
        """The reduction polynomial in use. For a degree that the build lacks, this is its first
        polynomial.
        """
        if self.generic_degree:
            return 1 << degree | self.low
        return self.fields.get(degree, next(iter(self.fields.values())))

    def load(self, register: int, value: int, state: ThreadState) -> None:
        """See `Datapath`. In the field, C says whether the value has more bits than the register keeps."""
        if self.in_field:
            state.f[C] = self._load_element(register, value, state.bits_p, state.counters[3])
        else:
            super().load(register, value, state)

    def _load_element(self, register: int, value: int, degree: int, count: int) -> int:
        """Put the coefficients below z^degree into a register. Returns whether there are others. Register
        SCALAR keeps the sum of the value and that of CONSTANT for `steps` instead, and the result says
        whether the value has a bit from number `count` on.
        """
        if register == CONSTANT:
            self.added = value
        if register == SCALAR:
            self.scalar = value + self.added
        if register in (SCALAR, CONSTANT):
            return int(value >> count > 0)
        self.elements[register] = value & ((1 << degree) - 1)
        if register == POLYNOMIAL:
            self.low = self.elements[register]
            self.gap = self._gap(degree, self.low)
        return int(value >> degree > 0)

    def _gap(self, degree: int, low: int) -> int:
        """The difference between `degree` and the degree of the next term of the polynomial. If there is no
        other term, it is larger than any difference.
        """
        return degree + 1 - low.bit_length() if low else self.generic_degree + 1

    def read_long(self, register: int) -> int:
        """The value of a register of the selected unit, over the long length."""
        return self.elements[register] if self.in_field else super().read_long(register)

    def write_long(self, register: int, value: int) -> None:
        """Replace the value of a register of the selected unit, over the long length."""
        if self.in_field:
            self.elements[register] = value
        else:
            super().write_long(register, value)

    def action(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None]:
        """See `Datapath`. The operation acts on the selected unit."""
        on_elements = self._on_elements(name, v, state)
        shared = ISA.only.get(name, INTEGERS) == INTEGERS
        on_integers = self.refreshing(self.integer_action(name, v, state)) if shared else None

        def run() -> None:
            act = on_elements if self.in_field else on_integers
            if act is None:
                raise ProgramError(f"{name}: the unit that is selected has no such operation")
            self.aside = self.in_field and name in ("begin_steps", "begin_recip")
            act()

        return run

    def _on_elements(self, name: str, v: dict[str, int], state: ThreadState) -> Callable[[], None] | None:
        r, f, data = self.elements, state.f, self
        rd, ra, rb = v.get("rd", 0), v.get("ra", 0), v.get("rb", 0)

        def mul(a: int, b: int) -> int:
            return gf2m.mul(a, b, self.polynomial(state.bits_p))

        def put(value: int) -> None:
            r[rd] = value
            f[Z] = value == 0

        def sqr() -> None:
            value, polynomial = r[ra], self.polynomial(state.bits_p)
            for _ in range(state.squares):
                value = gf2m.square(value, polynomial)
            put(value)

        def step(bit: int) -> None:
            old = r[XS : XS + NEXT]
            ladder = lopez_dahab.Ladder(old[0], old[1], old[2], old[3], r[T2])
            r[T1] = mul(ladder.xs, ladder.zd)
            r[T3] = mul(r[T1], r[T2])
            new = lopez_dahab.step(self.polynomial(state.bits_p), r[C4], r[X], ladder, double_sum=bool(bit))
            r[XS : XS + 2 * NEXT] = [new.xs, new.zs, new.xd, new.zd, *old]
            r[T2] = new.t2

        def steps() -> None:
            scalar = data.scalar & (2 << state.counters[3]) - 1
            for i in range(state.counters[3], -1, -1):
                step((scalar ^ scalar >> 1) >> i & 1)
            data.scalar = 0

        def recip() -> None:
            # This is a power, because a program may use the result to find out whether the polynomial has
            # factors.
            power, product = r[INV], 1
            for _ in range(state.bits_p - 1):
                power = mul(power, power)
                product = mul(product, power)
            r[INV] = product
            f[Z] = product == 0

        actions: dict[str, Callable[[], None]] = {
            "mul": lambda: put(mul(r[ra], r[rb])),
            "add": lambda: put(r[ra] ^ r[rb]),
            "mula": lambda: put(mul(r[ra], r[rb]) ^ r[rd]),
            "mov": lambda: put(r[ra]),
            "csel": lambda: put(r[rb] if f[B] else r[ra]),
            "sqr": sqr,
            "step": lambda: step(f[B]),
            "steps": steps,
            "recip": recip,
            "begin_steps": steps,
            "begin_recip": recip,
        }
        return actions.get(name)
