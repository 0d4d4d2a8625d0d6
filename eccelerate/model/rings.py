"""The rings in which MOD_* compute: the integers modulo m, and GF(2^m)."""

from dataclasses import dataclass
from typing import Protocol

from eccelerate.curves import gf2m
from eccelerate.curves.curve import Curve
from eccelerate.model.field import mod_inverse


class Ring(Protocol):
    """A ring. Its elements are the integers in [0, size)."""

    @property
    def size(self) -> int:
        """Number of elements."""
        ...

    def add(self, a: int, b: int) -> int:
        """a + b."""
        ...

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        ...

    def mul(self, a: int, b: int) -> int:
        """a * b."""
        ...

    def inverse(self, a: int) -> int:
        """a^-1, and 0 for 0."""
        ...

    def power(self, a: int, e: int) -> int:
        """a^e, e >= 0; 1 for e = 0."""
        ...


@dataclass(frozen=True)
class Integers:
    """Integers modulo a prime."""

    size: int

    def add(self, a: int, b: int) -> int:
        """a + b."""
        return (a + b) % self.size

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        return (a - b) % self.size

    def mul(self, a: int, b: int) -> int:
        """a * b."""
        return a * b % self.size

    def inverse(self, a: int) -> int:
        """a^-1, and 0 for 0."""
        return mod_inverse(a, self.size)

    def power(self, a: int, e: int) -> int:
        """a^e, e >= 0."""
        return pow(a, e, self.size)


@dataclass(frozen=True)
class BinaryField:
    """GF(2^m) with an irreducible reduction polynomial f of degree m >= 2."""

    f: int

    @property
    def size(self) -> int:
        """2^m."""
        return 1 << (self.f.bit_length() - 1)

    def add(self, a: int, b: int) -> int:
        """a + b, which is a - b."""
        return a ^ b

    sub = add

    def mul(self, a: int, b: int) -> int:
        """a * b."""
        return gf2m.mul(a, b, self.f)

    def inverse(self, a: int) -> int:
        """a^-1, and 0 for 0."""
        return gf2m.inverse(a, self.f) if a else 0

    def power(self, a: int, e: int) -> int:
        """a^e, e >= 0, left to right."""
        result = 1
        for bit in f"{e:b}":
            result = gf2m.square(result, self.f)
            if bit == "1":
                result = gf2m.mul(result, a, self.f)
        return result


def base_ring(curve: Curve) -> Ring:
    """The field over which the curve is."""
    return BinaryField(curve.p) if curve.kind == "binary" else Integers(curve.p)
