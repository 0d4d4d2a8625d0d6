"""The kinds of vectors: key agreement, signatures, key pairs, point validation, each judged by engine
jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from eccelerate.curves import Curve
from eccelerate.driver import JobResult
from eccelerate.model import montgomery
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.vectors.case import Case, Expect, Judgement, Step, verdict_text
from eccelerate.vectors.der import EncodingError
from eccelerate.vectors.encoding import Point

TOO_WIDE = "operand does not fit an element"


@dataclass(frozen=True, kw_only=True)
class SkippedCase(Case):
    """A vector that this catalogue or engine cannot run; `skip` says why."""

    def judge(self) -> Judgement:
        """Never called: the runner reports the reason."""
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

    def judge(self) -> Judgement:
        """One ECDH job, unless the host already refuses the encoding."""
        try:
            public = self.public()
        except EncodingError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        result = yield Step(Op.ECDH, (*public, self.private), Flag.COFACTOR if self.cofactor else 0)
        if result is None or not result.ok:
            detail = TOO_WIDE if result is None else f"engine: {result.status_name}"
            return verdict_text(self.expect, False, detail)
        if self.expect == Expect.VALID and result.value != self.shared:
            return f"wrong shared secret {result.value:#x}, expected {self.shared:#x}"
        return verdict_text(self.expect, True, "engine: OK")


@dataclass(frozen=True, kw_only=True)
class XdhCase(Case):
    """X25519 or X448: the shared secret, or refusal of the all-zero one or of a key that is malformed.

    `keys` decodes the public and the private key and may raise EncodingError: the host refuses.
    """

    keys: Callable[[], tuple[bytes, bytes]]
    shared: bytes
    expect: Expect

    def judge(self) -> Judgement:
        """One X_LADDER job, scalar clamped and u reduced by the host."""
        curve = _require(self.curve)
        try:
            public, private = self.keys()
            k, u = montgomery.clamp(curve, private), montgomery.decode_u(curve, public)
        except ValueError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        result = yield Step(Op.X_LADDER, (k, u))
        if result is None or not result.ok:
            return verdict_text(
                self.expect, False, TOO_WIDE if result is None else f"engine: {result.status_name}"
            )
        shared = montgomery.encode_u(curve, result.value)
        if self.expect == Expect.VALID and shared != self.shared:
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

    def judge(self) -> Judgement:
        """One ECDSA_VERIFY job, unless the host already refuses the encoding."""
        try:
            r, s = self.signature()
        except EncodingError as error:
            return verdict_text(self.expect, False, f"host: {error}")
        if self.low_s and s > _require(self.curve).n // 2:
            return verdict_text(self.expect, False, "host: s is in the upper half")
        result = yield Step(Op.ECDSA_VERIFY, (self.e, r, s, *self.public))
        if result is None:
            return verdict_text(self.expect, False, TOO_WIDE)
        return verdict_text(self.expect, result.ok, f"engine: {result.status_name}")


@dataclass(frozen=True, kw_only=True)
class SignCase(Case):
    """(r, s) of a known key and nonce."""

    e: int
    d: int
    k: int
    r: int
    s: int

    def judge(self) -> Judgement:
        """One ECDSA_SIGN job."""
        result = yield Step(Op.ECDSA_SIGN, (self.e, self.d, self.k))
        if result is None or not result.ok:
            return _refused(result)
        return "" if result.values == (self.r, self.s) else "wrong signature"


@dataclass(frozen=True, kw_only=True)
class KeyPairCase(Case):
    """The public key of a private key."""

    d: int
    public: Point

    def judge(self) -> Judgement:
        """One KEYGEN job."""
        result = yield Step(Op.KEYGEN, (self.d,))
        if result is None or not result.ok:
            return _refused(result)
        return "" if result.values == self.public else "wrong public key"


@dataclass(frozen=True, kw_only=True)
class PublicKeyCase(Case):
    """Validation of a public key: coordinates in range, on the curve, and of order n."""

    public: Point
    expect: Expect

    def judge(self) -> Judgement:
        """One ON_CURVE job, and one MUL by n where a cofactor leaves room for other orders."""
        result = yield Step(Op.ON_CURVE, self.public)
        curve = _require(self.curve)
        if result is not None and result.ok and curve.h > 1:
            multiple = yield Step(Op.MUL, (curve.n, *self.public))
            if multiple is None or multiple.status != Status.INFINITY:
                return verdict_text(self.expect, False, "n times the point is not infinity")
        detail = TOO_WIDE if result is None else f"engine: {result.status_name}"
        return verdict_text(self.expect, result is not None and result.ok, detail)


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

    def judge(self) -> Judgement:
        """Up to four jobs: ON_CURVE of both keys, KEYGEN of the private key, ECDH."""
        return verdict_text(self.expect, *(yield from self._accepts()))

    def _accepts(self) -> Generator[Step, JobResult | None, tuple[bool, str]]:
        for name, point in (("peer", self.peer), ("own", self.own)):
            result = yield Step(Op.ON_CURVE, point)
            if result is None or not result.ok:
                return False, f"{name} public key: {_refused(result)}"
        pair = yield Step(Op.KEYGEN, (self.d,))
        if pair is None or not pair.ok:
            return False, f"private key: {_refused(pair)}"
        if pair.values != self.own:
            return False, "the private key does not belong to the public key"
        agreed = yield Step(Op.ECDH, (*self.peer, self.d))
        if agreed is None or not agreed.ok:
            return False, f"agreement: {_refused(agreed)}"
        return (True, "secret agrees") if self.confirm(agreed.value) else (False, "secret differs")


def _refused(result: JobResult | None) -> str:
    return TOO_WIDE if result is None else f"engine refused: {result.status_name}"
