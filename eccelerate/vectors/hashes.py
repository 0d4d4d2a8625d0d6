"""Hash functions by the names vector files use."""

from __future__ import annotations

import hashlib

from eccelerate.curves import Curve
from eccelerate.model.ecdsa import truncate_hash

_SHAKE_BYTES = {"shake_128": 32, "shake_256": 64}
"""Output of an extendable-output function in a signature (RFC 8692): twice its strength."""


def hash_name(name: str) -> str | None:
    """hashlib's name for a file's `name` (SHA-256, SHA256, SHA3-512, SHA-512224, SHA-512/256, SHAKE128), None
    if unknown.
    """
    text = name.lower().replace("sha-", "sha").replace("sha3-", "sha3_").replace("/", "_")
    aliases = {
        "sha512224": "sha512_224",
        "sha512256": "sha512_256",
        "shake128": "shake_128",
        "shake256": "shake_256",
    }
    text = aliases.get(text, text)
    return text if text in hashlib.algorithms_available else None


def digest(name: str, message: bytes) -> bytes:
    """The hash of a message. name: as `hash_name` gives it."""
    state = hashlib.new(name, message)
    # Only the digest of an extendable-output function takes a length.
    return state.digest(_SHAKE_BYTES[name]) if name in _SHAKE_BYTES else state.digest()  # type: ignore[call-arg]


def message_to_e(message: bytes, name: str, curve: Curve) -> int:
    """The operand e of a signature job: the leftmost bits(n) bits of the message's hash."""
    return truncate_hash(digest(name, message), curve.n)
