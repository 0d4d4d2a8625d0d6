"""Scalar multiplication on Montgomery curves by u-coordinate only, and X25519 and X448 (RFC 7748)."""

from eccelerate.curves.curve import Curve
from eccelerate.curves.loader import find_curve


def ladder(curve: Curve, k: int, u: int, bits: int | None = None) -> tuple[int, int]:
    """(X, Z) of k * (u, .) after `bits` ladder steps (order_bits by default), each of X and Z in [0, p).

    The curve is of kind "montgomery"; 0 <= k < 2^bits, 0 <= u < p. Z = 0 means infinity (for u = 0 it can
    also mean (0, 0)). RFC 7748, section 5, with a24 = (A + 2) / 4 and hence BB in place of AA in the
    doubling.
    """
    p, a24 = curve.p, curve.a24
    bits = curve.order_bits if bits is None else bits
    if not (0 <= k < 1 << bits and 0 <= u < p):
        raise ValueError(f"0 <= k < 2^{bits} and 0 <= u < p are needed")
    x2, z2, x3, z3 = 1, 0, u, 1
    for i in reversed(range(bits)):
        bit = k >> i & 1
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb = a * a % p, b * b % p
        da, cb = d * a % p, c * b % p
        difference = aa - bb
        x2, z2 = aa * bb % p, difference * (bb + a24 * difference) % p
        x3, z3 = pow(da + cb, 2, p), u * pow(da - cb, 2, p) % p
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2, z2


def mul_u(curve: Curve, k: int, u: int, bits: int | None = None) -> int:
    """u-coordinate of k * (u, .), or 0 for infinity. Ranges are as in `ladder`."""
    x, z = ladder(curve, k, u, bits)
    return x * pow(z, curve.p - 2, curve.p) % curve.p


def has_small_order(curve: Curve, u: int) -> bool:
    """Whether 8 * (u, .) is infinity, for a point of the curve or of its twist. 0 <= u < p."""
    return ladder(curve, 8, u, 4)[1] == 0


def small_order_u(curve: Curve) -> set[int]:
    """All u for which `has_small_order`: multiples of random points by the odd part of the group's order."""
    p, found = curve.p, {0}
    for order in (curve.order, 2 * (p + 1) - curve.order):  # of the curve, of its twist
        odd = order // (order & -order)
        for u in range(2, 60):
            x, z = ladder(curve, odd, u, order.bit_length())
            if z and has_small_order(curve, small := x * pow(z, -1, p) % p):
                found.add(small)
    return found


def clamp(curve: Curve, secret: bytes) -> int:
    """The scalar of a secret (ceil(p_bits / 8) bytes): a multiple of h with its top bit set
    (decodeScalar).
    """
    _check_length(curve, secret, "scalar")
    k = int.from_bytes(secret, "little")
    # Bit p_bits - 1 is set and higher bits are cleared: 254 for Curve25519 (p_bits = 255), 447 for Curve448.
    top = 1 << (curve.p_bits - 1)
    return (k & (top - 1) & -curve.h) | top


def decode_u(curve: Curve, data: bytes) -> int:
    """u-coordinate from its little-endian bytes. Bits above p_bits are ignored, and the rest is reduced mod
    p.
    """
    _check_length(curve, data, "u-coordinate")
    return (int.from_bytes(data, "little") & ((1 << curve.p_bits) - 1)) % curve.p


def encode_u(curve: Curve, u: int) -> bytes:
    """Little-endian bytes of a u-coordinate in [0, p)."""
    return u.to_bytes((curve.p_bits + 7) // 8, "little")


def x25519(secret: bytes, u: bytes) -> bytes:
    """RFC 7748 X25519: 32 bytes of secret, 32 of u-coordinate, 32 out (all zero for small order)."""
    return _x(find_curve("curve25519"), secret, u)


def x448(secret: bytes, u: bytes) -> bytes:
    """RFC 7748 X448: 56 bytes of secret, 56 of u-coordinate, 56 out (all zero for small order)."""
    return _x(find_curve("curve448"), secret, u)


def _x(curve: Curve, secret: bytes, u: bytes) -> bytes:
    return encode_u(curve, mul_u(curve, clamp(curve, secret), decode_u(curve, u)))


def _check_length(curve: Curve, data: bytes, what: str) -> None:
    octets = (curve.p_bits + 7) // 8
    if len(data) != octets:
        raise ValueError(f"a {what} of {curve.name} has {octets} bytes, not {len(data)}")
