"""The clock cycles for a 256-bit prime stay within the bounds in the documentation, whatever the scalars
are.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.timing.compact_cycles import FieldTiming
from tests.ecp_compact.bench import config_of

MUL = {16: 1_000_000, 32: 320_000, 64: 155_000}
INVERSION = {16: 110_000, 32: 36_000, 64: 18_000}
FIELD_MUL = {16: 310, 32: 95, 64: 47}
VERIFY_PER_MUL = 1.15  # mean


@pytest.mark.parametrize("digits", [16, 32, 64])
def test_cycles_of_p256(digits: int) -> None:
    curve, rng = find_curve("P-256"), random.Random(digits)
    engine = Engine(IssTransport.of(config_of(digits)))
    engine.load_curve(curve)

    def cycles(op: Op, *operands: int) -> int:
        job = engine.submit(op, operands).check()
        assert job.cycles is not None
        return job.cycles

    assert FieldTiming(digits, 8).latency("mul") <= FIELD_MUL[digits]
    assert cycles(Op.MOD_INV, rng.randrange(1, curve.p)) <= INVERSION[digits]
    mul = cycles(Op.MUL, rng.randrange(curve.n), *curve.generator)
    assert mul <= MUL[digits]
    verify = []
    for _ in range(24):
        d, k, e = (rng.randrange(1, curve.n) for _ in range(3))
        public, signature = point.base_mul(curve, d), ecdsa.sign(curve, d, e, k)
        assert public and signature
        verify.append(cycles(Op.ECDSA_VERIFY, e, *signature, *public))
    assert sum(verify) / len(verify) <= VERIFY_PER_MUL * mul
