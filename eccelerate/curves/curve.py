"""The `Curve` record: domain parameters as integers, and the sizes every other layer derives from them."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["weierstrass", "montgomery", "binary"]

WORD_BITS = 32
MIN_WORDS = 6
"""Smallest element of a job packet in words: the three 64-bit fields of CURVE_LOAD's `par` have to fit."""
MAX_BITS = 544
"""Largest field or group order of the prime-field engines: 17 words."""
MAX_BINARY_BITS = 576
"""Largest degree m or group order of a curve over GF(2^m): 18 words."""


@dataclass(frozen=True)
class MontgomeryMap:
    """Affine map between a short Weierstrass curve and the Montgomery curve (B = 1) it was derived from.

    x = u + shift, y = v (mod p), with shift = A/3. Both directions take affine points and infinity.
    """

    curve: str
    """Catalogue name of the Montgomery curve."""
    shift: int
    """A/3 mod p."""

    def to_montgomery(self, point: tuple[int, int] | None, p: int) -> tuple[int, int] | None:
        """(x, y) -> (u, v)."""
        return None if point is None else ((point[0] - self.shift) % p, point[1])

    def from_montgomery(self, point: tuple[int, int] | None, p: int) -> tuple[int, int] | None:
        """(u, v) -> (x, y)."""
        return None if point is None else ((point[0] + self.shift) % p, point[1])


@dataclass(frozen=True)
class Curve:
    """Domain parameters. All integers are canonical (0 <= a, b, gx, gy < p) in a valid curve; see `validate`.

    kind           equation
    weierstrass    y^2 = x^3 + a x + b          over GF(p)
    montgomery     b v^2 = u^3 + a u^2 + u      over GF(p); G = (u, v)
    binary         y^2 + x y = x^3 + a x^2 + b  over GF(2^m); p is the reduction polynomial,
                                                bit i the coefficient of z^i
    """

    name: str
    kind: Kind
    p: int
    a: int
    b: int
    gx: int
    gy: int
    n: int
    """Order of G, prime."""
    h: int
    """Cofactor."""
    aliases: tuple[str, ...] = ()
    source: str = ""
    montgomery: MontgomeryMap | None = None

    @property
    def generator(self) -> tuple[int, int]:
        """The base point (gx, gy)."""
        return (self.gx, self.gy)

    @property
    def p_bits(self) -> int:
        """Bits of a field element: bits(p), or m for GF(2^m)."""
        return self.p.bit_length() - (self.kind == "binary")

    @property
    def field_size(self) -> int:
        """Elements of the field: p, or 2^m. Canonical elements are the integers below it."""
        return 1 << self.p_bits if self.kind == "binary" else self.p

    @property
    def order(self) -> int:
        """N = h * n, the number of points of the group."""
        return self.h * self.n

    @property
    def order_bits(self) -> int:
        """bits(N): scalars of MUL, BASE_MUL and DOUBLE_MUL are below 2^order_bits."""
        return self.order.bit_length()

    @property
    def element_words(self) -> int:
        """W: 32-bit words of one operand in a job packet."""
        return max(MIN_WORDS, -(-max(self.p_bits, self.order_bits) // WORD_BITS))

    @property
    def a_is_minus_3(self) -> bool:
        """True when a = -3 mod p on a short Weierstrass curve (doubling is then cheaper)."""
        return self.kind == "weierstrass" and self.a == self.p - 3

    @property
    def is_koblitz(self) -> bool:
        """True for a binary curve with coefficients in GF(2): (x, y) -> (x^2, y^2) sends it to itself."""
        return self.kind == "binary" and self.a in (0, 1) and self.b == 1

    @property
    def a24(self) -> int:
        """(A + 2) / 4 mod p, the constant of the Montgomery ladder. Only for kind "montgomery"."""
        if self.kind != "montgomery":
            raise ValueError(f"{self.name} is a {self.kind} curve; a24 belongs to Montgomery curves")
        return (self.a + 2) * pow(4, -1, self.p) % self.p
