"""What each job does after the checks of its header: one function for each operation, in plain mathematics.

A function gets the engine's state, the flags and the right number of operands. It returns the result, or ends
the job by `end`. Moduli are assumed to be prime, and polynomials irreducible, because CURVE_LOAD cannot tell.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from eccelerate.curves.curve import Curve
from eccelerate.model import ecdsa, montgomery, point
from eccelerate.model.field import mod_inverse
from eccelerate.model.jobs import KEY_ATTRIBUTES, Flag, JobResponse, Op, Status
from eccelerate.model.ladder import BLIND_BITS
from eccelerate.model.point import Point
from eccelerate.model.rings import Integers, Ring, base_ring

Entropy = Callable[[int], int | None]
"""Draws an integer of the given number of bits; None when the entropy port gives nothing."""
Exceptional = Callable[[Curve, int, Point, int | None], bool]
"""Whether the engine's ladder ends k * P with EXCEPTIONAL. Last: the random bits of a blinded scalar."""


class JobEnd(Exception):
    """Ends the running job with a status and no results."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.name)
        self.status = status


def end(status: Status) -> NoReturn:
    """End the job with a status."""
    raise JobEnd(status)


@dataclass
class EngineState:
    """The engine as programs see it: the loaded curve, its sizes, the key slot, and the outside world."""

    entropy: Entropy
    exceptional: Exceptional
    digit_bits: int = 32
    curve: Curve | None = None
    curve_id: int = 0
    order: int = 0
    words: int = 0
    key: int | None = None
    attributes: Flag = Flag.NONE

    @property
    def loaded(self) -> Curve:
        """The loaded curve. Ends the job with BAD_CURVE if there is none."""
        return self.curve or end(Status.BAD_CURVE)

    def draw(self) -> int:
        """W + 3 words of entropy. Ends the job with NO_ENTROPY if there are none."""
        value = self.entropy(32 * (self.words + 3))
        return end(Status.NO_ENTROPY) if value is None else value

    def draw_scalar(self) -> int:
        """A key or nonce in [1, n-1]: (A + B R) mod n, where A and B are parts of one draw each. RETRY for
        0.
        """
        return self.draw_mask() or end(Status.RETRY)

    def draw_mask(self) -> int:
        """The same, but 0 is possible: a share of a secret, which changes no result."""
        if self.digit_bits:
            used, shift = 32 * self.words, -(-32 * self.words // self.digit_bits) * self.digit_bits
        else:
            used = shift = self.loaded.p.bit_length()
        low, high = (self.draw() % (1 << used) for _ in range(2))
        return (low + (high << shift)) % self.loaded.n

    def check_scalar(self, k: int) -> None:
        """Check 0 <= k < 2^bits(N)."""
        if k >> self.order.bit_length():
            end(Status.SCALAR_RANGE)

    def check_private(self, *values: int) -> None:
        """Check 1 <= value < n, for keys and nonces."""
        if not all(1 <= value < self.loaded.n for value in values):
            end(Status.SCALAR_RANGE)

    def saved_key(self, op: Op, flags: Flag) -> int:
        """The key in the key slot, if its attributes permit the job."""
        if self.key is None:
            end(Status.NO_KEY)
        if self.attributes & (Flag.NO_SIGN if op == Op.ECDSA_SIGN else Flag.NO_AGREE):
            end(Status.KEY_REFUSED)
        if op == Op.ECDSA_SIGN and not flags & Flag.RANDOM and not self.attributes & Flag.HOST_NONCE:
            end(Status.KEY_REFUSED)
        return self.key

    @property
    def draws_first(self) -> bool:
        """Whether the randomiser of a point is drawn before the point is checked: binary engines do that."""
        return self.loaded.kind == "binary"

    def save_key(self, d: int, flags: Flag) -> None:
        """Put a key in the key slot, with the attributes that the flags of the job give it."""
        self.key, self.attributes = d, flags & KEY_ATTRIBUTES

    def point(self, x: int, y: int, *, infinity: bool = False, multiplied: bool = False) -> Point:
        """A checked point. (0, 0) is infinity if that is allowed, and otherwise a point off the curve. For a
        point that will be `multiplied`, an engine that `draws_first` draws the randomiser here.
        """
        curve = self.loaded
        if max(x, y) >= curve.field_size:
            end(Status.COORD_RANGE)
        candidate = None if infinity and (x, y) == (0, 0) else (x, y)
        if multiplied and self.draws_first:
            self.draw()
        if not point.is_on_curve(curve, candidate):
            end(Status.NOT_ON_CURVE)
        return candidate

    def split(self, flags: Flag) -> None:
        """The draws with which a blinded job splits a secret, or splits it anew."""
        if flags & Flag.BLIND:
            self.draw_mask()

    def draw_blind(self, flags: Flag, *, drawn: bool = False) -> int | None:
        """The draws of the ladder: a randomiser, which changes no result, unless it is `drawn` already, and
        the random bits of blinding if it is requested.
        """
        if not drawn:
            self.draw()
        return self.draw() % (1 << BLIND_BITS) if flags & Flag.BLIND else None

    def ladder(self, k: int, base: Point, flags: Flag, *, drawn: bool = False) -> Point:
        """k * base as the ladder for secret scalars computes it: twice with CHECK. drawn: whether the
        randomiser of the first time is drawn already.
        """
        for ahead in (drawn, False) if flags & Flag.CHECK else (drawn,):
            if self.exceptional(self.loaded, k, base, self.draw_blind(flags, drawn=ahead)):
                end(Status.EXCEPTIONAL)
        return point.mul(self.loaded, k, base)


def _point_result(value: Point) -> JobResponse:
    return JobResponse(Status.INFINITY, (0, 0)) if value is None else JobResponse(Status.OK, value)


def _mul(state: EngineState, flags: Flag, k: int, x: int, y: int) -> JobResponse:
    state.check_scalar(k)
    base = state.point(x, y, infinity=True, multiplied=True)
    return _point_result(None if base is None else state.ladder(k, base, flags, drawn=state.draws_first))


def _base_mul(state: EngineState, flags: Flag, k: int) -> JobResponse:
    state.check_scalar(k)
    return _point_result(state.ladder(k, state.loaded.generator, flags))


def _double_mul(state: EngineState, flags: Flag, u1: int, u2: int, x: int, y: int) -> JobResponse:
    state.check_scalar(u1 | u2)
    return _point_result(point.double_mul(state.loaded, u1, u2, state.point(x, y)))


def _point_add(state: EngineState, flags: Flag, x1: int, y1: int, x2: int, y2: int) -> JobResponse:
    left = state.point(x1, y1, infinity=True)
    right = state.point(x2, y2, infinity=True)
    return _point_result(point.add(state.loaded, left, right))


def _on_curve(state: EngineState, flags: Flag, x: int, y: int) -> JobResponse:
    state.point(x, y)
    return JobResponse(Status.OK)


def _ecdh(state: EngineState, flags: Flag, x: int, y: int, *given: int) -> JobResponse:
    d = state.saved_key(Op.ECDH, flags) if flags & Flag.KEY else given[0]
    state.check_private(d)
    if flags & Flag.KEY:
        state.split(flags)
    n, h = state.loaded.n, state.loaded.h
    # A multiple of h: the part of small order of any point vanishes.
    scalar = h * (d if flags & Flag.COFACTOR else d * mod_inverse(h, n) % n)
    base = state.point(x, y, multiplied=True)
    shared = state.ladder(scalar, base, flags, drawn=state.draws_first)
    # Only a point of small order gets here. Most of these have met infinity in the ladder and ended the job.
    return end(Status.EXCEPTIONAL) if shared is None else JobResponse(Status.OK, (shared[0],))


def _ecdsa_sign(state: EngineState, flags: Flag, e: int, *given: int) -> JobResponse:
    """Accepts any e of W words; only e mod n matters."""
    rest = list(given)
    d = state.saved_key(Op.ECDSA_SIGN, flags) if flags & Flag.KEY else rest.pop(0)
    state.check_private(d)
    state.split(flags)
    k = state.draw_scalar() if flags & Flag.RANDOM else rest[0]
    state.check_private(k)
    # This is only for the ladder's draws and exceptions: the signature itself is the model's.
    state.ladder(k, state.loaded.generator, flags)
    state.split(flags)  # the nonce, into a factor and a product
    return JobResponse(Status.OK, ecdsa.sign(state.loaded, d, e, k) or end(Status.RETRY))


def _ecdsa_verify(state: EngineState, flags: Flag, e: int, r: int, s: int, x: int, y: int) -> JobResponse:
    if not all(1 <= value < state.loaded.n for value in (r, s)):
        end(Status.BAD_SIGNATURE)
    state.point(x, y)
    if state.loaded.kind == "binary" and point.mul(state.loaded, state.loaded.n, (x, y)) is not None:
        end(Status.BAD_SIGNATURE)  # the engine computes (1/s) (e G + r Q), which asks for a Q of order n
    return JobResponse(Status.OK if ecdsa.verify(state.loaded, e, r, s, (x, y)) else Status.BAD_SIGNATURE)


def _keygen(state: EngineState, flags: Flag, *given: int) -> JobResponse:
    """Generate a key. The key is stored before the public key is computed, so it stays if that ends with
    NO_ENTROPY.
    """
    d = state.draw_scalar() if flags & Flag.RANDOM else given[0]
    state.check_private(d)
    state.split(flags)
    state.save_key(d, flags)
    return _point_result(state.ladder(d, state.loaded.generator, flags))


def _key_load(state: EngineState, flags: Flag, d: int) -> JobResponse:
    state.check_private(d)
    state.split(flags)
    state.save_key(d, flags)
    return JobResponse(Status.OK)


def _modular(compute: Callable[[Ring, int, int], int], checked: int) -> Callable[..., JobResponse]:
    """A program for compute(ring, a, b). Its first `checked` operands have to be elements of the ring."""

    def program(state: EngineState, flags: Flag, a: int, b: int = 0) -> JobResponse:
        ring = Integers(state.loaded.n) if flags & Flag.MOD_N else base_ring(state.loaded)
        if max((a, b)[:checked]) >= ring.size:
            end(Status.COORD_RANGE)
        return JobResponse(Status.OK, (compute(ring, a, b),))

    return program


def _x_ladder(state: EngineState, flags: Flag, k: int, u: int) -> JobResponse:
    """The ladder has bits(p) steps. BLIND is ignored, because N is not the order of points of the twist."""
    curve = state.loaded
    if k.bit_length() != curve.p_bits:
        end(Status.SCALAR_RANGE)
    if u >= curve.p:
        end(Status.COORD_RANGE)
    if montgomery.has_small_order(curve, u):
        return JobResponse(Status.INFINITY, (0,))
    state.draw()
    x, z = montgomery.ladder(curve, k, u, curve.p_bits)
    if z == 0:
        return JobResponse(Status.INFINITY, (0,))
    return JobResponse(Status.OK, (x * mod_inverse(z, curve.p) % curve.p,))


def _self_test(state: EngineState, flags: Flag) -> JobResponse:
    """n G and N G must be infinity on the loaded curve."""
    curve, order = state.loaded, state.order
    if curve.kind == "montgomery":
        state.draw()
        passed = montgomery.ladder(curve, order, curve.gx, order.bit_length())[1] == 0
    else:
        passed = point.base_mul(curve, curve.n) is point.base_mul(curve, order) is None
        for _ in range(2 if flags & Flag.CHECK else 1):
            blind = state.draw_blind(flags)
            if passed and state.exceptional(curve, (curve.n + 1) // 2, curve.generator, blind):
                end(Status.EXCEPTIONAL)
    return JobResponse(Status.OK if passed else Status.SELF_TEST_FAILED)


PROGRAMS: dict[Op, Callable[..., JobResponse]] = {
    Op.MUL: _mul,
    Op.BASE_MUL: _base_mul,
    Op.DOUBLE_MUL: _double_mul,
    Op.POINT_ADD: _point_add,
    Op.ON_CURVE: _on_curve,
    Op.ECDH: _ecdh,
    Op.ECDSA_SIGN: _ecdsa_sign,
    Op.ECDSA_VERIFY: _ecdsa_verify,
    Op.KEYGEN: _keygen,
    Op.KEY_LOAD: _key_load,
    Op.MOD_MUL: _modular(lambda ring, a, b: ring.mul(a, b), 2),
    Op.MOD_INV: _modular(lambda ring, a, b: ring.inverse(a), 1),
    Op.MOD_EXP: _modular(lambda ring, a, b: ring.power(a, b), 1),
    Op.MOD_ADD: _modular(lambda ring, a, b: ring.add(a, b), 2),
    Op.MOD_SUB: _modular(lambda ring, a, b: ring.sub(a, b), 2),
    Op.X_LADDER: _x_ladder,
    Op.SELF_TEST: _self_test,
}
"""Every operation that works on the loaded curve."""
