"""libeccel finds the device that takes a curve, wherever it is in the list of devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.native import NativeHandle
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.driver.library import library

CURVES = ("P-256", "secp256k1", "P-384")


@pytest.mark.parametrize("last", [False, True])
def test_a_job_that_a_device_gives_up_goes_to_another_at_once(tmp_path: Path, last: bool) -> None:
    """The job has been with the device that refuses the curve, and has to wake the one that takes it."""
    b163 = find_curve("B-163")
    prime = FakeDevice(tmp_path / "prime", server=False)
    binary = FakeDevice(tmp_path / "binary", server=False, binary=(True,))
    first, second = (binary, prime) if last else (prime, binary)
    uris = f"{first.uri} {second.uri}"
    with prime, binary, NativeHandle(uris, timeout_ms=3000, library=library()) as handle:
        for name in CURVES:
            assert handle.run(Op.BASE_MUL, find_curve(name), (1,)).result == 0, name
        assert handle.run(Op.BASE_MUL, b163, (1,)).result == 0
