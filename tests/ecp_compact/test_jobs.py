"""The engine answers every operation with every flag as the golden model does, for every curve and digit
size.
"""

import random

import pytest

from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.model.jobs import Flag, Op, Status
from tests.ecp_compact.bench import Bench, random_jobs
from tests.sampled import sampled

CURVES = [curve for curve in load_catalogue().values() if curve.kind != "binary"]
ON_RTL = [
    *((32, name) for name in ("P-192", "P-256", "P-521", "secp160k1", "brainpoolP256t1", "SM2", "wei25519")),
    *((32, name) for name in ("curve25519", "curve448")),
    *((digits, name) for digits in (16, 64) for name in ("P-256", "curve25519")),
]


def every_job_agrees(bench: Bench, curve: Curve, seed: int = 1) -> None:
    bench.load(curve)
    for op, operands, flags in random_jobs(curve, random.Random(f"{curve.name} {seed}")):
        bench.submit(op, operands, flags)


@sampled("curve", CURVES, ids=lambda curve: curve.name, now=12)
def test_on_the_instruction_set_simulator(curve: Curve) -> None:
    every_job_agrees(Bench("iss"), curve)


@pytest.mark.parametrize("digits", [16, 64])
def test_other_digit_sizes_on_the_instruction_set_simulator(digits: int) -> None:
    """P-224 and secp160r1 leave half a digit of 64 bits empty."""
    bench = Bench("iss", digits)
    for name in ("P-224", "secp160r1", "brainpoolP320r1", "P-521", "curve448"):
        every_job_agrees(bench, find_curve(name))


@pytest.mark.parametrize("backend", ["iss", "rtl"])
def test_curves_one_after_another(backend: str) -> None:
    """A curve and its jobs leave nothing that affects the next curve, which is wider, narrower, or of another
    kind.
    """
    bench = Bench(backend)
    for name in ("P-192", "P-192", "secp160k1", "P-224", "curve25519", "P-256"):
        curve = find_curve(name)
        bench.load(curve)
        if curve.kind == "weierstrass":
            for k in (0, 1, curve.n):
                bench.submit(Op.BASE_MUL, (k,))
            bench.submit(Op.POINT_ADD, (0, 0, *curve.generator))
            bench.submit(Op.DOUBLE_MUL, (3, curve.n - 3, *curve.generator))
            bench.submit(Op.ECDSA_SIGN, (5, 1, 0))
            bench.submit(Op.KEYGEN, (0,))
        bench.submit(Op.KEY_LOAD, (0,))
        bench.submit(Op.MOD_INV, (0,))
        bench.submit(Op.SELF_TEST)


@pytest.mark.parametrize("flags", [Flag.BLIND, Flag.CHECK, Flag.BLIND | Flag.CHECK])
def test_the_self_test_draws_for_every_multiplication(flags: Flag) -> None:
    bench = Bench("iss")
    bench.load(find_curve("P-192"))
    assert bench.submit(Op.SELF_TEST, (), flags).status == Status.OK


@sampled(("digits", "name"), ON_RTL, now=7)
def test_on_the_rtl(digits: int, name: str) -> None:
    every_job_agrees(Bench("rtl", digits), find_curve(name))


@pytest.mark.soak
@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
@pytest.mark.parametrize("digits", [16, 32, 64])
def test_every_curve_on_the_rtl(digits: int, curve: Curve) -> None:
    every_job_agrees(Bench("rtl", digits), curve, seed=2)
