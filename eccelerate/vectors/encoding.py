"""Keys and signatures as bytes: strict DER, SEC 1 points, SubjectPublicKeyInfo, PEM, JWK, raw signatures.

Strict means: one encoding per value. Anything else raises EncodingError, as a verifier that is exposed to
forged encodings should.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from eccelerate.curves import Curve
from eccelerate.model.point import lift_x

Point = tuple[int, int]

TAG_INTEGER, TAG_BIT_STRING, TAG_OCTET_STRING, TAG_OID, TAG_SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30
OID_EC_PUBLIC_KEY = bytes.fromhex("2a8648ce3d0201")
OID_PRIME_FIELD = bytes.fromhex("2a8648ce3d0101")

_BRAINPOOL_BITS = (160, 192, 224, 256, 320, 384, 512)
CURVE_OIDS: dict[bytes, str] = {
    bytes.fromhex("2a8648ce3d030101"): "secp192r1",
    bytes.fromhex("2a8648ce3d030107"): "secp256r1",
    bytes.fromhex("2b81040008"): "secp160r1",
    bytes.fromhex("2b81040009"): "secp160k1",
    bytes.fromhex("2b8104000a"): "secp256k1",
    bytes.fromhex("2b8104001f"): "secp192k1",
    bytes.fromhex("2b81040020"): "secp224k1",
    bytes.fromhex("2b81040021"): "secp224r1",
    bytes.fromhex("2b81040022"): "secp384r1",
    bytes.fromhex("2b81040023"): "secp521r1",
    bytes.fromhex("2b81040001"): "sect163k1",
    bytes.fromhex("2b8104000f"): "sect163r2",
    bytes.fromhex("2a811ccf5501822d"): "SM2",
    **{
        bytes.fromhex("2b24030302080101") + bytes([2 * i + j + 1]): f"brainpoolP{bits}{'rt'[j]}1"
        for i, bits in enumerate(_BRAINPOOL_BITS)
        for j in (0, 1)
    },
}
"""Contents of the object identifiers of named curves (SEC 2, RFC 5639, GM/T 0006)."""


class EncodingError(ValueError):
    """The bytes are not the one valid encoding of what they should be."""


def read_tlv(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """The contents of the DER value of type `tag` at the start of `data`, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise EncodingError(f"DER: tag {tag:#04x} expected")
    length, start = data[1], 2
    if length & 0x80:
        size = length & 0x7F
        start += size
        digits = data[2:start]
        if size == 0 or len(digits) < size or digits[0] == 0:
            raise EncodingError("DER: length is indefinite, truncated or has leading zeros")
        length = int.from_bytes(digits, "big")
        if length < 0x80:
            raise EncodingError("DER: length is not in its shortest form")
    if len(data) < start + length:
        raise EncodingError("DER: value is truncated")
    return data[start : start + length], data[start + length :]


def read_only(data: bytes, tag: int) -> bytes:
    """The contents of the one DER value that `data` is."""
    value, rest = read_tlv(data, tag)
    if rest:
        raise EncodingError("DER: bytes follow the value")
    return value


def integer_of(contents: bytes) -> int:
    """The signed integer a DER INTEGER's contents denote."""
    if not contents:
        raise EncodingError("DER: empty INTEGER")
    if len(contents) > 1 and (contents[0], contents[1] >> 7) in ((0, 0), (0xFF, 1)):
        raise EncodingError("DER: INTEGER is not in its shortest form")
    return int.from_bytes(contents, "big", signed=True)


def field_bytes(curve: Curve) -> int:
    """Bytes of an encoded coordinate."""
    return (curve.p_bits + 7) // 8


def decode_point(data: bytes, curve: Curve) -> Point:
    """A SEC 1 point, uncompressed or compressed; coordinates are not checked against p. Infinity is
    refused.
    """
    size = field_bytes(curve)
    form = data[0] if data else None
    x = int.from_bytes(data[1 : 1 + size], "big")
    if form == 4 and len(data) == 1 + 2 * size:
        return x, int.from_bytes(data[1 + size :], "big")
    if form in (2, 3) and len(data) == 1 + size:
        lifted = lift_x(curve, x) if x < curve.p else None
        if lifted is None:
            raise EncodingError("compressed point: no such x on the curve")
        y = lifted[1]
        return x, y if y & 1 == form & 1 else (curve.p - y) % curve.p
    raise EncodingError(f"no SEC 1 point of {size}-byte coordinates: {len(data)} bytes, form {form}")


def decode_spki(der: bytes, curve: Curve) -> Point:
    """The point of a SubjectPublicKeyInfo whose parameters, named or explicit, are exactly those of
    `curve`.
    """
    algorithm, rest = read_tlv(read_only(der, TAG_SEQUENCE), TAG_SEQUENCE)
    bits = read_only(rest, TAG_BIT_STRING)
    if not bits or bits[0] != 0:
        raise EncodingError("public key: BIT STRING has unused bits")
    kind, parameters = read_tlv(algorithm, TAG_OID)
    if kind != OID_EC_PUBLIC_KEY:
        raise EncodingError("public key: not id-ecPublicKey")
    if parameters[:1] == bytes([TAG_OID]):
        name = CURVE_OIDS.get(read_only(parameters, TAG_OID))
        if name is None or name not in (curve.name, *curve.aliases):
            raise EncodingError(f"public key: curve {name or 'unknown'}, expected {curve.name}")
    else:
        _require_explicit(read_only(parameters, TAG_SEQUENCE), curve)
    return decode_point(bits[1:], curve)


def _require_explicit(data: bytes, curve: Curve) -> None:
    """Raises EncodingError unless the explicit parameters (RFC 3279, ECParameters) are those of `curve`."""
    version, data = read_tlv(data, TAG_INTEGER)
    field, data = read_tlv(data, TAG_SEQUENCE)
    coefficients, data = read_tlv(data, TAG_SEQUENCE)
    generator, data = read_tlv(data, TAG_OCTET_STRING)
    order, data = read_tlv(data, TAG_INTEGER)
    cofactor = integer_of(read_only(data, TAG_INTEGER)) if data else None
    kind, prime = read_tlv(field, TAG_OID)
    a, seeded = read_tlv(coefficients, TAG_OCTET_STRING)
    b, seed = read_tlv(seeded, TAG_OCTET_STRING)
    if seed:
        read_only(seed, TAG_BIT_STRING)
    same = (
        integer_of(version) == 1
        and kind == OID_PRIME_FIELD
        and integer_of(read_only(prime, TAG_INTEGER)) == curve.p
        and (int.from_bytes(a, "big"), int.from_bytes(b, "big")) == (curve.a, curve.b)
        and decode_point(generator, curve) == curve.generator
        and integer_of(order) == curve.n
        and cofactor == curve.h
    )
    if not same:
        raise EncodingError(f"public key: explicit parameters are not those of {curve.name}")


def decode_pem(text: str, label: str = "PUBLIC KEY") -> bytes:
    """The DER bytes of a PEM block."""
    lines = text.strip().splitlines()
    if len(lines) < 3 or lines[0] != f"-----BEGIN {label}-----" or lines[-1] != f"-----END {label}-----":
        raise EncodingError(f"PEM: no {label} block")
    try:
        return base64.b64decode("".join(lines[1:-1]), validate=True)
    except binascii.Error as error:
        raise EncodingError(f"PEM: {error}") from error


def decode_private_key(der: bytes) -> int:
    """The scalar of a PKCS #8 PrivateKeyInfo that holds an ECPrivateKey (RFC 5915)."""
    _, rest = read_tlv(read_tlv(der, TAG_SEQUENCE)[0], TAG_INTEGER)
    _, rest = read_tlv(rest, TAG_SEQUENCE)
    _, rest = read_tlv(read_tlv(read_tlv(rest, TAG_OCTET_STRING)[0], TAG_SEQUENCE)[0], TAG_INTEGER)
    return int.from_bytes(read_tlv(rest, TAG_OCTET_STRING)[0], "big")


def decode_base64url(text: str) -> bytes:
    """Bytes of an unpadded base64url string."""
    if not text or set(text) & set("+/="):
        raise EncodingError("base64url: empty, padded, or of the wrong alphabet")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise EncodingError(f"base64url: {error}") from error


def decode_jwk_point(key: Mapping[str, str], crv: str, curve: Curve) -> Point:
    """The point of an EC public JSON Web Key of the curve that JWK calls `crv` (RFC 7518, section 6.2)."""
    if key.get("kty") != "EC" or key.get("crv") != crv:
        raise EncodingError(f"JWK: kty {key.get('kty')}, crv {key.get('crv')}; expected EC, {crv}")
    size = field_bytes(curve)
    x, y = (decode_base64url(key.get(name, "")) for name in ("x", "y"))
    if len(x) != size or len(y) != size:
        raise EncodingError(f"JWK: coordinates of {len(x)} and {len(y)} bytes, expected {size}")
    return int.from_bytes(x, "big"), int.from_bytes(y, "big")


def decode_der_signature(data: bytes) -> tuple[int, int]:
    """(r, s) of an ECDSA-Sig-Value; both may be out of range, neither is negative."""
    r, rest = read_tlv(read_only(data, TAG_SEQUENCE), TAG_INTEGER)
    values = integer_of(r), integer_of(read_only(rest, TAG_INTEGER))
    if min(values) < 0:
        raise EncodingError("signature: r or s is negative")
    return values


def decode_raw_signature(data: bytes, curve: Curve) -> tuple[int, int]:
    """(r, s) of an IEEE P1363 signature: two big-endian integers of the width of n."""
    size = (curve.n.bit_length() + 7) // 8
    if len(data) != 2 * size:
        raise EncodingError(f"signature of {len(data)} bytes, expected {2 * size}")
    return int.from_bytes(data[:size], "big"), int.from_bytes(data[size:], "big")
