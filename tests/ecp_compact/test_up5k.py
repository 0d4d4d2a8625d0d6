"""The configuration for the UP5K: smaller memories, and a program without Montgomery curves."""

import pytest

from eccelerate.configs.config import find_config
from eccelerate.configs.images import load_program
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.model import ecdsa
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.probes import probes
from eccelerate.rtlsim.rtl import RtlTransport

SMALL, LARGE = find_config("compact-w16-up5k"), find_config("compact-w16")
P256 = find_curve("P-256")


def engine(name: str) -> Engine:
    return Engine(RtlTransport(find_config(name)))


READ_BACK = 240
"""Cycles at most for reading results back, which the small program does not do."""
CHECK_KEY = 1000
"""Cycles at most for comparing the key after a signature, which the small program does not do either."""


def test_microcode_fits_and_has_all_jobs_but_one() -> None:
    small, large = load_program(SMALL), load_program(LARGE)
    assert len(small.words) == SMALL.ucode_depth < len(large.words) == 2048
    assert large.jobs - small.jobs == {Op.X_LADDER} and small.jobs < large.jobs


def test_montgomery_curves_have_no_job_on_points() -> None:
    small = engine(SMALL.name)
    small.load_curve(find_curve("Curve25519"))
    assert small.submit(Op.X_LADDER, (1 << 254, 9)).status == Status.BAD_OP
    assert small.submit(Op.SELF_TEST, ()).status == Status.BAD_CURVE
    assert small.submit(Op.MOD_MUL, (3, 4)).values == (12,)


@pytest.mark.parametrize("name", ["secp160r1", pytest.param("brainpoolP256r1", marks=pytest.mark.soak)])
def test_jobs_give_the_same_results_in_the_same_cycles(name: str) -> None:
    """Jobs run twice, with another curve in between: registers and slots of one job must not overlap those of
    another.
    """
    curve = find_curve(name)
    small, large = engine(SMALL.name), engine(LARGE.name)
    for each in (curve, P256, curve):
        loads = [e.load_curve(each) for e in (small, large)]
        assert loads[0].cycles == loads[1].cycles
        for probe in probes(each):
            one, other = (e.submit(probe.op, probe.operands, probe.flags) for e in (small, large))
            assert one.status == Status.OK, probe.name
            assert one.values == other.values, probe.name
            assert one.cycles is not None and other.cycles is not None
            more = READ_BACK + CHECK_KEY if probe.op == Op.ECDSA_SIGN else READ_BACK
            assert 0 <= other.cycles - one.cycles <= more, probe.name


def test_signature_is_that_of_the_golden_model() -> None:
    small = engine(SMALL.name)
    small.load_curve(P256)
    d, k, e = P256.n - 5, 0x1234567 << 200, (1 << 256) - 1
    assert small.ecdsa_sign(e, d, k).values == ecdsa.sign(P256, d, e, k)
    small.key_load(d, host_nonce=True)
    assert small.ecdsa_sign(e, k=k).values == ecdsa.sign(P256, d, e, k)


def test_a_wider_curve_is_refused() -> None:
    small = engine(SMALL.name)
    small.load_curve(P256)
    for width in (9, 12, 17):
        reply = small.transport.exchange([int(Op.CURVE_LOAD), 8 * width | width << 24, *[1] * 8 * width])
        assert reply.words[0] & 0xFF == Status.BAD_LENGTH
    assert small.base_mul(1).point == P256.generator
