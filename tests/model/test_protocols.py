"""ECDH and ECDSA against the `cryptography` package on random inputs, and RFC 6979's own vectors."""

import hashlib
import random
import re
from collections.abc import Iterator
from importlib import resources

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import curve_points, small_curves
from eccelerate.model import ecdh, ecdsa, point

KNOWN = {
    "P-192": ec.SECP192R1(),
    "P-224": ec.SECP224R1(),
    "P-256": ec.SECP256R1(),
    "P-384": ec.SECP384R1(),
    "P-521": ec.SECP521R1(),
    "secp256k1": ec.SECP256K1(),
    "brainpoolP256r1": ec.BrainpoolP256R1(),
    "brainpoolP384r1": ec.BrainpoolP384R1(),
    "brainpoolP512r1": ec.BrainpoolP512R1(),
}
HASHES = {"sha256": hashes.SHA256(), "sha512": hashes.SHA512(), "sha224": hashes.SHA224()}


@pytest.mark.parametrize("name", KNOWN)
def test_ecdh_against_cryptography(name: str) -> None:
    curve, rng = find_curve(name), random.Random(name)
    octets = (curve.p_bits + 7) // 8
    for d in (1, curve.n - 1, *(rng.randrange(1, curve.n) for _ in range(4))):
        ours, theirs = ec.derive_private_key(d, KNOWN[name]), ec.generate_private_key(KNOWN[name])
        peer = theirs.public_key().public_numbers()
        shared = ecdh.shared_x(curve, d, (peer.x, peer.y))
        assert shared is not None
        assert shared.to_bytes(octets, "big") == ours.exchange(ec.ECDH(), theirs.public_key())


@pytest.mark.parametrize("hash_name", HASHES)
@pytest.mark.parametrize("name", KNOWN)
def test_ecdsa_against_cryptography(name: str, hash_name: str) -> None:
    """Each side verifies the signatures of the other one, and neither accepts a changed hash, r or s."""
    curve, algorithm, rng = find_curve(name), ec.ECDSA(HASHES[hash_name]), random.Random(name + hash_name)
    d = rng.randrange(1, curve.n)
    key = ec.derive_private_key(d, KNOWN[name])
    public = key.public_key().public_numbers()
    message = rng.randbytes(50)
    e = ecdsa.truncate_hash(hashlib.new(hash_name, message).digest(), curve.n)
    pair = ecdsa.sign(curve, d, e, rng.randrange(1, curve.n))
    assert pair is not None
    key.public_key().verify(encode_dss_signature(*pair), message, algorithm)
    r, s = decode_dss_signature(key.sign(message, algorithm))
    q = (public.x, public.y)
    assert ecdsa.verify(curve, e, r, s, q)
    assert ecdsa.verify(curve, e + curve.n, r, s, q)
    assert not ecdsa.verify(curve, e + 1, r, s, q)
    for bad in ((r + 1, s), (r, s + 1), (0, s), (r, 0), (r + curve.n, s), (r, s + curve.n), (curve.n, s)):
        assert not ecdsa.verify(curve, e, *bad, q)
        with pytest.raises(InvalidSignature):
            key.public_key().verify(encode_dss_signature(*bad), message, algorithm)


def rfc6979_entries() -> tuple[dict[str, int], dict[str, tuple[int, int]], list[dict[str, str]]]:
    """(private keys, public points, entries) of the prime curves in OpenSSL's RFC 6979 file."""
    text = (
        resources.files("cryptography_vectors")
        .joinpath("asymmetric/ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt")
        .read_text(encoding="utf-8")
    )
    private, public = {}, {}
    keys = re.findall(r"^(Private|Public)Key=(P-\d+)_\w+\n(-----.*?-----END.*?-----\n)", text, re.M | re.S)
    for kind, name, pem in keys:
        if kind == "Private":
            key = serialization.load_pem_private_key(pem.encode(), None)
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            private[name] = key.private_numbers().private_value
        else:
            numbers = serialization.load_pem_public_key(pem.encode()).public_numbers()
            public[name] = (numbers.x, numbers.y)
    blocks = [dict(re.findall(r"^(\w+) = (.*)$", block, re.M)) for block in text.split("\n\n")]
    entries = [block for block in blocks if block.get("Key", "").startswith("P-")]
    return private, public, entries


def test_rfc6979_vectors() -> None:
    """Signing gives the exact (r, s). Verification accepts or refuses as the entry says. d * G is the public
    key.
    """
    private, public, entries = rfc6979_entries()
    assert sorted(private) == sorted(public) == ["P-192", "P-224", "P-256", "P-384", "P-521"]
    for name, d in private.items():
        assert point.base_mul(find_curve(name), d) == public[name]
    signed = verified = refused = 0
    for entry in entries:
        name = entry["Key"].split("_")[0]
        curve = find_curve(name)
        hash_name = entry.get("DigestSign", entry.get("DigestVerify", "")).lower()
        digest = hashlib.new(hash_name, entry["Input"].strip('"').encode()).digest()
        e = ecdsa.truncate_hash(digest, curve.n)
        pair = decode_dss_signature(bytes.fromhex(entry["Output"]))
        if "DigestSign" in entry:
            k = next(ecdsa.rfc6979_nonces(curve.n, private[name], digest, hash_name))
            assert ecdsa.sign(curve, private[name], e, k) == pair
            signed += 1
        else:
            good = "Result" not in entry
            assert ecdsa.verify(curve, e, *pair, public[name]) is good
            verified, refused = verified + good, refused + (not good)
    assert (signed, verified, refused) == (50, 50, 50)


def test_rfc6979_detailed_example() -> None:
    """RFC 6979, A.1 has a 163-bit order, and a nonce k after two rejected candidates."""
    nonces = ecdsa.rfc6979_nonces(
        0x4000000000000000000020108A2E0CC0D99F8A5EF,
        0x09A4D6792295A7F730FC3F2B49CBC0F62E862272F,
        hashlib.sha256(b"sample").digest(),
        "sha256",
    )
    assert next(nonces) == 0x23AF4074C90A02B3FE61D286D5C87F425E6BDD81B
    assert next(nonces) != 0x23AF4074C90A02B3FE61D286D5C87F425E6BDD81B


def test_truncate_hash() -> None:
    assert ecdsa.truncate_hash(b"\xff\x80", 0x1FF) == 0x1FF
    assert ecdsa.truncate_hash(b"\x12\x34", 2**16 - 1) == 0x1234
    assert ecdsa.truncate_hash(b"\x12\x34", 2**100) == 0x1234
    assert ecdsa.truncate_hash(b"", 7) == 0


def signatures_by_definition(curve: Curve, d: int) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    """(e, k, signature) for every k and a few e, from a table of multiples made by addition alone."""
    running = None
    for k in range(1, curve.n):
        running = point.add(curve, running, curve.generator)
        assert running is not None
        r = running[0] % curve.n
        for e in (0, 1, curve.n - 1, (-r * d) % curve.n):
            s = next(s for s in range(curve.n) if s * k % curve.n == (e + r * d) % curve.n)
            yield e, k, (r, s) if r and s else None


@pytest.mark.parametrize("curve", small_curves()[-3:], ids=lambda curve: curve.name)
def test_ecdsa_exhaustively(curve: Curve) -> None:
    """Every nonce, including those with s = 0. Each signature (r, s) verifies, and so does (r, n - s)."""
    d = curve.n - 2
    public = point.base_mul(curve, d)
    assert public is not None
    retries = 0
    for e, k, expected in signatures_by_definition(curve, d):
        pair = ecdsa.sign(curve, d, e, k)
        assert pair == expected
        retries += pair is None
        if pair is not None and k < 6:
            accepted = [s for s in range(curve.n + 1) if ecdsa.verify(curve, e, pair[0], s, public)]
            assert pair[1] in accepted and curve.n - pair[1] in accepted
    assert retries >= curve.n - 1


@pytest.mark.parametrize("d", [0, -1, 10**9])
def test_private_key_range(d: int) -> None:
    curve = small_curves()[0]
    with pytest.raises(ValueError, match=r"\[1, n-1\]"):
        ecdh.shared_x(curve, d, curve.generator)
    with pytest.raises(ValueError, match=r"\[1, n-1\]"):
        ecdsa.sign(curve, d, 1, 1)
    with pytest.raises(ValueError, match=r"\[1, n-1\]"):
        ecdsa.sign(curve, 1, 1, d)


def test_ecdh_refuses_what_is_no_point() -> None:
    curve = small_curves()[0]
    x, y = curve_points(curve)[5]
    for bad in ((0, 0), (x, y + 1), (x + curve.p, y), (x, y + curve.p), (-1, y)):
        with pytest.raises(ValueError, match="not a point"):
            ecdh.shared_x(curve, 2, bad)
