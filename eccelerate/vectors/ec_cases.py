"""The kinds of vectors: key agreement, signatures, key pairs, point validation, each judged by engine
jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eccelerate.curves import Curve
from eccelerate.driver.advice import status_name
from eccelerate.model import montgomery
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.vectors.case import Bench, Case, Expect, verdict_text
from eccelerate.vectors.encoding import EncodingError, Point

TOO_WIDE = "operand does not fit an element"


@dataclass(frozen=True, kw_only=True)
class SkippedCase(Case):
    """A vector that this catalogue or engine cannot run; `skip` says why."""

    def judge(self, bench: Bench) -> str:
        """Never reached: `run` returns before."""
        raise AssertionError(f"{self.ident} is skipped: {self.skip}")


def _require(curve: Curve | None) -> Curve:
    if curve is None:
        raise ValueError("a case that runs needs a curve")
    return curve


@dataclass(frozen=True, kw_only=True)
class EcdhCase(Case):
    """x of private * public, with `cofactor` of h * private * public. `public` decodes the peer's key and may
    raise EncodingError: the host refuses.
    """

    public: Callable[[], Point]
    private: int
    shared: int | None
    expect: Expect
    cofactor: bool = False

    def judge(self, bench: Bench) -> str:
        """One ECDH job, unless the host already refuses the encoding."""
        try:
            public = self.public()
        except EncodingError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        job = bench.submit(Op.ECDH, (*public, self.private), Flag.COFACTOR if self.cofactor else 0)
        if job is None or not job.ok:
            detail = TOO_WIDE if job is None else f"engine: {job.status_name}"
            return verdict_text(self.expect, False, detail)
        if self.expect != Expect.INVALID and job.value != self.shared:
            return f"wrong shared secret {job.value:#x}, expected {self.shared:#x}"
        return verdict_text(self.expect, True, "engine: OK")


@dataclass(frozen=True, kw_only=True)
class XdhCase(Case):
    """X25519 or X448: the shared secret, or refusal of the all-zero one or of a wrong length."""

    public: bytes
    private: bytes
    shared: bytes
    expect: Expect

    def judge(self, bench: Bench) -> str:
        """One X_LADDER job, scalar clamped and u reduced by the host."""
        curve = _require(self.curve)
        try:
            k, u = montgomery.clamp(curve, self.private), montgomery.decode_u(curve, self.public)
        except ValueError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        job = bench.submit(Op.X_LADDER, (k, u))
        if job is None or not job.ok:
            return verdict_text(self.expect, False, TOO_WIDE if job is None else f"engine: {job.status_name}")
        shared = montgomery.encode_u(curve, job.value)
        if self.expect != Expect.INVALID and shared != self.shared:
            return f"wrong shared secret {shared.hex()}, expected {self.shared.hex()}"
        return verdict_text(self.expect, True, "engine: OK")


@dataclass(frozen=True, kw_only=True)
class VerifyCase(Case):
    """Verification of a signature. `signature` decodes it and may raise EncodingError; `low_s` refuses s > n
    / 2.
    """

    e: int
    public: Point
    signature: Callable[[], tuple[int, int]]
    expect: Expect
    low_s: bool = False

    def judge(self, bench: Bench) -> str:
        """One ECDSA_VERIFY job, unless the host already refuses the encoding."""
        try:
            r, s = self.signature()
        except EncodingError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        if self.low_s and s > _require(self.curve).n // 2:
            return verdict_text(self.expect, False, "host: s is in the upper half")
        job = bench.submit(Op.ECDSA_VERIFY, (self.e, r, s, *self.public))
        if job is None:
            return verdict_text(self.expect, False, TOO_WIDE)
        if job.status not in (Status.OK, Status.BAD_SIGNATURE, Status.NOT_ON_CURVE, Status.COORD_RANGE):
            return f"status {job.status_name} is no verdict on a signature"
        return verdict_text(self.expect, job.ok, f"engine: {job.status_name}")


@dataclass(frozen=True, kw_only=True)
class SignCase(Case):
    """(r, s) of a known key and nonce."""

    e: int
    d: int
    k: int
    r: int
    s: int

    def judge(self, bench: Bench) -> str:
        """One ECDSA_SIGN job."""
        job = bench.submit(Op.ECDSA_SIGN, (self.e, self.d, self.k))
        if job is None or not job.ok:
            return _refused(job)
        return "" if job.values == (self.r, self.s) else "wrong signature"


@dataclass(frozen=True, kw_only=True)
class KeyPairCase(Case):
    """The public key of a private key."""

    d: int
    public: Point

    def judge(self, bench: Bench) -> str:
        """One KEYGEN job."""
        job = bench.submit(Op.KEYGEN, (self.d,))
        if job is None or not job.ok:
            return _refused(job)
        return "" if job.values == self.public else "wrong public key"


@dataclass(frozen=True, kw_only=True)
class PublicKeyCase(Case):
    """Validation of a public key: coordinates in range, on the curve, and of order n."""

    public: Point
    expect: Expect

    def judge(self, bench: Bench) -> str:
        """One ON_CURVE job, and one MUL by n where a cofactor leaves room for other orders."""
        job = bench.submit(Op.ON_CURVE, self.public)
        curve = _require(self.curve)
        if job is not None and job.ok and curve.h > 1:
            multiple = bench.submit(Op.MUL, (curve.n, *self.public))
            if multiple is None or multiple.status != Status.INFINITY:
                return verdict_text(self.expect, False, "n times the point is not infinity")
        detail = TOO_WIDE if job is None else f"engine: {job.status_name}"
        return verdict_text(self.expect, job is not None and job.ok, detail)


@dataclass(frozen=True, kw_only=True)
class AgreementCase(Case):
    """NIST key-agreement validity: both public keys valid, own pair consistent, and the shared secret as
    stated.

    `confirm` compares the agreed x with what the file states (Z itself, or its hash).
    """

    peer: Point
    own: Point
    d: int
    confirm: Callable[[int], bool]
    expect: Expect

    def judge(self, bench: Bench) -> str:
        """Up to four jobs: ON_CURVE of both keys, KEYGEN of the private key, ECDH."""
        return verdict_text(self.expect, *self._accepts(bench))

    def _accepts(self, bench: Bench) -> tuple[bool, str]:
        for name, point in (("peer", self.peer), ("own", self.own)):
            job = bench.submit(Op.ON_CURVE, point)
            if job is None or not job.ok:
                return False, f"{name} public key: {_refused(job)}"
        pair = bench.submit(Op.KEYGEN, (self.d,))
        if pair is None or not pair.ok:
            return False, f"private key: {_refused(pair)}"
        if pair.values != self.own:
            return False, "the private key does not belong to the public key"
        agreed = bench.submit(Op.ECDH, (*self.peer, self.d))
        if agreed is None or not agreed.ok:
            return False, f"agreement: {_refused(agreed)}"
        return (True, "secret agrees") if self.confirm(agreed.value) else (False, "secret differs")


def _refused(job: object) -> str:
    status = getattr(job, "status", None)
    return TOO_WIDE if status is None else f"engine refused: {status_name(status)}"
