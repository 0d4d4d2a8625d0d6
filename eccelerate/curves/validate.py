"""Checks whether parameters make a curve, and a secure one. Gives findings for any kind of curve.

An error makes results wrong, or the engine unable to run. A warning is a known weakness. The checks follow
the domain parameter validation of SEC 1 v2, 3.1.1.2.1 and 3.1.2.2.1.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from eccelerate.curves import gf2m
from eccelerate.curves.curve import MAX_BINARY_BITS, MAX_BITS, Curve
from eccelerate.curves.group import jacobian_mul

EMBEDDING_LIMIT = 100
"""Embedding degrees up to here give a warning (SEC 1: the MOV condition is checked up to 100)."""
WEAK_ORDER_BITS = 160
"""Base points of a shorter order give a warning."""


@dataclass(frozen=True)
class Finding:
    """One result of `validate`."""

    level: Literal["error", "warning"]
    text: str


class InvalidCurveError(ValueError):
    """A curve has at least one error. The text lists them all."""


def is_prime(n: int, rounds: int = 40) -> bool:
    """Miller-Rabin with the 12 smallest prime bases (exact below 3.1e23), then with `rounds` random ones."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % q == 0 for q in small):
        return n in small
    twos = ((n - 1) & (1 - n)).bit_length() - 1
    # A fixed seed makes the answer reproducible. Nobody constructs n against these bases.
    draw = random.Random(n)
    bases = small if n < 3 * 10**23 else (*small, *(draw.randrange(2, n - 1) for _ in range(rounds)))
    for base in bases:
        x = pow(base, (n - 1) >> twos, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def _polynomial_errors(curve: Curve) -> Iterator[str]:
    """Errors of the polynomial. The size comes first, because testing a polynomial of any degree takes
    unlimited time.
    """
    if max(curve.p_bits, curve.order_bits) > MAX_BINARY_BITS:
        yield (
            f"the field has {curve.p_bits} bits and h * n {curve.order_bits}; "
            f"the binary engines take at most {MAX_BINARY_BITS}"
        )
    elif not curve.p & 1:
        yield "the reduction polynomial is not irreducible: z divides it (the exponent 0 is missing)"
    elif curve.p.bit_count() % 2 == 0:
        yield "the reduction polynomial is not irreducible: z + 1 divides it (its number of terms is even)"
    elif not gf2m.is_irreducible(curve.p):
        yield "the reduction polynomial is not irreducible"


def _field_errors(curve: Curve) -> Iterator[str]:
    if curve.kind == "binary":
        yield from _polynomial_errors(curve)
        return
    if curve.p < 5:
        yield "p has to be at least 5"
    elif curve.p % 2 == 0:
        yield "p is even; a prime field of odd characteristic is needed"
    elif not is_prime(curve.p):
        yield "p is not prime"
    for name, bits in (("p", curve.p_bits), ("h * n", curve.order_bits)):
        if bits > MAX_BITS:
            yield f"{name} has {bits} bits; the engines take at most {MAX_BITS}"


def _range_errors(curve: Curve) -> Iterator[str]:
    for name, value in (("a", curve.a), ("b", curve.b), ("G[0]", curve.gx), ("G[1]", curve.gy)):
        if not 0 <= value < curve.field_size:
            yield f"{name} is not a field element in [0, {'2^m' if curve.kind == 'binary' else 'p'})"


def _is_singular(curve: Curve) -> bool:
    if curve.kind == "weierstrass":
        return (4 * curve.a**3 + 27 * curve.b**2) % curve.p == 0
    if curve.kind == "montgomery":
        return curve.b * (curve.a**2 - 4) % curve.p == 0
    return curve.b == 0


def _generator_on_curve(curve: Curve) -> bool:
    x, y, p = curve.gx, curve.gy, curve.p
    if curve.kind == "weierstrass":
        return (y * y - x**3 - curve.a * x - curve.b) % p == 0
    if curve.kind == "montgomery":
        return (curve.b * y * y - x**3 - curve.a * x * x - x) % p == 0
    return gf2m.on_curve((x, y), curve.a, curve.b, p)


def _order_kills_generator(curve: Curve) -> bool:
    if curve.kind == "binary":
        return gf2m.point_mul(curve.n, curve.generator, curve.a, curve.p) is None
    x, y, a, p = curve.gx, curve.gy, curve.a, curve.p
    if curve.kind == "montgomery":
        # To short Weierstrass form: x = (u + A/3) / B, y = v / B, a = (3 - A^2) / (3 B^2).
        inverse_b, third = pow(curve.b, -1, p), pow(3, -1, p)
        x, y = (x + a * third) * inverse_b % p, y * inverse_b % p
        a = (1 - a * a * third) * inverse_b * inverse_b % p
    return jacobian_mul(curve.n, (x, y), a, p) is None


def _warnings(curve: Curve) -> Iterator[str]:
    size = curve.field_size
    n_bits = curve.n.bit_length()
    if curve.n**2 <= 16 * size:
        yield "n is so small (at most 4 sqrt(p), or 4 sqrt(2^m)) that h is unconfirmed"
    if n_bits < WEAK_ORDER_BITS:
        yield f"n has only {n_bits} bits: for tests, not for secrets"
    if curve.n == size:
        yield "anomalous curve (n = p): discrete logarithms are easy (Smart, Satoh-Araki, Semaev)"
    if curve.kind == "binary" and not is_prime(curve.p_bits):
        yield f"m = {curve.p_bits} is composite: Weil descent may find discrete logarithms faster (GHS)"
    power = 1
    for degree in range(1, EMBEDDING_LIMIT + 1):
        power = power * size % curve.n
        if power == 1:
            bits = degree * curve.p_bits
            yield f"embedding degree {degree}: discrete logarithms move to a field of {bits} bits (MOV)"
            break


def _errors(curve: Curve) -> Iterator[str]:
    """Errors in stages: after a stage that fails, later stages have no meaning."""
    if found := [*_field_errors(curve), *_range_errors(curve)]:
        yield from found
        return
    if curve.kind == "weierstrass" and curve.b == 0:
        yield "b = 0: the engine writes infinity as (0, 0), which would be a point of this curve"
    if _is_singular(curve):
        yield "the curve is singular (its discriminant is 0)"
    on_curve = _generator_on_curve(curve)
    if not on_curve:
        yield "G is not on the curve"
    if curve.n < 3 or not is_prime(curve.n):
        even = ": it is even; G has to generate a subgroup of odd prime order" if curve.n % 2 == 0 else ""
        yield f"n is not an odd prime{even}"
    elif on_curve and not _is_singular(curve) and not _order_kills_generator(curve):
        yield "n * G is not the point at infinity"
    size = curve.field_size
    if curve.h < 1 or (curve.order - size - 1) ** 2 > 4 * size:
        q = "2^m" if curve.kind == "binary" else "p"
        yield f"h * n lies outside the Hasse interval {q} + 1 +- 2 sqrt({q}): h (or n) is wrong"


def validate(curve: Curve) -> list[Finding]:
    """All errors or, if there are none, the warnings. Takes milliseconds (for binary curves, up to a
    second).
    """
    if errors := [Finding("error", text) for text in _errors(curve)]:
        return errors
    return [Finding("warning", text) for text in _warnings(curve)]


def require_valid(curve: Curve) -> list[Finding]:
    """The warnings of a usable curve. Raises `InvalidCurveError`, which lists every error, for any other
    curve.
    """
    findings = validate(curve)
    if errors := [finding.text for finding in findings if finding.level == "error"]:
        raise InvalidCurveError(f"curve {curve.name} cannot be used: " + "; ".join(errors))
    return findings
