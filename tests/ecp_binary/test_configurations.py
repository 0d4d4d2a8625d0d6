"""Binary configurations: which curves they accept, and their jobs on the RTL."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.measure_config import measure_cycles
from eccelerate.rtlsim.rtl import RtlTransport
from tests.ecp_compact.bench import Comparison, random_jobs
from tests.sampled import sampled


def test_simulator_of_a_configuration() -> None:
    config = find_config("binary-233-d64")
    engine = open_engine(config, "iss")
    for name in ("B-163", "sect193r2", "K-233"):
        curve = find_curve(name)
        engine.load_curve(curve)
        job = engine.base_mul(7)
        assert job.point == point.base_mul(curve, 7)
        assert job.cycles
    for name, why in (
        ("P-256", "GF"),
        ("B-283", "163, 193, 233"),
        ("c2pnb163v1", "polynomial of degree 163"),
    ):
        with pytest.raises(ValueError, match=why):
            engine.load_curve(find_curve(name))


@pytest.fixture(scope="module")
def rtl() -> Iterator[Comparison]:
    config = find_config("binary-233-d64")
    with RtlTransport(config) as transport:
        yield Comparison(transport, config.max_words, config.digit_bits, binary=True)


@sampled("name", ["B-163", "K-163", "sect193r1", "B-233", "K-233"], now=3)
def test_every_job_on_the_rtl(rtl: Comparison, name: str) -> None:
    curve = find_curve(name)
    rtl.load(curve)
    for op, operands, flags in random_jobs(curve, random.Random(7)):
        rtl.submit(op, operands, flags)


@pytest.mark.parametrize("op", [Op.MUL, Op.BASE_MUL, Op.ECDH, Op.KEYGEN, Op.ECDSA_SIGN])
@pytest.mark.parametrize("flags", [Flag.NONE, Flag.BLIND])
def test_same_cycles_for_every_scalar_on_the_rtl(op: Op, flags: Flag) -> None:
    """Infinity is among the results of the jobs whose scalars may give it."""
    curve, cycles = find_curve("K-163"), set()
    rng, n = random.Random(5), curve.n
    engine = open_engine(find_config("binary-233-d64"))
    engine.load_curve(curve)
    scalars = [1, 2, 3, n - 1, n - 2, 1 << 161, *(rng.randrange(1, n) for _ in range(4))]
    if op in (Op.MUL, Op.BASE_MUL):
        scalars += [0, n, n + 1, curve.order, (1 << curve.order_bits) - 1]
    for k in scalars:
        base = point.base_mul(curve, rng.randrange(1, n)) or curve.generator
        operands = {
            Op.MUL: (k, *base),
            Op.BASE_MUL: (k,),
            Op.ECDH: (*base, k),
            Op.KEYGEN: (k,),
            Op.ECDSA_SIGN: (rng.getrandbits(163), rng.randrange(1, n), k),
        }[op]
        cycles.add(engine.submit(op, operands, flags).check(Status.INFINITY).cycles)
    assert len(cycles) == 1 and None not in cycles


@cache
def cycles_163() -> dict[str, int | float]:
    """Measured cycles of the build for one field."""
    return measure_cycles(find_config("binary-163-d64"), find_curve("B-163"))


def test_measured_cycles() -> None:
    """The bounds for a program at 163 bits, and the step, which nothing may slow down."""
    cycles = cycles_163()
    assert 17.9 <= cycles["ladder_step"] <= 18
    assert cycles["inversion"] <= 140
    assert cycles["scalar_mul"] <= 3530
    assert cycles["ecdh"] <= 3715


@pytest.mark.parametrize(("job", "most"), [("ecdsa_sign", 14_710), ("ecdsa_verify", 17_580)])
def test_measured_cycles_of_signatures(job: str, most: int) -> None:
    """Ladders run in parallel with the inversion modulo n. At 136 MHz these cycles give six times the
    paper's rates of signatures and verifications. The clock that is reached is in results/.
    """
    assert cycles_163()[job] <= most


@pytest.mark.soak
def test_measured_cycles_of_the_full_width() -> None:
    """A step takes six cycles. The two times are from coordinates to coordinates, and from packet to
    response.
    """
    cycles = measure_cycles(find_config("binary-163-fast"), find_curve("B-163"))
    assert cycles["ladder_step"] == 6
    assert cycles["scalar_mul_inner"] <= 1128
    assert cycles["scalar_mul"] <= 1388
