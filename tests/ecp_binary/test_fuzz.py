"""Binary engines under disorder: malformed packets, stalled streams, reset and zeroise at any moment of a
job.
"""

from __future__ import annotations

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_binary_curves
from eccelerate.model.jobs import Status
from eccelerate.rtlsim.iss_transport import IssTransport
from tests.disorder import Disorder, RecordProperty
from tests.ecp_binary.bench import MAX_WORDS, simulator
from tests.ecp_binary.test_engine import bench_on_rtl
from tests.ecp_compact.bench import Comparison
from tests.hostile import refused_binary_curves, wrong_order

CURVES = {
    "binary-163-d64": ("B-163", "K-163"),
    "binary-163-fast": ("B-163", "K-163"),
    "binary-233-d64": ("K-163", "sect193r1", "B-233"),
    "binary-generic-d64": ("sect113r1", "c2pnb163v1"),
}


def disorder_of(config: str, seed: int) -> Disorder:
    """The long job is a scalar multiplication or a signature."""
    curves = [find_curve(name) for name in CURVES[config]]
    refused = list(refused_binary_curves(curves[0]).values())
    return Disorder(
        bench_on_rtl(config, seed), curves, seed, 5_000, refused=refused, accepted=[wrong_order(curves[0])],
        resets=0.05,
    )  # fmt: skip


@pytest.mark.parametrize("config", ["binary-163-d64", "binary-163-fast", "binary-233-d64"])
def test_rtl_in_disorder(config: str) -> None:
    disorder = disorder_of(config, seed=3)
    disorder.run_packets(240)
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
def test_rtl_in_long_disorder(config: str, record_property: RecordProperty) -> None:
    """100,000 packets in all."""
    disorder = disorder_of(config, 1000)
    disorder.run_packets(25_000)
    record_property("packets", disorder.packets)
