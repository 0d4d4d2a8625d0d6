"""Reads RFC 6979 vectors in OpenSSL's EVP test format: PEM keys, deterministic signatures, verifications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from eccelerate.curves import Curve, CurveNotFoundError, find_curve
from eccelerate.model.ecdsa import rfc6979_nonces
from eccelerate.vectors.case import Case, Expect
from eccelerate.vectors.ec_cases import SignCase, SkippedCase, VerifyCase
from eccelerate.vectors.encoding import (
    Point,
    decode_der_signature,
    decode_pem,
    decode_private_key,
    decode_spki,
)
from eccelerate.vectors.hashes import digest, hash_name, message_to_e

_KEY = re.compile(r"^(PrivateKey|PublicKey)=(\S+)\n(-----BEGIN.*?-----END [A-Z ]+-----)", re.M | re.S)
_STANZA = re.compile(r"^DigestSign = |^DigestVerify = ", re.M)


def parse_evp(text: str) -> Iterator[Case]:
    """The DigestSign and DigestVerify stanzas of the file. Raises ValueError when a key or value is
    malformed.
    """
    private: dict[str, int] = {}
    public: dict[str, Point] = {}
    for kind, name, pem in _KEY.findall(text):
        curve = _curve(name)
        if curve is None:
            continue
        if kind == "PublicKey":
            public[name] = decode_spki(decode_pem(pem), curve)
        else:
            private[name] = decode_private_key(decode_pem(pem, "PRIVATE KEY"))
    for number, stanza in enumerate(text.split("\n\n")):
        if _STANZA.search(stanza):
            fields = dict(re.findall(r"^(\w+) = (.*)$", stanza, re.M))
            yield _case(fields, f"stanza {number}", private, public)


def _curve(key: str) -> Curve | None:
    try:
        return find_curve(key.rpartition("_")[0])
    except CurveNotFoundError:
        return None


def _case(fields: dict[str, str], ident: str, private: dict[str, int], public: dict[str, Point]) -> Case:
    key, title = fields["Key"], fields["Key"].rpartition("_")[0]
    sign = "DigestSign" in fields
    result = fields.get("Result", "")
    hashed = fields["DigestSign" if sign else "DigestVerify"]
    curve, name = _curve(key), hash_name(hashed)
    group = f"{title} {hashed}"
    common: dict[str, Any] = {
        "group": group,
        "ident": ident,
        "curve": curve,
        "labels": (group, f"{group} {result}"),
    }
    if curve is None:
        return SkippedCase(**common, skip=f"curve {title} is not in the catalogue")
    if name is None or name.startswith("shake"):
        return SkippedCase(**common, skip=f"no nonce of RFC 6979 is known with hash {hashed}")
    message, output = fields["Input"].strip('"').encode(), bytes.fromhex(fields["Output"])
    e = message_to_e(message, name, curve)
    if not sign:
        expect = Expect.INVALID if result else Expect.VALID
        signature = partial(decode_der_signature, output)
        return VerifyCase(**common, e=e, public=public[key], signature=signature, expect=expect)
    d = private[key]
    k = next(rfc6979_nonces(curve.n, d, digest(name, message), name))
    r, s = decode_der_signature(output)
    return SignCase(**common, e=e, d=d, k=k, r=r, s=s)
