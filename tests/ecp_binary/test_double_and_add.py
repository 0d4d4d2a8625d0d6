"""Programs that multiply by double-and-add are right for every point, and never run with secrets."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from eccelerate.cli import openssl
from eccelerate.configs.config import Config, find_config, load_configs
from eccelerate.configs.images import load_program
from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import curve_points, small_binary_curves
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.measure_config import measure_cycles
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from tests.ecp_binary.bench import MAX_WORDS, order_two
from tests.ecp_compact.bench import Comparison, random_jobs
from tests.sampled import sampled

CONFIGS = [name for name, config in load_configs().items() if config.variable_time]
PROJECTIVE = [name for name in CONFIGS if "affine" not in name]
OPENSSL = {"B-163": "sect163r2", "K-163": "sect163k1"}


def simulated(config: Config, curve: Curve) -> Comparison:
    """The program on a simulator that has the curve's field."""
    words = load_program(config).words
    simulator = DigitSimulator(words, config.digit_bits, max_words=MAX_WORDS, binary=BinaryBuild((curve.p,)))
    bench = Comparison(IssTransport(simulator), MAX_WORDS, config.digit_bits, binary=True)
    bench.load(curve)
    return bench


@cache
def on_rtl(name: str) -> Comparison:
    config = find_config(name)
    return Comparison(RtlTransport(config), config.max_words, config.digit_bits, binary=True)


def test_there_are_six() -> None:
    names = [f"binary-163-{coordinates}" for coordinates in ("affine", "jacobian", "lopez-dahab")]
    assert sorted(CONFIGS) == sorted([*names, *(f"{name}-naf" for name in names)])
    one = find_config("binary-163-d64")
    for config in map(find_config, CONFIGS):
        assert (config.top, config.parameters) == (one.top, one.parameters), "the same engine"


@sampled("name", CONFIGS, now=3)
def test_every_multiple_of_every_point(name: str) -> None:
    """This includes points of small order, whose multiples meet infinity and the point itself on the way."""
    curve = small_binary_curves()[1]
    bench = simulated(find_config(name), curve)
    for base in ((0, 0), *curve_points(curve)):
        for k in range((1 << curve.order_bits) + 1):
            bench.submit(Op.MUL, (k, *base))


@pytest.mark.parametrize("name", CONFIGS)
def test_sums_of_two_multiples(name: str) -> None:
    """The points are multiples of each other, of small order, equal, or opposite."""
    curve = small_binary_curves()[1]
    bench, top = simulated(find_config(name), curve), 1 << curve.order_bits
    negative = point.negate(curve, curve.generator)
    assert negative is not None
    for base in (curve.generator, negative, order_two(curve)):
        for u1 in range(top):
            for u2 in range(u1 % 13, top, 13):
                bench.submit(Op.DOUBLE_MUL, (u1, u2, *base))


@pytest.mark.parametrize("name", PROJECTIVE)
@pytest.mark.parametrize("curve", small_binary_curves()[::2], ids=lambda curve: curve.name)
def test_any_coefficient_and_degree(name: str, curve: Curve) -> None:
    bench, rng = simulated(find_config(name), curve), random.Random(name)
    for base in rng.sample(curve_points(curve), 12):
        for k in (rng.getrandbits(curve.order_bits) for _ in range(4)):
            bench.submit(Op.MUL, (k, *base))


@pytest.mark.parametrize("name", CONFIGS)
def test_jobs_on_the_rtl(name: str) -> None:
    """The jobs are compared with the golden model."""
    bench, curve = on_rtl(name), find_curve("B-163")
    bench.load(curve)
    some = (Op.MUL, Op.DOUBLE_MUL, Op.POINT_ADD, Op.SELF_TEST, Op.ZEROISE)
    assert set(some) < load_program(find_config(name)).jobs
    for op, operands, flags in random_jobs(curve, random.Random(name)):
        if op in some and not flags & Flag.BLIND:
            bench.submit(op, operands, flags)
    for k in (0, 1, curve.n - 1, curve.n):
        bench.submit(Op.BASE_MUL, (k,))
    bench.submit(Op.MUL, ((1 << curve.order_bits) - 1, *order_two(curve)))


@pytest.mark.parametrize("curve_name", OPENSSL)
def test_keys_of_openssl(curve_name: str, tmp_path: Path) -> None:
    """Two public keys, and the secret that OpenSSL agrees between them."""
    curve, keys, publics = find_curve(curve_name), [tmp_path / "a", tmp_path / "b"], []
    for key in keys:
        openssl.make_key(key, OPENSSL[curve_name])
        openssl.public_file(key, key.with_suffix(".pub"))
        publics.append(openssl.public_point(key.with_suffix(".pub"), curve))
    shared = int.from_bytes(openssl.derive(keys[0], keys[1].with_suffix(".pub")), "big")
    scalars = [openssl.private_scalar(key) for key in keys]
    for name in CONFIGS:
        on_rtl(name).load(curve)
        engine = on_rtl(name).engine
        assert [engine.base_mul(k).point for k in scalars] == publics
        assert engine.mul(scalars[0], publics[1]).values[0] == shared


@pytest.mark.parametrize("name", CONFIGS)
def test_no_job_takes_a_secret(name: str) -> None:
    bench, curve = on_rtl(name), find_curve("B-163")
    bench.load(curve)
    private = {
        Op.ECDH: (*curve.generator, 5), Op.ECDSA_SIGN: (5, 6, 7), Op.KEYGEN: (5,), Op.KEY_LOAD: (5,),
    }  # fmt: skip
    for op, operands in private.items():
        assert bench.engine.submit(op, operands).status == Status.BAD_OP
    assert bench.engine.submit(Op.MUL, (5, *curve.generator), Flag.BLIND).status == Status.BAD_OP
    assert find_config(name).caution


@pytest.mark.parametrize("name", ["binary-163-d64", *CONFIGS])
def test_cycles_tell_the_scalar_where_that_is_said(name: str) -> None:
    config, curve = find_config(name), find_curve("B-163")
    engine = open_engine(config)
    engine.load_curve(curve)
    cycles = {engine.base_mul(k).cycles for k in (curve.n >> 1, 1 << 161, 3)}
    assert (len(cycles) > 1) == config.variable_time


@pytest.mark.parametrize(("name", "most"), [("binary-163-jacobian", 67), ("binary-163-lopez-dahab", 77)])
def test_cycles_of_an_addition(name: str, most: int) -> None:
    """An addition takes this number of cycles. A doubling takes 50, including its digit and the loop."""
    on_rtl(name).load(find_curve("K-163"))
    one, two, both = (on_rtl(name).engine.base_mul(k).cycles or 0 for k in (1, 2, 3))
    first, second = (on_rtl(name).engine.base_mul(1 << 80 | k).cycles or 0 for k in (0, 1 << 40))
    assert second - first == most
    assert two - one == 50 - 12 and both > two, "a doubling more, and a leading digit 0 less"


def test_measured_operations() -> None:
    """A doubling and an addition for each bit take as long as the headers of the sources say."""
    cycles = measure_cycles(find_config("binary-163-jacobian"), find_curve("B-163"))
    additions = (cycles["scalar_mul_products"] - 2 - 3 - 161 * 5) / 11
    assert 70 < additions < 92
    assert abs(cycles["scalar_mul_squarings"] - (1 + 1 + 161 * 5 + 3 * additions)) < 12
    assert cycles["scalar_mul_inversions"] == 1
    assert not cycles.keys() & {"ecdsa_sign", "scalar_mul_blinded", "ladder_step"}
    assert cycles["scalar_mul"] < 15_000
    ladder = measure_cycles(find_config("binary-163-d64"), find_curve("B-163"))
    assert 164 * 6 < ladder["scalar_mul_products"] < 164 * 6 + 30
