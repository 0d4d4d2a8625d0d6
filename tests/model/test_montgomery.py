"""X25519 and X448 against RFC 7748's vectors and `cryptography`; the ladder against the Weierstrass form."""

import random
import re
from importlib import resources

import pytest
from cryptography.hazmat.primitives.asymmetric.x448 import X448PrivateKey, X448PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from eccelerate.curves import find_curve
from eccelerate.model import montgomery, point

FUNCTIONS = {"X25519": montgomery.x25519, "X448": montgomery.x448}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rfc7748_single_vectors(name: str) -> None:
    file = resources.files("cryptography_vectors").joinpath(f"asymmetric/{name}/rfc7748.txt")
    found = re.findall(
        r"^INPUT_SCALAR = (\w+)\nINPUT_U = (\w+)\nOUTPUT_U = (\w+)", file.read_text(encoding="utf-8"), re.M
    )
    assert len(found) >= 2
    for scalar, u, expected in found:
        assert FUNCTIONS[name](bytes.fromhex(scalar), bytes.fromhex(u)).hex() == expected


def test_rfc7748_iterated() -> None:
    """RFC 7748, 5.2: X25519 after 1 and 1,000 iterations, starting from the base point."""
    curve = find_curve("curve25519")
    k = u = montgomery.encode_u(curve, curve.gx)
    for i in range(1000):
        k, u = montgomery.x25519(k, u), k
        if i == 0:
            assert k.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    assert k.hex() == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"


@pytest.mark.parametrize(
    ("name", "private", "public"),
    [("X25519", X25519PrivateKey, X25519PublicKey), ("X448", X448PrivateKey, X448PublicKey)],
)
def test_random_inputs_against_cryptography(name: str, private, public) -> None:
    """Scalar and u are random bytes, so there are unclamped scalars, points of the twist, and non-canonical
    u.
    """
    rng, size = random.Random(name), {"X25519": 32, "X448": 56}[name]
    for trial in range(20):
        scalar = rng.randbytes(size)
        u = rng.randbytes(size) if trial else b"\xff" * size
        ours = FUNCTIONS[name](scalar, u)
        theirs = private.from_private_bytes(scalar).exchange(public.from_public_bytes(u))
        assert ours == theirs


def test_small_order_gives_zero() -> None:
    """Points of order 2, 4 and 8 of Curve25519 and its twist."""
    curve = find_curve("curve25519")
    order_8 = 325606250916557431795983626356110631294008115727848805560023387167927233504
    for u in (0, 1, curve.p - 1, order_8):
        assert montgomery.x25519(b"\x11" * 32, montgomery.encode_u(curve, u)) == bytes(32)


@pytest.mark.parametrize("bits", [25519, 448])
def test_ladder_agrees_with_the_weierstrass_form(bits: int) -> None:
    weierstrass, curve = find_curve(f"wei{bits}"), find_curve(f"curve{bits}")
    link = weierstrass.montgomery
    assert link is not None
    rng = random.Random(bits)
    drawn = [rng.randrange(curve.order) for _ in range(5)]
    for k in (1, 2, 3, curve.n - 1, curve.n + 1, curve.order - 1, *drawn):
        expected = link.to_montgomery(point.base_mul(weierstrass, k), curve.p)
        assert expected is not None
        assert montgomery.mul_u(curve, k, curve.gx) == expected[0]
    for k in (0, curve.n, curve.order):
        assert montgomery.ladder(curve, k, curve.gx)[1] == 0


def test_clamp_and_encodings() -> None:
    curve25519, curve448 = find_curve("curve25519"), find_curve("curve448")
    assert montgomery.clamp(curve25519, b"\xff" * 32) == 2**255 - 8
    assert montgomery.clamp(curve25519, bytes(32)) == 2**254
    assert montgomery.clamp(curve448, b"\xff" * 56) == 2**448 - 4
    assert montgomery.clamp(curve448, bytes(56)) == 2**447
    assert montgomery.decode_u(curve25519, b"\xff" * 32) == 18
    assert montgomery.decode_u(curve448, b"\xff" * 56) == 2**224
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        montgomery.x25519(bytes(31), bytes(32))
    with pytest.raises(ValueError, match="u-coordinate of curve448 has 56 bytes"):
        montgomery.x448(bytes(56), bytes(32))


def test_ladder_ranges() -> None:
    curve = find_curve("curve25519")
    for k, u in ((1 << curve.order_bits, 9), (-1, 9), (1, curve.p), (1, -1)):
        with pytest.raises(ValueError):
            montgomery.ladder(curve, k, u)
