"""Keys, secrets and signatures of the openssl command, and vector files made of them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from eccelerate.curves import Curve, load_catalogue
from eccelerate.model import ecdsa, point

MESSAGE = b"a message of our own"
CATALOGUE = load_catalogue()
BY_NAME = [name for name, curve in CATALOGUE.items() if curve.kind != "montgomery" and "wei" not in name]
"""Every curve that OpenSSL has a name for; it has none for the Weierstrass forms of RFC 7748's curves."""
XDH = {"curve25519": "X25519", "curve448": "X448"}
SHAKE = {
    "P-224": "SHAKE128",
    "P-256": "SHAKE128",
    "P-384": "SHAKE256",
    "P-521": "SHAKE256",
    "B-163": "SHAKE128",
}
ALIASES = {"P-192": "prime192v1", "P-256": "prime256v1", "wtls1": "wap-wsg-idm-ecid-wtls1"}


HASHES: dict[str, Callable[[bytes], bytes]] = {
    "SHA-1": lambda data: hashlib.sha1(data).digest(),
    "SHAKE128": lambda data: hashlib.shake_128(data).digest(32),
    "SHAKE256": lambda data: hashlib.shake_256(data).digest(64),
}


def openssl(*arguments: str | Path, data: bytes = b"") -> bytes:
    return subprocess.run(
        ["openssl", *map(str, arguments)], input=data, capture_output=True, check=True, timeout=60
    ).stdout


def openssl_name(curve: Curve) -> str:
    sect_or_secp = (name for name in (curve.name, *curve.aliases) if name.startswith("sec"))
    return ALIASES.get(curve.name) or next(sect_or_secp, curve.name)


class Key:
    """A private key of OpenSSL in a file."""

    def __init__(self, path: Path, algorithm: Sequence[str]) -> None:
        text = openssl("genpkey", *algorithm, "-text").decode()
        found = re.findall(r"^(priv|pub):\n((?: +[0-9a-f:]+\n)+)", text, re.M)
        parts = {name: bytes.fromhex(re.sub(r"[\s:]", "", digits)) for name, digits in found}
        self.path, self.pem = path, text[: text.index("-----END PRIVATE KEY-----") + 26]
        self.secret, self.public_bytes = parts["priv"], parts["pub"]
        """Public: an uncompressed SEC 1 point, or a u-coordinate."""
        path.write_text(self.pem)

    @cached_property
    def public_pem(self) -> str:
        return openssl("pkey", "-in", self.path, "-pubout").decode()

    @property
    def d(self) -> int:
        return int.from_bytes(self.secret, "big")

    @property
    def size(self) -> int:
        return len(self.public_bytes) // 2

    @property
    def point(self) -> tuple[int, int]:
        x, y = self.public_bytes[1 : -self.size], self.public_bytes[-self.size :]
        return int.from_bytes(x, "big"), int.from_bytes(y, "big")


class Pair:
    """Two keys of a curve and what the first of them does: it agrees with the other one, and signs."""

    def __init__(self, folder: Path, curve: Curve) -> None:
        self.curve, self.folder = curve, folder
        self._signatures: dict[str, tuple[int, int]] = {}
        group = f"ec_paramgen_curve:{openssl_name(curve)}"
        algorithm = [XDH[curve.name]] if curve.name in XDH else ["EC", "-pkeyopt", group]
        self.own, self.peer = (
            Key(folder / f"{curve.name}.{name}", ["-algorithm", *algorithm]) for name in ("own", "peer")
        )

    def derive(self, *options: str) -> bytes:
        """The agreed bytes."""
        other = self.folder / f"{self.curve.name}.pub"
        other.write_text(self.peer.public_pem)
        return openssl("pkeyutl", "-derive", "-inkey", self.own.path, "-peerkey", other, *options)

    @cached_property
    def secret(self) -> int:
        """The x-coordinate of d * Q."""
        if self.curve.name == "SM2":  # OpenSSL uses another key agreement and another signature on this curve
            agreed = point.mul(self.curve, self.own.d, self.peer.point)
            assert agreed is not None
            return agreed[0]
        return int.from_bytes(self.derive(), "big")

    @cached_property
    def cofactor_secret(self) -> int:
        """The x-coordinate of h * d * Q."""
        if self.curve.h == 1:
            return self.secret
        return int.from_bytes(self.derive("-pkeyopt", "ecdh_cofactor_mode:1"), "big")

    def signature(self, sha: str = "SHA-1") -> tuple[int, int]:
        """(r, s) of MESSAGE, which is the same in every call."""
        if sha not in self._signatures:
            self._signatures[sha] = self._sign(sha)
        return self._signatures[sha]

    def _sign(self, sha: str) -> tuple[int, int]:
        digest = HASHES[sha](MESSAGE)
        if self.curve.name == "SM2":
            signed = ecdsa.sign(self.curve, self.own.d, self.e(digest), 0xC0FFEE)
            assert signed is not None
            return signed
        file = self.folder / f"{self.curve.name}.digest"
        file.write_bytes(digest)
        return decode_dss_signature(openssl("pkeyutl", "-sign", "-inkey", self.own.path, "-in", file))

    def e(self, digest: bytes) -> int:
        return int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - self.curve.n.bit_length())


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwk(kind: str, crv: str, **members: bytes) -> dict[str, str]:
    return {"kty": kind, "crv": crv, **{name: base64url(value) for name, value in members.items()}}


def group(kind: str, tests: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    """A test group of Wycheproof with valid vectors."""
    numbered = [{"tcId": i, "result": "valid", **test} for i, test in enumerate(tests, 1)]
    return {"type": kind, **members, "tests": numbered}


def ecdh_groups(pair: Pair) -> dict[str, dict[str, Any]]:
    """A group for each encoding of a public key."""
    curve, own, peer = pair.curve, pair.own, pair.peer
    name = openssl_name(curve)
    shared = pair.secret.to_bytes(peer.size, "big").hex()
    named, compressed, explicit = (
        openssl("ec", "-in", peer.path, "-pubout", "-outform", "DER", *options)
        for options in ((), ("-conv_form", "compressed"), ("-param_enc", "explicit"))
    )
    points = [peer.public_bytes, compressed[-1 - peer.size :]]
    x, y = peer.public_bytes[1 : -peer.size], peer.public_bytes[-peer.size :]
    d = {"private": own.secret.hex(), "shared": shared}
    pem = {"public": peer.public_pem, "private": own.pem, "shared": shared}
    web = {"public": jwk("EC", name, x=x, y=y), "private": jwk("EC", name, d=own.secret), "shared": shared}
    return {
        "asn": group(
            "EcdhTest",
            [{"public": der.hex(), **d} for der in (named, compressed, explicit)],
            curve=name,
            encoding="asn",
        ),
        "pem": group("EcdhPemTest", [pem], curve=name, encoding="pem"),
        "ecpoint": group(
            "EcdhEcpointTest",
            [{"public": data.hex(), **d} for data in points],
            curve=name,
            encoding="ecpoint",
        ),
        "webcrypto": group("EcdhWebcryptoTest", [web], curve=name, encoding="webcrypto"),
    }


def xdh_groups(pair: Pair) -> dict[str, dict[str, Any]]:
    """A group for each encoding of X25519 or X448 keys."""
    crv, own, peer = XDH[pair.curve.name], pair.own, pair.peer
    shared = {"shared": pair.derive().hex()}
    private_der = openssl("pkey", "-in", own.path, "-outform", "DER").hex()
    public_der = openssl("pkey", "-in", peer.path, "-pubout", "-outform", "DER").hex()
    forms: dict[str, dict[str, Any]] = {
        "XdhComp": {"public": peer.public_bytes.hex(), "private": own.secret.hex()},
        "XdhAsnComp": {"public": public_der, "private": private_der},
        "XdhPemComp": {"public": peer.public_pem, "private": own.pem},
        "XdhJwkComp": {
            "public": jwk("OKP", crv, x=peer.public_bytes),
            "private": jwk("OKP", crv, d=own.secret, x=own.public_bytes),
        },
    }
    return {kind: group(kind, [{**keys, **shared}], curve=pair.curve.name) for kind, keys in forms.items()}


def ecdsa_groups(pair: Pair, sha: str = "SHA-1") -> dict[str, dict[str, Any]]:
    """A group for each encoding of a signature."""
    (r, s), n = pair.signature(sha), pair.curve.n
    size = (n.bit_length() + 7) // 8
    encoded = {
        "EcdsaVerify": encode_dss_signature(r, s),
        "EcdsaP1363Verify": r.to_bytes(size, "big") + s.to_bytes(size, "big"),
        "EcdsaBitcoinVerify": encode_dss_signature(r, min(s, n - s)),
    }
    x, y = pair.own.point
    key = {"curve": openssl_name(pair.curve), "wx": f"{x:x}", "wy": f"{y:x}"}
    return {
        kind: group(kind, [{"msg": MESSAGE.hex(), "sig": sig.hex()}], publicKey=key, sha=sha)
        for kind, sig in encoded.items()
    }


def nist_text(pair: Pair) -> str:
    """A record of each kind: KeyPair, PKV, SigVer, SigGen, CDH and RFC 7027 agreement, KAS."""
    curve, d = pair.curve, pair.own.d
    r, s = pair.signature()
    k = (pair.e(HASHES["SHA-1"](MESSAGE)) + r * d) * pow(s, -1, curve.n) % curve.n
    own, peer, agreed = pair.own.point, pair.peer.point, pair.secret
    multiple = pair.cofactor_secret if curve.kind == "binary" else agreed
    size = (curve.p_bits + 7) // 8
    signed = f"Msg = {MESSAGE.hex()}\nR = {r:x}\nS = {s:x}\n"
    records = [
        f"d = {d:x}\nQx = {own[0]:x}\nQy = {own[1]:x}\n",
        f"Qx = {own[0]:x}\nQy = {own[1]:x}\nResult = P (0 )\n",
        f"{signed}Qx = {own[0]:x}\nQy = {own[1]:x}\nResult = P (0 )\n",
        f"{signed}d = {d:x}\nk = {k:x}\n",
        f"QCAVSx = {peer[0]:x}\nQCAVSy = {peer[1]:x}\ndIUT = {d:x}\nZIUT = {multiple:x}\n",
        f"x_qB = {peer[0]:x}\ny_qB = {peer[1]:x}\ndA = {d:x}\nx_Z = {agreed:x}\n",
        f"QsCAVSx = {peer[0]:x}\nQsCAVSy = {peer[1]:x}\nQsIUTx = {own[0]:x}\nQsIUTy = {own[1]:x}\n"
        f"dsIUT = {d:x}\nZ = {agreed.to_bytes(size, 'big').hex()}\nResult = P (0 )\n",
    ]
    return "".join(f"curve = {curve.name}\n{record}\n" for record in records)


def evp_text(pair: Pair) -> str:
    """PEM keys and a signature to be verified, in the format of OpenSSL's EVP tests. On prime curves, where
    this is fast, there is also a signature to be made with the nonce of RFC 6979.
    """
    name = f"{openssl_name(pair.curve)}_own"
    signed = f'Key = {name}\nInput = "{MESSAGE.decode()}"\nOutput = '
    text = (
        f"PrivateKey={name}\n{pair.own.pem}\nPublicKey={name}\n{pair.own.public_pem}\n"
        f"DigestVerify = SHA1\n{signed}{encode_dss_signature(*pair.signature()).hex()}\n\n"
    )
    if pair.curve.kind == "binary":
        return text
    digest = HASHES["SHA-1"](MESSAGE)
    k = next(ecdsa.rfc6979_nonces(pair.curve.n, pair.own.d, digest, "sha1"))
    made = ecdsa.sign(pair.curve, pair.own.d, pair.e(digest), k)
    assert made is not None
    return f"{text}DigestSign = SHA1\n{signed}{encode_dss_signature(*made).hex()}\n\n"


def write_files(folder: Path, pairs: list[Pair], xdh: list[Pair]) -> dict[str, Path]:
    """A vector file for each encoding that the runner reads, by its name, with vectors of every pair."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for pair in pairs:
        made = {**ecdh_groups(pair), **ecdsa_groups(pair)}
        if pair.curve.name in SHAKE:
            made["shake"] = ecdsa_groups(pair, SHAKE[pair.curve.name])["EcdsaVerify"]
        for name, one in made.items():
            groups.setdefault(name, []).append(one)
    for pair in xdh:
        for name, one in xdh_groups(pair).items():
            groups.setdefault(name, []).append(one)
    files = {}
    for name, several in groups.items():
        files[name] = folder / f"{name}.json"
        files[name].write_text(json.dumps({"testGroups": several}))
    for name, write in (("nist", nist_text), ("evp", evp_text)):
        files[name] = folder / f"{name}.txt"
        files[name].write_text("\n".join(write(pair) for pair in pairs))
    return files
