"""The attack on ECDSA nonces that repeat, and engines whose entropy port an attacker or a defect controls."""

from __future__ import annotations

from collections.abc import Sequence

from eccelerate.curves import Curve
from eccelerate.driver import Engine, JobResult
from eccelerate.model.jobs import Flag, Op

KEY = 0x1234567
HASHES = (5, 0xABCDEF)
"""Of two messages."""


def recover_key(n: int, signatures: Sequence[tuple[int, int, int]]) -> int | None:
    """The private key from two signatures (e, r, s) with one nonce: k = (e - e') / (s - s') and
    d = (s k - e) / r modulo n. None if their r differ.
    """
    (e, r, s), (other_e, other_r, other_s) = signatures
    if r != other_r or s == other_s:
        return None
    k = (e - other_e) * pow(s - other_s, -1, n) % n
    return (s * k - e) * pow(r, -1, n) % n


def sign(engine: Engine, e: int) -> JobResult:
    """A signature of a hash with the engine's own nonce."""
    return engine.submit(Op.ECDSA_SIGN, (e, KEY), Flag.RANDOM)


def attack(curve: Curve, results: Sequence[JobResult]) -> bool:
    """Whether the signatures of HASHES give the key away."""
    signatures = [(e, *result.values) for e, result in zip(HASHES, results, strict=True) if result.ok]
    return len(signatures) == 2 and recover_key(curve.n, signatures) == KEY  # type: ignore[arg-type]
