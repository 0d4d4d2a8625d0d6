"""Strict decoding: each value has one encoding, and everything else is refused."""

import base64
import random

import pytest

from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.model import point
from eccelerate.vectors.curve_oids import CURVE_OIDS
from eccelerate.vectors.der import EncodingError, integer_of, read_only
from eccelerate.vectors.encoding import (
    decode_base64url,
    decode_der_signature,
    decode_jwk_point,
    decode_pem,
    decode_point,
    decode_raw_signature,
    decode_spki,
    field_bytes,
)

P256 = find_curve("P-256")
OID_P256 = bytes.fromhex("2a8648ce3d030107")


def tlv(tag: int, *contents: bytes) -> bytes:
    body = b"".join(contents)
    size = len(body)
    length = (
        bytes([size])
        if size < 128
        else bytes([0x80 | (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    )
    return bytes([tag]) + length + body


def integer(value: int) -> bytes:
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def uncompressed(curve: Curve, p: tuple[int, int]) -> bytes:
    size = field_bytes(curve)
    return b"\4" + p[0].to_bytes(size, "big") + p[1].to_bytes(size, "big")


def explicit(curve: Curve, **change: int) -> bytes:
    v = {
        "version": 1,
        "p": curve.p,
        "a": curve.a,
        "b": curve.b,
        "gx": curve.gx,
        "n": curve.n,
        "h": curve.h,
    } | change
    size = field_bytes(curve)
    return tlv(
        0x30,
        integer(v["version"]),
        tlv(0x30, tlv(6, bytes.fromhex("2a8648ce3d0101")), integer(v["p"])),
        tlv(0x30, tlv(4, v["a"].to_bytes(size, "big")), tlv(4, v["b"].to_bytes(size, "big"))),
        tlv(4, uncompressed(curve, (v["gx"], curve.gy))),
        integer(v["n"]),
        integer(v["h"]),
    )


def spki(curve: Curve, parameters: bytes, p: tuple[int, int]) -> bytes:
    algorithm = tlv(0x30, tlv(6, bytes.fromhex("2a8648ce3d0201")), parameters)
    return tlv(0x30, algorithm, tlv(3, b"\0", uncompressed(curve, p)))


@pytest.mark.parametrize("name", ["P-224", "P-256", "P-521", "secp256k1", "brainpoolP320r1"])
def test_points_of_both_forms(name: str) -> None:
    curve, rng = find_curve(name), random.Random(5)
    for _ in range(4):
        p = point.base_mul(curve, rng.randrange(1, curve.n))
        assert p is not None
        assert decode_point(uncompressed(curve, p), curve) == p
        compressed = bytes([2 + (p[1] & 1)]) + p[0].to_bytes(field_bytes(curve), "big")
        assert decode_point(compressed, curve) == p
        opposite = bytes([3 - (p[1] & 1)]) + compressed[1:]
        assert decode_point(opposite, curve) == (p[0], curve.p - p[1])


def test_other_point_forms_are_refused() -> None:
    good = uncompressed(P256, P256.generator)
    for bad in (
        b"",
        b"\0",
        good[:-1],
        good + b"\0",
        b"\6" + good[1:],
        b"\2" + good[1:],
        b"\2" + b"\xff" * 32,
    ):
        with pytest.raises(EncodingError):
            decode_point(bad, P256)


def test_named_and_explicit_parameters() -> None:
    assert decode_spki(spki(P256, tlv(6, OID_P256), P256.generator), P256) == P256.generator
    assert decode_spki(spki(P256, explicit(P256), P256.generator), P256) == P256.generator


@pytest.mark.parametrize(
    "change", [{"version": 2}, {"p": P256.p - 2}, {"a": 0}, {"b": 1}, {"gx": 1}, {"n": P256.n - 2}, {"h": 2}]
)
def test_any_other_explicit_parameter_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(EncodingError, match="explicit"):
        decode_spki(spki(P256, explicit(P256, **change), P256.generator), P256)


def test_another_named_curve_is_refused() -> None:
    with pytest.raises(EncodingError, match="secp256k1, expected P-256"):
        decode_spki(spki(P256, tlv(6, bytes.fromhex("2b8104000a")), P256.generator), P256)
    with pytest.raises(EncodingError, match="unknown"):
        decode_spki(spki(P256, tlv(6, b"\1"), P256.generator), P256)


def test_every_named_curve_is_in_the_catalogue() -> None:
    names = {name for curve in load_catalogue().values() for name in (curve.name, *curve.aliases)}
    assert set(CURVE_OIDS.values()) <= names


@pytest.mark.parametrize(
    "text", ["02020001", "0202ff80", "0200", "028101 05", "0280 05", "0203 05", "0205 0102", "0301 05"]
)
def test_loose_integers_are_refused(text: str) -> None:
    with pytest.raises(EncodingError):
        integer_of(read_only(bytes.fromhex(text.replace(" ", "")), 2))


def test_signatures() -> None:
    r, s = P256.n - 1, 127
    der = tlv(0x30, integer(r), integer(s))
    assert decode_der_signature(der) == (r, s)
    raw = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    assert decode_raw_signature(raw, P256) == (r, s)
    for bad in (der + b"\0", der[:-1], tlv(0x30, integer(-1), integer(s)), tlv(0x30, integer(r))):
        with pytest.raises(EncodingError):
            decode_der_signature(bad)
    with pytest.raises(EncodingError, match="63 bytes, expected 64"):
        decode_raw_signature(raw[1:], P256)


def test_pem_and_jwk() -> None:
    pem = (
        "-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(b"abcdef").decode() + "\n-----END PUBLIC KEY-----\n"
    )
    assert decode_pem(pem) == b"abcdef"
    with pytest.raises(EncodingError):
        decode_pem(pem.replace("PUBLIC", "PRIVATE"))
    with pytest.raises(EncodingError):
        decode_pem(pem.replace("Y", "*"))
    x, y = (base64.urlsafe_b64encode(v.to_bytes(32, "big")).decode().rstrip("=") for v in P256.generator)
    key = {"kty": "EC", "crv": "P-256", "x": x, "y": y}
    assert decode_jwk_point(key, "P-256", P256) == P256.generator
    for change in ({"kty": "RSA"}, {"crv": "P-384"}, {"x": x[:-2]}, {"y": ""}, {"x": x + "="}):
        with pytest.raises(EncodingError):
            decode_jwk_point({**key, **change}, "P-256", P256)
    with pytest.raises(EncodingError):
        decode_base64url("ab+/")
