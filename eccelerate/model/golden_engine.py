"""`GoldenEngine`: the answer to any job, by plain mathematics. The reference the RTL is compared with.

Order of checks, the first that applies wins:
  every job    ZEROISED; BAD_LENGTH by the header (W); BAD_OP (codes no table has, reserved flags); BAD_CURVE;
               BAD_LENGTH by the operand words; BAD_OP (codes without a program); then
  on a curve   BAD_CURVE (operation of the other kind of curve); BAD_LENGTH (number of operands); NO_KEY
               and KEY_REFUSED (ECDSA_SIGN asks for the key first);
               SCALAR_RANGE (r, s of a verification: BAD_SIGNATURE); COORD_RANGE and NOT_ON_CURVE, point by
               point; NO_ENTROPY and RETRY, draw by draw; EXCEPTIONAL; the outcome
  CURVE_LOAD   the curve and key before are gone; BAD_LENGTH; BAD_MODULUS; COORD_RANGE (a, gx, b); BAD_MODULUS
               (b = 0, singular); COORD_RANGE (gy); NOT_ON_CURVE

An engine computes in prime fields or in GF(2^m), not both: a curve of the other sort is a BAD_MODULUS.
"""

import secrets

from eccelerate.curves import gf2m
from eccelerate.curves.curve import MAX_BINARY_BITS, MAX_BITS, MIN_WORDS, WORD_BITS, Curve, Kind
from eccelerate.model import ladder, point
from eccelerate.model.field import neg_inverse, passes_prime_test
from eccelerate.model.jobs import (
    A_IS_MINUS_3,
    KIND_BINARY,
    KIND_MONTGOMERY,
    Flag,
    JobRequest,
    JobResponse,
    Op,
    Status,
    curve_load_operands,
    operand_count,
    reserved_flags,
)
from eccelerate.model.point import Point
from eccelerate.model.programs import PROGRAMS, EngineState, Entropy, Exceptional, JobEnd, end

MAX_ELEMENTS = 8
"""Largest number of operands of a packet."""
_TABLE = range(1, 0x30)
"""Operation codes that have a place in the microcode's jump table."""
_CURVELESS = {Op.CURVE_LOAD, Op.ZEROISE}
_BOTH_KINDS = {Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB, Op.KEY_LOAD, Op.SELF_TEST}


def _never(curve: Curve, k: int, base: Point, blind: int | None) -> bool:
    """Exceptions of the ladder on binary curves: there are none."""
    return False


class GoldenEngine:
    """One engine: a loaded curve, a key slot, and `run`.

    entropy      where drawn scalars and randomisers come from (the operating system unless given). Every draw
                 is of W + 3 words. Order: scalar (two draws), blinding (BLIND), randomiser.
    binary       the engine computes in GF(2^m); else in prime fields.
    exceptional  which k * P of the constant-time ladder end with EXCEPTIONAL: those of the engine's ladder
                 (Hamburg's in prime fields; the one of Lopez and Dahab, in GF(2^m), has none).
    max_words    largest W of this engine; what its kind of field takes at most, unless given.
    digit_bits   of its field unit: fixes R of a drawn scalar A + B R, and how much of a constant counts. 0,
                 as the turbo engine: no constants, R = 2^bits(p), and so many bits of A and B count.
    """

    def __init__(
        self,
        entropy: Entropy = secrets.randbits,
        exceptional: Exceptional | None = None,
        max_words: int | None = None,
        digit_bits: int = 32,
        *,
        binary: bool = False,
    ) -> None:
        """An engine after reset: no curve, no key."""
        if exceptional is None:
            exceptional = _never if binary else ladder.exceptional
        self._state = EngineState(entropy, exceptional, digit_bits)
        self._max_words = max_words or (MAX_BINARY_BITS if binary else MAX_BITS) // WORD_BITS
        self._binary = binary

    @property
    def key(self) -> int | None:
        """The key slot. None if no key is valid. It is for tests: no job reads it."""
        return self._state.key

    def reset(self) -> None:
        """The effect of rst_ni: curve and key are lost."""
        self._state.curve = None
        self._state.key = None

    def load(self, curve: Curve, curve_id: int = 1) -> JobResponse:
        """Runs CURVE_LOAD for a curve of the catalogue or of a file."""
        operands = curve_load_operands(curve)
        return self.run(JobRequest(Op.CURVE_LOAD, operands, curve_id=curve_id, words=curve.element_words))

    def do(self, op: int, *operands: int, flags: int = 0) -> JobResponse:
        """Runs a job under the loaded curve's id and W (without a curve: id 0 and the smallest W)."""
        state = self._state
        curve_id, words = (0, MIN_WORDS) if state.curve is None else (state.curve_id, state.words)
        return self.run(JobRequest(op, operands, flags, curve_id, words))

    def run(self, request: JobRequest, *, zeroise: bool = False) -> JobResponse:
        """The response to a request; `zeroise` says that the zeroise input comes while it runs."""
        if zeroise:
            self._state.key = None
            return JobResponse(Status.ZEROISED)
        try:
            return self._execute(request)
        except JobEnd as ended:
            return JobResponse(ended.status)

    def _execute(self, request: JobRequest) -> JobResponse:
        self._check_packet(request)
        if request.op not in PROGRAMS and request.op not in _CURVELESS:
            end(Status.BAD_OP)
        op, state = Op(request.op), self._state
        if op == Op.CURVE_LOAD:
            return self._curve_load(request)
        if op not in _CURVELESS | _BOTH_KINDS:
            montgomery = state.loaded.kind == "montgomery"
            if montgomery != (op == Op.X_LADDER):
                end(Status.BAD_CURVE)
        if op == Op.ECDSA_SIGN and request.flags & Flag.KEY:
            state.saved_key(op, Flag(request.flags))
        if len(request.operands) != operand_count(op, request.flags):
            end(Status.BAD_LENGTH)
        if op == Op.ZEROISE:
            state.key = None
            return JobResponse(Status.OK)
        return PROGRAMS[op](state, Flag(request.flags), *request.operands)

    def _check_packet(self, request: JobRequest) -> None:
        """The checks of the job port, before any microcode runs."""
        state = self._state
        needs_curve = request.op not in _CURVELESS
        if not MIN_WORDS <= request.words <= self._max_words:
            end(Status.BAD_LENGTH)
        if needs_curve and state.curve is not None and request.words != state.words:
            end(Status.BAD_LENGTH)
        if request.op not in _TABLE or reserved_flags(request.op, request.flags):
            end(Status.BAD_OP)
        if needs_curve and (state.curve is None or request.curve_id != state.curve_id):
            end(Status.BAD_CURVE)
        if not request.whole or len(request.operands) > MAX_ELEMENTS:
            end(Status.BAD_LENGTH)

    def _curve_load(self, request: JobRequest) -> JobResponse:
        """Load a curve. In every case the previous curve and its key are lost."""
        self.reset()
        if len(request.operands) != operand_count(Op.CURVE_LOAD):
            end(Status.BAD_LENGTH)
        build = self._binary_curve if self._binary else self._prime_curve
        curve = build(*request.operands)
        if curve.kind != "montgomery" and not point.is_on_curve(curve, curve.generator):
            end(Status.NOT_ON_CURVE)
        state = self._state
        state.curve, state.curve_id, state.words = curve, request.curve_id, request.words
        state.order = request.operands[-1]
        return JobResponse(Status.OK)

    def _constant_fits(self, modulus: int, constant: int) -> bool:
        """Whether the constant is -modulus^-1 in the digit of the field unit, the only part that it uses."""
        digit = min(self._state.digit_bits, 64)
        return (constant ^ neg_inverse(modulus, digit)) % (1 << digit) == 0

    def _prime_curve(self, par: int, p: int, a: int, b: int, gx: int, gy: int, n: int, order: int) -> Curve:
        kind: Kind = "montgomery" if par >> 32 & 1 else "weierstrass"
        if par >> 32 & 0xFFFFFFFF not in (0, KIND_MONTGOMERY, A_IS_MINUS_3):
            end(Status.BAD_MODULUS)
        if not passes_prime_test(p) or not passes_prime_test(n):
            end(Status.BAD_MODULUS)
        if order not in {n << j for j in range(8)} or abs(order - p) >> (p.bit_length() // 2 + 2):
            end(Status.BAD_MODULUS)
        if (par & 0x3FF, par >> 16 & 0x3FF) != (p.bit_length(), order.bit_length()):
            end(Status.BAD_MODULUS)
        if not (self._constant_fits(p, par >> 64) and self._constant_fits(n, par >> 128)):
            end(Status.BAD_MODULUS)
        if max(a, gx) >= p:
            end(Status.COORD_RANGE)
        if kind == "weierstrass":
            if par >> 40 & 1 and a != p - 3:
                end(Status.BAD_MODULUS)
            if b >= p:
                end(Status.COORD_RANGE)
            if b == 0 or (4 * a**3 + 27 * b**2) % p == 0:
                end(Status.BAD_MODULUS)
            if gy >= p:
                end(Status.COORD_RANGE)
        elif a < 2:  # A = 2 or -2: singular
            end(Status.BAD_MODULUS)
        # The packet has a24 = (A + 2) / 4. Only the search for points of small order uses the cofactor.
        coefficient = a if kind == "weierstrass" else (4 * a - 2) % p
        return Curve("loaded", kind, p, coefficient, b, gx, gy, n, max(1, order // n))

    def _binary_curve(self, par: int, p: int, a: int, b: int, gx: int, gy: int, n: int, order: int) -> Curve:
        m = par & 0x3FF
        size = 1 << m
        if par >> 32 & 0xFFFFFFFF != KIND_BINARY or p % 2 == 0 or p >= size or not passes_prime_test(n):
            end(Status.BAD_MODULUS)
        if order % 2 or order < size // 2 or abs(order - size) >> (m // 2 + 2):
            end(Status.BAD_MODULUS)
        if not 2 <= m <= WORD_BITS * self._max_words or par >> 16 & 0x3FF != order.bit_length():
            end(Status.BAD_MODULUS)
        if not self._constant_fits(n, par >> 128) or not gf2m.is_irreducible(size | p):
            end(Status.BAD_MODULUS)
        if max(a, gx, b) >= size:
            end(Status.COORD_RANGE)
        if b == 0:
            end(Status.BAD_MODULUS)
        if gy >= size:
            end(Status.COORD_RANGE)
        return Curve("loaded", "binary", size | p, a, b, gx, gy, n, max(1, order // n))
