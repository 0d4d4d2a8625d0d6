"""Affine points of Weierstrass curves: the textbook's group law, and fast scalar multiplication.

A point is (x, y) with two field elements, or None for infinity. Functions accept a `Curve` of kind
"weierstrass" or "binary" and use only its p, a and b, unless they say otherwise.
"""

from eccelerate.curves import gf2m
from eccelerate.curves.curve import Curve
from eccelerate.curves.group import Affine, jacobian_mul
from eccelerate.model.field import mod_sqrt

Point = Affine


def is_on_curve(curve: Curve, point: Point) -> bool:
    """Whether the point is infinity or a solution of the equation. Coordinates are reduced mod p."""
    if point is None:
        return True
    if curve.kind == "binary":
        return gf2m.on_curve(point, curve.a, curve.b, curve.p)
    x, y = point
    return (y * y - x * x * x - curve.a * x - curve.b) % curve.p == 0


def negate(curve: Curve, point: Point) -> Point:
    """-point."""
    if point is None:
        return None
    x, y = point
    return (x, x ^ y if curve.kind == "binary" else -y % curve.p)


def add(curve: Curve, left: Point, right: Point) -> Point:
    """left + right in every case: infinity, opposite points, equal points."""
    if curve.kind == "binary":
        return gf2m.add(left, right, curve.a, curve.p)
    if left is None or right is None:
        return left or right
    p = curve.p
    (x1, y1), (x2, y2) = left, right
    if x1 == x2:
        if (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + curve.a) * pow(2 * y1, -1, p)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, p)
    x3 = (slope * slope - x1 - x2) % p
    return x3, (slope * (x1 - x3) - y1) % p


def mul(curve: Curve, k: int, point: Point) -> Point:
    """k * point for any k (negative too), by double-and-add."""
    if k < 0:
        return mul(curve, -k, negate(curve, point))
    if curve.kind == "binary":
        return gf2m.point_mul(k, point, curve.a, curve.p)
    return jacobian_mul(k, point, curve.a, curve.p)


def mul_affine(curve: Curve, k: int, point: Point) -> Point:
    """k * point, k >= 0, by affine double-and-add. It is slow, but short enough to be checked by reading. It
    checks `mul`.
    """
    result: Point = None
    for bit in f"{k:b}":
        result = add(curve, result, result)
        if bit == "1":
            result = add(curve, result, point)
    return result


def base_mul(curve: Curve, k: int) -> Point:
    """k * G."""
    return mul(curve, k, curve.generator)


def double_mul(curve: Curve, u1: int, u2: int, point: Point) -> Point:
    """u1 * G + u2 * point."""
    return add(curve, base_mul(curve, u1), mul(curve, u2, point))


def lift_x(curve: Curve, x: int) -> Point:
    """The point with this x that SEC 1 compresses to form 2. None if no point has this x.

    It has an even y (or y = 0); on a binary curve it has an even y / x, and is (0, sqrt(b)) for x = 0.
    """
    if curve.kind == "binary":
        return _lift_binary(curve, x)
    y = mod_sqrt(x * x * x + curve.a * x + curve.b, curve.p)
    return None if y is None else (x, y)


def _lift_binary(curve: Curve, x: int) -> Point:
    """z = y / x solves z^2 + z = x + a + b / x^2; its other solution is z + 1."""
    f = curve.p
    if x == 0:
        root = curve.b
        for _ in range(curve.p_bits - 1):
            root = gf2m.square(root, f)
        return 0, root
    inverse = gf2m.inverse(x, f)
    z = gf2m.solve_quadratic(x ^ curve.a ^ gf2m.mul(curve.b, gf2m.square(inverse, f), f), f)
    return None if z is None else (x, gf2m.mul(x, z & ~1, f))
