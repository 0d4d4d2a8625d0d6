"""`GoldenEngine`: the answer to any job, by plain mathematics. The reference the RTL is compared with.

Order of checks, the first that applies wins:
  every job    ZEROISED; BAD_LENGTH by the header (W); BAD_OP (codes no table has, reserved flags); BAD_CURVE;
               BAD_LENGTH by the operand words; BAD_OP (codes without a program); then
  on a curve   BAD_CURVE (operation of the other kind of curve); BAD_LENGTH (number of operands); NO_KEY
               (ECDSA_SIGN asks for the key first);
               SCALAR_RANGE (r, s of a verification: BAD_SIGNATURE); COORD_RANGE and NOT_ON_CURVE, point by
               point; NO_ENTROPY and RETRY, draw by draw; EXCEPTIONAL; the outcome
  CURVE_LOAD   the curve and key before are gone; BAD_LENGTH; BAD_MODULUS; COORD_RANGE (a, gx, b); BAD_MODULUS
               (b = 0); COORD_RANGE (gy); NOT_ON_CURVE
"""

import secrets

from eccelerate.curves.curve import MAX_BITS, MIN_WORDS, WORD_BITS, Curve, Kind
from eccelerate.model import ladder, point
from eccelerate.model.field import neg_inverse
from eccelerate.model.jobs import (
    KNOWN_FLAGS,
    Flag,
    Job,
    Op,
    Result,
    Status,
    curve_load_operands,
    operand_count,
)
from eccelerate.model.programs import PROGRAMS, EngineState, Entropy, Exceptional, JobEnd, end

MAX_ELEMENTS = 8
"""Operands a packet can bring."""
_TABLE = range(1, 0x30)
"""Operation codes that have a place in the microcode's jump table."""
_CURVELESS = {Op.CURVE_LOAD, Op.ZEROISE}
_BOTH_KINDS = {Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB, Op.KEY_LOAD, Op.SELF_TEST}


class GoldenEngine:
    """One engine: a loaded curve, a key slot, and `run`.

    entropy      where drawn scalars and randomisers come from (the operating system unless given). Every draw
                 is of W + 3 words. Order: scalar (two draws), blinding (BLIND), randomiser.
    exceptional  which k * P of the constant-time ladder end with EXCEPTIONAL: those of the engine's ladder.
    max_words    largest W of this engine.
    digit_bits   of its field unit: fixes R of a drawn scalar A + B R, and how much of a constant counts.
    """

    def __init__(
        self,
        entropy: Entropy = secrets.randbits,
        exceptional: Exceptional = ladder.exceptional,
        max_words: int = MAX_BITS // WORD_BITS,
        digit_bits: int = 32,
    ) -> None:
        """An engine after reset: no curve, no key."""
        self._state = EngineState(entropy, exceptional, digit_bits)
        self._max_words = max_words

    @property
    def key(self) -> int | None:
        """The key slot, None when no key is valid. For tests: no job reads it."""
        return self._state.key

    def reset(self) -> None:
        """What rst_ni does: curve and key are gone."""
        self._state.curve = None
        self._state.key = None

    def load(self, curve: Curve, curve_id: int = 1) -> Result:
        """Runs CURVE_LOAD for a curve of the catalogue or of a file."""
        operands = curve_load_operands(curve)
        return self.run(Job(Op.CURVE_LOAD, operands, curve_id=curve_id, words=curve.element_words))

    def do(self, op: int, *operands: int, flags: int = 0) -> Result:
        """Runs a job under the loaded curve's id and W (without a curve: id 0 and the smallest W)."""
        state = self._state
        curve_id, words = (0, MIN_WORDS) if state.curve is None else (state.curve_id, state.words)
        return self.run(Job(op, operands, flags, curve_id, words))

    def run(self, job: Job, *, zeroise: bool = False) -> Result:
        """The response to a job; `zeroise` says that the zeroise input comes while it runs."""
        if zeroise:
            self._state.key = None
            return Result(Status.ZEROISED)
        try:
            return self._execute(job)
        except JobEnd as ended:
            return Result(ended.status)

    def _execute(self, job: Job) -> Result:
        self._check_packet(job)
        if job.op not in PROGRAMS and job.op not in _CURVELESS:
            end(Status.BAD_OP)
        op, state = Op(job.op), self._state
        if op == Op.CURVE_LOAD:
            return self._curve_load(job)
        if op not in _CURVELESS | _BOTH_KINDS:
            montgomery = state.loaded.kind == "montgomery"
            if montgomery != (op == Op.X_LADDER):
                end(Status.BAD_CURVE)
        if op == Op.ECDSA_SIGN and job.flags & Flag.KEY:
            state.saved_key()
        if len(job.operands) != operand_count(op, job.flags):
            end(Status.BAD_LENGTH)
        if op == Op.ZEROISE:
            state.key = None
            return Result(Status.OK)
        return PROGRAMS[op](state, Flag(job.flags), *job.operands)

    def _check_packet(self, job: Job) -> None:
        """What the job port looks at, before any microcode runs."""
        state = self._state
        needs_curve = job.op not in _CURVELESS
        if not MIN_WORDS <= job.words <= self._max_words:
            end(Status.BAD_LENGTH)
        if needs_curve and state.curve is not None and job.words != state.words:
            end(Status.BAD_LENGTH)
        if job.op not in _TABLE or job.flags & ~KNOWN_FLAGS:
            end(Status.BAD_OP)
        if needs_curve and (state.curve is None or job.curve_id != state.curve_id):
            end(Status.BAD_CURVE)
        if not job.whole or len(job.operands) > MAX_ELEMENTS:
            end(Status.BAD_LENGTH)

    def _curve_load(self, job: Job) -> Result:
        """Whatever comes of it, the curve before is gone, and so is its key."""
        self.reset()
        if len(job.operands) != operand_count(Op.CURVE_LOAD):
            end(Status.BAD_LENGTH)
        par, p, a, b, gx, gy, n, order = job.operands
        kind: Kind = "montgomery" if par >> 32 & 1 else "weierstrass"
        if p % 2 == 0 or n % 2 == 0 or p == 1 or n == 1:
            end(Status.BAD_MODULUS)
        if (par & 0x3FF, par >> 16 & 0x3FF) != (p.bit_length(), order.bit_length()):
            end(Status.BAD_MODULUS)
        # The field unit has the constants of its own digit size only.
        digit = min(self._state.digit_bits, 64)
        for modulus, constant in ((p, par >> 64), (n, par >> 128)):
            if (constant ^ neg_inverse(modulus, digit)) % (1 << digit):
                end(Status.BAD_MODULUS)
        if max(a, gx) >= p:
            end(Status.COORD_RANGE)
        if kind == "weierstrass":
            if par >> 40 & 1 and a != p - 3:
                end(Status.BAD_MODULUS)
            if b >= p:
                end(Status.COORD_RANGE)
            if b == 0:
                end(Status.BAD_MODULUS)
            if gy >= p:
                end(Status.COORD_RANGE)
        # The packet carries a24 = (A + 2) / 4. The cofactor serves the search for points of small order only.
        coefficient = a if kind == "weierstrass" else (4 * a - 2) % p
        curve = Curve("loaded", kind, p, coefficient, b, gx, gy, n, max(1, order // n))
        if kind == "weierstrass" and not point.is_on_curve(curve, curve.generator):
            end(Status.NOT_ON_CURVE)
        state = self._state
        state.curve, state.curve_id, state.words = curve, job.curve_id, job.words
        state.order = order
        return Result(Status.OK)
