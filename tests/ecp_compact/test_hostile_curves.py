"""CURVE_LOAD of the compact engine refuses hostile curves and loads every curve of the catalogue."""

from __future__ import annotations

import pytest

from eccelerate.curves import find_curve, load_catalogue
from eccelerate.curves.small import small_cofactor_curves, small_curves
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Op, Status, curve_load_operands
from tests.ecp_compact.bench import CURVE_ID, Bench
from tests.hostile import accepted_prime_curves, refused_compact_curves

CURVE = find_curve("brainpoolP160r1")
REFUSED = refused_compact_curves(CURVE)


@pytest.fixture(scope="module", params=["iss", "rtl"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_curve_is_refused(bench: Bench, name: str) -> None:
    bench.load(CURVE)
    assert bench.submit(Op.CURVE_LOAD, REFUSED[name]).status == Status.BAD_MODULUS
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE


def test_every_curve_of_the_catalogue_loads() -> None:
    bench = Bench("iss")
    fit = [curve for curve in load_catalogue().values() if curve.kind != "binary"]
    for curve in (*fit, *small_curves(), *small_cofactor_curves()):
        bench.curve = curve
        assert bench.submit(Op.CURVE_LOAD, curve_load_operands(curve)).ok, curve.name


def test_the_worst_curves_that_are_accepted_load_and_verify_in_bounded_time(bench: Bench) -> None:
    """n is at least p / 512, so that ECDSA_VERIFY tries few sums r + j n."""
    for curve in accepted_prime_curves(CURVE):
        bench.curve = curve
        width = curve.element_words
        load = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, curve_load_operands(curve)).words()
        assert bench.transport.exchange(load).words[0] & 0xFF == Status.OK, curve.name
        verify = Request(Op.ECDSA_VERIFY, CURVE_ID, 1, 0, width, (1, 1, 1, *curve.generator)).words()
        reply = bench.transport.exchange(verify)
        assert reply.words[0] & 0xFF in (Status.OK, Status.BAD_SIGNATURE)
        assert reply.cycles is not None and reply.cycles < 400_000, (curve.name, reply.cycles)
        print(curve.name, reply.cycles)
