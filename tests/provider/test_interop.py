"""All curves that OpenSSL knows, with all digests, between the provider and stock OpenSSL."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.provider.lab import Lab

SOME = 3
"""Digests that the RTL does: SHA-1 and two of SHA-2, of which one is longer than most orders."""
CURVES = 79
"""Those of OpenSSL 3.0, without SM2 and without the two whose order is not prime."""
DIGESTS = 14


def checks(digests: int = DIGESTS) -> int:
    """For each curve: every digest in two ways in both directions; three kinds of shared secrets."""
    return 4 * digests + 3


def _try_all_curves(stub: Lab, interop: Path, form: str) -> None:
    found = stub.run_json(interop, form)
    assert found == {"curves": CURVES, "checks": CURVES * checks(), "failed": 0}
    done = stub.counters()
    # Each device signature is verified by stock OpenSSL, and the other way round.
    assert done.hardware["sign"] == 28 * CURVES and done.hardware["verify"] == 56 * CURVES
    assert done.hardware["derive"] == 3 * CURVES and not any(done.software.values())


def test_all_curves_and_digests_agree_with_stock_openssl(stub: Lab, program: Callable[[str], Path]) -> None:
    _try_all_curves(stub, program("interop"), "named")


@pytest.mark.soak
@pytest.mark.parametrize("form", ["explicit", "unnamed"])
def test_all_curves_agree_in_other_forms(stub: Lab, program: Callable[[str], Path], form: str) -> None:
    _try_all_curves(stub, program("interop"), form)


@pytest.mark.parametrize("form", ["explicit", "unnamed"])
@pytest.mark.parametrize(
    "curve", ["prime256v1", "secp521r1", "brainpoolP384t1", "sect163k1", "sect571r1", "c2tnb359v1"]
)
def test_parameters_in_other_forms_agree_with_stock_openssl(
    stub: Lab, program: Callable[[str], Path], form: str, curve: str
) -> None:
    found = stub.run_json(program("interop"), form, curve, str(SOME))
    assert found == {"curves": 1, "checks": checks(SOME), "failed": 0}
    assert not any(stub.counters().software.values())


@pytest.mark.parametrize("curve", ["prime256v1", "brainpoolP160t1", "secp160r1"])
def test_the_rtl_agrees_with_stock_openssl_for_digests_of_all_lengths(
    hardware: Lab, program: Callable[[str], Path], curve: str
) -> None:
    found = hardware.run_json(program("interop"), "named", curve, str(SOME))
    assert found == {"curves": 1, "checks": checks(SOME), "failed": 0}
    assert hardware.counters().hardware["verify"] == 4 * SOME


def test_the_rtl_does_curves_that_have_no_name(hardware: Lab, program: Callable[[str], Path]) -> None:
    found = hardware.run_json(program("interop"), "unnamed", "secp192k1", str(SOME))
    assert found == {"curves": 1, "checks": checks(SOME), "failed": 0}
    assert hardware.counters().hardware["verify"] == 4 * SOME


@pytest.mark.parametrize("form", ["named", "unnamed"])
def test_the_binary_rtl_agrees_with_stock_openssl(
    binary_hardware: Lab, program: Callable[[str], Path], form: str
) -> None:
    found = binary_hardware.run_json(program("interop"), form, "sect163r2", str(SOME))
    assert found == {"curves": 1, "checks": checks(SOME), "failed": 0}
    assert binary_hardware.counters().hardware["verify"] == 4 * SOME


def test_software_in_place_of_a_device_agrees_with_stock_openssl(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    alone = lab("")
    for curve in ("prime256v1", "sect283k1"):
        for form in ("named", "unnamed"):
            assert alone.run_json(program("interop"), form, curve)["checks"] == checks()
    done = alone.counters()
    assert done.software["sign"] == 4 * 28 and not any(done.hardware.values())
