"""GoldenEngine on curves over GF(2^m): exhaustively on small curves, and against OpenSSL on the catalogue."""

import hashlib
import random
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from eccelerate.curves import Curve, find_curve, gf2m, load_catalogue
from eccelerate.curves.small import curve_points, small_binary_curves
from eccelerate.model import ecdh, ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, JobRequest, JobResponse, Op, Status, curve_load_operands
from tests.hostile import wrong_order
from tests.sampled import sampled

OK = Status.OK
INFINITE = JobResponse(Status.INFINITY, (0, 0))
B163 = find_curve("B-163")
BINARY = [curve for curve in load_catalogue().values() if curve.kind == "binary"]


def engine_with(curve: Curve) -> GoldenEngine:
    engine = GoldenEngine(binary=True)
    assert engine.load(curve) == JobResponse(OK)
    return engine


def as_result(value: tuple[int, int] | None) -> JobResponse:
    return INFINITE if value is None else JobResponse(OK, value)


@pytest.mark.parametrize("curve", small_binary_curves()[:3], ids=lambda curve: curve.name)
def test_points_exhaustively(curve: Curve) -> None:
    """Every pair of coordinates, every sum, and every multiple of every point, including points of order 2
    and 4.
    """
    engine = engine_with(curve)
    points = curve_points(curve)
    assert len(points) + 1 == curve.order and any(x == 0 for x, _ in points)
    for x in range(curve.field_size):
        for y in range(curve.field_size):
            expected = OK if (x, y) in points else Status.NOT_ON_CURVE
            assert engine.do(Op.ON_CURVE, x, y).status == expected
    written = {None: (0, 0)} | {each: each for each in points}
    for left in written:
        running = None
        for k in range(1 << curve.order_bits):
            assert engine.do(Op.MUL, k, *written[left]) == as_result(running)
            if left and 1 <= k < curve.n:
                cleared = point.mul(curve, curve.h * (k * pow(curve.h, -1, curve.n) % curve.n), left)
                shared = (
                    JobResponse(Status.EXCEPTIONAL) if cleared is None else JobResponse(OK, (cleared[0],))
                )
                assert engine.do(Op.ECDH, *left, k) == shared
            running = point.add(curve, running, left)
        for right in written:
            total = as_result(point.add(curve, left, right))
            assert engine.do(Op.POINT_ADD, *written[left], *written[right]) == total


@pytest.mark.parametrize("curve", small_binary_curves(), ids=lambda curve: curve.name)
def test_cofactor_agreement(curve: Curve) -> None:
    """h * d * P for points of every order. Points whose order divides h are refused."""
    engine = engine_with(curve)
    for base in curve_points(curve)[:40]:
        for d in (1, 2, curve.n - 1):
            product = point.mul_affine(curve, curve.h * d, base)
            expected = JobResponse(Status.EXCEPTIONAL) if product is None else JobResponse(OK, (product[0],))
            assert engine.do(Op.ECDH, *base, d, flags=Flag.COFACTOR) == expected
            engine.do(Op.KEY_LOAD, d)
            assert engine.do(Op.ECDH, *base, flags=Flag.COFACTOR | Flag.KEY | Flag.BLIND) == expected
    torsion = next(each for each in curve_points(curve) if each[0] == 0)
    assert engine.do(Op.ECDH, *torsion, 1, flags=Flag.COFACTOR).status == Status.EXCEPTIONAL
    assert engine.do(Op.ECDH, *torsion, 1).status == Status.EXCEPTIONAL


@pytest.mark.parametrize("curve", small_binary_curves()[:2], ids=lambda curve: curve.name)
def test_field_arithmetic_exhaustively(curve: Curve) -> None:
    engine, f = engine_with(curve), curve.p
    for a in range(curve.field_size):
        assert engine.do(Op.MOD_INV, a) == JobResponse(OK, (gf2m.inverse(a, f) if a else 0,))
        power = 1
        for b in range(curve.field_size):
            assert engine.do(Op.MOD_MUL, a, b) == JobResponse(OK, (gf2m.mul(a, b, f),))
            assert engine.do(Op.MOD_ADD, a, b) == engine.do(Op.MOD_SUB, a, b) == JobResponse(OK, (a ^ b,))
            assert engine.do(Op.MOD_EXP, a, b) == JobResponse(OK, (power,))
            power = gf2m.mul(power, a, f)
    for op, *operands in ((Op.MOD_INV, curve.field_size), (Op.MOD_MUL, 1, curve.field_size)):
        assert engine.do(op, *operands) == JobResponse(Status.COORD_RANGE)


def test_integers_modulo_n() -> None:
    engine, n = engine_with(B163), B163.n
    a, b = (random.Random(seed).randrange(1, n) for seed in (1, 2))
    assert engine.do(Op.MOD_MUL, a, b, flags=Flag.MOD_N) == JobResponse(OK, (a * b % n,))
    assert engine.do(Op.MOD_INV, a, flags=Flag.MOD_N) == JobResponse(OK, (pow(a, -1, n),))
    assert engine.do(Op.MOD_SUB, 0, 1, flags=Flag.MOD_N) == JobResponse(OK, (n - 1,))
    assert engine.do(Op.MOD_ADD, n, 0, flags=Flag.MOD_N) == JobResponse(Status.COORD_RANGE)


LOAD = dict(zip(("par", "p", "a", "b", "gx", "gy", "n", "order"), curve_load_operands(B163), strict=True))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, OK),
        ({"p": LOAD["p"] ^ 1}, Status.BAD_MODULUS),
        ({"p": LOAD["p"] | 1 << 163}, Status.BAD_MODULUS),
        ({"n": B163.n - 1}, Status.BAD_MODULUS),
        ({"n": B163.n - 2}, Status.BAD_MODULUS),
        ({"n": 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 3 << 32}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 16}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 128}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 64}, OK),
        ({"par": LOAD["par"] & ~0x3FF | 1}, Status.BAD_MODULUS),
        ({"a": 1 << 163}, Status.COORD_RANGE),
        ({"b": 1 << 163}, Status.COORD_RANGE),
        ({"gx": 1 << 163}, Status.COORD_RANGE),
        ({"gy": 1 << 163}, Status.COORD_RANGE),
        ({"b": 0}, Status.BAD_MODULUS),
        ({"gy": B163.gy ^ 1}, Status.NOT_ON_CURVE),
    ],
)
def test_curve_load_statuses(changes: dict[str, int], expected: Status) -> None:
    """No curve is loaded after a failed load."""
    engine = engine_with(B163)
    operands = tuple((LOAD | changes).values())
    assert engine.run(JobRequest(Op.CURVE_LOAD, operands, curve_id=4, words=6)) == JobResponse(expected)
    after = engine.run(JobRequest(Op.ON_CURVE, B163.generator, curve_id=4, words=6)).status
    assert after == (OK if expected == OK else Status.BAD_CURVE)


def test_each_engine_refuses_the_other_sort_of_field() -> None:
    assert GoldenEngine(binary=True).load(find_curve("P-256")) == JobResponse(Status.BAD_MODULUS)
    assert GoldenEngine(binary=True).load(find_curve("curve25519")) == JobResponse(Status.BAD_MODULUS)
    assert GoldenEngine(binary=True).load(find_curve("B-571")) == JobResponse(OK)
    prime = GoldenEngine()
    prime.load(find_curve("P-256"))
    binary = engine_with(B163)
    assert binary.do(Op.X_LADDER, 1, 1) == JobResponse(Status.BAD_CURVE)
    assert binary.do(Op.ON_CURVE, 1, 1, flags=32) == JobResponse(Status.BAD_OP)


def test_self_test_finds_a_wrong_order() -> None:
    assert engine_with(B163).do(Op.SELF_TEST) == JobResponse(OK)
    assert engine_with(wrong_order(B163)).do(Op.SELF_TEST) == JobResponse(Status.SELF_TEST_FAILED)


# ---- OpenSSL


def openssl(*arguments: str | Path, data: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True).stdout


def make_key(curve: Curve, folder: Path, name: str) -> tuple[Path, int, tuple[int, int]]:
    """A key file of OpenSSL, its private scalar and its public point."""
    path = folder / f"{name}.pem"
    for known in (curve.name, *curve.aliases):
        made = subprocess.run(
            ["openssl", "ecparam", "-name", known, "-genkey", "-noout", "-out", path], capture_output=True
        )
        if made.returncode == 0:
            break
    der = openssl("ec", "-in", path, "-outform", "DER", "-no_public")
    length = der[6]
    public = openssl("ec", "-in", path, "-pubout", "-outform", "DER")
    octets = (curve.p_bits + 7) // 8
    x, y = (int.from_bytes(public[-size:][:octets], "big") for size in (2 * octets, octets))
    return path, int.from_bytes(der[7 : 7 + length], "big"), (x, y)


@sampled("curve", BINARY, ids=lambda curve: curve.name, now=14)
def test_protocols_against_openssl(curve: Curve, tmp_path: Path) -> None:
    """Agreement without and with cofactor, our signature verified by OpenSSL, and its signature verified by
    us.
    """
    engine = engine_with(curve)
    own, d, public = make_key(curve, tmp_path, "own")
    peer, _, other = make_key(curve, tmp_path, "peer")
    assert engine.do(Op.KEYGEN, d, flags=Flag.HOST_NONCE) == JobResponse(OK, public)
    (tmp_path / "peer.pub").write_bytes(openssl("ec", "-in", peer, "-pubout"))
    for flag in (Flag.NONE, Flag.COFACTOR):
        derive = ("pkeyutl", "-derive", "-inkey", own, "-peerkey", tmp_path / "peer.pub")
        theirs = openssl(*derive, "-pkeyopt", f"ecdh_cofactor_mode:{int(flag != 0)}")
        ours = engine.do(Op.ECDH, *other, flags=Flag.KEY | flag)
        assert ours == JobResponse(OK, (int.from_bytes(theirs, "big"),))
        assert ecdh.shared_x(curve, d, other, cofactor=bool(flag)) == ours.values[0]
    digest = hashlib.sha256(curve.name.encode()).digest()
    e = ecdsa.truncate_hash(digest, curve.n)
    signature = engine.do(Op.ECDSA_SIGN, e, 0x1234567, flags=Flag.KEY)
    assert signature.status == OK
    (tmp_path / "signature").write_bytes(encode_dss_signature(*signature.values))
    verify = ("pkeyutl", "-verify", "-inkey", own, "-sigfile", tmp_path / "signature")
    assert b"Successfully" in openssl(*verify, data=digest)
    r, s = decode_dss_signature(openssl("pkeyutl", "-sign", "-inkey", own, data=digest))
    assert engine.do(Op.ECDSA_VERIFY, e, r, s, *public) == JobResponse(OK)
    assert engine.do(Op.ECDSA_VERIFY, e ^ 1, r, s, *public) == JobResponse(Status.BAD_SIGNATURE)
