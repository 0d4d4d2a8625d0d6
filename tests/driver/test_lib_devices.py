"""Several devices behind one handle of libeccel, and the keys in their slots."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Response
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from tests.driver.fake_device import RESPONSE, FakeDevice, frame
from tests.driver.misbehaviour import (
    ABSENT,
    LINK,
    UNSUPPORTED,
    cut,
    only,
    open_handle,
)

P256, K1 = find_curve("P-256"), find_curve("secp256k1")


@pytest.mark.parametrize("status", [Status.ENGINE_FAULT, Status.ENTROPY_FAILED, Status.TIMEOUT])
def test_a_sick_engine_is_taken_out_and_its_job_is_done_elsewhere(tmp_path: Path, status: Status) -> None:
    sick = only(Op.BASE_MUL, lambda d, q, r: frame(RESPONSE, Response(status, q.op, q.tag).words(q.width)))
    with (
        FakeDevice(tmp_path / "a", hook=sick) as first,
        FakeDevice(tmp_path / "b", delay=0.01) as second,
        open_handle(first, second) as handle,
    ):
        for k in range(1, 20):
            assert handle.run(Op.BASE_MUL, P256, (k,)).values == point.base_mul(P256, k)
        assert handle.devices()[0].failures >= 1 and handle.devices()[1].failures == 0
        assert first.count(Op.BASE_MUL) >= 1 and second.count(Op.BASE_MUL) == 19


def test_a_job_moves_once_only(tmp_path: Path) -> None:
    """Three devices that cut the connection: the job ends after two of them."""
    hook = only(Op.BASE_MUL, cut)
    devices = [FakeDevice(tmp_path / name, hook=hook) for name in "abc"]
    with contextlib.ExitStack() as stack:
        for device in devices:
            stack.enter_context(device)
        handle = stack.enter_context(open_handle(*devices))
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == LINK
        assert sorted(device.count(Op.BASE_MUL) for device in devices) == [0, 1, 1]


def test_one_of_two_devices_dies_under_load(tmp_path: Path) -> None:
    with (
        FakeDevice(tmp_path / "a", delay=0.001) as first,
        FakeDevice(tmp_path / "b", delay=0.001) as second,
        open_handle(first, second, timeout_ms=20000) as handle,
    ):
        jobs = [handle.start(Op.BASE_MUL, P256, (k,)) for k in range(1, 120)]
        time.sleep(0.1)
        first.stop()
        for k, job in enumerate(jobs, 1):
            assert job.wait().values == point.base_mul(P256, k), k
            job.free()
        infos = handle.devices()
        assert not infos[0].in_service and infos[1].in_service
        assert infos[0].jobs > 0 and infos[1].jobs > 0


def test_a_server_that_restarts_while_idle_is_found_again(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s") as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0
        time.sleep(0.2)
        device.drop()
        assert handle.run(Op.BASE_MUL, P256, (2,)).values == point.base_mul(P256, 2)


@pytest.mark.parametrize("server", [True, False], ids=["servers", "engines"])
def test_jobs_with_a_key_stay_with_its_device(tmp_path: Path, server: bool) -> None:
    q = point.base_mul(P256, 5)
    assert q
    with (
        FakeDevice(tmp_path / "a", server=server) as first,
        FakeDevice(tmp_path / "b", server=server) as second,
        open_handle(first, second) as handle,
    ):
        assert handle.run(Op.KEYGEN, P256, (7,)).values == point.base_mul(P256, 7)
        for _ in range(6):
            handle.run(Op.BASE_MUL, P256, (3,))
            found = handle.run(Op.ECDH, P256, q, Flag.KEY)
            assert found.values == (point.base_mul(P256, 35) or (0,))[:1]
        keyed = [first.count(Op.ECDH), second.count(Op.ECDH)]
        assert sorted(keyed) == [0, 6]
        holder = first if keyed[0] else second
        holder.hook = only(Op.ECDH, cut)
        assert handle.run(Op.ECDH, P256, q, Flag.KEY).result == LINK, "it is not sent to the other device"
        without = ABSENT if server else Status.NO_KEY  # the key of an engine is gone with the connection
        assert handle.run(Op.ECDH, P256, q, Flag.KEY).result == without
        assert handle.run(Op.BASE_MUL, P256, (3,)).result == 0, "other jobs go on"


def test_a_key_is_not_set_twice(tmp_path: Path) -> None:
    with (
        FakeDevice(tmp_path / "a", hook=only(Op.KEYGEN, cut)) as first,
        FakeDevice(tmp_path / "b") as second,
        open_handle(first, second) as handle,
    ):
        assert handle.run(Op.KEYGEN, P256, (7,)).result == LINK
        assert (first.count(Op.KEYGEN), second.count(Op.KEYGEN)) == (1, 0)


def test_a_key_that_this_handle_did_not_set_is_found(tmp_path: Path) -> None:
    q = point.base_mul(P256, 5)
    assert q

    class Keyed(FakeDevice):
        def _response(self, request, engines):
            if request.op == Op.ECDH and request.flags & Flag.KEY:
                return Response(Status.OK, request.op, request.tag, (99,))
            return super()._response(request, engines)

    with FakeDevice(tmp_path / "a") as first, Keyed(tmp_path / "b") as second:
        with open_handle(first, second) as handle:
            assert handle.run(Op.ECDH, P256, q, Flag.KEY).values == (99,)
        with open_handle(first) as handle:
            assert handle.run(Op.ECDH, P256, q, Flag.KEY).result == Status.NO_KEY


def test_an_engine_keeps_the_curve_of_its_key(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        assert handle.run(Op.KEY_LOAD, P256, (7,)).result == 0
        assert handle.run(Op.BASE_MUL, K1, (1,)).result == UNSUPPORTED
        assert handle.run(Op.KEY_LOAD, K1, (7,)).result == Status.KEY_REFUSED
        assert handle.run(Op.KEY_LOAD, P256, (8,)).result == 0, "another key of the same curve"
        assert (
            handle.run(Op.ECDH, P256, P256.generator, Flag.KEY).values
            == (point.base_mul(P256, 8) or (0,))[:1]
        )
        assert handle.run(Op.ZEROISE, None).result == 0
        assert handle.run(Op.BASE_MUL, K1, (1,)).values == K1.generator


def test_a_pool_keeps_the_curve_of_its_key_while_others_change(tmp_path: Path) -> None:
    device = FakeDevice(tmp_path / "s", server=False, cluster=True, binary=(False, False))
    with device, open_handle(device) as handle:
        assert handle.run(Op.KEY_LOAD, P256, (7,)).result == 0
        for curve in (K1, find_curve("P-192"), K1, find_curve("P-224"), P256):
            assert handle.run(Op.BASE_MUL, curve, (1,)).values == curve.generator
        found = handle.run(Op.ECDH, P256, P256.generator, Flag.KEY)
        assert found.values == (point.base_mul(P256, 7) or (0,))[:1]
