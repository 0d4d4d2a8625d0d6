"""Each finding of `validate` on a curve that has this flaw, and the primality tests that it uses."""

from dataclasses import replace

import pytest

from eccelerate.curves import Curve, InvalidCurveError, find_curve, require_valid, validate
from eccelerate.curves.gf2m import inverse, is_irreducible, mul, reduce, square
from eccelerate.curves.group import jacobian_mul
from eccelerate.curves.small import all_points, find_small_curve, small_curves
from eccelerate.curves.validate import is_prime

P256 = find_curve("P-256")
CURVE25519 = find_curve("curve25519")
K163 = find_curve("K-163")
OTHER_PRIME = next(q for q in range(P256.n + 2, P256.n + 9999, 2) if is_prime(q))


def curve_over(p: int, a: int, b: int, n: int, h: int = 1) -> Curve:
    """A curve with its first point as G."""
    gx, gy = all_points(p, a, b)[0]
    return Curve("made", "weierstrass", p, a, b, gx, gy, n, h)


@pytest.mark.parametrize(
    ("curve", "text"),
    [
        (replace(P256, p=P256.p + 2), "p is not prime"),
        (replace(P256, p=P256.p + 1), "p is even"),
        (replace(P256, p=3, a=0, b=1, gx=0, gy=1), "p has to be at least 5"),
        (replace(P256, p=2**607 - 1), "p has 607 bits; the engines take at most 544"),
        (replace(P256, h=2**300), "h \\* n has 556 bits"),
        (replace(P256, a=P256.p), r"a is not a field element in \[0, p\)"),
        (replace(P256, b=P256.p + 5), r"b is not a field element"),
        (replace(P256, gx=P256.gx + P256.p), r"G\[0\] is not a field element"),
        (replace(P256, gy=P256.gy + P256.p), r"G\[1\] is not a field element"),
        (replace(P256, b=0), "b = 0: the engine writes infinity"),
        (replace(P256, a=P256.p - 3, b=2, gx=1, gy=0), "singular"),
        (replace(P256, gy=P256.gy ^ 1), "G is not on the curve"),
        (replace(P256, n=P256.n + 2), "n is not an odd prime"),
        (replace(P256, n=2), "n is not an odd prime"),
        (replace(P256, n=OTHER_PRIME), "n \\* G is not"),
        (replace(P256, h=2), "outside the Hasse interval"),
        (replace(P256, h=0), "outside the Hasse interval"),
        (replace(CURVE25519, a=2), "singular"),
        (replace(CURVE25519, b=0), "singular"),
        (replace(CURVE25519, gx=10), "G is not on the curve"),
        (replace(CURVE25519, n=find_curve("P-256").n), "n \\* G is not"),
        (replace(K163, p=K163.p ^ 2), r"not irreducible: z \+ 1 divides it"),
        (replace(K163, p=K163.p ^ 1), "not irreducible: z divides it .the exponent 0 is missing"),
        (replace(K163, p=K163.p ^ 6), "polynomial is not irreducible$"),
        (replace(K163, p=1 << 577 | 7), "field has 577 bits .* at most 576"),
        (replace(K163, h=2**420), "h \\* n 583; the binary engines take at most 576"),
        (replace(K163, n=K163.n + 1), "n is not an odd prime: it is even"),
        (replace(K163, h=4), r"Hasse interval 2\^m"),
        (replace(K163, gx=1 << 163), r"G\[0\] is not a field element in \[0, 2\^m\)"),
        (replace(K163, b=0), "singular"),
        (replace(K163, gy=K163.gy ^ 1), "G is not on the curve"),
        (replace(K163, n=find_curve("secp160r1").n), "n \\* G is not"),
    ],
)
def test_errors(curve: Curve, text: str) -> None:
    with pytest.raises(InvalidCurveError, match=text):
        require_valid(curve)


def test_anomalous_curve_is_warned_about() -> None:
    p = 251
    a, b = next(
        (a, b)
        for a in range(p)
        for b in range(1, p)
        if (4 * a**3 + 27 * b**2) % p and len(all_points(p, a, b)) + 1 == p
    )
    assert any("anomalous" in finding.text for finding in require_valid(curve_over(p, a, b, p)))


def test_supersingular_curve_is_warned_about() -> None:
    """y^2 = x^3 + 1 has p + 1 points if p = 2 mod 3, so its embedding degree is 2. Here p + 1 = 12 n with a
    prime n.
    """
    n = next(n for n in range(2**40 // 12 | 1, 2**41, 2) if is_prime(n) and is_prime(12 * n - 1))
    p = 12 * n - 1
    # Begin at x = 3, because (2, 3) has order 6 over every field.
    x = next(x for x in range(3, 99) if pow(x**3 + 1, (p - 1) // 2, p) == 1)
    generator = jacobian_mul(12, (x, pow(x**3 + 1, (p + 1) // 4, p)), 0, p)
    assert generator is not None
    texts = [each.text for each in require_valid(Curve("made", "weierstrass", p, 0, 1, *generator, n, 12))]
    assert any(text.startswith("embedding degree 2:") and "82 bits" in text for text in texts)


def test_short_order_is_warned_about() -> None:
    texts = [finding.text for finding in require_valid(small_curves()[0])]
    assert any("only 9 bits" in text for text in texts)
    tiny = find_small_curve(251, 1, cofactor=8)
    assert any("is unconfirmed" in finding.text for finding in require_valid(tiny))


def test_composite_degree_is_warned_about() -> None:
    assert [each.text for each in require_valid(find_curve("c2pnb208w1"))] == [
        "m = 208 is composite: Weil descent may find discrete logarithms faster (GHS)"
    ]


def test_findings_are_errors_or_warnings_never_both() -> None:
    assert {finding.level for finding in validate(replace(P256, gy=1, n=9))} == {"error"}
    assert {finding.level for finding in validate(small_curves()[-1])} == {"warning"}


def test_is_prime() -> None:
    sieve = [q for q in range(2000) if q > 1 and all(q % d for d in range(2, int(q**0.5) + 1))]
    assert [q for q in range(2000) if is_prime(q)] == sieve
    assert all(is_prime(2**e - 1) for e in (61, 89, 127, 521, 607))
    assert not any(is_prime(2**e - 1) for e in (67, 101, 257, 523))
    # Carmichael numbers, and the smallest strong pseudoprime to the bases 2..31.
    assert not any(is_prime(q) for q in (561, 41041, 825265, 3825123056546413051))
    assert not is_prime(find_curve("P-256").p * find_curve("P-384").p)


def test_is_irreducible_by_sieve() -> None:
    """Compared with the products of every pair of smaller polynomials, for degrees 1 to 8."""

    def product(a: int, b: int) -> int:
        return mul(a, b, 1 << 40)

    composite = {product(a, b) for a in range(2, 256) for b in range(2, 256) if product(a, b) < 512}
    assert [f for f in range(2, 512) if is_irreducible(f)] == [f for f in range(2, 512) if f not in composite]
    assert not is_irreducible(1)


@pytest.mark.parametrize("f", [0b11, 0b100101, K163.p, K163.p ^ 0xFFFFFFFF << 64])
def test_remainder_is_below_the_degree_and_differs_by_a_multiple(f: int) -> None:
    """Moduli of few terms are reduced many bits at a time. Moduli of many terms are tested too."""
    degree = f.bit_length() - 1
    for quotient in (0, 1, 2, 0b1011, (1 << 2 * degree) - 1):
        for rest in (0, 1, (1 << degree) - 1):
            assert reduce(mul(quotient, f, 1 << 4 * degree + 8) ^ rest, f) == rest


def test_gf2m_field_axioms_exhaustively() -> None:
    f = 0b100101
    for a in range(1, 32):
        assert mul(a, inverse(a, f), f) == 1
        assert square(a, f) == mul(a, a, f)
        for b in range(32):
            assert mul(a, b, f) == mul(b, a, f)
            assert mul(a, b ^ 7, f) == mul(a, b, f) ^ mul(a, 7, f)
    with pytest.raises(ZeroDivisionError):
        inverse(0, f)
