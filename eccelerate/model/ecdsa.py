"""ECDSA (FIPS 186-5, 6.4) on integers, and the deterministic nonce of RFC 6979."""

import hmac
from collections.abc import Iterator

from eccelerate.curves.curve import Curve
from eccelerate.model import point


def truncate_hash(digest: bytes, n: int) -> int:
    """The leftmost bits(n) bits of a digest as an integer; it may be >= n."""
    return int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - n.bit_length())


def sign(curve: Curve, d: int, e: int, k: int) -> tuple[int, int] | None:
    """(r, s) for hash integer e >= 0, key d, and nonce k in [1, n-1]. None if r or s is 0: use another
    nonce.
    """
    n = curve.n
    if not (1 <= d < n and 1 <= k < n):
        raise ValueError("key and nonce have to be in [1, n-1]")
    nonce_point = point.base_mul(curve, k)
    r = 0 if nonce_point is None else nonce_point[0] % n
    s = pow(k, -1, n) * (e + r * d) % n
    return (r, s) if r and s else None


def verify(curve: Curve, e: int, r: int, s: int, public: tuple[int, int]) -> bool:
    """Whether (r, s) signs hash integer e under the public key, a point of the curve. Any r, s >= 0 are
    allowed.
    """
    n = curve.n
    if not (1 <= r < n and 1 <= s < n):
        return False
    inverse = pow(s, -1, n)
    total = point.double_mul(curve, e * inverse % n, r * inverse % n, public)
    return total is not None and total[0] % n == r


def rfc6979_nonces(n: int, d: int, digest: bytes, hash_name: str) -> Iterator[int]:
    """The nonces of RFC 6979, 3.2. The first is the one to use; each further one follows a RETRY. The
    iterator never ends.

    n is the group order, d the key in [1, n-1], digest the message hash, and hash_name its `hashlib` name.
    """
    octets = (n.bit_length() + 7) // 8

    def prf(key: bytes, data: bytes) -> bytes:
        return hmac.digest(key, data, hash_name)

    seed = d.to_bytes(octets, "big") + (truncate_hash(digest, n) % n).to_bytes(octets, "big")
    size = len(prf(b"", b""))
    value, key = b"\x01" * size, b"\x00" * size
    for separator in (b"\x00", b"\x01"):
        key = prf(key, value + separator + seed)
        value = prf(key, value)
    while True:
        stream = b""
        while len(stream) < octets:
            value = prf(key, value)
            stream += value
        k = truncate_hash(stream[:octets], n)
        if 1 <= k < n:
            yield k
        key = prf(key, value + b"\x00")
        value = prf(key, value)
