"""Elliptic curves y^2 = x^3 + a x + b modulo a prime p, and their points.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eccel_maths.engine import calculate


@dataclass(frozen=True)
class EllipticCurve:
    """A curve. order: number of its points; base_xy: a point of large order. An engine needs both for
    multiples of points, unless it knows the curve by p, a and b; an order that is wrong is not used.

    Raises ValueError for a singular curve.
    """

    p: int
    a: int
    b: int
    order: int | None = None
    base_xy: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", int(self.a) % self.p)
        object.__setattr__(self, "b", int(self.b) % self.p)
        if (4 * self.a**3 + 27 * self.b**2) % self.p == 0:
            raise ValueError("the curve is singular")

    @property
    def infinity(self) -> Point:
        """The neutral element."""
        return Point(self, None)

    @property
    def base(self) -> Point:
        """The point base_xy. Raises ValueError if it is not given."""
        if self.base_xy is None:
            raise ValueError("the curve has no base point")
        return self.point(*self.base_xy)

    def point(self, x: int, y: int) -> Point:
        """The point (x, y). Raises ValueError if it is not on the curve."""
        x, y = int(x) % self.p, int(y) % self.p
        if (y * y - (x * x + self.a) * x - self.b) % self.p:
            raise ValueError(f"({x}, {y}) is not on the curve")
        return Point(self, (x, y))

    def add(self, left: Point, right: Point) -> Point:
        """The sum by chord and tangent, in Python."""
        p = self.p
        if left.xy is None or right.xy is None:
            return right if left.xy is None else left
        (x1, y1), (x2, y2) = left.xy, right.xy
        if x1 == x2 and (y1 + y2) % p == 0:
            return self.infinity
        above, under = (3 * x1 * x1 + self.a, 2 * y1) if x1 == x2 else (y2 - y1, x2 - x1)
        slope = above * pow(under, -1, p) % p
        x = (slope * slope - x1 - x2) % p
        return Point(self, (x, (slope * (x1 - x) - y1) % p))

    def multiple(self, k: int, point: Point) -> Point:
        """k times a point, k >= 0, in Python: Jacobian coordinates."""
        p, (x, y, z) = self.p, (1, 1, 0)
        if point.xy is None:
            return point
        x2, y2 = point.xy
        for bit in f"{k:b}":
            square = y * y % p
            s, m = 4 * x * square % p, (3 * x * x + self.a * pow(z, 4, p)) % p
            z = 2 * y * z % p
            x = (m * m - 2 * s) % p
            y = (m * (s - x) - 8 * square * square) % p
            if bit == "0":
                continue
            h, r = (x2 * z * z - x) % p, (y2 * z * z * z - y) % p
            if z == 0:
                x, y, z = x2, y2, 1
            elif h or r:
                hh = h * h % p
                v, hhh = x * hh % p, hh * h % p
                x, y, z = (r * r - hhh - 2 * v) % p, y * hhh, z * h % p
                y = (r * (v - x) - y) % p
            else:  # the sum so far is the point itself
                twice = self.add(point, point)
                x, y, z = (*twice.xy, 1) if twice.xy else (1, 1, 0)
        if z == 0:
            return self.infinity
        inverse = pow(z, -1, p)
        return Point(self, (x * inverse**2 % p, y * inverse**3 % p))


class Point:
    """A point of a curve: k * P, P + Q, P - Q, -P, P == Q. xy is None at infinity."""

    __slots__ = ("curve", "xy")

    def __init__(self, curve: EllipticCurve, xy: tuple[int, int] | None) -> None:
        self.curve = curve
        self.xy = xy

    @property
    def x(self) -> int:
        """Raises ValueError at infinity."""
        if self.xy is None:
            raise ValueError("the point at infinity has no coordinates")
        return self.xy[0]

    @property
    def y(self) -> int:
        """Raises ValueError at infinity."""
        if self.xy is None:
            raise ValueError("the point at infinity has no coordinates")
        return self.xy[1]

    def __rmul__(self, k: Any) -> Any:
        """k times the point, for any integer."""
        if not isinstance(k, int):
            return NotImplemented
        e = self.curve
        base, xy = e.base_xy or (None, None), self.xy or (None, None)
        done = calculate("point_mul", e.p, e.a, e.b, e.order, *base, int(k), *xy)
        if done is not None:
            return Point(e, (done[0], done[1]) if done else None)
        return e.multiple(abs(int(k)), -self if k < 0 else self)

    def __add__(self, other: Any) -> Any:
        """The sum. Raises ValueError for points on different curves."""
        if not isinstance(other, Point):
            return NotImplemented
        e = self.curve
        if (e.p, e.a, e.b) != (other.curve.p, other.curve.a, other.curve.b):
            raise ValueError("the points are on different curves")
        left, right = self.xy or (None, None), other.xy or (None, None)
        done = calculate("point_add", e.p, e.a, e.b, *left, *right)
        if done is not None:
            return Point(e, (done[0], done[1]) if done else None)
        return e.add(self, other)

    def __sub__(self, other: Any) -> Any:
        """The difference."""
        return self + -other if isinstance(other, Point) else NotImplemented

    def __neg__(self) -> Point:
        """The opposite point."""
        return Point(self.curve, self.xy and (self.xy[0], -self.xy[1] % self.curve.p))

    def __eq__(self, other: object) -> bool:
        """The same point of the same curve."""
        return isinstance(other, Point) and (self.curve, self.xy) == (other.curve, other.xy)

    def __hash__(self) -> int:
        """Of curve and coordinates."""
        return hash((self.curve, self.xy))

    def __repr__(self) -> str:
        """The coordinates."""
        return "infinity" if self.xy is None else f"({self.xy[0]}, {self.xy[1]})"


def ellmul(curve: EllipticCurve, point: Point, n: int) -> Point:
    """n times a point, with the arguments of PARI's function."""
    if point.curve != curve:
        raise ValueError("the point is on another curve")
    result: Point = n * point
    return result


ellpow = ellmul


def elladd(curve: EllipticCurve, left: Point, right: Point) -> Point:
    """The sum of two points, with the arguments of PARI's function."""
    if curve not in (left.curve, right.curve):
        raise ValueError("the points are on another curve")
    result: Point = left + right
    return result
