"""The compact engine's ladder in plain integers, step by step as ucode/compact/ladder.s computes it.

M. Hamburg, "Faster Montgomery and double-add ladders for short Weierstrass curves", CHES 2020. Three
collinear points P + Q + R = 0 with Q = k' P are held as X_Q - X_P, X_R - X_P, twice the slope, and 2 Y_P,
over one Z that is never computed. The ladder breaks down, with Z = 0 from there on, when Q or R is infinity:
when a prefix k' of the scalar is 0 or -1 modulo the order of P.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from eccelerate.curves.curve import Curve
from eccelerate.model import point
from eccelerate.model.point import Point

BLIND_BITS = 64
"""Random bits of scalar blinding."""
_BLIND_TOP = 1 << (BLIND_BITS + 2)


@dataclass(frozen=True)
class LadderScalar:
    """The scalar in the form that the ladder uses.

    even    the one of k and N - k that the ladder uses: k itself if k is even khat    even plus a multiple of
    N; its highest bit is bit `steps` steps   number of bits after the highest one, which is the number of
    steps
    """

    even: int
    khat: int
    steps: int

    def prefixes(self) -> list[int]:
        """The k' before the first step and after each step."""
        return [self.khat >> i for i in reversed(range(self.steps + 1))]


def ladder_scalar(order: int, k: int, blind: int | None = None) -> LadderScalar:
    """The scalar for 0 <= k < 2^bits(N), with N = order. `blind` are the 64 random bits of a blinded
    scalar.
    """
    bits = order.bit_length()
    if not 0 <= k < 1 << bits:
        raise ValueError(f"0 <= k < 2^{bits} is needed")
    k = k - order if k >= order else k
    even = order - k if k & 1 else k
    if blind is None:
        steps, khat, top = bits, even + order, order
    else:
        if not 0 <= blind < 1 << BLIND_BITS:
            raise ValueError(f"{BLIND_BITS} random bits are needed")
        # This is 1 modulo 4: as without blinding, prefixes are not 0 or -1 modulo N.
        steps = bits + BLIND_BITS + 2
        khat, top = even + (_BLIND_TOP + 4 * blind + 1) * order, _BLIND_TOP * order
    return LadderScalar(even, khat if khat >> steps else khat + top, steps)


def exceptional(curve: Curve, k: int, base: Point, blind: int | None = None) -> bool:
    """Whether the engine answers k * base with EXCEPTIONAL.

    The curve has the right n and h, base is a point of it, 0 <= k < 2^bits(N), and blind is as in
    `ladder_scalar`. k = 0 and k = +-1 mod N are never exceptional: the engine gets their result from P
    itself.
    """
    scalar = ladder_scalar(curve.order, k, blind)
    if base is None or scalar.even in (0, curve.order - 1):
        return False
    m = point_order(curve, base)
    return any(prefix % m in (0, m - 1) for prefix in scalar.prefixes())


@lru_cache(maxsize=1024)
def point_order(curve: Curve, base: Point) -> int:
    """The order of a point, a divisor of h * n. Raises ValueError if h * n is not the order of the curve."""
    if curve.h == 1 and base is not None:
        return curve.n
    divisors = [d for d in range(1, curve.h + 1) if curve.h % d == 0]
    for m in sorted({d * factor for d in divisors for factor in (1, curve.n)}):
        if point.mul(curve, m, base) is None:
            return m
    raise ValueError(f"{curve.name}: h * n does not annihilate the point: n or h is wrong")


class ExceptionalPoint(ArithmeticError):
    """The ladder met infinity on its way. The engine ends such a job with EXCEPTIONAL."""


def ladder_mul(curve: Curve, k: int, base: tuple[int, int], r: int, blind: int | None = None) -> Point:
    """k * base by the ladder with randomiser r in [1, p). None for k = 0 mod N.

    Ranges are as in `exceptional`. Raises ExceptionalPoint.
    """
    p, a = curve.p, curve.a
    x, y = base
    scalar = ladder_scalar(curve.order, k, blind)

    # Q = P, R = -2P: the line is the tangent at P.
    m = (3 * x * x + a) * r % p
    z = 2 * y * r % p
    zz = z * z % p
    xd = (m * m - 3 * x * zz) % p
    state = State(0, xd, 2 * m % p, 2 * y * zz % p, z)
    bit_before = 1
    for i in reversed(range(scalar.steps)):
        bit = scalar.khat >> i & 1
        if i == scalar.steps - 1:
            state = first_step(p, state)[bit]
        else:
            state = step(p, state if bit == bit_before else replace(state, xa=state.xd, xd=state.xa))
        bit_before = bit
    xq, xr = (state.xa, state.xd) if bit_before else (state.xd, state.xa)
    m2, y2 = state.m2, state.w * state.nn % p

    if scalar.even == 0:
        return None
    if scalar.even == curve.order - 1:
        result = point.negate(curve, base)
    elif y2 == 0:
        raise ExceptionalPoint(f"{curve.name}: the ladder met infinity at {k} * {base}")
    else:
        inverse = _inverse_z(curve, base, xq, xr, m2, y2)
        dx = xq * inverse * inverse % p
        slope = m2 * pow(2, -1, p) * inverse % p
        result = (x + dx) % p, (y + slope * dx) % p
    # An odd k was replaced by N - k.
    return point.negate(curve, result) if scalar.even != k % curve.order else result


@dataclass(frozen=True)
class State:
    """X_Q - X_P and X_R - X_P in the order "added, doubled" of the step before, twice the slope, and two
    factors of 2 Y_P; all modulo p.
    """

    xa: int
    xd: int
    m2: int
    w: int
    nn: int


def step(p: int, s: State) -> State:
    """The step that doubles the point of `xd`."""
    y2 = s.w * s.nn % p
    d = (s.xa - s.xd) % p
    t = (s.m2 * s.xd + y2) % p  # this is 2 Y of the doubled point
    d2, w = d * d % p, t * t % p
    v, e = s.xd * d2 % p, d * t % p
    u2 = s.m2 * e % p
    nn = d2 * e % p * y2 % p
    return State(w * (u2 + w) % p, (v * v + nn) % p, (2 * (v - w) - u2) % p, w, nn)


def first_step(p: int, s: State) -> tuple[State, State]:
    """The states after a bit 0 and after a bit 1, from `xa` = 0. In both of them the members differ from 0
    and from each other (as random numbers do).
    """
    y2, d2 = s.w * s.nn % p, s.xd * s.xd % p
    e, w = s.xd * y2 % p, y2 * y2 % p
    u2, nn = s.m2 * e % p, e * y2 % p
    return State(w * (u2 + w) % p, d2 * nn % p, (-2 * w - u2) % p, w * d2 % p, nn), step(p, s)


def _inverse_z(curve: Curve, base: tuple[int, int], xq: int, xr: int, m2: int, y2: int) -> int:
    """1/Z from the known P: Z^2 and Z^3 where x != 0, Z^4 and Z^3 where x = 0.

    3 x Z^2 = M^2 - XQ - XR,   2 y Z^3 = y2,   (3 x^2 + a) Z^4 = M y2 + XQ XR
    """
    p, (x, y) = curve.p, base
    if x:
        numerator, denominator = (m2 * m2 - 4 * (xq + xr)) * 2 * y, 12 * x * y2
    else:
        numerator, denominator = curve.a * y2, (m2 * y2 + 2 * xq * xr) * y
    return numerator * pow(denominator, p - 2, p) % p
