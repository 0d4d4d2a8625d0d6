"""`GoldenEngine`: the answer to any job, by plain mathematics. The reference the RTL is compared with.

Order of checks, the first that applies wins:
  every job    ZEROISED; BAD_OP (code, reserved flag); BAD_CURVE (also an operation for the other kind of
               curve); BAD_LENGTH (W, number of operands); then
  on a curve   NO_KEY; SCALAR_RANGE (r, s of a verification: BAD_SIGNATURE); COORD_RANGE; NOT_ON_CURVE;
               NO_ENTROPY; EXCEPTIONAL; the outcome
  CURVE_LOAD   BAD_MODULUS; COORD_RANGE; NOT_ON_CURVE
Truncated and over-long packets are the packet layer's.
"""

import secrets

from eccelerate.curves.curve import MAX_BITS, MIN_WORDS, WORD_BITS, Curve, Kind
from eccelerate.model import point
from eccelerate.model.jobs import (
    KNOWN_FLAGS,
    Flag,
    Job,
    Op,
    Result,
    Status,
    curve_load_operands,
    curve_par,
    operand_count,
)
from eccelerate.model.programs import PROGRAMS, EngineState, Entropy, Exceptional, JobEnd, end

_CURVELESS = {Op.CURVE_LOAD, Op.ZEROISE}
_BOTH_KINDS = {Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB, Op.KEY_LOAD, Op.SELF_TEST}


class GoldenEngine:
    """One engine: a loaded curve, a key slot, and `run`.

    entropy      where drawn scalars and randomisers come from (the operating system unless given). Every draw
                 is of W + 3 words; a scalar is its draw mod n. Order: scalar, blinding (BLIND), randomiser.
    exceptional  which k * P of the constant-time ladder end with EXCEPTIONAL; none unless given.
    max_words    largest W of this engine.
    """

    def __init__(
        self,
        entropy: Entropy = secrets.randbits,
        exceptional: Exceptional = lambda curve, k, base: False,
        max_words: int = MAX_BITS // WORD_BITS,
    ) -> None:
        """An engine after reset: no curve, no key."""
        self._state = EngineState(entropy, exceptional)
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
        if job.op not in Op.__members__.values() or job.flags & ~KNOWN_FLAGS:
            end(Status.BAD_OP)
        op, state = Op(job.op), self._state
        if op not in _CURVELESS:
            curve = state.loaded
            right_kind = op in _BOTH_KINDS or (curve.kind == "montgomery") == (op == Op.X_LADDER)
            if state.curve_id != job.curve_id or not right_kind:
                end(Status.BAD_CURVE)
            if state.words != job.words:
                end(Status.BAD_LENGTH)
        if len(job.operands) != operand_count(op, job.flags):
            end(Status.BAD_LENGTH)
        if op == Op.CURVE_LOAD:
            return self._curve_load(job)
        if op == Op.ZEROISE:
            state.key = None
            return Result(Status.OK)
        return PROGRAMS[op](state, Flag(job.flags), *job.operands)

    def _curve_load(self, job: Job) -> Result:
        """Whatever comes of it, the curve before is gone, and so is its key."""
        self.reset()
        par, p, a, b, gx, gy, n, order = job.operands
        bits = max(p.bit_length(), order.bit_length())
        if job.words > self._max_words or job.words != max(MIN_WORDS, -(-bits // WORD_BITS)):
            end(Status.BAD_LENGTH)
        kind: Kind = "montgomery" if par >> 32 & 1 else "weierstrass"
        if p % 2 == 0 or n % 2 == 0 or (b == 0 and kind == "weierstrass"):
            end(Status.BAD_MODULUS)
        minus_3 = kind == "weierstrass" and a == p - 3
        if par != curve_par(p, n, order, montgomery=kind == "montgomery", a_is_minus_3=minus_3):
            end(Status.BAD_MODULUS)
        if max(a, b, gx, gy) >= p:
            end(Status.COORD_RANGE)
        # The packet carries a24 = (A + 2) / 4. The cofactor is for the record only: sizes go by N itself.
        coefficient = a if kind == "weierstrass" else (4 * a - 2) % p
        curve = Curve("loaded", kind, p, coefficient, b, gx, gy, n, order // n)
        if kind == "weierstrass" and not point.is_on_curve(curve, curve.generator):
            end(Status.NOT_ON_CURVE)
        state = self._state
        state.curve, state.curve_id, state.words = curve, job.curve_id, job.words
        state.order_bits = order.bit_length()
        return Result(Status.OK)
