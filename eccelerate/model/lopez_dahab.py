"""The binary engine's ladder in plain integers, operation by operation as the field unit computes it.

J. Lopez, R. Dahab, "Fast multiplication on elliptic curves over GF(2^m) without precomputation", CHES 1999,
algorithm 2P, with b^(1/4) in place of b, so that every square follows a product. The ladder holds k' P and
(k' + 1) P for the prefixes k' of k, as the sum S and the double D of the step before; which of the two is
k' P depends on the last bit. It has no exceptions: infinity (Z = 0) and the point of order 2 (x = 0) pass.

A ladder that starts at infinity keeps Z = 0 until the first bit of k that is set, which a trace of its power
shows. So the scalar is brought to a fixed length: k' = k + `multiple` has bits(N) + 2 bits for every k, the
ladder starts with P and 2 P below the top bit, and all its values are random. k' is odd if k is odd.
"""

from dataclasses import dataclass

from eccelerate.curves import gf2m
from eccelerate.curves.curve import Curve
from eccelerate.model.point import Point, negate
from eccelerate.model.rings import BinaryField

BLIND_BITS = 92
"""Random bits of a blinded scalar, for cofactors 2 and 4."""


@dataclass(frozen=True)
class Ladder:
    """x-coordinates of the sum S and the double D, each as X / Z, which is infinity if Z = 0; t2 = xd *
    zs.
    """

    xs: int
    zs: int
    xd: int
    zd: int
    t2: int


def multiple(order: int) -> int:
    """M N for the even order N of the curve, where M = 3 or 4: for all k < 2^bits(N), k + M N is at least
    2^(bits(N) + 1) and less than twice that.
    """
    return order * (4 if order < 3 << order.bit_length() - 2 else 3)


def blinded(curve: Curve, k: int, draw: int, radix_bits: int) -> int:
    """The scalar of a blinded ladder, k plus a multiple of N = 2 n or 4 n. draw: the random number, below the
    radix 2^radix_bits of the unit for integers. The top bit is bit BLIND_BITS + bits(N).
    """
    n, order, place = curve.n, curve.order, curve.order_bits
    modulus = (1 << BLIND_BITS) - (1 << 64) + n % (1 << 64)
    high = 1 << BLIND_BITS | draw * pow(1 << radix_bits, -1, modulus) % modulus
    low = (k - (high << place)) % n
    h = order // n
    return (high << place) + next(low + i * n for i in range(h) if (low + i * n - k) % h == 0)


def start(f: int, b: int, x: int, r: int) -> Ladder:
    """D = 1 P and S = 2 P in coordinates randomised by r, 0 < r < 2^m. The last bit counts as 0, so that D
    is the multiple by the prefix 1. b is that of the curve.
    """
    square, r2 = gf2m.square(x, f), gf2m.square(r, f)
    xs, zs = gf2m.mul(gf2m.square(square, f) ^ b, r2, f), gf2m.mul(square, r2, f)
    xd = gf2m.mul(x, r, f)
    return Ladder(xs, zs, xd, r, gf2m.mul(xd, zs, f))


def step(f: int, c: int, x: int, state: Ladder, *, double_sum: bool) -> Ladder:
    """S' = S + D, and D' = 2 S or 2 D. c is b^(1/4), and x is that of the base point, the difference of S and
    D.

    These are the unit's six operations in the order of their issue. Each is a product, possibly with a sum
    and with squares.
    """
    xe, ze = (state.xs, state.zs) if double_sum else (state.xd, state.zd)
    xd = gf2m.square(gf2m.square(gf2m.mul(c, ze, f) ^ xe, f), f)
    t1 = gf2m.mul(state.xs, state.zd, f)
    zs = gf2m.square(t1 ^ state.t2, f)
    zd = gf2m.square(gf2m.mul(xe, ze, f), f)
    t3 = gf2m.mul(t1, state.t2, f)
    xs = gf2m.mul(x, zs, f) ^ t3
    return Ladder(xs, zs, xd, zd, gf2m.mul(xd, zs, f))


def fourth_root(f: int, b: int) -> int:
    """b^(1/4) = b^(2^(m-2)) in GF(2)[z]/f, of degree m >= 2."""
    for _ in range(f.bit_length() - 3):
        b = gf2m.square(b, f)
    return b


def recover(
    curve: Curve, base: tuple[int, int], p: tuple[int, int], q: tuple[int, int], *, odd: bool
) -> Point:
    """k P from (X : Z) of k P and of (k + 1) P. `odd` is the lowest bit of k."""
    f, (x, y), (x1, z1), (x2, z2) = curve.p, base, p, q

    def mul(a: int, b: int) -> int:
        return gf2m.mul(a, b, f)

    xz1, xz2, zz = mul(x, z1), mul(x, z2), mul(z1, z2)
    s1 = x1 ^ xz1
    # One inversion gives 1 / Z1 and 1 / (x Z1 Z2). If there is none it gives 0, and the cases below apply.
    inverse = BinaryField(f).inverse(mul(x, zz))
    affine = mul(mul(x1, xz2), inverse)
    bracket = mul(s1, x2 ^ xz2) ^ mul(gf2m.square(x, f) ^ y, zz)
    result = affine, mul(mul(x ^ affine, bracket), inverse) ^ y
    if not x:
        return base if odd else None
    if not z1:
        return None
    return negate(curve, base) if not z2 else result


def ladder_mul(
    curve: Curve, k: int, base: tuple[int, int], r: int = 1, rho: int = 0, rho_bits: int = 0
) -> Point:
    """k * base for 0 <= k < 2^order_bits, with randomiser 0 < r < 2^m.

    rho: blinds the scalar, which becomes k + (2^rho_bits M + rho) N; 0 <= rho < 2^rho_bits.
    """
    bits = curve.order_bits
    if not (0 <= k < 1 << bits and 0 < r < curve.field_size and 0 <= rho < 1 << rho_bits):
        raise ValueError(
            f"0 <= k < 2^{bits}, 0 < r < 2^{curve.p_bits} and 0 <= rho < 2^{rho_bits} are needed"
        )
    k += (multiple(curve.order) << rho_bits) + rho * curve.order
    assert k.bit_length() == bits + rho_bits + 2
    f, c, last = curve.p, fourth_root(curve.p, curve.b), 0
    state = start(f, curve.b, base[0], r)
    for i in reversed(range(bits + rho_bits + 1)):
        bit = k >> i & 1
        state, last = step(f, c, base[0], state, double_sum=bit != last), bit
    s, d = (state.xs, state.zs), (state.xd, state.zd)
    return recover(curve, base, *((s, d) if last else (d, s)), odd=bool(last))
