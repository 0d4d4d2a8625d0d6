"""The model of the Tate pairing is bilinear, not degenerate and equal to PARI's; the curve of degree 4 has
the order that its proof says, and the proof fails for another one.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from eccelerate import external
from eccelerate.curves.small import all_points
from eccelerate.curves.validate import is_prime
from eccelerate.model import tate_curve
from eccelerate.model.tate_curve import CURVE, SMALL, ProofError, X, prove
from eccelerate.model.tate_pairing import (
    ONE,
    Element,
    PairingCurve,
    TwistPoint,
    add,
    add_twist,
    inverse,
    mul,
    mul_twist,
    multiply,
    power,
    square_root,
    tate,
    twist_points,
)


def generators(curve: PairingCurve) -> tuple[tuple[int, int], TwistPoint]:
    """P and Q of order r."""
    if curve == CURVE:
        p = tate_curve.find_curve(X)[1]
    else:
        points = (mul(curve.p, curve.h, point) for point in all_points(curve.p, 0, curve.b))
        p = next(point for point in points if point)
    cofactor = curve.twist_order
    while cofactor % curve.r == 0:
        cofactor //= curve.r
    for q in twist_points(curve, [(x, 1) for x in range(40)]):
        found = mul_twist(curve, cofactor, q)
        while found and mul_twist(curve, curve.r, found):
            found = mul_twist(curve, curve.r, found)
        if found:
            assert p is not None
            return p, found
    raise AssertionError("there is no Q")


def test_the_proof_of_the_curve() -> None:
    curve, point = tate_curve.find_curve(X)
    assert curve == CURVE
    assert (CURVE.p.bit_length(), CURVE.r.bit_length()) == (256, 171)
    assert prove(X, curve, point) == (
        f"p and r are primes; the curve has {CURVE.h} r points; its embedding degree for r is 4"
    )


def test_the_proof_fails_for_what_does_not_hold() -> None:
    _, point = tate_curve.find_curve(X)
    assert point is not None
    with pytest.raises(ProofError, match="not that of x"):
        prove(X + 6, CURVE, point)
    with pytest.raises(ProofError, match="not on the curve"):
        prove(X, replace(CURVE, b=CURVE.b + 1), point)
    with pytest.raises(ProofError, match="not on the curve"):
        prove(X, CURVE, None)
    other = next(
        p for x in range(2, 99) if (p := tate_curve._root(CURVE.p, x, CURVE.b)) and mul(CURVE.p, CURVE.r, p)
    )
    with pytest.raises(ProofError, match="not the order r"):
        prove(X, CURVE, other)
    composite = next(x for x in range(4 - 6 * 10**6, 0, 6) if not is_prime(tate_curve.family(x)[1]))
    with pytest.raises(ProofError, match="no witness"):
        tate_curve.prove_subgroup_order(composite)
    with pytest.raises(ProofError, match="not above"):
        tate_curve.prove_field(CURVE, point, 13)
    with pytest.raises(ProofError, match="not exactly one"):
        tate_curve.prove_order(CURVE, 13)
    with pytest.raises(ProofError, match="is not 4"):
        tate_curve.prove_degree(CURVE, 11)


@pytest.mark.soak
def test_x_is_the_best_of_the_search() -> None:
    assert min(tate_curve.search())[1] == X


def test_the_small_curve_has_its_order() -> None:
    assert len(all_points(SMALL.p, 0, SMALL.b)) + 1 == SMALL.h * SMALL.r
    tate_curve.prove_degree(SMALL, SMALL.r)
    assert is_prime(SMALL.p) and is_prime(SMALL.r)


def test_curves_outside_the_tower_are_refused() -> None:
    with pytest.raises(ValueError, match="3 modulo 8"):
        PairingCurve(p=13, r=5, t=4, b=1)
    with pytest.raises(ValueError, match="r divides"):
        PairingCurve(p=307, r=17, t=35, b=10)
    with pytest.raises(ValueError, match="1 modulo 3"):
        tate_curve.family(2)


def test_the_tower_is_a_field() -> None:
    generator, p = random.Random(1), SMALL.p
    assert multiply(p, (0, 1, 0, 0), (0, 1, 0, 0)) == (p - 1, 0, 0, 0)
    assert multiply(p, (0, 0, 1, 0), (0, 0, 1, 0)) == (1, 1, 0, 0)

    def some() -> Element:
        a, b, c, d = (generator.randrange(p) for _ in range(4))
        return a, b, c, d

    for _ in range(100):
        x, y, z = some(), some(), some()
        assert multiply(p, multiply(p, x, y), z) == multiply(p, x, multiply(p, y, z))
        assert multiply(p, x, y) == multiply(p, y, x)
        assert power(p, x, p**4 - 1) == ONE
        assert multiply(p, x, inverse(p, x)) == ONE
        a, b, _, _ = multiply(p, (x[0], x[1], 0, 0), (x[0], x[1], 0, 0))
        assert square_root(p, (a, b)) in ((x[0], x[1]), (-x[0] % p, -x[1] % p))
    assert square_root(p, (1, 1)) is None  # else v^2 = 1 + i would give no field
    with pytest.raises(ZeroDivisionError):
        inverse(p, (0, 0, 0, 0))


def test_every_pairing_of_the_small_curve() -> None:
    p, q = generators(SMALL)
    e = tate(SMALL, p, q)
    assert e != ONE and power(SMALL.p, e, SMALL.r) == ONE
    for m in range(SMALL.r + 1):
        for n in range(SMALL.r + 1):
            left, right = mul(SMALL.p, m, p), mul_twist(SMALL, n, q)
            assert tate(SMALL, left, right) == power(SMALL.p, e, m * n)


def test_the_pairing_of_the_curve_is_bilinear_and_not_degenerate() -> None:
    p, q = generators(CURVE)
    e = tate(CURVE, p, q)
    assert e != ONE and power(CURVE.p, e, CURVE.r) == ONE
    other, another = mul(CURVE.p, 12345, p), mul_twist(CURVE, 54321, q)
    assert tate(CURVE, other, another) == power(CURVE.p, e, 12345 * 54321)
    assert tate(CURVE, add(CURVE.p, p, other), q) == multiply(CURVE.p, e, tate(CURVE, other, q))
    assert tate(CURVE, p, add_twist(CURVE, q, another)) == multiply(CURVE.p, e, tate(CURVE, p, another))
    assert tate(CURVE, None, q) == tate(CURVE, p, None) == ONE


def test_a_point_of_another_order_is_refused() -> None:
    q = generators(SMALL)[1]
    points = all_points(SMALL.p, 0, SMALL.b)
    p = next(point for point in points if mul(SMALL.p, SMALL.r, point))
    with pytest.raises(ValueError, match="order"):
        tate(SMALL, p, q)


def pari(curve: PairingCurve, p: tuple[int, int], q: TwistPoint) -> Element:
    """PARI's pairing, with the final exponent. With v^2 = 1 + i, v^4 - 2 v^2 + 2 = 0."""
    script = f"""
        T = ffgen(Mod(1, {curve.p}) * (x^4 - 2*x^2 + 2), 'v); i = T^2 - 1;
        E = ellinit([0, 0, 0, 0, {curve.b}] * T^0);
        P = [{p[0]}, {p[1]}] * T^0; Q = [{q.x0} + {q.x1}*i, ({q.y0} + {q.y1}*i) * T];
        e = elltatepairing(E, P, Q, {curve.r})^(({curve.p}^4 - 1) / {curve.r});
        g = e.pol; for (k = 0, 3, print(lift(polcoef(g, k))));
    """
    done = external.run(["gp", "-q", "-f"], given=script.replace("\n", " ") + "\n", timeout=60)
    one, v, v2, v3 = (int(word) for word in done.text.split())
    return (one + v2) % curve.p, v2, (v + v3) % curve.p, v3


@pytest.mark.skipif(not external.is_installed("gp"), reason="needs gp: apt install pari-gp")
@pytest.mark.parametrize("curve", [SMALL, CURVE], ids=["small", "256"])
def test_pari_computes_the_same_pairing(curve: PairingCurve) -> None:
    p, q = generators(curve)
    assert tate(curve, p, q) == pari(curve, p, q)
    assert tate(curve, p, q) != pari(curve, p, mul_twist(curve, 2, q) or q)
