"""Reads Wycheproof JSON: ECDH (SubjectPublicKeyInfo, PEM, point, JWK), ECDSA (DER, P1363, Bitcoin), XDH."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from eccelerate.curves import Curve, CurveNotFoundError, find_curve
from eccelerate.vectors.case import Case, Expect
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
)
from eccelerate.vectors.hashes import hash_name, message_to_e

Group = Mapping[str, Any]
_JWK_CURVES = {"P-256K": "secp256k1"}
_SIGNATURE_TYPES = ("EcdsaVerify", "EcdsaP1363Verify", "EcdsaBitcoinVerify")


def parse_wycheproof(document: Mapping[str, Any]) -> Iterator[Case]:
    """The cases of one file, in order. Raises KeyError or ValueError when the document is not of a known
    form.
    """
    for number, group in enumerate(document["testGroups"]):
        parser = {"XdhComp": _xdh}.get(group["type"], _ecdsa if group["type"] in _SIGNATURE_TYPES else _ecdh)
        yield from parser(group, number)


def _curve(name: str) -> Curve | None:
    try:
        return find_curve(_JWK_CURVES.get(name, name))
    except CurveNotFoundError:
        return None


def _common(
    group: Group, number: int, test: Mapping[str, Any], curve: Curve | None, name: str
) -> dict[str, Any]:
    result = test["result"]
    return {
        "group": name,
        "ident": f"tcId {test['tcId']}" + (f" ({test['comment']})" if test.get("comment") else ""),
        "curve": curve,
        "labels": (result, *(f"{result} {flag}" for flag in test.get("flags", ()))),
    }


def _skip(group: Group, number: int, name: str, why: str) -> Iterator[Case]:
    for test in group["tests"]:
        yield SkippedCase(**_common(group, number, test, None, name), skip=why)


def _ecdh(group: Group, number: int) -> Iterator[Case]:
    encoding = group.get("encoding", "none")
    name = f"{group['curve']} {encoding}"
    curve = _curve(group["curve"])
    if curve is None:
        yield from _skip(group, number, name, f"curve {group['curve']} is not in the catalogue")
        return
    if encoding not in ("asn", "pem", "ecpoint", "webcrypto"):
        yield from _skip(group, number, name, f"key encoding {encoding} is not read")
        return
    for test in group["tests"]:
        yield EcdhCase(
            **_common(group, number, test, curve, name),
            public=partial(_public, encoding, group["curve"], test["public"], curve),
            private=_private(encoding, test["private"]),
            shared=int(test["shared"], 16) if test["shared"] else None,
            expect=Expect(test["result"]),
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


def _xdh(group: Group, number: int) -> Iterator[Case]:
    curve = _curve(group["curve"])
    if curve is None:
        yield from _skip(group, number, group["curve"], f"curve {group['curve']} is not in the catalogue")
        return
    for test in group["tests"]:
        yield XdhCase(
            **_common(group, number, test, curve, group["curve"]),
            public=bytes.fromhex(test["public"]),
            private=bytes.fromhex(test["private"]),
            shared=bytes.fromhex(test["shared"]),
            expect=Expect(test["result"]),
        )


def _ecdsa(group: Group, number: int) -> Iterator[Case]:
    key = group["publicKey"] if "publicKey" in group else group["key"]
    name = f"{key['curve']} {group['sha']}"
    curve, digest = _curve(key["curve"]), hash_name(group["sha"])
    if curve is None or digest is None:
        what = (
            f"curve {key['curve']} is not in the catalogue"
            if curve is None
            else f"hash {group['sha']} is unknown"
        )
        yield from _skip(group, number, name, what)
        return
    raw = group["type"] == "EcdsaP1363Verify"
    for test in group["tests"]:
        signature = bytes.fromhex(test["sig"])
        yield VerifyCase(
            **_common(group, number, test, curve, name),
            e=message_to_e(bytes.fromhex(test["msg"]), digest, curve),
            public=(int(key["wx"], 16), int(key["wy"], 16)),
            signature=partial(decode_raw_signature, signature, curve)
            if raw
            else partial(decode_der_signature, signature),
            expect=Expect(test["result"]),
            low_s=group["type"] == "EcdsaBitcoinVerify",
        )
