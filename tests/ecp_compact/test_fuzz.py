"""Compact engines under disorder (disorder.py), and the simulator of their program."""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_curves
from eccelerate.driver.packet import Request, decode_request
from eccelerate.model.jobs import Flag, JobRequest, Op, Status
from eccelerate.rtlsim.iss_transport import IssTransport
from tests.ecp_compact.bench import CURVE_ID, Bench, random_jobs
from tests.ecp_compact.disorder import Disorder

CURVES = [*small_curves()[-3:], find_curve("secp160r1")]


def disorder_of(backend: str, digits: int, seed: int) -> Disorder:
    return Disorder(Bench(backend, digits, seed), CURVES, seed)


@pytest.mark.parametrize("digits", [16, 32, 64])
def test_rtl_in_disorder(digits: int) -> None:
    disorder = disorder_of("rtl", digits, seed=digits)
    disorder.run(250)
    assert disorder.statuses >= {Status.OK, Status.BAD_LENGTH, Status.BAD_CURVE, Status.ZEROISED}


def test_simulator_in_disorder() -> None:
    disorder = disorder_of("iss", 32, seed=5)
    for _ in range(2000):
        disorder.send(disorder.malformed())
        disorder.check_next()
    assert disorder.statuses >= {Status.OK, Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_CURVE, Status.NO_KEY}


# Registers that hold no constants of the curve.
VARIABLE = (11, 12, *range(16, 32), *range(48, 64))


def test_simulator_zeroised_after_any_instruction() -> None:
    bench = Bench("iss")
    bench.load(CURVES[0])
    rng = random.Random(8)
    transport = bench.transport
    assert isinstance(transport, IssTransport)
    for op, operands, flags in random_jobs(CURVES[0], rng):
        bench.submit(Op.KEY_LOAD, (1,))
        words = Request(op, CURVE_ID, 1, int(flags), 6, operands).words()
        transport.simulator.state.entropy = lambda: rng.getrandbits(32)
        status = transport.simulator.submit(words, zeroise_after=rng.randrange(1, 6))[0] & 0xFF
        assert status == Status.ZEROISED
        assert transport.simulator.state.slots == [0] * 16
        assert {transport.simulator.read_register(register) for register in VARIABLE} == {0}
        bench.golden.engine.run(JobRequest(Op.ZEROISE), zeroise=True)
        assert bench.submit(Op.ECDH, CURVES[0].generator, Flag.KEY).status == Status.NO_KEY


@pytest.mark.soak
@pytest.mark.parametrize("digits", [16, 32, 64])
@pytest.mark.parametrize("seed", range(10))
def test_rtl_in_long_disorder(digits: int, seed: int) -> None:
    disorder = disorder_of("rtl", digits, seed=1000 + seed)
    disorder.run(1000)


def test_requests_of_the_fuzzer_are_well_formed_before_they_are_changed() -> None:
    disorder = disorder_of("iss", 32, seed=1)
    for _ in range(50):
        assert decode_request(disorder.good()).op in list(Op)
