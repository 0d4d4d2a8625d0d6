"""A curve with embedding degree 4 over a prime of 256 bits, how it was found, and a proof of its order.

The family. Let z be a primitive 12th root of unity and w = z + z^2 - z^3. In powers of w, i = z^3 and
sqrt(-3) = 2 z^2 - 1 are polynomials; with w = 2 x Cocks and Pinch's method gives, for discriminant 3,

    r = 4 x^4 - 4 x^3 + 2 x^2 - 2 x + 1
    t = 4 x^3
    p = (t^2 + 3 y^2) / 4 with y = (4 x^3 + 4 x - 2) / 3, for x = 1 mod 3

(as Brezing and Weng 2005 do for other degrees). t - 1 is a primitive fourth root of unity modulo r, so r
divides p^2 + 1 and p + 1 - t. p has 3/2 of the bits of r: with 256 bits r has 171, which is the security of
85 bits, and F_p^4 has 1024. For even x p is 3 modulo 8.

The x is a sum of few powers of two, and among the sparsest of those the one for which r and the final
exponent (p^2 + 1) / r have the fewest digits in non-adjacent form: see `search`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import gcd, isqrt

from eccelerate.curves.validate import is_prime
from eccelerate.model.tate_pairing import PairingCurve, Point, mul

X = -(2**42 + 2**39 + 2**30 + 2**25 - 2**16)

CURVE = PairingCurve(
    p=0xAD3A3F30311119BEB4C94B46F23CA7F2B7026EBC7A3EC66112AE00AC57FEAAAB,
    r=0x669B7FE9BDAA70F5A649E37EE7B2803010283FE0001,
    t=4 * X**3,
    b=2,
)
"""The curve for X."""
SMALL = PairingCurve(p=307, r=13, t=35, b=10)
"""A curve for exhaustive tests. It is of no family; a search through all small primes finds it."""
CURVES = ((256, CURVE), (10, SMALL))
"""Width of the machine, and curve, by the parameter Curve of eccel_tate_pairing."""


def family(x: int) -> tuple[int, int, int]:
    """p, r and t for x. Raises ValueError for an x outside the family."""
    if x % 6 != 4:
        raise ValueError(f"x is even and 1 modulo 3, not {x}")
    y = (4 * x**3 + 4 * x - 2) // 3
    t = 4 * x**3
    return (t * t + 3 * y * y) // 4, 4 * x**4 - 4 * x**3 + 2 * x**2 - 2 * x + 1, t


def naf(value: int) -> list[int]:
    """The digits -1, 0 and 1 of a positive number in non-adjacent form, most significant first."""
    digits = []
    while value:
        digit = 2 - value % 4 if value & 1 else 0
        digits.append(digit)
        value = (value - digit) // 2
    return digits[::-1]


def weight(value: int) -> int:
    """Digits that are not 0 in non-adjacent form."""
    return sum(map(abs, naf(value)))


def search() -> Iterator[tuple[int, int]]:
    """The x of 256-bit primes p with prime r among +-(2^42 + 2^39 +- three powers of two), each with the
    products that its digits cost: 25 for one of r, 9 for one of the exponent.
    """
    for sign, places in product((1, -1), combinations(range(1, 39), 3)):
        for signs in product((1, -1), repeat=3):
            x = sign * (2**42 + 2**39 + sum(s << place for s, place in zip(signs, places, strict=True)))
            if x % 6 != 4:
                continue
            p, r, _ = family(x)
            if p.bit_length() == 256 and is_prime(r) and is_prime(p):
                yield 25 * weight(r) + 9 * weight((p * p + 1) // r), x


def find_curve(x: int) -> tuple[PairingCurve, Point]:
    """The curve for x with the smallest b > 0, and a point of order r. p and r are taken for primes."""
    p, r, t = family(x)
    h = (p + 1 - t) // r
    for b in range(1, 1000):
        y = next((root for x0 in range(1, 50) if (root := _root(p, x0, b))), None)
        point = y and mul(p, h, y)
        if point and mul(p, r, point) is None:
            return PairingCurve(p, r, t, b), point
    raise ValueError(f"no curve over F_p for x = {x}")


def _root(p: int, x: int, b: int) -> tuple[int, int] | None:
    square = (x**3 + b) % p
    y = pow(square, (p + 1) // 4, p)
    return (x, y) if y * y % p == square else None


class ProofError(ValueError):
    """A step of the proof does not hold; the text says which."""


def prove_subgroup_order(x: int) -> int:
    """Proof that r is a prime, by Pocklington: r - 1 = 2 x (x - 1) (2 x^2 + 1), where 3 divides 2 x^2 + 1.
    The factor 6 x (x - 1) is above sqrt(r) and is factored by division. Returns r. Raises ProofError.
    """
    _, r, _ = family(x)
    factors = {2, 3, *_prime_factors(abs(x)), *_prime_factors(abs(x - 1))}
    known = 1
    for q in factors:
        while (r - 1) % (known * q) == 0:
            known *= q
    if known * known <= r:
        raise ProofError("the factored part of r - 1 is not above sqrt(r)")
    for q in factors:
        if (r - 1) % q == 0 and not any(
            pow(a, r - 1, r) == 1 and gcd(pow(a, (r - 1) // q, r) - 1, r) == 1 for a in range(2, 100)
        ):
            raise ProofError(f"no witness for the factor {q} of r - 1")
    return r


def _prime_factors(value: int) -> set[int]:
    """By division, so the factors are primes."""
    found, q = set[int](), 2
    while q * q <= value:
        while value % q == 0:
            found.add(q)
            value //= q
        q += 1 if q == 2 else 2
    return found | ({value} if value > 1 else set())


def prove_field(curve: PairingCurve, point: Point, r: int) -> None:
    """Proof that p is a prime, from a point of order r (Goldwasser and Kilian 1986): r is a prime above
    (p^(1/4) + 1)^2, and r P is infinity, where P is not. Modulo a prime factor q <= sqrt(p) of p the curve
    would have at most (q^(1/2) + 1)^2 < r points. An inverse that does not exist would show a factor.
    Raises ProofError.
    """
    root = isqrt(isqrt(curve.p)) + 1
    if r <= (root + 1) ** 2:
        raise ProofError("r is not above (p^(1/4) + 1)^2")
    if gcd(6, curve.p) != 1 or gcd(27 * curve.b**2, curve.p) != 1:
        raise ProofError("the curve is singular modulo a factor of p")
    if point is None or (point[1] ** 2 - point[0] ** 3 - curve.b) % curve.p:
        raise ProofError("P is not on the curve")
    try:
        if mul(curve.p, r, point) is not None:
            raise ProofError("P has not the order r")
    except ValueError as error:
        if isinstance(error, ProofError):
            raise
        raise ProofError(f"p has a factor: {error}") from error


def prove_order(curve: PairingCurve, r: int) -> int:
    """The number of points over F_p: the only multiple of r in Hasse's interval, as P has the order r.
    Returns the cofactor. Raises ProofError.
    """
    low, high = curve.p + 1 - 2 * isqrt(curve.p) - 1, curve.p + 1 + 2 * isqrt(curve.p) + 1
    first = -(-low // r)
    if first * r > high or (first + 1) * r <= high:
        raise ProofError("there is not exactly one multiple of r in Hasse's interval")
    if first * r != curve.p + 1 - curve.t:
        raise ProofError("the trace is another one")
    return first


def prove_degree(curve: PairingCurve, r: int) -> None:
    """Proof that the embedding degree is 4: the order of p modulo r. Raises ProofError."""
    if pow(curve.p, 2, r) != r - 1:
        raise ProofError("the order of p modulo r is not 4")


def prove(x: int, curve: PairingCurve, point: Point) -> str:
    """The whole proof, as text. Raises ProofError."""
    if (curve.p, curve.r, curve.t) != family(x):
        raise ProofError("the curve is not that of x")
    r = prove_subgroup_order(x)
    prove_field(curve, point, r)
    h = prove_order(curve, r)
    prove_degree(curve, r)
    return f"p and r are primes; the curve has {h} r points; its embedding degree for r is 4"
