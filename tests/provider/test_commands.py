"""The openssl command with the provider, against stock OpenSSL in both directions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.provider.lab import Lab, call

MESSAGE = b"a message to sign\n"


def _message(lab: Lab) -> Path:
    path = lab.path("message")
    path.write_bytes(MESSAGE)
    return path


@pytest.fixture(params=["P-256", "sect163k1"])
def rtl(request: pytest.FixtureRequest) -> tuple[Lab, str]:
    name = "binary_hardware" if request.param.startswith("sect") else "hardware"
    lab: Lab = request.getfixturevalue(name)
    return lab, request.param


def test_keys_signatures_and_secrets_of_the_rtl_agree_with_stock_openssl(rtl: tuple[Lab, str]) -> None:
    lab, group = rtl
    message, mine, theirs = _message(lab), lab.path("mine.sig"), lab.path("theirs.sig")
    key, other = lab.make_key("key", group), lab.make_key("other", group, stock=True)
    lab.openssl("pkey", "-in", key, "-check", "-noout", stock=True)

    lab.openssl("dgst", "-sha256", "-sign", key, "-out", mine, message)
    lab.openssl("dgst", "-sha256", "-sign", other, "-out", theirs, message, stock=True)
    for stock in (False, True):
        lab.openssl(
            "dgst", "-sha256", "-verify", lab.path("key.pub"), "-signature", mine, message, stock=stock
        )
    lab.openssl("dgst", "-sha256", "-verify", lab.path("other.pub"), "-signature", theirs, message)
    lab.refused("dgst", "-sha256", "-verify", lab.path("key.pub"), "-signature", theirs, message)

    def derive(private: Path, public: str, stock: bool) -> bytes:
        return lab.openssl("pkeyutl", "-derive", "-inkey", private, "-peerkey", lab.path(public), stock=stock)

    secret = derive(key, "other.pub", False)
    assert secret == derive(other, "key.pub", True)

    done = lab.counters()
    assert done.hardware == {"sign": 1, "verify": 3, "derive": 1, "public": 1, "keygen": 0}
    assert not any(done.software.values())


def test_a_certificate_is_made_and_verified(hardware: Lab) -> None:
    key, root = hardware.make_certificate("root", "P-256")
    leaf, request, certificate = (hardware.path(f"leaf.{end}") for end in ("pem", "csr", "crt"))
    hardware.make_key("leaf", "P-256")
    hardware.openssl("req", "-new", "-key", leaf, "-subj", "/CN=leaf", "-out", request)
    hardware.openssl("req", "-in", request, "-verify", "-noout", stock=True)
    issuer = ["-CA", root, "-CAkey", key, "-CAcreateserial", "-days", "2"]
    hardware.openssl("x509", "-req", "-in", request, *issuer, "-out", certificate)
    for stock in (False, True):
        hardware.openssl("verify", "-CAfile", root, certificate, stock=stock)
    text = hardware.openssl("x509", "-in", certificate, "-noout", "-text").decode()
    assert "Signature Algorithm: ecdsa-with-SHA256" in text
    assert not any(hardware.counters().software.values())


def test_pkeyutl_signs_a_hash_and_refuses_one_of_another_length(stub: Lab) -> None:
    key = stub.make_key("key", "P-384")
    short, right, signature = (stub.path(name) for name in ("short", "hash", "signature"))
    right.write_bytes(bytes(range(48)))
    short.write_bytes(bytes(20))
    options = ["-pkeyopt", "digest:sha384"]
    stub.openssl("pkeyutl", "-sign", "-inkey", key, "-in", right, *options, "-out", signature)
    check = ["pkeyutl", "-verify", "-inkey", key, "-in", right, *options, "-sigfile", signature]
    stub.openssl(*check)
    stub.openssl(*check, stock=True)
    assert "length of the hash" in stub.refused("pkeyutl", "-sign", "-inkey", key, "-in", short, *options)


def test_cms_is_signed_and_enveloped_for_a_key_of_the_curve(stub: Lab) -> None:
    key, certificate = stub.make_certificate("signer", "P-256")
    message, signed, sealed = _message(stub), stub.path("signed"), stub.path("sealed")
    who = ["-signer", certificate, "-inkey", key]
    stub.openssl(
        "cms", "-sign", "-in", message, *who, "-outform", "DER", "-nodetach", "-binary", "-out", signed
    )
    seal = ["cms", "-encrypt", "-in", message, "-binary", "-outform", "DER", "-out", sealed, "-aes128"]
    # Enveloped data uses ECDH with the key derivation function of X9.63.
    stub.openssl(*seal, certificate)
    before = stub.counters()
    for stock in (False, True):
        check = ["-verify", "-in", signed, "-inform", "DER", "-CAfile", certificate, "-purpose", "any"]
        assert stub.openssl("cms", *check, "-binary", stock=stock) == MESSAGE
        opened = stub.openssl(
            "cms",
            "-decrypt",
            "-in",
            sealed,
            "-inform",
            "DER",
            "-inkey",
            key,
            "-recip",
            certificate,
            stock=stock,
        )
        assert opened == MESSAGE
    done = stub.counters() - before
    assert done.hardware["verify"] == 1 and done.hardware["derive"] == 1


@pytest.mark.parametrize("form", ["compressed", "uncompressed", "hybrid"])
@pytest.mark.parametrize("encoding", ["named_curve", "explicit"])
@pytest.mark.parametrize("group", ["P-256", "sect233r1"])
def test_every_encoding_of_a_key_is_that_of_stock_openssl(
    stub: Lab, group: str, encoding: str, form: str
) -> None:
    stock_key, out = stub.make_key("key", group, stock=True), stub.path("out")
    options = ["-ec_conv_form", form, "-ec_param_enc", encoding]
    for more in (["-pubout"], [], ["-pubout", "-outform", "DER"], ["-traditional"]):
        texts = set()
        for stock in (False, True):
            stub.openssl("pkey", "-in", stock_key, *options, *more, "-out", out, stock=stock)
            texts.add(out.read_bytes())
        assert len(texts) == 1, more
    # and what was written is read again
    stub.openssl("pkey", "-in", stock_key, *options, "-out", out)
    text = ["pkey", "-in", out, "-text", "-noout"]
    assert stub.openssl(*text) == stub.openssl(*text, stock=True)
    stub.openssl("pkey", "-in", out, "-check", "-noout")


def test_the_text_of_keys_and_parameters_is_that_of_stock_openssl(stub: Lab) -> None:
    key = stub.make_key("key", "brainpoolP256r1")
    commands = [
        ["pkey", "-in", key, "-text", "-noout"],
        ["pkey", "-in", key, "-text_pub", "-noout"],
        ["ec", "-in", key, "-text", "-noout"],
        ["ec", "-in", key, "-pubout"],
        ["ecparam", "-name", "brainpoolP256r1", "-text"],
        ["ecparam", "-name", "brainpoolP256r1", "-param_enc", "explicit"],
        ["pkey", "-in", key, "-pubcheck", "-noout"],
        ["storeutl", "-noout", "-text", key],
    ]
    for words in commands:
        assert stub.openssl(*words) == stub.openssl(*words, stock=True), words


def test_parameters_are_generated_and_keys_from_them(stub: Lab) -> None:
    parameters, key = stub.path("parameters"), stub.path("key")
    stub.openssl("genpkey", "-genparam", "-algorithm", "EC", "-pkeyopt", "group:P-521", "-out", parameters)
    stub.openssl("ecparam", "-in", parameters, "-noout", "-check", stock=True)
    stub.openssl("genpkey", "-paramfile", parameters, "-out", key)
    stub.openssl("pkey", "-in", key, "-check", "-noout", stock=True)
    stub.openssl("ecparam", "-name", "P-384", "-genkey", "-noout", "-out", key)
    stub.openssl("pkey", "-in", key, "-check", "-noout", stock=True)


def test_encrypted_keys_and_pkcs12_files_hold_keys_of_the_provider(stub: Lab) -> None:
    key, certificate = stub.make_certificate("key", "P-256")
    sealed, bundle = stub.path("sealed.pem"), stub.path("bundle.p12")
    stub.openssl("pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", sealed)
    stub.openssl("pkey", "-in", sealed, "-passin", "pass:secret", "-check", "-noout", stock=True)
    both = ["-inkey", sealed, "-passin", "pass:secret", "-in", certificate]
    stub.openssl("pkcs12", "-export", *both, "-passout", "pass:x", "-out", bundle)
    for stock in (False, True):
        stub.openssl("pkcs12", "-in", bundle, "-passin", "pass:x", "-nodes", "-noout", stock=stock)


def test_speed_uses_the_provider(stub: Lab) -> None:
    before = stub.counters()
    stub.openssl("speed", "-seconds", "1", "ecdsap256", "ecdhp256", "ecdsab283")
    done = stub.counters() - before
    assert all(done.hardware[name] > 10 for name in ("sign", "verify", "derive"))
    assert not any(done.software.values())


def test_the_provider_offers_only_what_a_device_does(stub: Lab) -> None:
    kinds = [
        "digest-algorithms",
        "cipher-algorithms",
        "kdf-algorithms",
        "mac-algorithms",
        "random-generators",
    ]
    kinds += ["encoders", "decoders", "kem-algorithms", "asymcipher-algorithms"]
    assert "@ eccel" not in stub.openssl("list", *(f"-{kind}" for kind in kinds)).decode()
    offered = ["key-managers", "signature-algorithms", "key-exchange-algorithms", "store-loaders"]
    listed = stub.openssl("list", *(f"-{kind}" for kind in offered)).decode().splitlines()
    names = {line.split("@")[0].strip() for line in listed if line.rstrip().endswith("@ eccel")}
    assert names == {"IDs: { 1.2.840.10045.2.1, EC, id-ecPublicKey }", "ECDSA", "ECDH", "eccel"}


def test_programs_from_before_openssl_3_work(stub: Lab, program: Callable[[str], Path]) -> None:
    assert call(program("legacy"), env=stub.env) == b"done\n"
    done = stub.counters()
    assert done.hardware["sign"] == 2 and done.hardware["verify"] == 3 and done.hardware["public"] == 1


def test_a_key_of_another_kind_goes_to_the_default_provider(hardware: Lab) -> None:
    key, signature, message = hardware.path("rsa.pem"), hardware.path("signature"), _message(hardware)
    hardware.openssl("genpkey", "-algorithm", "RSA", "-out", key)
    hardware.openssl("dgst", "-sha256", "-sign", key, "-out", signature, message)
    hardware.openssl("genpkey", "-algorithm", "ED25519", "-out", key)
    done = hardware.counters()
    assert not any((*done.hardware.values(), *done.software.values(), *done.failed.values()))
