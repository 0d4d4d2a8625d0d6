"""Curves of few points, found by counting, for exhaustive tests."""

from collections.abc import Iterator
from functools import lru_cache

from eccelerate.curves import gf2m
from eccelerate.curves.curve import Curve
from eccelerate.curves.group import jacobian_mul
from eccelerate.curves.validate import is_prime


def all_points(p: int, a: int, b: int) -> list[tuple[int, int]]:
    """Every affine point of y^2 = x^3 + a x + b over GF(p), by x, then y. p is a small odd prime; this takes
    p steps.
    """
    roots: dict[int, list[int]] = {}
    for y in range(p):
        roots.setdefault(y * y % p, []).append(y)
    return [(x, y) for x in range(p) for y in roots.get((x * x * x + a * x + b) % p, ())]


def curve_points(curve: Curve) -> list[tuple[int, int]]:
    """All affine points of a curve, by x, then y. The group also has infinity."""
    if curve.kind == "binary":
        return list(_points_by_b(curve.p, curve.a)[curve.b])
    return all_points(curve.p, curve.a, curve.b)


def find_small_curve(p: int, a: int, *, cofactor: int = 1, n_above_p: bool | None = None) -> Curve:
    """The curve over GF(p) with this a (mod p) and the smallest b > 0 that has cofactor * n points, n an odd
    prime.

    `n_above_p` asks for n > p (True) or n < p (False); n = p never occurs. G is the first point of order n.
    Raises ValueError if there is no such curve.
    """
    a %= p
    for b in range(1, p):
        if (4 * a**3 + 27 * b**2) % p == 0:
            continue
        points = all_points(p, a, b)
        n, rest = divmod(len(points) + 1, cofactor)
        if rest or n == p or n < 3 or not is_prime(n) or n_above_p not in (None, n > p):
            continue
        for point in points:
            generator = jacobian_mul(cofactor, point, a, p)
            # If n divides the cofactor, a multiple by it may be in a smaller subgroup: then look further.
            if generator is not None and jacobian_mul(n, generator, a, p) is None:
                name = f"small-{p}-{a}-{b}"
                gx, gy = generator
                return Curve(name=name, kind="weierstrass", p=p, a=a, b=b, gx=gx, gy=gy, n=n, h=cofactor)
    raise ValueError(f"no curve over GF({p}) with a = {a}, cofactor {cofactor} and the order asked for")


@lru_cache
def small_curves() -> tuple[Curve, ...]:
    """Prime-order curves: p = 1 and 3 mod 4, a = -3, 0 and other, n above and below p."""
    return (
        find_small_curve(251, -3, n_above_p=True),
        find_small_curve(251, -3, n_above_p=False),
        find_small_curve(241, 0),
        find_small_curve(233, 2, n_above_p=True),
        find_small_curve(127, 5, n_above_p=False),
        find_small_curve(61, -3),
        find_small_curve(19, 2),
        find_small_curve(11, -3),
    )


@lru_cache
def small_cofactor_curves() -> tuple[Curve, ...]:
    """Curves with points of small order (cofactors 2, 4, 8, 16), where a ladder meets its exceptions."""
    return tuple(_with_cofactor(251, cofactor) for cofactor in (2, 4, 8, 16))


def _with_cofactor(p: int, cofactor: int) -> Curve:
    for a in range(1, p):
        try:
            return find_small_curve(p, a, cofactor=cofactor)
        except ValueError:
            continue
    raise ValueError(f"no curve over GF({p}) with cofactor {cofactor}")


@lru_cache
def _points_by_b(f: int, a: int) -> dict[int, list[tuple[int, int]]]:
    """The points of y^2 + x y = x^3 + a x^2 + b for every b. Each pair (x, y) is on the curve of one b."""
    elements = range(1 << (f.bit_length() - 1))
    found: dict[int, list[tuple[int, int]]] = {b: [] for b in elements}
    for x in elements:
        right = gf2m.mul(gf2m.square(x, f), x ^ a, f)
        for y in elements:
            found[gf2m.mul(y, x ^ y, f) ^ right].append((x, y))
    return found


def find_small_binary_curve(f: int, a: int, cofactor: int) -> Curve:
    """The curve over GF(2)[z]/f with this a and the smallest b > 0 that has cofactor * n points, n an odd
    prime.

    G is the first point of order n. Raises ValueError if there is no such curve. Cofactors are even (2 if the
    trace of a is 1, multiples of 4 if it is 0), because every such curve has the point (0, sqrt b) of order
    2.
    """
    for b in range(1, 1 << (f.bit_length() - 1)):
        points = _points_by_b(f, a)[b]
        n, rest = divmod(len(points) + 1, cofactor)
        if rest or n < 3 or not is_prime(n):
            continue
        for point in points:
            generator = gf2m.point_mul(cofactor, point, a, f)
            if generator is not None and gf2m.point_mul(n, generator, a, f) is None:
                gx, gy = generator
                return Curve(f"small-{f:b}-{a}-{b}", "binary", f, a, b, gx, gy, n, cofactor)
    raise ValueError(f"no curve over GF(2)[z]/{f:#b} with a = {a} and cofactor {cofactor}")


@lru_cache
def small_binary_curves() -> tuple[Curve, ...]:
    """Curves over GF(2^5) to GF(2^8) with cofactors 2, 4 and above, by trinomials and pentanomials."""
    return (
        find_small_binary_curve(0b100101, 1, 2),
        find_small_binary_curve(0b101111, 0, 4),
        find_small_binary_curve(0b1000011, 32, 2),
        find_small_binary_curve(0b10000011, 1, 2),
        find_small_binary_curve(0b100011011, 0, 8),
    )


def find_koblitz_curve(f: int, a: int) -> Curve:
    """The Koblitz curve y^2 + x y = x^3 + a x^2 + 1 over GF(2)[z]/f of odd degree, a = 0 or 1.

    G is h times its first point with x > 1. Raises ValueError unless its order is 2 or 4 times an odd prime.
    """
    m, mu, traces = f.bit_length() - 1, 1 if a else -1, [2, 1 if a else -1]
    for _ in range(m - 1):
        traces.append(mu * traces[-1] - 2 * traces[-2])  # of tau^i
    cofactor = 2 if a else 4
    n, rest = divmod((1 << m) + 1 - traces[m], cofactor)
    if m % 2 == 0 or rest or not is_prime(n):
        raise ValueError(f"no Koblitz curve over GF(2)[z]/{f:#b}, a = {a}, of 2 or 4 times a prime order")
    point = next(point for point in koblitz_points(f, a) if point[0] > 1)
    generator = gf2m.point_mul(cofactor, point, a, f)
    assert generator is not None, "x is 0 or 1 where the order is 2 or 4"
    gx, gy = generator
    return Curve(f"koblitz-{m}-{a}", "binary", f, a, 1, gx, gy, n, cofactor)


def koblitz_points(f: int, a: int) -> Iterator[tuple[int, int]]:
    """Every affine point of y^2 + x y = x^3 + a x^2 + 1 over GF(2)[z]/f of odd degree, by x."""
    yield 0, 1
    for x in range(1, 1 << (f.bit_length() - 1)):
        value = x ^ a ^ gf2m.square(gf2m.inverse(x, f), f)
        slope = gf2m.half_trace(value, f)  # y / x
        if gf2m.square(slope, f) ^ slope == value:
            yield x, gf2m.mul(x, slope, f)
            yield x, gf2m.mul(x, slope ^ 1, f)


@lru_cache
def small_koblitz_curves() -> tuple[Curve, ...]:
    """Koblitz curves of 1982 and 8012 points, with a = 1 and a = 0."""
    return find_koblitz_curve(0b100000000101, 1), find_koblitz_curve(0b10000000011011, 0)
