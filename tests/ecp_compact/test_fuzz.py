"""Compact engines under disorder (disorder.py), and the simulator of their program."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_curves
from eccelerate.driver.packet import Request, decode_request
from eccelerate.model.jobs import Flag, JobRequest, Op, Status
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.verilate import ModelSource
from tests.disorder import Disorder, RecordProperty
from tests.ecp_compact.bench import CURVE_ID, Bench, config_of, random_jobs
from tests.hostile import composite_modulus, point_of_order_three, refused_compact_curves, wrong_order
from tests.verilated import patched

CURVES = [*small_curves()[-3:], find_curve("secp160r1")]
REFUSED = list(refused_compact_curves(find_curve("brainpoolP160r1")).values())
SMALL = small_curves()
ACCEPTED = [composite_modulus(SMALL[0]), wrong_order(SMALL[0]), point_of_order_three(SMALL[1])]


def disorder_of(backend: str, digits: int, seed: int) -> Disorder:
    bench = Bench(backend, digits, seed)
    return Disorder(bench, CURVES, seed, refused=REFUSED, accepted=ACCEPTED, quick=0.5)


@pytest.mark.parametrize("digits", [16, 32, 64])
def test_rtl_in_disorder(digits: int) -> None:
    disorder = disorder_of("rtl", digits, seed=digits)
    disorder.run_packets(600)
    assert disorder.statuses >= {Status.OK, Status.BAD_LENGTH, Status.BAD_CURVE, Status.ZEROISED}


def test_simulator_in_disorder() -> None:
    disorder = disorder_of("iss", 32, seed=5)
    for _ in range(2000):
        disorder.send(disorder.malformed())
        disorder.check_next()
    assert disorder.statuses >= {Status.OK, Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_CURVE, Status.NO_KEY}


# Registers that hold no constants of the curve.
VARIABLE = (11, *range(16, 32), *range(48, 64))


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
@pytest.mark.parametrize("seed", range(4))
def test_rtl_in_long_disorder(digits: int, seed: int, record_property: RecordProperty) -> None:
    """100,000 packets for each digit size."""
    disorder = disorder_of("rtl", digits, seed=1000 + seed)
    disorder.run_packets(25_000)
    record_property("packets", disorder.packets)


MUTANTS = {
    "the response to a drained packet is dropped": (
        "eccel_job_port.sv", "state_q <= malformed_q ? Start : Respond0;",
        "state_q <= malformed_q ? Start : Header0;",
    ),
    "a reset keeps the key": ("eccel_curve_state.sv", "key_q    <= 1'b0;", "key_q    <= key_q;"),
    "a reset keeps the curve": ("eccel_curve_state.sv", "loaded_q <= 1'b0;\n      key_q", "key_q"),
}  # fmt: skip


FIRST, *OTHERS = MUTANTS


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(name, marks=pytest.mark.soak) for name in OTHERS)])
def test_a_mutant_is_noticed(name: str, tmp_path: Path) -> None:
    file, old, new = MUTANTS[name]
    source = ModelSource.of(config_of(32))
    texts = patched({path.name: path.read_text() for path in source.files}, [(file, old, new)])
    (tmp_path / file).write_text(texts[file])
    files = tuple(tmp_path / file if path.name == file else path for path in source.files)
    bench = Bench("rtl", 32, 1, source=replace(source, files=files))
    with pytest.raises(AssertionError, match="seed 1, packet"):
        Disorder(bench, CURVES, 1, quick=0.5).run_packets(3_000)


def test_requests_of_the_fuzzer_are_well_formed_before_they_are_changed() -> None:
    disorder = disorder_of("iss", 32, seed=1)
    for _ in range(50):
        assert decode_request(disorder.good()).op in list(Op)
