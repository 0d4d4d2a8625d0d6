"""Every entry of the catalogue is a sound curve, and the same curve that OpenSSL knows by this name."""

import re
import subprocess
from functools import cache

import pytest

from eccelerate.curves import Curve, find_curve, load_catalogue, validate
from eccelerate.curves.group import jacobian_mul

CATALOGUE = load_catalogue()
EXPECTED = (
    [f"P-{bits}" for bits in (192, 224, 256, 384, 521)]
    + ["secp160r1", "secp160k1", "secp160r2", "secp192k1", "secp224k1", "secp256k1", "SM2"]
    + [f"brainpoolP{bits}{twist}1" for bits in (160, 192, 224, 256, 320, 384, 512) for twist in "rt"]
    + ["curve25519", "wei25519", "curve448", "wei448"]
    + [f"{family}-{bits}" for family in "BK" for bits in (163, 233, 283, 409, 571)]
    + ["sect113r1", "sect113r2", "wtls1", "sect131r1", "sect131r2", "sect163r1", "sect193r1", "sect193r2"]
    + ["sect239k1"]
    + [f"c2pnb163v{number}" for number in (1, 2, 3)]
    + [f"c2tnb{bits}v{number}" for bits in (191, 239) for number in (1, 2, 3)]
    + ["c2pnb176v1", "c2pnb208w1", "c2pnb272w1", "c2pnb304w1", "c2tnb359v1", "c2pnb368w1", "c2tnb431r1"]
)
WEAK = {
    **dict.fromkeys(("sect113r1", "sect113r2", "wtls1", "sect131r1", "sect131r2"), "n has only"),
    **dict.fromkeys(("c2pnb176v1", "c2pnb208w1", "c2pnb272w1", "c2pnb304w1", "c2pnb368w1"), "Weil descent"),
}
"""Curves of old standards, with the finding that each must have. They are sound, but not for new use."""


@cache
def openssl_curves() -> frozenset[str]:
    text = subprocess.run(
        ["openssl", "ecparam", "-list_curves"], capture_output=True, text=True, check=True
    ).stdout
    return frozenset(re.findall(r"^\s*([\w-]+)\s*:", text, re.MULTILINE))


def openssl_parameters(name: str) -> dict[str, int]:
    """Explicit parameters as OpenSSL prints them, by our field names."""
    command = ["openssl", "ecparam", "-name", name, "-param_enc", "explicit", "-text", "-noout"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values: dict[str, int] = {}
    for key, inline, block in re.findall(r"^(\w[\w ()]*):(.*)\n((?:    .*\n)*)", text, re.MULTILINE):
        digits = re.sub(r"[\s:]", "", block)
        if key.startswith("Generator"):
            assert digits.startswith("04"), "an uncompressed generator"
            half = 1 + len(digits) // 2
            values |= {"gx": int(digits[2:half], 16), "gy": int(digits[half:], 16)}
        elif key in ("Prime", "Polynomial", "A", "B", "Order", "Cofactor"):
            name = {"Prime": "p", "Polynomial": "p", "Order": "n", "Cofactor": "h"}.get(key, key.lower())
            values[name] = int(digits, 16) if digits else int(inline.split()[0])
    return values


def openssl_name(curve: Curve) -> str | None:
    return next((name for name in (curve.name, *curve.aliases) if name in openssl_curves()), None)


UNSOUND = {"Oakley-EC2N-3", "Oakley-EC2N-4"}
"""Curves of even order: OpenSSL's own list calls them unfit for ECDSA."""


def test_catalogue_is_complete() -> None:
    assert sorted(CATALOGUE) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_entry_is_a_sound_curve(name: str) -> None:
    """Checks field and order, discriminant, G on the curve, n * G = O and the Hasse bound. Only listed
    weaknesses occur.
    """
    findings = validate(CATALOGUE[name])
    assert len(findings) == (name in WEAK)
    assert all(each.level == "warning" and WEAK[name] in each.text for each in findings)


@pytest.mark.parametrize("name", EXPECTED)
def test_entry_equals_openssl(name: str) -> None:
    curve = CATALOGUE[name]
    known = openssl_name(curve)
    if known is None:
        pytest.skip(f"this OpenSSL does not know {name}")
    ours = {key: getattr(curve, key) for key in ("p", "a", "b", "gx", "gy", "n", "h")}
    assert ours == openssl_parameters(known)


def test_every_binary_curve_of_openssl_is_here() -> None:
    text = subprocess.run(
        ["openssl", "ecparam", "-list_curves"], capture_output=True, text=True, check=True
    ).stdout
    listed = re.findall(r"^\s*([\w-]+)\s*:\s*([^\n]*)(?:\n\t([^\n]*))?", text, re.MULTILINE)
    binary = {name for name, *rest in listed if "binary field" in " ".join(rest)}
    assert len(binary) > 40 and binary >= UNSOUND
    for name in binary - UNSOUND:
        assert find_curve(name).kind == "binary"
    for name in UNSOUND:
        assert openssl_parameters(name)["n"] % 2 == 0


def test_openssl_knows_the_common_curves() -> None:
    """Guards the comparison above: if the lookup of names broke, every case would be skipped."""
    assert all(openssl_name(CATALOGUE[name]) for name in ("P-256", "P-384", "P-521"))


@pytest.mark.parametrize("bits", [25519, 448])
def test_montgomery_maps(bits: int) -> None:
    """The maps are inverse to each other, map G to G, and respect the group law (2 G agrees)."""
    weierstrass, montgomery = find_curve(f"wei{bits}"), find_curve(f"curve{bits}")
    link, p, a = weierstrass.montgomery, weierstrass.p, montgomery.a
    assert link is not None
    assert link.curve == montgomery.name
    assert link.to_montgomery(weierstrass.generator, p) == montgomery.generator
    assert link.from_montgomery(montgomery.generator, p) == weierstrass.generator
    assert link.to_montgomery(None, p) is None and link.from_montgomery(None, p) is None
    u, v = montgomery.generator
    slope = (3 * u * u + 2 * a * u + 1) * pow(2 * v, -1, p)
    u2 = (slope * slope - a - 2 * u) % p
    doubled = (u2, (slope * (u - u2) - v) % p)
    assert link.from_montgomery(doubled, p) == jacobian_mul(2, weierstrass.generator, weierstrass.a, p)


def test_montgomery_constants() -> None:
    """RFC 7748 has the base points u = 9 and u = 5. Our (A + 2) / 4 is the RFC's (A - 2) / 4 plus one."""
    assert (find_curve("curve25519").gx, find_curve("curve25519").a24) == (9, 121665 + 1)
    assert (find_curve("curve448").gx, find_curve("curve448").a24) == (5, 39081 + 1)
    with pytest.raises(ValueError, match="Montgomery"):
        _ = find_curve("P-256").a24


@pytest.mark.parametrize(
    ("name", "p_bits", "order_bits", "words", "minus_3"),
    [
        ("P-192", 192, 192, 6, True),
        ("secp160r1", 160, 161, 6, True),
        ("P-256", 256, 256, 8, True),
        ("secp256k1", 256, 256, 8, False),
        ("secp224k1", 224, 225, 8, False),
        ("P-521", 521, 521, 17, True),
        ("brainpoolP256r1", 256, 256, 8, False),
        ("brainpoolP256t1", 256, 256, 8, True),
        ("wei25519", 255, 256, 8, False),
        ("curve448", 448, 448, 14, False),
        ("K-163", 163, 164, 6, False),
        ("B-571", 571, 571, 18, False),
    ],
)
def test_derived_sizes(name: str, p_bits: int, order_bits: int, words: int, minus_3: bool) -> None:
    curve = find_curve(name)
    assert (curve.p_bits, curve.order_bits, curve.element_words) == (p_bits, order_bits, words)
    assert curve.a_is_minus_3 is minus_3
    assert curve.order == curve.h * curve.n
