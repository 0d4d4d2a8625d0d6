"""k P by the Frobenius map: its digits exhaustively on small Koblitz curves, and its sums where they could
fail.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.curves.small import koblitz_points, small_koblitz_curves
from eccelerate.model import koblitz, point
from eccelerate.model.koblitz import (
    Lambda,
    Pair,
    Projective,
    Ring,
    digits,
    in_subgroup,
    koblitz_mul,
    reduce,
    ring_of,
)

SMALL = small_koblitz_curves()
KNOWN = [curve for curve in load_catalogue().values() if curve.is_koblitz]


def named(curve: Curve) -> str:
    return curve.name


def check_digits(ring: Ring, n: int, k: int) -> None:
    """r = k modulo delta. Both coordinates are the sums of their digits, and no digit is 0."""
    r = reduce(ring, n, k)
    quotient = ring.mul((k - r[0], -r[1]), ring.conjugate(ring.delta))
    assert not quotient[0] % n and not quotient[1] % n, "r is k modulo delta"
    assert ring.norm(r) <= 4 * n
    for coordinate in r:
        row = digits(ring, coordinate)
        assert len(row) == ring.columns and set(row) <= {1, -1}
        assert sum(d << i for i, d in enumerate(reversed(row))) == coordinate


@pytest.mark.parametrize("curve", SMALL, ids=named)
def test_digits_of_every_scalar(curve: Curve) -> None:
    for k in range(1 << curve.order_bits):
        check_digits(ring_of(curve), curve.n, k)


@pytest.mark.parametrize("curve", KNOWN, ids=named)
def test_digits_on_the_catalogue(curve: Curve) -> None:
    rng, n = random.Random(curve.name), curve.n
    edge = [0, 1, 2, n - 1, n, n + 1, curve.order, (1 << curve.order_bits) - 1]
    for k in (*edge, *(rng.randrange(1 << curve.order_bits) for _ in range(200))):
        check_digits(ring_of(curve), n, k)


def test_the_catalogue_has_the_curves_of_nist() -> None:
    assert {curve.name for curve in KNOWN} >= {f"K-{m}" for m in (163, 233, 283, 409, 571)}
    for curve in KNOWN:
        assert ring_of(curve).norm(ring_of(curve).delta) == curve.n


def even(ring: Ring, n: int, k: int) -> Pair:
    """A wrong `reduce` that leaves even coordinates even."""
    x = [k * s % n for s in ring.conjugate(ring.delta)]
    u, v = ring.mul((x[0], x[1]), ring.delta)
    return u // n, v // n


MUTANTS: dict[str, tuple[str, Callable[..., object]]] = {
    "coordinates stay even": ("reduce", even),
    "a digit too few": ("digits", lambda ring, r: digits(ring, r)[1:]),
    "digits of the other sign": ("digits", lambda ring, r: [-d for d in digits(ring, r)]),
    "bits from number 0 on": ("digits", lambda ring, r: [2 * (r >> i & 1) - 1 for i in range(ring.columns)]),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_wrong_digits_are_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    curve, (name, wrong) = find_curve("K-163"), MUTANTS[mutant]
    monkeypatch.setattr(koblitz, name, wrong)
    results = [koblitz_mul(curve, k, curve.generator) == point.base_mul(curve, k) for k in range(1000, 1008)]
    assert not all(results)


@pytest.mark.parametrize("curve", SMALL, ids=named)
def test_every_multiple(curve: Curve) -> None:
    """Only the last sum has exceptions, which `koblitz_mul` asserts. One point stands for all."""
    rng, running = random.Random(curve.name), None
    for k in range(curve.n + 20):
        assert koblitz_mul(curve, k, curve.generator, rng.randrange(1, curve.field_size)) == running
        running = point.add(curve, running, curve.generator)


def doubled_last(curve: Curve) -> list[int]:
    """The scalars 2 t, t = +-1 +- tau, whose last sum may be that of a point and itself."""
    ring, n = ring_of(curve), curve.n
    # delta is 0 there: tau is -delta_1 / delta_2 modulo n.
    tau = -ring.delta[0] * pow(ring.delta[1], -1, n) % n
    assert (tau * tau - ring.mu * tau + 2) % n == 0
    return [2 * (u + v * tau) % n for u, v in product((1, -1), repeat=2)]


@pytest.mark.parametrize("curve", [*SMALL, *KNOWN], ids=named)
def test_scalars_that_double_at_the_end(curve: Curve) -> None:
    for k in doubled_last(curve):
        assert koblitz_mul(curve, k, curve.generator) == point.base_mul(curve, k)


def test_some_scalar_does_double_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the code for this case of the last sum, results are wrong."""

    def incomplete(group: Lambda, q: Projective, t: Pair) -> Projective:
        return whole(group, q, t) if q.l ^ group.mul(t[1], q.z) else Projective(0, 0, 0)

    whole = Lambda.add
    monkeypatch.setattr(Lambda, "add", incomplete)
    wrong = [
        (curve.name, k)
        for curve in (*SMALL, *KNOWN)
        for k in doubled_last(curve)
        if koblitz_mul(curve, k, curve.generator) is None
    ]
    assert wrong


@pytest.mark.parametrize("curve", SMALL, ids=named)
def test_which_points_have_odd_order(curve: Curve) -> None:
    points = list(koblitz_points(curve.p, curve.a))
    assert len(points) == curve.order - 1
    odd = {each for each in points if in_subgroup(curve, each)}
    assert len(odd) == curve.n - 1
    assert all(point.mul(curve, curve.n, each) is None for each in odd)
    assert not any(point.mul(curve, curve.n, each) is None for each in points if each not in odd)


@pytest.mark.parametrize("curve", KNOWN, ids=named)
def test_points_outside_of_the_subgroup(curve: Curve) -> None:
    """Points of all cosets of the subgroup."""
    small = [(0, 1), *(((1, 0), (1, 1)) if curve.a == 0 else ())]
    assert in_subgroup(curve, curve.generator)
    for other in small:
        moved = point.add(curve, curve.generator, other)
        assert moved is not None and point.is_on_curve(curve, moved)
        assert not in_subgroup(curve, moved) and not in_subgroup(curve, other)


def test_other_curves_are_refused() -> None:
    k163 = find_curve("K-163")
    bad = [
        find_curve("B-163"),
        replace(k163, a=0),
        replace(k163, b=2),
        replace(k163, n=k163.n - 2),
        replace(k163, p=1 << 164 | 1),
        find_curve("P-256"),
    ]
    for curve in bad:
        with pytest.raises(ValueError, match="Koblitz"):
            ring_of(curve)
