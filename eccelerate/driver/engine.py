"""The driver: one Python call per job, on any transport."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eccelerate.curves import Curve
from eccelerate.driver.advice import advice, status_name
from eccelerate.driver.packet import (
    MIN_ELEMENT_WORDS,
    PacketError,
    Request,
    Response,
    decode_response,
)
from eccelerate.driver.pool import AnyCurve, Pool, lacking, place_curves
from eccelerate.driver.transport import StreamTransport, Transport, TransportError
from eccelerate.model.jobs import IDS, RESULTS, Flag, Op, Status, curve_load_operands

Point = tuple[int, int]
INFINITY: Point = (0, 0)


@dataclass(frozen=True)
class JobResult:
    """The result of a job.

    values: the results in the order of the packet table; empty unless the status is OK or INFINITY.
    cycles: engine clock cycles; None if the transport does not count them.
    """

    op: int
    status: int
    values: tuple[int, ...] = ()
    cycles: int | None = None

    @property
    def ok(self) -> bool:
        """True for status OK only."""
        return self.status == Status.OK

    @property
    def status_name(self) -> str:
        """The status as the documentation names it."""
        return status_name(self.status)

    @property
    def value(self) -> int:
        """The single result. Raises ValueError when there is not exactly one."""
        (only,) = self.values
        return only

    @property
    def point(self) -> Point:
        """The two results as a point, (0, 0) for infinity. Raises ValueError when there are not exactly
        two.
        """
        x, y = self.values
        return x, y

    def check(self, *allowed: Status) -> JobResult:
        """This result, if its status is OK or one of `allowed`. Raises JobError otherwise."""
        if self.status == Status.OK or self.status in allowed:
            return self
        raise JobError(self)


class JobError(RuntimeError):
    """A job that the engine refused; `status` says why, the text says what to do."""

    def __init__(self, result: JobResult) -> None:
        self.result = result
        self.status = result.status
        name = Op(result.op).name if result.op in Op.__members__.values() else f"{result.op:#04x}"
        super().__init__(f"{name}: {result.status_name}: {advice(result.status)}")


class Engine:
    """An engine, or a cluster, behind a transport.

    `submit` returns a JobResult with any status. The named jobs raise JobError for any status that does
    not answer the question (INFINITY, NOT_ON_CURVE from on_curve and BAD_SIGNATURE from ecdsa_verify do).
    Values that do not fit an element of the loaded curve raise PacketError before anything is sent.
    `pools` says which curves the engines behind the transport support. A single engine is one pool; a cluster
    can have several, each with its own curve. `binary` without `pools` means an engine for curves over
    GF(2^m). Jobs use the curve that was loaded or selected last.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        binary: bool = False,
        pools: Sequence[Pool] = (),
    ) -> None:
        self.transport = transport
        self.pools: tuple[Pool, ...] = tuple(pools) or (AnyCurve(binary=binary),)
        self.loaded: dict[int, tuple[Curve, int]] = {}
        """Curve and curve id of each pool that has one."""
        self.curve: Curve | None = None
        self.curve_id = 0
        self._tag = 0

    @property
    def width(self) -> int:
        """Words per element of the loaded curve, 6 before any curve is loaded."""
        return self.curve.element_words if self.curve else MIN_ELEMENT_WORDS

    def submit(
        self,
        op: int,
        operands: Sequence[int] = (),
        flags: int = 0,
        *,
        curve_id: int | None = None,
        width: int | None = None,
    ) -> JobResult:
        """Run one job and return its result, whatever the status.

        Raises PacketError (operand too wide), TransportError (no response, or a response to another job).
        """
        width = self.width if width is None else width
        curve_id = self.curve_id if curve_id is None else curve_id
        self._tag = (self._tag + 1) & 0xFFFF
        request = Request(int(op), curve_id, self._tag, int(flags), width, tuple(operands))
        reply = self.transport.exchange(request.words())
        try:
            response = decode_response(reply.words, width)
        except PacketError as error:
            raise TransportError(f"malformed response from the engine: {error}") from error
        if (response.tag, response.op) != (request.tag, request.op):
            raise TransportError(
                f"response to operation {response.op:#04x} tag {response.tag}, "
                f"expected operation {request.op:#04x} tag {request.tag}: reset the engine"
            )
        _require_all_results(response)
        return JobResult(response.op, response.status, response.results, reply.cycles)

    def lacks(self, curve: Curve) -> str:
        """Why this engine, or each of its pools, does not support the curve; the empty string if one does."""
        return lacking(self.pools, curve)

    def submit_many(
        self,
        op: int,
        jobs: Sequence[Sequence[int]],
        flags: int = 0,
        progress: Callable[[int], None] | None = None,
        curves: Sequence[Curve] | None = None,
    ) -> list[tuple[int, JobResult]]:
        """Run jobs of one operation in parallel as far as the engine can.

        Returns (index in `jobs`, JobResult) in the order of completion. If the transport streams, `cycles`
        of a result counts from the start of the first job; if it does not, from the start of the job itself.
        curves: the curve of each job, loaded before; without it all jobs are on the curve in use.

        Raises PacketError (operand too wide), TransportError (a response to no job, or too few), ValueError
        for a curve that is not loaded.
        """
        places = [(self.curve_id, self.width)] * len(jobs)
        if curves is not None:
            places = [(self._id_of(curve), curve.element_words) for curve in curves]
        if not isinstance(self.transport, StreamTransport):
            done = []
            for index, operands in enumerate(jobs):
                curve_id, width = places[index]
                done.append((index, self.submit(op, operands, flags, curve_id=curve_id, width=width)))
                if progress:
                    progress(len(done))
            return done
        packets = []
        waiting: defaultdict[int, deque[int]] = defaultdict(deque)
        for index, operands in enumerate(jobs):
            # Far fewer jobs are under way than there are tags: of two with one tag the first ends first.
            tag = index & 0xFFFF
            waiting[tag].append(index)
            curve_id, width = places[index]
            packets.append(Request(int(op), curve_id, tag, flags, width, tuple(operands)).words())
        answers = []
        for reply in self.transport.stream(packets, progress):
            queue = waiting[reply.words[0] >> 16 if reply.words else 0]
            width = places[queue[0]][1] if queue else self.width
            try:
                response = decode_response(reply.words, width)
            except PacketError as error:
                raise TransportError(f"malformed response from the engine: {error}") from error
            if response.op != op or not queue:
                raise TransportError(
                    f"response to operation {response.op:#04x} tag {response.tag}: there is no such job"
                )
            _require_all_results(response)
            result = JobResult(response.op, response.status, response.results, reply.cycles)
            answers.append((queue.popleft(), result))
        return answers

    def load_curve(self, curve: Curve, curve_id: int = 1) -> JobResult:
        """Make `curve` the curve in use, under `curve_id` (0..255; 0..63 with several pools). Later jobs use
        it; the key slot is cleared.

        If several pools support it, the pool that has it already is used, or else the first one without a
        curve, or else the first one. Raises ValueError if no pool supports the curve, JobError if the engine
        refuses it.
        """
        if reason := self.lacks(curve):
            raise ValueError(f"{curve.name}: {reason}")
        able = [number for number, pool in enumerate(self.pools) if not pool.lacks(curve)]
        has = [number for number in able if self.loaded.get(number, (None, 0))[0] == curve]
        free = [number for number in able if number not in self.loaded]
        return self._load(curve, (*has, *free, *able)[0], curve_id)

    def load_curves(self, curves: Sequence[Curve], curve_id: int = 1) -> None:
        """Load curves that are used at the same time, each into its own pool, and select the first one.

        Raises ValueError if there are not enough pools, JobError if a curve is refused.
        """
        for curve in curves:
            if reason := self.lacks(curve):
                raise ValueError(f"{curve.name}: {reason}")
        for curve, pool in zip(curves, place_curves(self.pools, curves), strict=True):
            self._load(curve, pool, curve_id)
        self.select(curves[0])

    def select(self, curve: Curve) -> None:
        """Use a curve that is loaded. Raises ValueError if it is not loaded."""
        self.curve, self.curve_id = curve, self._id_of(curve)

    def _load(self, curve: Curve, pool: int, curve_id: int) -> JobResult:
        if len(self.pools) > 1:
            if not 0 <= curve_id < IDS:
                raise ValueError(f"curve id {curve_id}: a pool of a cluster has ids 0..{IDS - 1}")
            curve_id += IDS * pool
        operands = curve_load_operands(curve)
        result = self.submit(Op.CURVE_LOAD, operands, curve_id=curve_id, width=curve.element_words)
        # A refused load leaves the engine without a curve.
        self.loaded.pop(pool, None)
        if result.ok:
            self.loaded[pool] = curve, curve_id
        self.curve, self.curve_id = (curve, curve_id) if result.ok else (None, 0)
        return result.check()

    def _id_of(self, curve: Curve) -> int:
        for loaded, curve_id in self.loaded.values():
            if loaded == curve:
                return curve_id
        raise ValueError(f"{curve.name} is not loaded: call load_curve first")

    def mul(self, k: int, point: Point, *, blind: bool = False) -> JobResult:
        """k * point, constant time; 0 <= k < 2^bits(N), point on the curve or (0, 0)."""
        return self.submit(Op.MUL, (k, *point), Flag.BLIND if blind else 0).check(Status.INFINITY)

    def base_mul(self, k: int, *, blind: bool = False) -> JobResult:
        """k * G, constant time; 0 <= k < 2^bits(N)."""
        return self.submit(Op.BASE_MUL, (k,), Flag.BLIND if blind else 0).check(Status.INFINITY)

    def double_mul(self, u1: int, u2: int, point: Point) -> JobResult:
        """u1 * G + u2 * point for public inputs (variable time)."""
        return self.submit(Op.DOUBLE_MUL, (u1, u2, *point)).check(Status.INFINITY)

    def point_add(self, left: Point, right: Point) -> JobResult:
        """left + right, any points of the curve, (0, 0) for infinity."""
        return self.submit(Op.POINT_ADD, (*left, *right)).check(Status.INFINITY)

    def on_curve(self, point: Point) -> JobResult:
        """Status OK or NOT_ON_CURVE; a coordinate >= p raises JobError(COORD_RANGE)."""
        return self.submit(Op.ON_CURVE, point).check(Status.NOT_ON_CURVE)

    def ecdh(
        self, point: Point, d: int | None = None, *, blind: bool = False, cofactor: bool = False
    ) -> JobResult:
        """x coordinate of d * point; d in 1..n-1, or None for the key slot. `cofactor`: of h * d * point."""
        flags = (0 if d is not None else Flag.KEY) | (Flag.BLIND if blind else 0)
        flags |= Flag.COFACTOR if cofactor else 0
        return self.submit(Op.ECDH, (*point, *_given(d)), flags).check()

    def ecdsa_sign(
        self, e: int, d: int | None = None, k: int | None = None, blind: bool = False
    ) -> JobResult:
        """(r, s) for the truncated hash e; d None uses the key slot, k None draws the nonce from the entropy
        port. A key in the slot accepts another nonce only if it came with host_nonce.
        """
        flags = (
            (0 if d is not None else Flag.KEY)
            | (0 if k is not None else Flag.RANDOM)
            | (Flag.BLIND if blind else 0)
        )
        return self.submit(Op.ECDSA_SIGN, (e, *_given(d), *_given(k)), flags).check()

    def ecdsa_verify(self, e: int, r: int, s: int, public: Point) -> JobResult:
        """Status OK or BAD_SIGNATURE for the truncated hash e (variable time, public inputs)."""
        return self.submit(Op.ECDSA_VERIFY, (e, r, s, *public)).check(Status.BAD_SIGNATURE)

    def keygen(
        self,
        d: int | None = None,
        *,
        blind: bool = False,
        sign: bool = True,
        agree: bool = True,
        host_nonce: bool = False,
    ) -> JobResult:
        """d * G, with d left in the key slot; d None draws it from the entropy port. sign, agree and
        host_nonce are as in `key_load`; the engine refuses host_nonce for a key that it draws.
        """
        flags = (0 if d is not None else Flag.RANDOM) | (Flag.BLIND if blind else 0)
        flags |= key_attributes(sign=sign, agree=agree, host_nonce=host_nonce)
        return self.submit(Op.KEYGEN, _given(d), flags).check()

    def key_load(
        self, d: int, *, sign: bool = True, agree: bool = True, host_nonce: bool = False
    ) -> JobResult:
        """Put d (1..n-1) in the key slot, for signatures if `sign`, for ECDH if `agree`. Signatures draw
        their nonces from the entropy port. With `host_nonce` they may also have nonces of the host, and
        whoever sends such a nonce can compute d.
        """
        return self.submit(
            Op.KEY_LOAD, (d,), key_attributes(sign=sign, agree=agree, host_nonce=host_nonce)
        ).check()

    def mod_mul(self, a: int, b: int, modulus: str = "p") -> JobResult:
        """a * b mod p or n; a, b below the modulus."""
        return self._mod(Op.MOD_MUL, (a, b), modulus)

    def mod_inv(self, a: int, modulus: str = "p") -> JobResult:
        """a^-1 mod p or n, 0 for 0."""
        return self._mod(Op.MOD_INV, (a,), modulus)

    def mod_exp(self, a: int, e: int, modulus: str = "p") -> JobResult:
        """a^e mod p or n; e is public."""
        return self._mod(Op.MOD_EXP, (a, e), modulus)

    def mod_add(self, a: int, b: int, modulus: str = "p") -> JobResult:
        """a + b mod p or n."""
        return self._mod(Op.MOD_ADD, (a, b), modulus)

    def mod_sub(self, a: int, b: int, modulus: str = "p") -> JobResult:
        """a - b mod p or n."""
        return self._mod(Op.MOD_SUB, (a, b), modulus)

    def _mod(self, op: Op, operands: Sequence[int], modulus: str) -> JobResult:
        if modulus not in ("p", "n"):
            raise ValueError(f'modulus must be "p" or "n", not {modulus!r}')
        return self.submit(op, operands, Flag.MOD_N if modulus == "n" else 0).check()

    def x_ladder(self, k: int, u: int) -> JobResult:
        """u coordinate of k * u on the loaded Montgomery curve; k already clamped."""
        return self.submit(Op.X_LADDER, (k, u)).check()

    def zeroise(self) -> JobResult:
        """Wipe keys, scalars and temporaries; the curve stays loaded."""
        return self.submit(Op.ZEROISE).check()

    def self_test(self) -> JobResult:
        """Status OK, or JobError(SELF_TEST_FAILED)."""
        return self.submit(Op.SELF_TEST).check()


def key_attributes(*, sign: bool = True, agree: bool = True, host_nonce: bool = False) -> Flag:
    """The flags of KEY_LOAD and KEYGEN that say what the key is for."""
    flags = Flag.NONE if sign else Flag.NO_SIGN
    flags |= Flag.NONE if agree else Flag.NO_AGREE
    return flags | (Flag.HOST_NONCE if host_nonce else Flag.NONE)


def _given(value: int | None) -> tuple[int, ...]:
    return () if value is None else (value,)


def _require_all_results(response: Response) -> None:
    """Raise TransportError if the engine gave another number of results than its status says."""
    if response.op not in RESULTS:
        return
    wanted = len(RESULTS[Op(response.op)]) if response.status <= Status.INFINITY else 0
    if len(response.results) != wanted:
        raise TransportError(
            f"response to operation {response.op:#04x} with status {response.status:#04x} and "
            f"{len(response.results)} results, expected {wanted}: reset the engine"
        )
