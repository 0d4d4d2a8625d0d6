"""Binary engines under disorder: malformed packets, stalled streams, reset and zeroise at any moment of a
job.
"""

from __future__ import annotations

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_binary_curves
from eccelerate.model.jobs import Status
from eccelerate.rtlsim.iss_transport import IssTransport
from tests.ecp_binary.bench import MAX_WORDS, simulator
from tests.ecp_binary.test_engine import bench_on_rtl
from tests.ecp_compact.bench import Comparison
from tests.ecp_compact.disorder import Disorder

CURVES = {
    "binary-163-d64": ("B-163", "K-163"),
    "binary-163-fast": ("B-163", "K-163"),
    "binary-233-d64": ("K-163", "sect193r1", "B-233"),
    "binary-generic-d64": ("sect113r1", "c2pnb163v1"),
}


def disorder_of(config: str, seed: int) -> Disorder:
    """The long job is a scalar multiplication or a signature."""
    curves = [find_curve(name) for name in CURVES[config]]
    return Disorder(bench_on_rtl(config, seed), curves, seed, longest=5_000)


@pytest.mark.parametrize("config", ["binary-163-d64", "binary-163-fast", "binary-233-d64"])
def test_rtl_in_disorder(config: str) -> None:
    disorder = disorder_of(config, seed=3)
    disorder.run(80)
    assert disorder.statuses >= {Status.OK, Status.BAD_LENGTH, Status.BAD_CURVE, Status.ZEROISED}


def test_simulator_in_disorder() -> None:
    curves = small_binary_curves()[2:4]
    bench = Comparison(IssTransport(simulator(curves)), MAX_WORDS, 64, binary=True)
    disorder = Disorder(bench, curves, seed=5)
    for _ in range(500):
        disorder.send(disorder.malformed())
        disorder.check_next()
    assert disorder.statuses >= {Status.OK, Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_CURVE, Status.NO_KEY}


@pytest.mark.soak
@pytest.mark.parametrize("config", CURVES)
@pytest.mark.parametrize("seed", range(10))
def test_rtl_in_long_disorder(config: str, seed: int) -> None:
    disorder_of(config, 1000 + seed).run(1000)
