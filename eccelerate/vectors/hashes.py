"""Hash functions by the names vector files use."""

from __future__ import annotations

import hashlib

from eccelerate.curves import Curve
from eccelerate.model.ecdsa import truncate_hash


def hash_name(name: str) -> str | None:
    """hashlib's name for a file's `name` (SHA-256, SHA256, SHA3-512, SHA-512224, SHA-512/256), None if
    unknown.
    """
    text = name.lower().replace("sha-", "sha").replace("sha3-", "sha3_").replace("/", "_")
    text = {"sha512224": "sha512_224", "sha512256": "sha512_256"}.get(text, text)
    return text if text in hashlib.algorithms_available else None


def message_to_e(message: bytes, name: str, curve: Curve) -> int:
    """The operand e of a signature job: the leftmost bits(n) bits of the message's hash."""
    return truncate_hash(hashlib.new(name, message).digest(), curve.n)
