"""The self-test of libeccel finds devices that answer but compute wrongly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.model.jobs import Op, Status
from tests.driver.fake_device import FakeDevice, Hook, honest
from tests.driver.misbehaviour import (
    UNSUPPORTED,
    only,
    open_handle,
    with_words,
)

P256, K1 = find_curve("P-256"), find_curve("secp256k1")


@pytest.fixture
def liars(tmp_path: Path) -> Iterator[dict[str, FakeDevice]]:
    """Devices whose verification always says the same."""
    always: dict[str, Hook] = {
        "yes": only(Op.ECDSA_VERIFY, with_words(lambda w: [w[0] & 0xFFFFFF00, 0])),
        "no": only(Op.ECDSA_VERIFY, with_words(lambda w: [w[0] & 0xFFFFFF00 | Status.BAD_SIGNATURE, 0])),
        "ecdh": only(Op.ECDH, with_words(lambda w: [*w[:-1], w[-1] ^ 1])),
        "none": honest,
    }
    devices = {name: FakeDevice(tmp_path / name, hook=hook) for name, hook in always.items()}
    yield devices
    for device in devices.values():
        device.stop()


@pytest.mark.parametrize("curve", [None, find_curve("P-256"), find_curve("brainpoolP256r1")])
@pytest.mark.parametrize("lie", ["yes", "no", "ecdh"])
def test_a_device_that_lies_does_not_pass_the_self_test(liars, lie: str, curve) -> None:
    with open_handle(liars[lie], liars["none"]) as handle:
        assert handle.self_test(curve) == Status.SELF_TEST_FAILED
        time.sleep(0.3)  # longer than retry_ms
        infos = handle.devices()
        assert [info.in_service for info in infos] == [0, 1], "it stays out"
        assert handle.self_test(curve) == 0
        assert handle.run(Op.BASE_MUL, P256, (1,)).device == 1


def test_the_self_test_passes_on_every_curve_that_the_devices_take(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "a", server=False) as device, open_handle(device) as handle:
        for name in ("P-256", "curve448", "SM2"):
            assert handle.self_test(find_curve(name)) == 0
        assert handle.self_test(find_curve("B-163")) == UNSUPPORTED
    with FakeDevice(tmp_path / "b", server=False, binary=(True,)) as device, open_handle(device) as handle:
        assert handle.self_test() == 0
        assert handle.self_test(find_curve("K-163")) == 0
