"""CURVE_LOAD of the binary engine refuses hostile curves and loads every curve of the catalogue."""

from __future__ import annotations

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve, load_catalogue
from eccelerate.curves.small import small_binary_curves
from eccelerate.model.jobs import Op, Status, curve_load_operands
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport
from tests.ecp_binary.bench import MAX_WORDS, bench_of, simulator
from tests.ecp_compact.bench import Comparison
from tests.hostile import refused_binary_curves

CURVE = find_curve("B-163")
CONFIG = find_config("binary-163-d64")
REFUSED = refused_binary_curves(CURVE)


@pytest.fixture(scope="module", params=["iss", "rtl"])
def bench(request: pytest.FixtureRequest) -> Comparison:
    if request.param == "iss":
        return Comparison(IssTransport(simulator([CURVE])), MAX_WORDS, 64, binary=True)
    return Comparison(RtlTransport(CONFIG), CONFIG.max_words, CONFIG.digit_bits, binary=True)


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_curve_is_refused(bench: Comparison, name: str) -> None:
    bench.load(CURVE)
    assert bench.submit(Op.CURVE_LOAD, REFUSED[name]).status == Status.BAD_MODULUS
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE


def test_every_curve_of_the_catalogue_loads() -> None:
    fit = [curve for curve in load_catalogue().values() if curve.kind == "binary"]
    for curve in (*fit, *small_binary_curves()):
        bench = bench_of(curve)
        assert bench.submit(Op.CURVE_LOAD, curve_load_operands(curve)).ok, curve.name
