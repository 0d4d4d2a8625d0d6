"""The reduced Tate pairing on y^2 = x^3 + b with embedding degree 4, by its definition, in affine
coordinates.

F_p^4 is a tower: F_p^2 = F_p(i) with i^2 = -1, F_p^4 = F_p^2(v) with v^2 = 1 + i. For this p is 3 modulo 8:
then neither -1 nor the norm 2 of 1 + i is a square. An element is (a, b, c, d) for a + b i + (c + d i) v.

P has the order r and coordinates in F_p. Q = (x, y) has x in F_p^2 and y = v times an element of F_p^2, as
the points of the quadratic twist over F_p^2 have on the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Element = tuple[int, int, int, int]
Point = tuple[int, int] | None
ONE: Element = (1, 0, 0, 0)


@dataclass(frozen=True)
class TwistPoint:
    """Q = (x0 + x1 i, (y0 + y1 i) v); None stands for infinity elsewhere."""

    x0: int
    x1: int
    y0: int
    y1: int


@dataclass(frozen=True)
class PairingCurve:
    """y^2 = x^3 + b over F_p with a point of the prime order r. The cofactor h has p + 1 - t = h r."""

    p: int
    r: int
    t: int
    b: int

    def __post_init__(self) -> None:
        if self.p % 8 != 3:
            raise ValueError(f"p is 3 modulo 8, not {self.p % 8}, for the tower over F_p")
        if (self.p + 1 - self.t) % self.r or (self.p * self.p + 1) % self.r:
            raise ValueError("r divides the number of points, and p^2 + 1 for the embedding degree 4")

    @property
    def h(self) -> int:
        """The cofactor of the curve over F_p."""
        return (self.p + 1 - self.t) // self.r

    @property
    def exponent(self) -> int:
        """(p^2 + 1) / r, the harder part of the final exponent."""
        return (self.p * self.p + 1) // self.r

    @property
    def twist_order(self) -> int:
        """Points of the quadratic twist over F_p^2."""
        return self.p * self.p + 1 + self.t * self.t - 2 * self.p


def multiply(p: int, left: Element, right: Element) -> Element:
    """The product in F_p^4, from 16 products in F_p."""
    found = [0, 0, 0, 0]
    for m, x in enumerate(left):
        for n, y in enumerate(right):
            # i^(m1 + n1) v^(m2 + n2), where i^2 = -1 and v^2 = 1 + i
            term = x * y * (-1 if m & n & 1 else 1)
            place = (m ^ n) & 1
            if m & n & 2:
                found[place] += term
                found[place ^ 1] += -term if place else term
            else:
                found[place | ((m | n) & 2)] += term
    return found[0] % p, found[1] % p, found[2] % p, found[3] % p


def power(p: int, base: Element, exponent: int) -> Element:
    """base^exponent for an exponent that is not negative."""
    result = ONE
    for bit in f"{exponent:b}":
        result = multiply(p, result, result)
        if bit == "1":
            result = multiply(p, result, base)
    return result


def inverse(p: int, x: Element) -> Element:
    """1 / x, by the norms to F_p^2 and F_p. Raises ZeroDivisionError for 0."""
    if not any(x):
        raise ZeroDivisionError("0 has no inverse in F_p^4")
    conjugate = (x[0], x[1], -x[2], -x[3])
    a, b, _, _ = multiply(p, x, conjugate)
    norm = pow(a * a + b * b, -1, p)
    return multiply(p, conjugate, (a * norm % p, -b * norm % p, 0, 0))


def _line(p: int, at: tuple[int, int], slope: int | None, q: TwistPoint) -> Element:
    """The line through `at` with a slope in F_p, or the vertical one without, at Q."""
    x, y = at
    if slope is None:
        return ((q.x0 - x) % p, q.x1, 0, 0)
    return ((slope * (x - q.x0) - y) % p, -slope * q.x1 % p, q.y0, q.y1)


def _slope(p: int, left: tuple[int, int], right: tuple[int, int]) -> int | None:
    """The slope of the line through two points, or of the tangent; None for a vertical line."""
    (x1, y1), (x2, y2) = left, right
    if x1 != x2:
        return (y2 - y1) * pow(x2 - x1, -1, p) % p
    if (y1 + y2) % p == 0:
        return None
    return 3 * x1 * x1 * pow(2 * y1, -1, p) % p


def add(p: int, left: Point, right: Point) -> Point:
    """left + right on a curve with a = 0."""
    if left is None or right is None:
        return left or right
    slope = _slope(p, left, right)
    if slope is None:
        return None
    x = (slope * slope - left[0] - right[0]) % p
    return x, (slope * (left[0] - x) - left[1]) % p


def miller(curve: PairingCurve, point: tuple[int, int], q: TwistPoint) -> tuple[Element, Element]:
    """Numerator and denominator of f(Q), where f has the divisor r (P) - r (infinity)."""
    p = curve.p
    above, below = ONE, ONE
    now: Point = point
    for bit in f"{curve.r:b}"[1:]:
        above, below = multiply(p, above, above), multiply(p, below, below)
        for adding in (False, True) if bit == "1" else (False,):
            if now is None:
                raise ValueError("the order of P is below r")
            other = point if adding else now
            above = multiply(p, above, _line(p, now, _slope(p, now, other), q))
            now = add(p, now, other)
            if now is not None:
                below = multiply(p, below, _line(p, now, None, q))
    if now is not None:
        raise ValueError("P has not the order r")
    return above, below


def tate(curve: PairingCurve, point: Point, q: TwistPoint | None) -> Element:
    """f(Q)^((p^4 - 1) / r). It is 1 if P or Q is infinity. Raises ValueError if P has not the order r."""
    if point is None or q is None:
        return ONE
    above, below = miller(curve, point, q)
    p = curve.p
    return power(p, multiply(p, above, inverse(p, below)), (p**4 - 1) // curve.r)


def twist_points(curve: PairingCurve, xs: Sequence[tuple[int, int]]) -> list[TwistPoint]:
    """For each x0 + x1 i the point with this x of the form that Q has, where there is one."""
    p, found = curve.p, []
    for x0, x1 in xs:
        x = (x0 % p, x1 % p, 0, 0)
        a, b, _, _ = multiply(p, multiply(p, x, x), x)
        # (y0 + y1 i)^2 = (x^3 + b) / (1 + i)
        a = (a + curve.b) % p
        half = (p + 1) // 2
        root = square_root(p, ((a + b) * half % p, (b - a) * half % p))
        if root is not None:
            found.append(TwistPoint(x[0], x[1], *root))
    return found


def square_root(p: int, z: tuple[int, int]) -> tuple[int, int] | None:
    """A root of a + b i in F_p^2 for p = 3 mod 4, if there is one."""
    a, b = z
    norm = pow(a * a + b * b, (p + 1) // 4, p)  # the root of the norm, up to its sign
    for sign in (1, -1):
        half = (a + sign * norm) * pow(2, -1, p) % p
        x = pow(half, (p + 1) // 4, p)
        if x and x * x % p == half:
            y = b * pow(2 * x, -1, p) % p
            if (x * x - y * y - a) % p == 0:
                return x, y
    if b == 0:  # a root in F_p, or i times one
        x = pow(a, (p + 1) // 4, p)
        return (x, 0) if x * x % p == a else (0, x)
    return None


def add_twist(curve: PairingCurve, left: TwistPoint | None, right: TwistPoint | None) -> TwistPoint | None:
    """The sum of two points of the form that Q has."""
    if left is None or right is None:
        return left or right
    p = curve.p
    x1, y1 = (left.x0, left.x1, 0, 0), (0, 0, left.y0, left.y1)
    x2, y2 = (right.x0, right.x1, 0, 0), (0, 0, right.y0, right.y1)
    if x1 != x2:
        slope = multiply(p, _minus(p, y2, y1), inverse(p, _minus(p, x2, x1)))
    elif y1 != y2 or not any(y1):
        return None
    else:
        square = multiply(p, x1, x1)
        three = (3 * square[0] % p, 3 * square[1] % p, 0, 0)
        slope = multiply(p, three, inverse(p, (0, 0, 2 * y1[2] % p, 2 * y1[3] % p)))
    x = _minus(p, _minus(p, multiply(p, slope, slope), x1), x2)
    y = _minus(p, multiply(p, slope, _minus(p, x1, x)), y1)
    return TwistPoint(x[0], x[1], y[2], y[3])


def mul_twist(curve: PairingCurve, k: int, q: TwistPoint | None) -> TwistPoint | None:
    """k Q for k >= 0."""
    result: TwistPoint | None = None
    for bit in f"{k:b}":
        result = add_twist(curve, result, result)
        if bit == "1":
            result = add_twist(curve, result, q)
    return result


def mul(p: int, k: int, point: Point) -> Point:
    """k P for k >= 0 on a curve with a = 0."""
    result: Point = None
    for bit in f"{k:b}":
        result = add(p, result, result)
        if bit == "1":
            result = add(p, result, point)
    return result


def _minus(p: int, left: Element, right: Element) -> Element:
    a, b, c, d = ((x - y) % p for x, y in zip(left, right, strict=True))
    return a, b, c, d
