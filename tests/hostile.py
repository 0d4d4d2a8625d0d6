"""Curves that a hostile host might load: those that CURVE_LOAD refuses, and the worst that it accepts.

Each is given as the operands of CURVE_LOAD. Constants and sizes fit the numbers: only the curve is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

from eccelerate.curves import Curve
from eccelerate.curves.group import jacobian_mul
from eccelerate.curves.validate import is_prime
from eccelerate.model.field import passes_prime_test
from eccelerate.model.jobs import curve_load_operands, curve_par, curve_par_binary
from eccelerate.model.point import lift_x

Operands = tuple[int, ...]
KIND_AT = 32
"""The first bit of the word of `par` that names the kind."""


def prime_operands(
    p: int, a: int, b: int, g: tuple[int, int], n: int, order: int, kind: int | None = None
) -> Operands:
    """The operands of CURVE_LOAD for a curve over GF(p). `kind` is the word of `par`; that of a short
    Weierstrass curve if it is not given.
    """
    par = curve_par(p, n, order, montgomery=False, a_is_minus_3=False)
    word = int(a == p - 3) << 8 if kind is None else kind
    return (par & ~(0xFFFFFFFF << KIND_AT) | word << KIND_AT, p, a, b, *g, n, order)


def prime_from(start: int) -> int:
    """The smallest prime above a number."""
    while not is_prime(start := start + 1):
        pass
    return start


def composite_from(start: int) -> int:
    """The smallest odd composite number above a number that is no multiple of 3 and fails Euler's test."""
    number = start | 1
    while number % 3 == 0 or is_prime(number) or passes_prime_test(number):
        number += 2
    return number


def _singular(p: int) -> tuple[int, int, tuple[int, int]]:
    """a, b and a point of y^2 = (x - 1)^2 (x + 2), which has a node."""
    return p - 3, 2, (2, 2)


def refused_prime_curves(curve: Curve) -> dict[str, Operands]:
    """What is wrong, and operands that any engine for prime fields refuses with BAD_MODULUS. `curve` is a
    short Weierstrass curve of prime order.
    """
    p, a, b, g, n = curve.p, curve.a, curve.b, curve.generator, curve.n

    def order(n: int, factor: int = 1) -> Operands:
        return prime_operands(p, a, b, g, n, n * factor)

    far = 2 * isqrt(p) * 3
    bad_kinds = {f"kind {kind:#x}": kind for kind in (2, 3, 4, 0x80, 0x101, 0x102, 0x200, 1 << 31)}
    node_a, node_b, node_g = _singular(p)
    return {
        "n = N = 3": order(3),
        "n = N is a prime of 64 bits": order(prime_from(1 << 63)),
        "N is far below p": order(prime_from(p - far)),
        "N is far above p": order(prime_from(p + far)),
        "n is composite": order(composite_from(n)),
        "n is a multiple of 3": order(3 * prime_from(p // 3)),
        "p is composite": prime_operands(composite_from(p), 1, 1, (0, 1), prime_from(p), prime_from(p)),
        "singular": prime_operands(p, node_a, node_b, node_g, n, n),
    } | {name: prime_operands(p, a, b, g, n, n, kind) for name, kind in bad_kinds.items()}


def refused_compact_curves(curve: Curve) -> dict[str, Operands]:
    """As `refused_prime_curves`, for the engine that takes any prime, cofactors and Montgomery curves."""
    p, a, b, g = curve.p, curve.a, curve.b, curve.generator
    third, part = prime_from(p // 3), prime_from(p // 256)

    def montgomery(a24: int) -> Operands:
        return prime_operands(p, a24, 0, (9, 0), curve.n, curve.n, 1)

    return refused_prime_curves(curve) | {
        "N = 3 n": prime_operands(p, a, b, g, third, 3 * third),
        "N = 256 n": prime_operands(p, a, b, g, part, 256 * part),
        "N = n + 2": prime_operands(p, a, b, g, curve.n, curve.n + 2),
        "p = 3": prime_operands(3, 1, 1, (0, 1), 5, 5),
        "p = 9": prime_operands(9, 1, 1, (0, 1), 7, 7),
        "n = 3": prime_operands(5, 1, 1, (0, 1), 3, 3),
        "Montgomery, A = 2": montgomery(1),
        "Montgomery, A = -2": montgomery(0),
    }


def refused_binary_curves(curve: Curve) -> dict[str, Operands]:
    """What is wrong, and operands that the binary engine refuses with BAD_MODULUS."""
    par, *rest = curve_load_operands(curve)
    low, a, b, gx, gy, n, order = rest

    def changed(n: int, order: int) -> Operands:
        return curve_par_binary(curve.p_bits, n, order), low, a, b, gx, gy, n, order

    far = 6 * isqrt(curve.field_size)
    kinds = {f"kind {kind:#x}": kind for kind in (0, 1, 3, 4, 0x80, 0x102, 0x202, 1 << 31 | 2)}
    return {
        "n = N is a prime of 64 bits": changed(prime_from(1 << 63), prime_from(1 << 63)),
        "N is far below 2^m": changed(n, order - far),
        "N is far above 2^m": changed(n, order + far),
        "n is composite": changed(composite_from(n), curve.h * composite_from(n)),
        "n = 3": changed(3, curve.field_size - 1),
        "n = 9": changed(9, curve.field_size - 1),
    } | {name: (par & ~(0xFFFFFFFF << KIND_AT) | kind << KIND_AT, *rest) for name, kind in kinds.items()}


def euler_pseudoprimes(limit: int) -> list[int]:
    """Composite numbers below a limit that pass the test of CURVE_LOAD."""
    return [m for m in range(5, limit, 2) if passes_prime_test(m) and not is_prime(m)]


def smallest_order(curve: Curve) -> Curve:
    """The same equation with the smallest n that the compact engine accepts: N = 128 n, N near p."""
    n = prime_from((curve.p + 1) >> 7)
    return replace(curve, name=f"{curve.name}, N = 128 n", n=n, h=128)


def composite_modulus(curve: Curve) -> Curve:
    """A curve over the integers modulo an Euler pseudoprime of about the size of a small prime curve."""
    p = euler_pseudoprimes(10_000)[-1]
    gx, gy = 1, 2
    b = (gy * gy - gx**3 - 5 * gx) % p
    n = prime_from(p)
    return Curve("composite p", "weierstrass", p, 5, b, gx, gy, n, 1)


def wrong_order(curve: Curve) -> Curve:
    """The same equation with another prime n. The multiples of G never meet infinity where they should."""
    return replace(curve, name=f"{curve.name}, wrong n", n=prime_from(curve.n))


def accepted_prime_curves(curve: Curve) -> list[Curve]:
    """The worst curves that the compact engine accepts."""
    return [smallest_order(curve), wrong_order(curve), composite_modulus(curve), point_of_order_three(curve)]


def point_of_order_three(curve: Curve) -> Curve:
    """A curve over the same field whose base point has order 3, although n is a large prime.

    (0, y) has order 3 on y^2 = x^3 + y^2, where a = 0.
    """
    y = 2
    found = replace(curve, name="G of order 3", a=0, b=y * y, gx=0, gy=y)
    assert jacobian_mul(3, found.generator, 0, curve.p) is None
    assert lift_x(found, 0) is not None
    return found
