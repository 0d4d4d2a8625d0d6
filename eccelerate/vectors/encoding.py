"""Keys and signatures as bytes: SEC 1 points, SubjectPublicKeyInfo, PKCS #8, PEM, JWK, raw signatures.

All readers are strict: one encoding per value. Anything else raises EncodingError, as a verifier that is
exposed to forged encodings should.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping

from eccelerate.curves import Curve
from eccelerate.model.point import is_on_curve, lift_x, negate
from eccelerate.vectors.curve_oids import CURVE_OIDS, XDH_OIDS
from eccelerate.vectors.der import (
    TAG_INTEGER,
    TAG_OCTET_STRING,
    TAG_OID,
    TAG_SEQUENCE,
    EncodingError,
    integer_of,
    oid,
    read_bits,
    read_only,
    read_tlv,
)

Point = tuple[int, int]

OID_EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
OID_PRIME_FIELD = oid("1.2.840.10045.1.1")
OID_BINARY_FIELD = oid("1.2.840.10045.1.2")
OID_TRINOMIAL = oid("1.2.840.10045.1.2.3.2")
OID_PENTANOMIAL = oid("1.2.840.10045.1.2.3.3")
MAX_DEGREE = 4096
_JWK_XDH = {"curve25519": "X25519", "curve448": "X448"}


def field_bytes(curve: Curve) -> int:
    """Bytes of an encoded coordinate."""
    return (curve.p_bits + 7) // 8


def in_field(value: int, curve: Curve) -> bool:
    """Is the integer the one representation of an element of the curve's field?"""
    return 0 <= value < curve.p and value.bit_length() <= curve.p_bits


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
        point = lift_x(curve, x) if in_field(x, curve) else None
        if form == 3:
            point = negate(curve, point)
        if point is None:
            raise EncodingError("compressed point: no such x on the curve")
        return point
    raise EncodingError(f"no SEC 1 point of {size}-byte coordinates: {len(data)} bytes, form {form}")


def decode_spki(der: bytes, curve: Curve) -> Point:
    """The point of a SubjectPublicKeyInfo whose parameters, named or explicit, are exactly those of
    `curve`.
    """
    algorithm, rest = read_tlv(read_only(der, TAG_SEQUENCE), TAG_SEQUENCE)
    bits = read_bits(rest)
    kind, parameters = read_tlv(algorithm, TAG_OID)
    if kind != OID_EC_PUBLIC_KEY:
        raise EncodingError("public key: not id-ecPublicKey")
    if parameters[:1] == bytes([TAG_OID]):
        name = CURVE_OIDS.get(read_only(parameters, TAG_OID))
        if name is None or name not in (curve.name, *curve.aliases):
            raise EncodingError(f"public key: curve {name or 'unknown'}, expected {curve.name}")
    else:
        _require_explicit(read_only(parameters, TAG_SEQUENCE), curve)
    return decode_point(bits, curve)


def _require_explicit(data: bytes, curve: Curve) -> None:
    """Raises EncodingError unless the explicit parameters (RFC 3279, ECParameters) are those of `curve`."""
    version, data = read_tlv(data, TAG_INTEGER)
    field, data = read_tlv(data, TAG_SEQUENCE)
    coefficients, data = read_tlv(data, TAG_SEQUENCE)
    generator, data = read_tlv(data, TAG_OCTET_STRING)
    order, data = read_tlv(data, TAG_INTEGER)
    cofactor = integer_of(read_only(data, TAG_INTEGER)) if data else None
    a, seeded = read_tlv(coefficients, TAG_OCTET_STRING)
    b, seed = read_tlv(seeded, TAG_OCTET_STRING)
    if seed:
        read_bits(seed)
    same = (
        integer_of(version) == 1
        and _field(field) == (curve.kind == "binary", curve.p)
        and (int.from_bytes(a, "big"), int.from_bytes(b, "big")) == (curve.a, curve.b)
        and decode_point(generator, curve) == curve.generator
        and integer_of(order) == curve.n
        and cofactor == curve.h
    )
    if not same:
        raise EncodingError(f"public key: explicit parameters are not those of {curve.name}")


def _field(field_id: bytes) -> tuple[bool, int]:
    """Whether the field in the contents of a FieldID (RFC 3279) is binary, and its prime or polynomial."""
    kind, parameters = read_tlv(field_id, TAG_OID)
    if kind == OID_PRIME_FIELD:
        return False, integer_of(read_only(parameters, TAG_INTEGER))
    if kind != OID_BINARY_FIELD:
        raise EncodingError("public key: neither a prime field nor one of characteristic two")
    degree, rest = read_tlv(read_only(parameters, TAG_SEQUENCE), TAG_INTEGER)
    basis, rest = read_tlv(rest, TAG_OID)
    if basis == OID_PENTANOMIAL:
        middle, rest = [], read_only(rest, TAG_SEQUENCE)
        for _ in range(3):
            exponent, rest = read_tlv(rest, TAG_INTEGER)
            middle.append(integer_of(exponent))
    elif basis == OID_TRINOMIAL:
        exponent, rest = read_tlv(rest, TAG_INTEGER)
        middle = [integer_of(exponent)]
    else:
        raise EncodingError("public key: the basis is neither a trinomial nor a pentanomial one")
    exponents = [0, *middle, integer_of(degree)]
    if rest or exponents != sorted(set(exponents)) or exponents[-1] > MAX_DEGREE:
        raise EncodingError("public key: the reduction polynomial is malformed")
    return True, sum(1 << exponent for exponent in exponents)


def find_point(data: bytes, curve: Curve) -> Point | None:
    """The last uncompressed point of the curve, other than its generator, found anywhere in `data`; None if
    there is none. This is the key of a SubjectPublicKeyInfo, even if the rest of it is malformed.
    """
    size = field_bytes(curve)
    for at in range(len(data) - 2 * size - 1, -1, -1):
        if data[at] == 4:
            x, y = decode_point(data[at : at + 1 + 2 * size], curve)
            inside = in_field(x, curve) and in_field(y, curve)
            if inside and is_on_curve(curve, (x, y)) and (x, y) != curve.generator:
                return x, y
    return None


def decode_xdh_spki(der: bytes, curve: Curve) -> bytes:
    """The u-coordinate of an X25519 or X448 SubjectPublicKeyInfo (RFC 8410), its length unchecked."""
    algorithm, rest = read_tlv(read_only(der, TAG_SEQUENCE), TAG_SEQUENCE)
    _require_xdh(algorithm, curve)
    return read_bits(rest)


def decode_xdh_private_key(der: bytes, curve: Curve) -> bytes:
    """The secret of an X25519 or X448 PrivateKeyInfo (RFC 8410), its length unchecked."""
    _, rest = read_tlv(read_only(der, TAG_SEQUENCE), TAG_INTEGER)
    algorithm, rest = read_tlv(rest, TAG_SEQUENCE)
    _require_xdh(algorithm, curve)
    return read_only(read_tlv(rest, TAG_OCTET_STRING)[0], TAG_OCTET_STRING)


def _require_xdh(algorithm: bytes, curve: Curve) -> None:
    name = XDH_OIDS.get(read_only(algorithm, TAG_OID))
    if name != curve.name:
        raise EncodingError(f"key: algorithm of {name or 'another curve'}, expected {curve.name}")


def decode_xdh_jwk(key: Mapping[str, str], member: str, curve: Curve) -> bytes:
    """The bytes of `member` ("x" or "d") of an OKP JSON Web Key (RFC 8037), their length unchecked."""
    if key.get("kty") != "OKP" or key.get("crv") != _JWK_XDH[curve.name]:
        found = f"kty {key.get('kty')}, crv {key.get('crv')}"
        raise EncodingError(f"JWK: {found}; expected OKP, {_JWK_XDH[curve.name]}")
    return decode_base64url(key.get(member, ""))


def decode_pem(text: str, label: str = "PUBLIC KEY") -> bytes:
    """The DER bytes of a PEM block."""
    lines = text.strip().splitlines()
    if len(lines) < 3 or lines[0] != f"-----BEGIN {label}-----" or lines[-1] != f"-----END {label}-----":
        raise EncodingError(f"PEM: no {label} block")
    try:
        return base64.b64decode("".join(lines[1:-1]), validate=True)
    except binascii.Error as error:
        raise EncodingError(f"PEM: {error}") from error


def loose_pem(text: str) -> bytes:
    """What the lines of a malformed PEM block hold, their labels left out."""
    lines = (line for line in text.splitlines() if not line.startswith("--"))
    digits = re.sub(r"[^A-Za-z0-9+/]", "", "".join(lines))
    if len(digits) % 4 == 1:  # six bits are no byte
        digits = digits[:-1]
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


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
