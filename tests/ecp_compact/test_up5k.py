"""The configuration for the UP5K: the same engine and microcode in smaller memories takes the same cycles."""

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


def test_microcode_is_the_same_and_fits() -> None:
    small, large = load_program(SMALL).words, load_program(LARGE).words
    assert len(small) == SMALL.ucode_depth < len(large) == 2048
    assert small == large[: len(small)]
    assert set(large[len(small) :]) == {large[-1]}  # the end is not in use


@pytest.mark.parametrize("name", ["brainpoolP256r1", "secp160r1", "Curve25519"])
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
            assert (one.values, one.cycles) == (other.values, other.cycles), probe.name


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
