"""Reads NIST response files (.rsp, .fax, .txt): KeyPair, PKV, SigGen, SigVer, ECC CDH, KAS static unified;
RFC 7027.

A file is a list of records, each a run of `Name = value` lines, under headings `[P-256,SHA-256]`. What
a record tests follows from the names it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from eccelerate.curves import Curve, CurveNotFoundError, find_curve
from eccelerate.vectors.case import Case, Expect
from eccelerate.vectors.ec_cases import (
    AgreementCase,
    EcdhCase,
    KeyPairCase,
    PublicKeyCase,
    SignCase,
    SkippedCase,
    VerifyCase,
)
from eccelerate.vectors.encoding import Point
from eccelerate.vectors.hashes import digest, hash_name, message_to_e

Record = Mapping[str, str]
_ALIASES = {"K-256": "secp256k1"}
_CURVE_NAME = re.compile(r"[PKB]-\d+$")
# Failures that a key-derivation or key-confirmation layer has to find: the agreed secret itself is right.
_ABOVE_AGREEMENT = ("DKM changed", "OI changed", "MACData changed", "Tag changed")


@dataclass(frozen=True)
class Section:
    """The contents of the headings above a record."""

    curve: str = ""
    hash: str = ""

    @property
    def title(self) -> str:
        """The heading as reported."""
        return " ".join(part for part in (self.curve, self.hash) if part)


def parse_nist(text: str) -> Iterator[Case]:
    """The cases of one file, in order. Raises ValueError when the text has no record of a known form."""
    count = 0
    for count, (section, record) in enumerate(_records(text), 1):
        yield _case(section, record, count)
    if not count:
        raise ValueError("no records of a known form")


def _records(text: str) -> Iterator[tuple[Section, Record]]:
    section, sets, record = Section(), {}, {}
    parameter_set = ""
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line.startswith("["):
            heading = line.strip("[]").strip()
            if heading.startswith("Curve selected:"):
                sets[parameter_set] = heading.partition(":")[2].strip()
                continue
            first, *rest = [part.strip() for part in re.split(r",| - ", heading)]
            if first in sets:
                section = Section(sets[first], rest[0] if rest else "")
            elif _CURVE_NAME.match(first):
                section = Section(first, rest[0] if rest else "")
            else:
                parameter_set = first
        elif "=" in line and not line.startswith("#"):
            name, _, value = (part.strip() for part in line.partition("="))
            record[name] = value
        elif not line and len(record) > 1:
            yield (Section(record["curve"]) if "curve" in record else section), record
            record = {}
        elif not line:
            record = {}


def _find(name: str) -> Curve | None:
    try:
        return find_curve(_ALIASES.get(name, name))
    except CurveNotFoundError:
        return None


def _case(section: Section, record: Record, number: int) -> Case:
    if not section.curve:
        raise ValueError(f"record {number} has no heading that names its curve")
    curve = _find(section.curve)
    result = record.get("Result", "P (0 )")
    expect = Expect.VALID if result.startswith("P") else Expect.INVALID
    common: dict[str, Any] = {
        "group": section.title,
        "ident": f"record {number}",
        "curve": curve,
        "labels": (section.title, f"{section.curve} {result}"),
    }
    if curve is None:
        return SkippedCase(**common, skip=f"curve {section.curve} is not in the catalogue")
    if "Msg" in record:
        return _signature(section, record, common, curve, expect)
    if "dsIUT" in record:
        return _agreement(section, record, common, expect)
    if "ZIUT" in record:
        # Cofactor Diffie-Hellman.
        return _ecdh(common, record, ("QCAVSx", "QCAVSy"), "dIUT", "ZIUT", cofactor=True)
    if "x_Z" in record:
        return _ecdh(common, record, ("x_qB", "y_qB"), "dA", "x_Z")
    if "d" in record and "Qx" in record:
        return KeyPairCase(**common, d=_int(record, "d"), public=_point(record, "Qx", "Qy"))
    if "Qx" in record and "Result" in record:
        return PublicKeyCase(**common, public=_point(record, "Qx", "Qy"), expect=expect)
    return SkippedCase(**common, skip=f"record of unknown form: {', '.join(record)}")


def _int(record: Record, name: str) -> int:
    return int(record[name], 16)


def _point(record: Record, x: str, y: str) -> Point:
    return _int(record, x), _int(record, y)


def _ecdh(
    common: dict[str, Any],
    record: Record,
    peer: tuple[str, str],
    d: str,
    z: str,
    *,
    cofactor: bool = False,
) -> Case:
    public = _point(record, *peer)
    return EcdhCase(
        **common,
        public=lambda: public,
        private=_int(record, d),
        shared=_int(record, z),
        expect=Expect.VALID,
        cofactor=cofactor,
    )


def _signature(
    section: Section, record: Record, common: dict[str, Any], curve: Curve, expect: Expect
) -> Case:
    # Files of FIPS 186-2 name no hash: it was SHA-1.
    hashed = hash_name(section.hash or "SHA-1")
    if hashed is None:
        return SkippedCase(**common, skip=f"hash {section.hash} is unknown")
    e = message_to_e(bytes.fromhex(record["Msg"]), hashed, curve)
    r, s = _int(record, "R"), _int(record, "S")
    if "k" in record:
        return SignCase(**common, e=e, d=_int(record, "d"), k=_int(record, "k"), r=r, s=s)
    return VerifyCase(
        **common, e=e, public=_point(record, "Qx", "Qy"), signature=lambda: (r, s), expect=expect
    )


def _agreement(section: Section, record: Record, common: dict[str, Any], expect: Expect) -> Case:
    if any(reason in record["Result"] for reason in _ABOVE_AGREEMENT):
        expect = Expect.VALID
    z = bytes.fromhex(record["Z"])
    confirm = (
        partial(_hash_is, bytes.fromhex(record["CAVSHashZZ"]), hash_name(section.hash) or "", len(z))
        if "CAVSHashZZ" in record
        else partial(int.__eq__, int.from_bytes(z, "big"))
    )
    return AgreementCase(
        **common,
        peer=_point(record, "QsCAVSx", "QsCAVSy"),
        own=_point(record, "QsIUTx", "QsIUTy"),
        d=_int(record, "dsIUT"),
        confirm=confirm,
        expect=expect,
    )


def _hash_is(expected: bytes, name: str, size: int, x: int) -> bool:
    return digest(name, x.to_bytes(size, "big")) == expected
