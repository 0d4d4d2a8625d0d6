"""Keys in the key slot of the engine: they are drawn there, used there, and never leave it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider.lab import SLOW, STRICT, Lab, serve


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose only slot belongs to this module: other tests would find it occupied."""
    with serve("compact-w32", tmp_path_factory.mktemp("slot")) as uri:
        yield uri


@pytest.fixture(params=[None, "sign", "agree"], ids=["all", "sign", "agree"])
def slot(request: pytest.FixtureRequest, tmp_path: Path, module: Path) -> Iterator[tuple[Lab, str | None]]:
    """A server with an empty slot, and what the key will be for."""
    with serve("compact-w32", tmp_path) as uri:
        yield Lab(tmp_path / "lab", module, uri, {**STRICT, **SLOW}), request.param


def test_a_key_is_drawn_found_and_used_in_the_slot(slot: tuple[Lab, str | None]) -> None:
    lab, use = slot
    new = "eccel:curve=P-256;generate=yes" + (f";use={use}" if use else "")
    old = "eccel:curve=P-256"
    public, found = lab.path("public"), lab.path("found")
    lab.openssl("pkey", "-in", new, "-pubout", "-out", public)
    lab.openssl("pkey", "-in", old, "-pubout", "-out", found)
    x = slice(0, -32)  # the last 32 bytes of the DER are y, whose sign a key without signatures does not tell
    der = [lab.openssl("pkey", "-pubin", "-in", path, "-outform", "DER") for path in (public, found)]
    assert der[0] == der[1] if use != "agree" else der[0][x] == der[1][x]

    signature = lab.path("signature")
    sign = ["dgst", "-sha256", "-sign", old, "-out", signature, lab.conf]
    if use == "agree":
        assert "KEY_REFUSED" in lab.refused(*sign)
    else:
        lab.openssl(*sign)
        lab.openssl("dgst", "-sha256", "-verify", public, "-signature", signature, lab.conf, stock=True)
    peer = lab.make_key("peer", "P-256", stock=True)
    derive = ["pkeyutl", "-derive", "-inkey", old, "-peerkey", lab.path("peer.pub")]
    if use == "sign":
        assert "KEY_REFUSED" in lab.refused(*derive)
    else:
        theirs = lab.openssl("pkeyutl", "-derive", "-inkey", peer, "-peerkey", public, stock=True)
        assert lab.openssl(*derive) == theirs
    assert "KEY_REFUSED" in lab.refused("pkey", "-in", new, "-pubout")  # the slot is occupied
    done = lab.counters()
    assert done.hardware["keygen"] == 2 and done.failed["keygen"] == 1 and not any(done.software.values())


def test_the_private_part_of_a_key_in_a_slot_cannot_be_written(
    own_engine: str, tmp_path: Path, module: Path
) -> None:
    lab = Lab(tmp_path / "lab", module, own_engine, {**STRICT, **SLOW})
    lab.openssl("pkey", "-in", "eccel:curve=secp256k1;generate=yes", "-pubout")
    for words in (["-out", lab.path("out")], ["-text"], ["-outform", "DER"], ["-traditional"]):
        lab.refused("pkey", "-in", "eccel:curve=secp256k1", *words)
    # A certificate for it is made without it leaving the engine.
    certificate = lab.path("certificate")
    key = ["-key", "eccel:curve=secp256k1", "-subj", "/CN=slot"]
    lab.openssl("req", "-x509", "-new", *key, "-config", lab.conf, "-out", certificate)
    lab.openssl("verify", "-CAfile", certificate, certificate, stock=True)


@pytest.mark.parametrize(
    "uri",
    [
        "eccel:",
        "eccel:curve=nonsense",
        "eccel:P-256",
        "eccel:curve=P-256;use=all",
        "eccel:curve=P-256;generate=maybe",
    ],
)
def test_a_malformed_uri_is_refused(stub: Lab, uri: str) -> None:
    assert "malformed URI" in stub.refused("pkey", "-in", uri, "-pubout")


def test_an_empty_slot_says_so(stub: Lab) -> None:
    assert "STUB_23" in stub.refused("pkey", "-in", "eccel:curve=P-256", "-pubout")


def test_a_program_draws_a_key_in_the_slot_by_a_parameter(stub: Lab) -> None:
    options = ["-pkeyopt", "group:P-256", "-pkeyopt", "eccel-slot:1"]
    # The command can only fail at the end, where it writes the private key.
    assert "cannot leave it" in stub.refused("genpkey", "-algorithm", "EC", *options)
    assert stub.counters().hardware["keygen"] == 1 and stub.counters().hardware["public"] == 0
