"""The stock `openssl` command as the other party of a protocol: keys, verification, key agreement.

Everything goes through files and the command line, as if a user did it by hand.
"""

from __future__ import annotations

from pathlib import Path

from eccelerate import external
from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.curves import Curve
from eccelerate.driver.engine import Point
from eccelerate.vectors.encoding import decode_der_signature, decode_private_key, decode_spki


def _run(*arguments: str | Path, check: bool = True) -> external.Outcome:
    if not external.is_installed("openssl"):
        raise UsageError("the openssl command is missing: apt install openssl")
    command = ["openssl", *map(str, arguments)]
    done = external.run(command, timeout=60)
    if check and done.code:
        raise CheckError(f"{' '.join(command)}: {done.errors.strip()}")
    return done


def version() -> str:
    """The version line of the command. Raises UsageError if the command is missing."""
    return _run("version").text.strip()


def make_key(path: Path, group: str) -> None:
    """Write a new private key of a named group (`prime256v1`) as PEM, readable by its owner only."""
    path.touch(mode=0o600)
    _run("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{group}", "-out", path)


def public_file(key: Path, path: Path) -> None:
    """Write the public half of a private key file as PEM."""
    _run("pkey", "-in", key, "-pubout", "-out", path)


def private_scalar(key: Path) -> int:
    """The private scalar in a PEM key file."""
    return decode_private_key(_run("pkcs8", "-topk8", "-nocrypt", "-in", key, "-outform", "DER").out)


def public_point(key: Path, curve: Curve) -> Point:
    """The point of a PEM public key file."""
    point = decode_spki(_run("pkey", "-pubin", "-in", key, "-outform", "DER").out, curve)
    if point is None:
        raise CheckError(f"{key} holds the point at infinity")
    return point


def verifies(public: Path, signature: Path, message: Path) -> bool:
    """Whether `openssl dgst -sha256 -verify` accepts the signature of a file."""
    done = _run("dgst", "-sha256", "-verify", public, "-signature", signature, message, check=False)
    if done.code not in (0, 1):
        raise CheckError(f"openssl dgst: {done.errors.strip()}")
    return done.code == 0


def sign(key: Path, message: Path) -> tuple[int, int]:
    """(r, s) of a signature made by `openssl dgst -sha256 -sign`."""
    return decode_der_signature(_run("dgst", "-sha256", "-sign", key, message).out)


def derive(key: Path, peer: Path) -> bytes:
    """The shared secret that `openssl pkeyutl -derive` agrees with a peer's public key file."""
    return _run("pkeyutl", "-derive", "-inkey", key, "-peerkey", peer).out


def der_signature(r: int, s: int) -> bytes:
    """(r, s) as the DER of an ECDSA-Sig-Value (RFC 3279). Raises ValueError above 482 bits."""

    def integer(value: int) -> bytes:
        body = value.to_bytes(value.bit_length() // 8 + 1, "big")
        return bytes([2, len(body)]) + body

    body = integer(r) + integer(s)
    if len(body) > 127:
        raise ValueError(f"signature of {len(body)} bytes: only short-form lengths are written")
    return bytes([0x30, len(body)]) + body
