"""The full-width build for GF(2^571). Its cycles are always tested on the simulator. The RTL is tested in
soak runs only, because building its model takes 80 seconds of one core.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from eccelerate.configs.config import find_config
from eccelerate.configs.images import load_program
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.rtl import Entropy, Plan, RtlTransport
from eccelerate.rtlsim.trace import inner_cycles, streamed_step
from eccelerate.vectors import Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.sample import curve_of
from tests.ecp_compact.bench import Comparison, random_jobs

CONFIG = find_config("binary-571-fast")
CURVES = ("B-571", "K-571")
CYCLES = 3973
"""Cycles of a scalar multiplication on the RTL, from packet to response."""


@pytest.fixture(scope="module")
def bench() -> Iterator[Comparison]:
    with RtlTransport(CONFIG, events=True) as transport:
        transport.record_events(False)
        yield Comparison(transport, CONFIG.max_words, CONFIG.digit_bits, binary=True)


def test_simulated_cycles_of_a_scalar_multiplication() -> None:
    """The simulator counts the cycles of the RTL test below. test_cycles.py compares all jobs of a narrower
    build.
    """
    curve, simulator = find_curve("B-571"), open_engine(CONFIG, "iss")
    simulator.load_curve(curve)
    d = curve.n // 3
    job = simulator.mul(d, curve.generator)
    assert (job.point, job.cycles) == (point.base_mul(curve, d), CYCLES)


@pytest.mark.soak
def test_a_key_its_secret_and_its_cycles(bench: Comparison) -> None:
    """A step takes six cycles. The two times are from coordinates to coordinates, and from packet to
    response.
    """
    curve, transport = find_curve("B-571"), bench.transport
    assert isinstance(transport, RtlTransport)
    bench.load(curve)
    d = bench.rng.randrange(1, curve.n)
    public = bench.submit(Op.KEYGEN, (d,)).values
    bench.submit(Op.ECDH, public, Flag.KEY)
    bench.submit(Op.MUL, (d, *public), Flag.BLIND)
    transport.record_events(True)
    transport.entropy(Entropy.SEED, 1)
    job = bench.engine.mul(d, public)
    assert job.point == point.mul(curve, d, public)
    trace = transport.take_events()
    transport.record_events(False)
    labels = load_program(CONFIG).labels
    assert streamed_step(trace, labels["ladder_step"], curve.order_bits, labels["ladder_wait"]) == 6
    assert inner_cycles(trace, labels["ladder_start"], labels["ladder_result"]) <= 3635
    assert job.cycles == CYCLES


@pytest.mark.soak
@pytest.mark.parametrize("name", CURVES)
def test_every_job(bench: Comparison, name: str) -> None:
    curve = find_curve(name)
    bench.load(curve)
    for op, operands, flags in random_jobs(curve, random.Random(name)):
        bench.submit(op, operands, flags)


@pytest.mark.soak
@pytest.mark.parametrize("flags", [Flag.NONE, Flag.BLIND])
def test_same_cycles_for_every_scalar(bench: Comparison, flags: Flag) -> None:
    curve, spent = find_curve("K-571"), set()
    public, top = point.base_mul(curve, 77), 1 << curve.order_bits
    assert isinstance(bench.transport, RtlTransport) and public is not None
    bench.load(curve)
    for k in (0, 1, 2, curve.n - 1, curve.n, curve.order, top - 1, bench.rng.randrange(curve.n)):
        bench.submit(Op.MUL, (k, *public), flags)
        spent.add(bench.transport.last_total)
    assert len(spent) == 1


@pytest.mark.soak
def test_a_zeroise_in_any_phase_leaves_no_key(bench: Comparison) -> None:
    curve = find_curve("B-571")
    bench.load(curve)
    assert isinstance(bench.transport, RtlTransport)
    for moment in (1, 40, 200, 300, 700, *range(1200, 1206), 3700, 3900):
        bench.submit(Op.KEY_LOAD, (5,))
        bench.transport.plan = Plan(zeroise_at=moment)
        assert bench.engine.submit(Op.MUL, (7, *curve.generator)).status == Status.ZEROISED
        bench.transport.plan = Plan()
        assert bench.engine.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY
        assert bench.submit(Op.BASE_MUL, (7,)).status == Status.OK


@pytest.mark.soak
@pytest.mark.parametrize("name", CURVES)
def test_published_vectors(bench: Comparison, name: str) -> None:
    """A case with every label of the NIST files."""
    assert isinstance(bench.transport, RtlTransport)
    bench.transport.entropy(Entropy.SEED, 1)
    found = [case for path in packaged_files("nist") for case in load_cases(path)]
    cases = sample_cases([case for case in found if not case.skip and curve_of(case) == name], 1)
    report = Report(name).extend(run_cases(bench.engine, cases))
    assert report.ok, report.total.failures
    assert report.total.on_engine > len(cases) // 3
