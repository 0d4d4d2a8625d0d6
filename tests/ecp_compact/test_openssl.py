"""The engine against OpenSSL, where it knows the curve, and against the golden model, on random cases."""

import random
from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.backend import open_engine
from tests.ecp_compact.bench import config_of
from tests.sampled import sampled

CURVES = [curve for curve in load_catalogue().values() if curve.kind == "weierstrass"]
DIGEST = hashes.SHA256()
Point = tuple[int, int]


def openssl_curve(curve: Curve) -> ec.EllipticCurve | None:
    """OpenSSL's curve with this name. None if this OpenSSL does not have it."""
    for cls in ec.EllipticCurve.__subclasses__():
        names = {curve.name, *curve.aliases}
        if getattr(cls, "name", None) in names:
            try:
                ec.derive_private_key(1, cls())
            except UnsupportedAlgorithm:
                return None
            return cls()
    return None


class Peer:
    """The other party: OpenSSL or the golden model."""

    def __init__(self, curve: Curve) -> None:
        self.curve, self.openssl = curve, openssl_curve(curve)

    def public(self, d: int) -> Point:
        if self.openssl is None:
            found = point.base_mul(self.curve, d)
            assert found is not None
            return found
        numbers = ec.derive_private_key(d, self.openssl).public_key().public_numbers()
        return numbers.x, numbers.y

    def agree(self, d: int, public: Point) -> int:
        if self.openssl is None:
            shared = point.mul(self.curve, d, public)
            assert shared is not None
            return shared[0]
        key = ec.derive_private_key(d, self.openssl)
        return int.from_bytes(key.exchange(ec.ECDH(), self._key(public)), "big")

    def sign(self, d: int, digest: bytes, rng: random.Random) -> tuple[int, int]:
        if self.openssl is None:
            e = ecdsa.truncate_hash(digest, self.curve.n)
            pair = ecdsa.sign(self.curve, d, e, rng.randrange(1, self.curve.n))
            assert pair is not None
            return pair
        key = ec.derive_private_key(d, self.openssl)
        return utils.decode_dss_signature(key.sign(digest, ec.ECDSA(utils.Prehashed(DIGEST))))

    def accepts(self, public: Point, digest: bytes, pair: tuple[int, int]) -> bool:
        if self.openssl is None:
            return ecdsa.verify(self.curve, ecdsa.truncate_hash(digest, self.curve.n), *pair, public)
        try:
            self._key(public).verify(
                utils.encode_dss_signature(*pair), digest, ec.ECDSA(utils.Prehashed(DIGEST))
            )
        except InvalidSignature:
            return False
        return True

    def _key(self, public: Point) -> ec.EllipticCurvePublicKey:
        assert self.openssl is not None
        return ec.EllipticCurvePublicNumbers(*public, self.openssl).public_key()


def cases(curve: Curve, count: int, rng: random.Random) -> Iterator[tuple[int, int, bytes]]:
    """Private keys and nonces, some of them at the edges, and hashes."""
    n = curve.n
    # Near a multiple of n the ladder of a curve with a cofactor ends with EXCEPTIONAL.
    low = 1 if curve.h == 1 else 2 * curve.h
    for number in range(count):
        d, k = rng.randrange(low, n - low), rng.randrange(low, n - low)
        if number < 8:
            d = (low, low + 1, n - low, n - low - 1, 1 << n.bit_length() // 2, n // 2, n // 3, 1 << 100)[
                number
            ]
        yield d, k, rng.randbytes(32)


def agrees(engine: Engine, curve: Curve, count: int, seed: int) -> None:
    """`count` times: a key pair, key agreement both ways, a signature by each side, and a wrong signature."""
    rng, peer = random.Random(f"{curve.name} {seed}"), Peer(curve)
    engine.load_curve(curve)
    for number, (d, k, digest) in enumerate(cases(curve, count, rng)):
        e = ecdsa.truncate_hash(digest, curve.n)
        blind = number % 4 == 3
        public, other = peer.public(d), peer.public(k)
        assert engine.keygen(d, blind=blind).point == public
        assert engine.mul(k, public, blind=blind).point == engine.mul(d, other).point
        assert engine.ecdh(other, d, blind=blind).value == peer.agree(d, other)
        pair = engine.ecdsa_sign(e, d, k if number % 2 else None, blind).values
        assert peer.accepts(public, digest, (pair[0], pair[1]))
        r, s = peer.sign(d, digest, rng)
        assert engine.ecdsa_verify(e, r, s, public).ok
        wrong = rng.choice(((e ^ 1, r, s), (e, r ^ 1, s), (e, r, s ^ 1), (e, s, r)))
        assert engine.submit(Op.ECDSA_VERIFY, (*wrong, *public)).status == Status.BAD_SIGNATURE


@sampled("curve", CURVES, ids=lambda curve: curve.name, now=12)
def test_simulator(curve: Curve) -> None:
    agrees(open_engine(config_of(32), "iss"), curve, 2, seed=1)


@pytest.mark.parametrize(("digits", "name"), [(16, "P-192"), (32, "P-256"), (32, "secp256k1"), (64, "P-384")])
def test_rtl(digits: int, name: str) -> None:
    agrees(open_engine(config_of(digits), "rtl"), find_curve(name), 2, seed=2)


def test_openssl_is_the_peer_of_the_common_curves() -> None:
    """Otherwise the tests above would compare the engine only with our own model."""
    known = {curve.name for curve in CURVES if openssl_curve(curve)}
    assert known >= {"P-256", "P-384", "P-521", "secp256k1"}


@pytest.mark.soak
@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_two_hundred_cases_on_the_simulator(curve: Curve) -> None:
    agrees(open_engine(config_of(32), "iss"), curve, 200, seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("digits", [16, 32, 64])
@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_sample_on_the_rtl(digits: int, curve: Curve) -> None:
    agrees(open_engine(config_of(digits), "rtl"), curve, 10, seed=4)
