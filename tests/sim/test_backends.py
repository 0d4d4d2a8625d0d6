"""The microcode simulator and the RTL answer as the golden model does, in health and in trouble."""

import random
from collections.abc import Iterator

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.sim.backend import open_engine
from eccelerate.sim.config import find_config
from eccelerate.sim.measure import measure_cycles
from eccelerate.sim.rtl import Entropy, Plan, RtlTransport, WasReset

CONFIG = find_config("compact-w32")
P256 = find_curve("P-256")


@pytest.fixture(scope="module", params=["iss", "rtl"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return open_engine(CONFIG, request.param)


def jobs(curve: Curve) -> Iterator[tuple[Op, tuple[int, ...], int]]:
    """Every operation with a given answer: no entropy in the result."""
    rng = random.Random(7)
    d, k, e = (rng.randrange(1, curve.n) for _ in range(3))
    public = point.base_mul(curve, d)
    signature = ecdsa.sign(curve, d, e, k)
    assert public is not None and signature is not None
    negative = (public[0], curve.p - public[1])
    for op, operands, flags in (
        (Op.MUL, (k, *public), 0),
        (Op.MUL, (k, *public), Flag.BLIND),
        (Op.MUL, (k, 0, 0), 0),
        (Op.MUL, (k, public[0], public[1] ^ 1), 0),
        (Op.BASE_MUL, (0,), 0),
        (Op.BASE_MUL, (curve.n - 1,), 0),
        (Op.DOUBLE_MUL, (e, k, *public), 0),
        (Op.POINT_ADD, (*public, *public), 0),
        (Op.POINT_ADD, (*public, *negative), 0),
        (Op.ON_CURVE, public, 0),
        (Op.ON_CURVE, (curve.p, 0), 0),
        (Op.ECDH, (*public, d), 0),
        (Op.ECDH, (*public, curve.n), 0),
        (Op.ECDH, public, Flag.KEY),
        (Op.ECDSA_SIGN, (e, d, k), 0),
        (Op.ECDSA_VERIFY, (e, *signature, *public), 0),
        (Op.ECDSA_VERIFY, (e ^ 1, *signature, *public), 0),
        (Op.KEYGEN, (d,), 0),
        (Op.ECDH, public, Flag.KEY),
        (Op.KEY_LOAD, (k,), 0),
        (Op.ECDSA_SIGN, (e, k), Flag.KEY),
        (Op.MOD_MUL, (d, k), Flag.MOD_N),
        (Op.MOD_INV, (d,), 0),
        (Op.MOD_EXP, (d, 65537), 0),
        (Op.MOD_ADD, (curve.p - 1, 2), 0),
        (Op.MOD_SUB, (1, 2), Flag.MOD_N),
        (Op.X_LADDER, (k, 9), 0),
        (Op.ZEROISE, (), 0),
        (Op.ECDH, public, Flag.KEY),
        (Op.SELF_TEST, (), 0),
    ):
        yield op, tuple(operands), int(flags)


@pytest.mark.parametrize("name", ["P-192", "P-256", "secp160r1", "brainpoolP256r1"])
def test_every_operation_answers_as_the_golden_model(engine: Engine, name: str) -> None:
    curve = find_curve(name)
    golden = open_engine(CONFIG, "golden")
    golden.load_curve(curve)
    engine.load_curve(curve)
    for op, operands, flags in jobs(curve):
        expected, got = golden.submit(op, operands, flags), engine.submit(op, operands, flags)
        assert (got.status_name, got.values) == (expected.status_name, expected.values), (op, operands, flags)


def test_drawn_keys_and_nonces_give_good_signatures(engine: Engine) -> None:
    engine.load_curve(P256)
    public = engine.keygen().point
    for e in (0, 1, P256.n, (1 << 256) - 1):
        r, s = engine.ecdsa_sign(e, blind=True).values
        assert ecdsa.verify(P256, e, r, s, public)


def test_bent_packets_are_answered_and_forgotten(engine: Engine) -> None:
    engine.load_curve(P256)
    good = Request(Op.BASE_MUL, engine.curve_id, 0x77, 0, 8, (5,)).words()
    for bent in (good[:1], good[:-1], [*good, 0], [*good, *good], [good[0], 0x05000005, *[0] * 5]):
        words = engine.transport.exchange(bent).words
        assert words == [Status.BAD_LENGTH | Op.BASE_MUL << 8 | 0x77 << 16, 0]
        assert engine.base_mul(5).point == point.base_mul(P256, 5)


def test_reset_and_zeroise_at_any_moment_leave_an_engine_that_works() -> None:
    rng = random.Random(11)
    with RtlTransport(CONFIG) as transport:
        engine = Engine(transport)
        engine.load_curve(P256)
        request = Request(Op.BASE_MUL, 1, 1, 0, 8, (12345,)).words()
        for _ in range(6):
            engine.keygen(9)
            transport.plan = Plan(zeroise_at=rng.randrange(20, 200_000))
            assert transport.exchange(request).words[0] & 0xFF == Status.ZEROISED
            transport.plan = Plan(reset_at=rng.randrange(2, 200_000))
            with pytest.raises(WasReset):
                transport.exchange(request)
            transport.plan = Plan()
            assert engine.submit(Op.BASE_MUL, (5,)).status == Status.BAD_CURVE
            engine.load_curve(P256)
            assert engine.submit(Op.ECDH, P256.generator, Flag.KEY).status == Status.NO_KEY
            assert engine.base_mul(5).point == point.base_mul(P256, 5)


def test_back_pressure_changes_no_answer() -> None:
    with RtlTransport(CONFIG) as transport:
        engine = Engine(transport)
        transport.plan = Plan(req_stall=0x5A5A_33F1, rsp_stall=0xFFFF_7FFE)
        engine.load_curve(P256)
        assert engine.base_mul(77).point == point.base_mul(P256, 77)


def test_no_entropy_is_a_status_not_a_hang() -> None:
    with RtlTransport(CONFIG) as transport:
        engine = Engine(transport)
        engine.load_curve(P256)
        transport.entropy(Entropy.NONE)
        assert engine.submit(Op.KEYGEN, (), Flag.RANDOM).status == Status.NO_ENTROPY
        transport.entropy(Entropy.SEED, 3)
        assert engine.keygen().ok


def test_measured_cycles_are_consistent() -> None:
    cycles = measure_cycles(CONFIG, P256)
    assert 0 < cycles["field_mul_interval"] <= cycles["field_mul"] < cycles["ladder_step"]
    assert 250 * cycles["ladder_step"] < cycles["scalar_mul"]
    assert cycles["ladder_step"] < cycles["inversion"] < cycles["scalar_mul"] < cycles["scalar_mul_blinded"]
    assert cycles == measure_cycles(CONFIG, P256)
