"""The results of the paced device are those of the golden model, for good and for bad operands."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from eccelerate.curves import Curve, find_curve, gf2m
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, JobResponse, Op, Status
from tests.serve.serve_running import Server, serving

CURVES = ("P-192", "P-256", "P-521", "secp256k1", "brainpoolP320r1", "SM2", "B-163", "K-233", "B-283")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("--latency-ms", "0", "--prepare", "4") as found:
        yield found


def scalars(curve: Curve, rng: random.Random) -> list[int]:
    """Scalars at all limits, and a random one."""
    n, top = curve.n, 1 << curve.order_bits
    return [0, 1, 2, n - 1, n, n + 1, curve.order, top - 1, top, rng.randrange(1, n)]


def points(curve: Curve, rng: random.Random) -> list[tuple[int, int]]:
    """Points on the curve, infinity, points off the curve and coordinates out of range."""
    some = point.base_mul(curve, rng.randrange(1, curve.n)) or curve.generator
    size = curve.field_size
    return [curve.generator, some, (0, 0), (some[0], some[1] ^ 1), (size, 1), (1, size), (some[0], 0)]


def jobs(curve: Curve, rng: random.Random) -> Iterator[tuple[Op, tuple[int, ...], int]]:
    """Jobs of every operation, with a good chance that each ends well."""
    d = rng.randrange(1, curve.n)
    public = point.base_mul(curve, d) or curve.generator
    for k in scalars(curve, rng):
        yield Op.BASE_MUL, (k,), 0
        yield Op.MUL, (k, *public), 0
        yield Op.ECDH, (*public, k), 0
        yield Op.ECDH, (*public, k), Flag.COFACTOR
        yield Op.DOUBLE_MUL, (k, rng.randrange(curve.n), *public), 0
        yield Op.ECDSA_SIGN, (rng.randrange(curve.n), k, 7), 0
        yield Op.ECDSA_SIGN, (rng.randrange(curve.n), 7, k), 0
    for p in points(curve, rng):
        yield Op.ON_CURVE, p, 0
        yield Op.MUL, (rng.randrange(curve.n), *p), 0
        yield Op.ECDH, (*p, d), 0
        yield Op.DOUBLE_MUL, (3, 5, *p), 0
        for q in (public, p, curve.generator, (0, 0)):
            yield Op.POINT_ADD, (*p, *q), 0
    e, k = rng.randrange(curve.n), rng.randrange(1, curve.n)
    r, s = ecdsa.sign(curve, d, e, k) or (1, 1)
    for signature in ((r, s), (r, s ^ 1), (r ^ 1, s), (0, s), (r, 0), (curve.n, s), (r, curve.n)):
        yield Op.ECDSA_VERIFY, (e, *signature, *public), 0
    yield Op.ECDSA_VERIFY, (e ^ 1, r, s, *public), 0
    yield Op.ECDSA_VERIFY, (e, r, s, public[0], public[1] ^ 1), 0
    for flags in (0, int(Flag.MOD_N)):
        size = curve.n if flags else curve.field_size
        for a in (0, 1, size - 1, size, rng.randrange(size)):
            b = rng.randrange(size)
            for op in (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB):
                yield op, (a, b), flags
                yield op, (b, a), flags
            yield Op.MOD_INV, (a,), flags
            for power in (0, 1, b, (1 << 32 * curve.element_words) - 1):
                yield Op.MOD_EXP, (a, power), flags
    yield Op.SELF_TEST, (), 0


@pytest.mark.parametrize("name", CURVES)
def test_results_are_those_of_the_golden_model(server: Server, name: str) -> None:
    curve = find_curve(name)
    golden = GoldenEngine(binary=curve.kind == "binary")
    golden.load(curve)
    engine = server.engine(curve)
    statuses = set()
    for op, operands, flags in jobs(curve, random.Random(name)):
        if any(value >> 32 * curve.element_words for value in operands):
            continue
        expected = golden.do(op, *operands, flags=flags)
        for _ in range(2):  # computed, and remembered
            found = engine.submit(op, operands, flags)
            assert JobResponse(Status(found.status), found.values) == expected, (op.name, operands, flags)
        statuses.add(expected.status)
    assert {
        Status.OK,
        Status.INFINITY,
        Status.SCALAR_RANGE,
        Status.NOT_ON_CURVE,
        Status.COORD_RANGE,
    } <= statuses
    assert Status.BAD_SIGNATURE in statuses


@pytest.mark.parametrize(
    "name", ["P-192", "P-256", "P-521", "secp256k1", "brainpoolP256r1", "B-163", "K-283"]
)
def test_signatures_verify_and_no_nonce_comes_twice(server: Server, name: str) -> None:
    curve = find_curve(name)
    engine = server.engine(curve)
    public = engine.base_mul(77).point
    seen = set()
    for e in range(40):  # more than are prepared
        r, s = engine.submit(Op.ECDSA_SIGN, (e, 77), Flag.RANDOM).check().values
        assert ecdsa.verify(curve, e, r, s, public)
        seen.add(r)
    assert len(seen) == 40


def test_drawn_keys_differ_and_are_in_the_slot(server: Server) -> None:
    curve = find_curve("P-256")
    engine = server.engine(curve)
    publics = set()
    for _ in range(5):
        public = engine.submit(Op.KEYGEN, (), Flag.RANDOM).check().point
        r, s = engine.submit(Op.ECDSA_SIGN, (9,), Flag.RANDOM | Flag.KEY).check().values
        assert ecdsa.verify(curve, 9, r, s, public)
        publics.add(public)
        engine.submit(Op.ZEROISE).check()
    assert len(publics) == 5


def test_a_key_outside_the_subgroup_is_refused(server: Server) -> None:
    curve = find_curve("B-163")
    engine: Engine = server.engine(curve)
    golden = GoldenEngine(binary=True)
    golden.load(curve)
    two = (0, square_root(curve, curve.b))  # of order two
    assert point.is_on_curve(curve, two)
    outside = point.add(curve, two, point.base_mul(curve, 5)) or two
    for job in ((Op.ECDSA_VERIFY, (1, 2, 3, *outside)), (Op.ECDH, (*two, 5)), (Op.ECDH, (*outside, 5))):
        expected = golden.do(job[0], *job[1])
        found = engine.submit(job[0], job[1])
        assert JobResponse(Status(found.status), found.values) == expected, job[0].name


def square_root(curve: Curve, value: int) -> int:
    """The square root in GF(2^m), by m - 1 squarings."""
    for _ in range(curve.p_bits - 1):
        value = gf2m.square(value, curve.p)
    return value
