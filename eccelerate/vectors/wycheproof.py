"""Reads Wycheproof JSON: ECDH (SubjectPublicKeyInfo, PEM, point, JWK), ECDSA (DER, P1363, Bitcoin), XDH (raw,
SubjectPublicKeyInfo, PEM, JWK).

A vector marked "acceptable" leaves the verdict to the reader of its key. This reader nevertheless requires a
verdict:

- ECDH: the stated secret, or a refusal if the point is not on the curve. If the strict reader refuses the
  key, the point found in it is used.
- ECDSA: a valid signature.
- XDH: the stated secret, or a refusal if the secret is zero.

It is skipped if the strict reader refuses it and no point is found in it: then no verdict is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from eccelerate.curves import Curve, CurveNotFoundError, find_curve
from eccelerate.model.point import is_on_curve
from eccelerate.vectors.case import Case, Expect
from eccelerate.vectors.der import EncodingError
from eccelerate.vectors.ec_cases import EcdhCase, SkippedCase, VerifyCase, XdhCase
from eccelerate.vectors.encoding import (
    Point,
    decode_base64url,
    decode_der_signature,
    decode_jwk_point,
    decode_pem,
    decode_point,
    decode_private_key,
    decode_raw_signature,
    decode_spki,
    decode_xdh_jwk,
    decode_xdh_private_key,
    decode_xdh_spki,
    find_point,
    loose_pem,
)
from eccelerate.vectors.hashes import hash_name, message_to_e

Group = Mapping[str, Any]
T = TypeVar("T")
_JWK_CURVES = {"P-256K": "secp256k1"}
_SIGNATURE_TYPES = ("EcdsaVerify", "EcdsaP1363Verify", "EcdsaBitcoinVerify")
_XDH_TYPES = ("XdhComp", "XdhAsnComp", "XdhPemComp", "XdhJwkComp")
_ACCEPTABLE = "acceptable"
_NOTHING_TO_JUDGE = "the key or signature is malformed, and the vector accepts that it is refused"


def parse_wycheproof(document: Mapping[str, Any]) -> Iterator[Case]:
    """The cases of one file, in order. Raises KeyError or ValueError if the document is not of a known
    form.
    """
    for group in document["testGroups"]:
        if group["type"] in _XDH_TYPES:
            yield from _xdh(group)
        elif group["type"] in _SIGNATURE_TYPES:
            yield from _ecdsa(group)
        else:
            yield from _ecdh(group)


def _curve(name: str) -> Curve | None:
    try:
        return find_curve(_JWK_CURVES.get(name, name))
    except CurveNotFoundError:
        return None


def _common(test: Mapping[str, Any], curve: Curve | None, name: str) -> dict[str, Any]:
    result = test["result"]
    return {
        "group": name,
        "ident": f"tcId {test['tcId']}" + (f" ({test['comment']})" if test.get("comment") else ""),
        "curve": curve,
        "labels": (result, *(f"{result} {flag}" for flag in test.get("flags", ()))),
    }


def _skip(group: Group, name: str, why: str) -> Iterator[Case]:
    for test in group["tests"]:
        yield SkippedCase(**_common(test, None, name), skip=why)


def _expect(test: Mapping[str, Any]) -> Expect:
    return Expect.VALID if test["result"] == _ACCEPTABLE else Expect(test["result"])


def _value(decode: Callable[[], T]) -> T | None:
    """The decoded value; None if the strict reader refuses it."""
    try:
        return decode()
    except EncodingError:
        return None


def _ecdh(group: Group) -> Iterator[Case]:
    encoding = group.get("encoding", "none")
    name = f"{group['curve']} {encoding}"
    curve = _curve(group["curve"])
    if curve is None:
        yield from _skip(group, name, f"curve {group['curve']} is not in the catalogue")
        return
    if encoding not in ("asn", "pem", "ecpoint", "webcrypto"):
        yield from _skip(group, name, f"key encoding {encoding} is not read")
        return
    for test in group["tests"]:
        common = _common(test, curve, name)
        public = partial(_public, encoding, group["curve"], test["public"], curve)
        expect = _expect(test)
        if test["result"] == _ACCEPTABLE:
            point = _value(public) or find_point(_bytes(encoding, test["public"]), curve)
            if point is None:
                yield SkippedCase(**common, skip=_NOTHING_TO_JUDGE)
                continue
            public = partial(_itself, point)
            expect = Expect.VALID if is_on_curve(curve, point) else Expect.INVALID
        yield EcdhCase(
            **common,
            public=public,
            private=_private(encoding, test["private"]),
            shared=int(test["shared"], 16) if test["shared"] else None,
            expect=expect,
        )


def _private(encoding: str, private: Any) -> int:
    if encoding == "pem":
        return decode_private_key(decode_pem(private, "PRIVATE KEY"))
    return int.from_bytes(
        decode_base64url(private["d"]) if encoding == "webcrypto" else bytes.fromhex(private), "big"
    )


def _public(encoding: str, name: str, public: Any, curve: Curve) -> Point:
    if encoding == "asn":
        return decode_spki(bytes.fromhex(public), curve)
    if encoding == "pem":
        return decode_spki(decode_pem(public), curve)
    if encoding == "webcrypto":
        return decode_jwk_point(public, name, curve)
    return decode_point(bytes.fromhex(public), curve)


def _bytes(encoding: str, public: Any) -> bytes:
    """The parts of a malformed key that can be read."""
    if encoding == "webcrypto":
        return b""
    return loose_pem(public) if encoding == "pem" else bytes.fromhex(public)


def _itself(point: Point) -> Point:
    return point


def _xdh(group: Group) -> Iterator[Case]:
    curve = _curve(group["curve"])
    if curve is None:
        yield from _skip(group, group["curve"], f"curve {group['curve']} is not in the catalogue")
        return
    form = group["type"].removeprefix("Xdh").removesuffix("Comp").lower()
    for test in group["tests"]:
        common = _common(test, curve, f"{group['curve']} {form}".strip())
        keys = partial(_xdh_keys, form, test["public"], test["private"], curve)
        acceptable, shared = test["result"] == _ACCEPTABLE, bytes.fromhex(test["shared"])
        if acceptable and _value(keys) is None:
            yield SkippedCase(**common, skip=_NOTHING_TO_JUDGE)
            continue
        expect = Expect.INVALID if acceptable and not any(shared) else _expect(test)
        yield XdhCase(**common, keys=keys, shared=shared, expect=expect)


def _xdh_keys(form: str, public: Any, private: Any, curve: Curve) -> tuple[bytes, bytes]:
    if form == "asn":
        secret = decode_xdh_private_key(bytes.fromhex(private), curve)
        return decode_xdh_spki(bytes.fromhex(public), curve), secret
    if form == "pem":
        secret = decode_xdh_private_key(decode_pem(private, "PRIVATE KEY"), curve)
        return decode_xdh_spki(decode_pem(public), curve), secret
    if form == "jwk":
        return decode_xdh_jwk(public, "x", curve), decode_xdh_jwk(private, "d", curve)
    return bytes.fromhex(public), bytes.fromhex(private)


def _ecdsa(group: Group) -> Iterator[Case]:
    key = group["publicKey"] if "publicKey" in group else group["key"]
    name = f"{key['curve']} {group['sha']}"
    curve, hashed = _curve(key["curve"]), hash_name(group["sha"])
    if curve is None:
        yield from _skip(group, name, f"curve {key['curve']} is not in the catalogue")
        return
    if hashed is None:
        yield from _skip(group, name, f"hash {group['sha']} is unknown")
        return
    raw = group["type"] == "EcdsaP1363Verify"
    for test in group["tests"]:
        common, encoded = _common(test, curve, name), bytes.fromhex(test["sig"])
        signature = (
            partial(decode_raw_signature, encoded, curve) if raw else partial(decode_der_signature, encoded)
        )
        if test["result"] == _ACCEPTABLE and _value(signature) is None:
            yield SkippedCase(**common, skip=_NOTHING_TO_JUDGE)
            continue
        yield VerifyCase(
            **common,
            e=message_to_e(bytes.fromhex(test["msg"]), hashed, curve),
            public=(int(key["wx"], 16), int(key["wy"], 16)),
            signature=signature,
            expect=_expect(test),
            low_s=group["type"] == "EcdsaBitcoinVerify",
        )
