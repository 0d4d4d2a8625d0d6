"""The RTL of the binary engine answers every job as the golden model does, in cycles that do not depend on
secrets.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from tests.ecp_binary.bench import order_two
from tests.ecp_compact.bench import Comparison, random_jobs

INFINITY = (0, 0)
ON_RTL = [
    *((f"binary-163-d{digit}", "B-163") for digit in (16, 64)),
    pytest.param("binary-163-d32", "B-163", marks=pytest.mark.soak),
    *(("binary-233-d64", name) for name in ("K-163", "sect193r1", "B-233")),
    *(("binary-163-fast", name) for name in ("B-163", "K-163")),
    *(
        pytest.param("binary-571-d64", name, marks=pytest.mark.soak)
        for name in ("B-283", "K-409", "B-571", "K-571")
    ),
]


def bench_on_rtl(name: str, seed: int = 1) -> Comparison:
    """The engine of a configuration, without a curve."""
    config = find_config(name)
    transport = RtlTransport(config)
    return Comparison(transport, config.max_words, config.digit_bits, binary=True, seed=seed)


@pytest.mark.parametrize(("config", "curve"), ON_RTL)
def test_every_job_agrees(config: str, curve: str) -> None:
    bench = bench_on_rtl(config)
    bench.load(find_curve(curve))
    for op, operands, flags in random_jobs(find_curve(curve), random.Random(curve)):
        bench.submit(op, operands, flags)


def test_points_and_scalars_at_the_edge() -> None:
    """Infinity, the point of order two, and scalars around the orders, on one curve after the other."""
    bench = bench_on_rtl("binary-233-d64")
    for name in ("K-163", "K-233"):
        curve = find_curve(name)
        bench.load(curve)
        top = 1 << curve.order_bits
        for base in (INFINITY, order_two(curve), curve.generator):
            for k in (0, 1, 2, curve.n - 1, curve.n, curve.order, top - 1, top):
                bench.submit(Op.MUL, (k, *base))
                bench.submit(Op.ECDH, (*base, k), Flag.COFACTOR)


@pytest.mark.parametrize("config", ["binary-163-d64", "binary-163-fast"])
def test_cycles_do_not_depend_on_the_scalar(config: str) -> None:
    """They do not depend on the order of its bits, the key, the nonce, or words from the entropy port
    either.
    """
    bench = bench_on_rtl(config)
    curve = find_curve("B-163")
    bench.load(curve)
    assert isinstance(bench.transport, RtlTransport)
    scalars = [1, 2, 3, curve.n - 1, curve.n >> 1, *(bench.rng.randrange(1, curve.n) for _ in range(6))]
    public = point.base_mul(curve, 77)
    assert public is not None
    for job in (Op.MUL, Op.BASE_MUL, Op.ECDH, Op.KEYGEN, Op.ECDSA_SIGN):
        spent = set()
        for k in scalars:
            operands = {
                Op.MUL: (k, *public), Op.ECDH: (*public, k), Op.ECDSA_SIGN: (5, k, curve.n - k),
            }.get(job, (k,))  # fmt: skip
            assert bench.submit(job, operands).status == Status.OK
            spent.add(bench.transport.last_total)
        assert len(spent) == 1, job


@pytest.mark.parametrize(
    ("config", "moments"),
    [
        ("binary-163-d64", (1, 40, 100, 200, 700, 2500, 3100, 3300)),
        ("binary-163-fast", (1, 40, 100, 200, 260, 300, 701, 702, 703, 704, 705, 706, 1200, 1280, 1350)),
    ],
)
def test_a_zeroise_in_any_phase_leaves_no_key(config: str, moments: tuple[int, ...]) -> None:
    """The curve stays, and the next job is right."""
    bench = bench_on_rtl(config)
    curve = find_curve("B-163")
    bench.load(curve)
    assert isinstance(bench.transport, RtlTransport)
    for moment in moments:
        bench.submit(Op.KEY_LOAD, (5,))
        bench.transport.idle(4)
        bench.transport.plan = Plan(zeroise_at=moment)
        job = bench.engine.submit(Op.MUL, (7, *curve.generator))
        assert job.status == Status.ZEROISED
        bench.transport.plan = Plan()
        assert bench.engine.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY
        assert bench.submit(Op.BASE_MUL, (7,)).status == Status.OK


@pytest.mark.parametrize("pattern", [0x5555_5555, 0xFFFF_FFFE, 0x7FFF_FFFF])
def test_stalled_streams(pattern: int) -> None:
    bench = bench_on_rtl("binary-163-d64")
    curve = find_curve("K-163")
    bench.load(curve)
    assert isinstance(bench.transport, RtlTransport)
    bench.transport.plan = Plan(req_stall=pattern, rsp_stall=pattern)
    bench.submit(Op.MUL, (bench.rng.randrange(curve.n), *curve.generator))
    bench.submit(Op.ECDSA_SIGN, (5, 6, 7))
