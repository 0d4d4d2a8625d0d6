"""CURVE_LOAD of the turbo engine refuses hostile curves and loads those of the catalogue over its prime."""

from __future__ import annotations

import pytest

from eccelerate.curves import find_curve, load_catalogue
from eccelerate.driver.packet import decode_response
from eccelerate.model.jobs import Op, Status
from eccelerate.model.solinas import FORMS
from tests.ecp_turbo.lockstep import Group
from tests.hostile import refused_prime_curves

REFUSED = refused_prime_curves(find_curve("P-256"))
GENERIC = refused_prime_curves(find_curve("brainpoolP256r1"))


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_curve_is_refused(name: str) -> None:
    group = Group(find_curve("P-256"))
    words = group.iss.submit(group.packet(Op.CURVE_LOAD, REFUSED[name]))
    assert decode_response(words, 8).status == Status.BAD_MODULUS
    words = group.iss.submit(group.packet(Op.BASE_MUL, (1,)))
    assert decode_response(words, 8).status == Status.BAD_CURVE


@pytest.mark.parametrize("name", GENERIC)
def test_a_hostile_curve_over_any_prime_is_refused(name: str) -> None:
    group = Group(find_curve("brainpoolP256r1"), unit=find_curve("P-256").p)
    words = group.iss.submit(group.packet(Op.CURVE_LOAD, GENERIC[name]))
    assert decode_response(words, 8).status == Status.BAD_MODULUS


def test_every_curve_of_the_catalogue_over_these_primes_loads() -> None:
    primes = {find_curve(name).p for name in FORMS}
    for curve in load_catalogue().values():
        if curve.p in primes:
            Group(curve)
