"""Scalar multiplication over GF(p) on y^2 = x^3 + a x + b in Jacobian coordinates, for any scalar >= 0.

It uses plain integers and takes milliseconds at 521 bits, which is fast enough to check orders and for the
model. It is variable-time.
"""

Affine = tuple[int, int] | None
"""A point (x, y), 0 <= x, y < p, or None for infinity."""

_Jacobian = tuple[int, int, int]
_INFINITY: _Jacobian = (1, 1, 0)


def _double(point: _Jacobian, a: int, p: int) -> _Jacobian:
    x, y, z = point
    if not y or not z:
        return _INFINITY
    yy = y * y % p
    s = 4 * x * yy % p
    m = (3 * x * x + a * pow(z, 4, p)) % p
    x3 = (m * m - 2 * s) % p
    return x3, (m * (s - x3) - 8 * yy * yy) % p, 2 * y * z % p


def _add_affine(point: _Jacobian, other: tuple[int, int], a: int, p: int) -> _Jacobian:
    x1, y1, z1 = point
    x2, y2 = other
    if not z1:
        return x2, y2, 1
    zz = z1 * z1 % p
    h = (x2 * zz - x1) % p
    r = (y2 * zz * z1 - y1) % p
    if not h:
        return _double(point, a, p) if not r else _INFINITY
    hh = h * h % p
    hhh = h * hh % p
    v = x1 * hh % p
    x3 = (r * r - hhh - 2 * v) % p
    return x3, (r * (v - x3) - y1 * hhh) % p, z1 * h % p


def jacobian_mul(k: int, point: Affine, a: int, p: int) -> Affine:
    """k * point, left-to-right double-and-add. k >= 0, p an odd prime, point on the curve (implies b)."""
    if k < 0:
        raise ValueError("k must not be negative")
    if point is None:
        return None
    result = _INFINITY
    for bit in f"{k:b}":
        result = _double(result, a, p)
        if bit == "1":
            result = _add_affine(result, point, a, p)
    x, y, z = result
    if not z:
        return None
    inverse = pow(z, -1, p)
    square = inverse * inverse % p
    return x * square % p, y * square * inverse % p
