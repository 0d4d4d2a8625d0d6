"""The attributes of the key: which jobs may use it, and whether a nonce of the host may meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.model.field import mod_inverse
from eccelerate.model.jobs import KEY_ATTRIBUTES, Flag, Op, Status, reserved_flags
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.rtl import RtlTransport

CURVES = {"compact-w32": "brainpoolP160r1", "binary-163-d64": "B-163", "turbo-p256": "P-256"}
HASH = 0x5A
COMBINATIONS = [
    sum(flags, Flag.NONE) for flags in product((0, Flag.NO_SIGN), (0, Flag.NO_AGREE), (0, Flag.HOST_NONCE))
]


@pytest.fixture(scope="module", params=list(product(CURVES, ("golden", "iss", "rtl"))), ids="-".join)
def opened(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, Curve]]:
    name, backend = request.param
    curve = find_curve(CURVES[name])
    engine = open_engine(find_config(name), backend, seed=1)
    engine.load_curve(curve)
    yield engine, curve
    if isinstance(engine.transport, RtlTransport):
        engine.transport.close()


def extracted(curve: Curve, signature: tuple[int, ...]) -> int:
    """The private key of a signature of HASH with the nonce 1: s = e + r d."""
    r, s = signature
    return (s - HASH) * mod_inverse(r, curve.n) % curve.n


def statuses(engine: Engine, curve: Curve) -> tuple[int, ...]:
    """What the key may be used for: a signature with a nonce of the host, one with a drawn nonce, ECDH."""
    return (
        engine.submit(Op.ECDSA_SIGN, (HASH, 1), Flag.KEY).status,
        engine.submit(Op.ECDSA_SIGN, (HASH,), Flag.KEY | Flag.RANDOM).status,
        engine.submit(Op.ECDH, curve.generator, Flag.KEY).status,
    )


def allowed(attributes: int) -> tuple[int, ...]:
    signs, agrees = not attributes & Flag.NO_SIGN, not attributes & Flag.NO_AGREE
    permits = (signs and attributes & Flag.HOST_NONCE, signs, agrees)
    return tuple(Status.OK if permitted else Status.KEY_REFUSED for permitted in permits)


def test_a_nonce_of_the_host_extracts_the_key_only_where_it_was_allowed(
    opened: tuple[Engine, Curve],
) -> None:
    engine, curve = opened
    d = curve.n // 3
    engine.key_load(d, host_nonce=True)
    assert extracted(curve, engine.ecdsa_sign(HASH, k=1).values) == d
    ways: list[Callable[[], object]] = [lambda: engine.key_load(d), lambda: engine.keygen(d), engine.keygen]
    for way in ways:
        way()
        assert engine.submit(Op.ECDSA_SIGN, (HASH, 1), Flag.KEY).status == Status.KEY_REFUSED
        public = engine.ecdh(curve.generator).value
        signature = engine.ecdsa_sign(HASH).values
        assert engine.base_mul(extracted(curve, signature)).point[0] != public


def test_a_key_that_the_engine_draws_never_accepts_a_nonce_of_the_host(opened: tuple[Engine, Curve]) -> None:
    engine, _ = opened
    engine.key_load(5)
    for attributes in COMBINATIONS:
        drawn = engine.submit(Op.KEYGEN, (), Flag.RANDOM | attributes)
        assert drawn.status == (Status.BAD_OP if attributes & Flag.HOST_NONCE else Status.OK)
        assert engine.submit(Op.ECDSA_SIGN, (HASH, 1), Flag.KEY).status == Status.KEY_REFUSED


@pytest.mark.parametrize("op", [Op.KEY_LOAD, Op.KEYGEN])
def test_a_key_serves_the_jobs_that_its_attributes_permit(opened: tuple[Engine, Curve], op: Op) -> None:
    engine, curve = opened
    for attributes in COMBINATIONS:
        assert engine.submit(op, (7,), attributes).ok
        assert statuses(engine, curve) == allowed(attributes), repr(attributes)


def test_attributes_stay_until_the_key_leaves(opened: tuple[Engine, Curve]) -> None:
    engine, curve = opened
    for attributes in (Flag.NONE, Flag.NO_SIGN, Flag.NO_AGREE, Flag.HOST_NONCE | Flag.NO_AGREE):
        engine.submit(Op.KEY_LOAD, (7,), attributes).check()
        other = Flag(KEY_ATTRIBUTES & ~attributes)
        # None of these changes the key.
        engine.base_mul(3)
        engine.mod_mul(2, 3)
        engine.ecdh(curve.generator, 3)
        engine.ecdsa_sign(HASH, 3, 1)
        engine.self_test()
        for op, operands in ((Op.KEY_LOAD, (0,)), (Op.KEYGEN, (curve.n,))):
            assert engine.submit(op, operands, other).status == Status.SCALAR_RANGE
        assert engine.submit(Op.KEY_LOAD, (), other).status == Status.BAD_LENGTH
        assert engine.submit(Op.KEY_LOAD, (7,), other, curve_id=9).status == Status.BAD_CURVE
        assert engine.submit(Op.ECDSA_SIGN, (HASH, 1), Flag.KEY | Flag.HOST_NONCE).status == Status.BAD_OP
        assert statuses(engine, curve) == allowed(attributes), repr(attributes)
    for leave in (engine.zeroise, lambda: engine.load_curve(curve)):
        engine.key_load(7, sign=False, agree=False, host_nonce=True)
        leave()
        assert statuses(engine, curve) == (Status.NO_KEY,) * 3
        engine.key_load(7)
        assert statuses(engine, curve) == allowed(0)


def test_only_jobs_that_set_a_key_have_attributes(opened: tuple[Engine, Curve]) -> None:
    """A packet without operands shows whether the port accepts its flags: BAD_LENGTH, or another status."""
    engine, _ = opened
    several = (1, 2, 8, 16, 32, 34, 64, 66, 128, 129, 130, 160, 192, 224, 226, 251)
    for op in (op for op in range(1, 0x30) if op != Op.CURVE_LOAD):
        unknown = engine.submit(op).status == Status.BAD_OP
        for flags in several:
            refused = unknown or reserved_flags(op, flags)
            assert (engine.submit(op, (), flags).status == Status.BAD_OP) == refused, (op, flags)


def test_no_other_job_reads_the_key(opened: tuple[Engine, Curve]) -> None:
    """KEY takes no operand's place in them: they want all their operands, and compute with these."""
    engine, curve = opened
    engine.key_load(7)
    point = curve.generator
    jobs: list[tuple[Op, tuple[int, ...]]] = [
        (Op.MUL, (3, *point)), (Op.BASE_MUL, (3,)), (Op.POINT_ADD, (*point, *point)), (Op.ON_CURVE, point),
        (Op.MOD_MUL, (2, 3)), (Op.MOD_INV, (2,)), (Op.MOD_EXP, (2, 3)), (Op.MOD_ADD, (2, 3)),
        (Op.MOD_SUB, (3, 2)), (Op.KEYGEN, (3,)),
    ]  # fmt: skip
    for op, operands in jobs:
        for flags in (0, Flag.MOD_N):
            plain = engine.submit(op, operands, flags)
            assert engine.submit(op, operands, flags | Flag.KEY) == plain, op.name
        assert engine.submit(op, operands[1:], Flag.KEY).status == Status.BAD_LENGTH, op.name
