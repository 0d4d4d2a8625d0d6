"""k P on Koblitz curves by the Frobenius map, as the program ucode/koblitz computes it.

The steps are the same for every k. E: y^2 + x y = x^3 + a x^2 + 1 over GF(2^m), a in {0, 1}, m odd. The
map tau (x, y) = (x^2, y^2) has tau^2 - mu tau + 2 = 0, mu = 1 for a = 1, else -1. An element u + v tau of
Z[tau] is the pair (u, v), its norm u^2 + mu u v + 2 v^2. delta = (tau^m - 1) / (tau - 1) has the norm n,
where N = h n, h = 2 or 4, and sends the points of odd order to infinity.

Reduction (J. Solinas, "Efficient arithmetic on Koblitz curves", Designs, Codes and Cryptography 19,
2000). With s the conjugate of delta and x = k s modulo n, coordinate by coordinate, k - x delta / n is a
multiple of delta. Both coordinates of r = x delta / n are odd if those of x are: n and the first
coordinate of delta are odd, the second one is even. So n is subtracted from an even one: x / n has
coordinates from -1 to 1, and r has a norm of 4 n at most.

Digits, regular and without 0 (as K. Okeya, T. Takagi, C. Vuillaume, ACISP 2005, but in base 2 = tau (mu -
tau)). An odd r below 2^L in size is the sum of d_i 2^i, d_i = 1 where bit i + 1 of r + 2^L is 1, else -1.
The digits of both coordinates at one place add d (P + e tau P), d and e signs, from a table of two
points: a column.

No exceptions. Let t = +-1 +- tau be the digits of a column and q what is summed up to it, that column
included. q and q - 2 t are not 0, since their coordinates are odd. They could be multiples of delta. But
q = (r - tail) / 2^j, j columns left, and with e the largest coordinate of any t / delta those of (q - 2
t) / delta are at most 1/2 + 5/2 e, j > 0: below 1 for n > 166. So only the last sum can be of a point and
itself (k = 2 t modulo n) or its opposite (k = 0 modulo n): that one knows all cases.

Points are in lambda coordinates (T. Oliveira, J. Lopez, D. Aranha, F. Rodriguez-Henriquez, "Lambda
coordinates for binary elliptic curves", CHES 2013): x = X / Z, lambda = x + y / x = L / Z. There is no x
= 0 in a subgroup of odd order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from eccelerate.curves import gf2m
from eccelerate.curves.curve import Curve
from eccelerate.model.point import Point

LEAST_DEGREE = 11
"""From this degree on n > 166, which the sums without exceptions require."""
Pair = tuple[int, int]


@dataclass(frozen=True)
class Ring:
    """The ring Z[tau] for one m and a."""

    m: int
    a: int

    @property
    def mu(self) -> int:
        """The trace of tau."""
        return 1 if self.a else -1

    def mul(self, left: Pair, right: Pair) -> Pair:
        """left * right."""
        (u, v), (x, y) = left, right
        return u * x - 2 * v * y, u * y + v * x + self.mu * v * y

    def norm(self, value: Pair) -> int:
        """The product with its conjugate."""
        u, v = value
        return u * u + self.mu * u * v + 2 * v * v

    def conjugate(self, value: Pair) -> Pair:
        """The conjugate, in which mu - tau replaces tau."""
        u, v = value
        return u + self.mu * v, -v

    @property
    def delta(self) -> Pair:
        """1 + tau + .. + tau^(m-1)."""
        total = (0, 0)
        for _ in range(self.m):
            u, v = self.mul(total, (0, 1))
            total = u + 1, v
        return total

    @property
    def columns(self) -> int:
        """L, the number of digits of a coordinate.

        |r| <= 2 sqrt(8 n / 7) < 2^L, as n < 2^m (1 + 2^(1 - m/2)) / 2.
        """
        return (self.m - 1) // 2 + 2


def ring_of(curve: Curve) -> Ring:
    """The ring of a Koblitz curve that the program accepts. Raises ValueError for any other curve."""
    ring = Ring(curve.p_bits, curve.a)
    fits = ring.m % 2 and ring.m >= LEAST_DEGREE and ring.norm(ring.delta) == curve.n
    if not (curve.is_koblitz and fits):
        raise ValueError(f"{curve.name} is no Koblitz curve with all of its odd order in n, m odd")
    return ring


def reduce(ring: Ring, n: int, k: int) -> Pair:
    """r = k modulo delta, with both coordinates odd and a norm of at most 4 n, for any k >= 0."""
    x = [k * s % n for s in ring.conjugate(ring.delta)]
    odd = [each if each % 2 else each - n for each in x]
    u, v = ring.mul((odd[0], odd[1]), ring.delta)
    return u // n, v // n


def digits(ring: Ring, r: int) -> list[int]:
    """The L digits 1 or -1 of an odd r, |r| < 2^L, the highest first."""
    top = ring.columns
    return [1 if r + (1 << top) >> i + 1 & 1 else -1 for i in reversed(range(top))]


@dataclass(frozen=True)
class Projective:
    """x = x / z and lambda = l / z; infinity if z = 0."""

    x: int
    l: int  # noqa: E741  as in the paper
    z: int


class Lambda:
    """Sums in lambda coordinates on one curve. Table points are (x, lambda)."""

    def __init__(self, curve: Curve) -> None:
        self.a, self.f = curve.a, curve.p

    def mul(self, left: int, right: int) -> int:
        """The product in GF(2^m)."""
        return gf2m.mul(left, right, self.f)

    def square(self, value: int) -> int:
        """The square in GF(2^m)."""
        return gf2m.square(value, self.f)

    def double_add(self, q: Projective, t: Pair) -> Projective:
        """2 q + t. z = 0 if 2 q = +-t."""
        mul, square, (x, g) = self.mul, self.square, (t[0], t[1] ^ 1)
        zz, lz = square(q.z), mul(q.l, q.z)
        e = square(q.l) ^ mul(self.a, zz)
        u, double = mul(x, zz), e ^ lz
        a = square(mul(q.x, q.z)) ^ mul(double, e ^ mul(g, zz))
        b = square(u ^ double)
        z = mul(mul(a, b), zz)
        return Projective(mul(u, square(a)), mul(double, square(a ^ b)) ^ mul(g, z), z)

    def double(self, q: Projective) -> Projective:
        """2 q."""
        mul, square = self.mul, self.square
        zz, lz = square(q.z), mul(q.l, q.z)
        t = square(q.l) ^ lz ^ mul(self.a, zz)
        x, z = square(t), mul(t, zz)
        return Projective(x, square(mul(q.x, q.z)) ^ x ^ mul(t, lz) ^ z, z)

    def add(self, q: Projective, t: Pair) -> Projective:
        """q + t for q other than infinity: every case, unless a sum is the point of order two."""
        mul, square, (x, slope) = self.mul, self.square, t
        u, a = mul(x, q.z), q.l ^ mul(slope, q.z)
        if not a:
            return self.double(Projective(x, slope, 1))
        b, au, ab = square(q.x ^ u), mul(a, u), mul(a, square(q.x ^ u))
        return Projective(mul(mul(a, q.x), au), square(au ^ b) ^ mul(ab, q.l ^ q.z), mul(ab, q.z))

    def affine(self, q: Projective) -> Point:
        """(x, y)."""
        if not q.z:
            return None
        inverse = gf2m.inverse(q.z, self.f)
        x, slope = self.mul(q.x, inverse), self.mul(q.l, inverse)
        return x, self.mul(x, x ^ slope)


def in_subgroup(curve: Curve, point: tuple[int, int]) -> bool:
    """Whether a point of the curve has odd order, for a = 1 (h = 2) or a = 0 (h = 4). It is halved once or
    twice.

    (x, y) = 2 (u, v) for l^2 + l = x + a, u^2 = x l + x + y, where the two l give points that differ by the
    point of order two; and (u, v) can be halved if u has trace a (E. Knudsen, ASIACRYPT 1999).
    """
    f, (x, y) = curve.p, point

    def halved(value: int) -> tuple[int, bool]:
        root = gf2m.half_trace(value, f)
        return root, gf2m.square(root, f) ^ root == value

    slope, whole = halved(x ^ curve.a)
    return whole and (curve.a == 1 or halved(gf2m.mul(x, slope, f) ^ x ^ y)[1])


def table(curve: Curve, point: tuple[int, int]) -> tuple[Pair, Pair]:
    """tau P - P and tau P + P as (x, lambda), for P of odd order."""
    f, (x, y) = curve.p, point
    xx, yy = gf2m.square(x, f), gf2m.square(y, f)
    sums = [gf2m.add((xx, yy), other, curve.a, f) for other in ((x, x ^ y), (x, y))]
    found = [(u, u ^ gf2m.mul(v, gf2m.inverse(u, f), f)) for u, v in (each for each in sums if each)]
    return found[0], found[1]


def columns(curve: Curve, k: int, point: tuple[int, int]) -> Iterator[Pair]:
    """The points that the columns of k add, the highest column first."""
    ring, entries = ring_of(curve), table(curve, point)
    rows = (digits(ring, r) for r in reduce(ring, curve.n, k))
    for first, second in zip(*rows, strict=True):
        x, slope = entries[first == second]
        yield x, slope ^ (second < 0)


def koblitz_mul(curve: Curve, k: int, point: tuple[int, int], r: int = 1) -> Point:
    """k * point for any k >= 0 and a point of odd order. 0 < r < 2^m is the random Z of the start."""
    group = Lambda(curve)
    (x, slope), *others, last = columns(curve, k, point)
    q = Projective(group.mul(x, r), group.mul(slope, r), r)
    for each in others:
        q = group.double_add(q, each)
        assert q.z, "the columns before the last one have no exceptions"
    return group.affine(group.add(group.double(q), last))
