"""What libeccel does when a device misbehaves: an error, no wrong result, and no hang."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.native import NativeError, NativeHandle, Outcome
from eccelerate.driver.packet import Request, Response
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status
from tests.driver.fake_device import STATUS, FakeDevice, Hook, frame, honest
from tests.driver.library import library
from tests.driver.misbehaviour import (
    ABSENT,
    BUSY,
    CANCELLED,
    LINK,
    TIMEOUT,
    cut,
    only,
    open_handle,
    with_words,
)

P256, K1 = find_curve("P-256"), find_curve("secp256k1")


def _with_bit(position: int) -> Hook:
    def hook(device: FakeDevice, request: Request, response: Response) -> bytes:
        data = bytearray(honest(device, request, response))
        data[position % len(data)] ^= 1 << position // len(data) % 8
        return bytes(data)

    return hook


MALFORMED: dict[str, Hook] = {
    "cut in the middle": cut,
    "another tag": with_words(lambda w: [w[0] ^ 1 << 16, *w[1:]]),
    "another operation": with_words(lambda w: [w[0] ^ 1 << 8, *w[1:]]),
    "unknown status": with_words(lambda w: [w[0] | 0x77, *w[1:]]),
    "unknown status without results": with_words(lambda w: [w[0] | 0x77, 0]),
    "reserved bits": with_words(lambda w: [w[0], w[1] | 1 << 16, *w[2:]]),
    "a word less": with_words(lambda w: [w[0], w[1] - 1, *w[2:-1]]),
    "a result less": with_words(lambda w: [w[0], w[1] - 8, *w[2:-8]]),
    "a result more": with_words(lambda w: [w[0], w[1] + 8, *w[2:], *range(8)]),
    "count wrong": with_words(lambda w: [w[0], w[1] + 1, *w[2:]]),
    "result with an error": with_words(lambda w: [w[0] | 0x13, *w[1:]]),
    "header only": with_words(lambda w: w[:1]),
    "empty": with_words(lambda w: []),
    "too long": with_words(lambda w: [w[0], 200, *range(200)]),
    "unknown frame": lambda d, q, r: frame(0x55, []),
    "error frame": lambda d, q, r: frame(0x07, [2]),
    "a status after a reset": lambda d, q, r: frame(STATUS, [0xECC20000, 9 << 16, 2, 0]),
    "noise": lambda d, q, r: bytes(range(256)) * 8,
    "wrong CRC": _with_bit(8 * 76 + 70),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_answer_ends_the_job_and_the_device_comes_back(tmp_path: Path, kind: str) -> None:
    with FakeDevice(tmp_path / "s") as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).values == P256.generator
        device.hook = only(Op.BASE_MUL, MALFORMED[kind])
        found = handle.run(Op.BASE_MUL, P256, (2,))
        assert found.result == LINK and not found.values
        info = handle.devices()[0]
        assert not info.in_service and info.failures == 1 and info.last_error == LINK
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == ABSENT
        device.hook = honest
        _wait_for_service(handle)
        assert device.count(Op.SELF_TEST) == 1, "it comes back after a self-test"
        assert handle.run(Op.BASE_MUL, P256, (2,)).values == point.base_mul(P256, 2)


def _wait_for_service(handle: NativeHandle, device: int = 0, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not handle.devices()[device].in_service:
        assert time.monotonic() < end, "the device does not come back"
        time.sleep(0.01)


def test_no_flipped_bit_gives_a_wrong_result(tmp_path: Path) -> None:
    """A sample of all bits of a response frame: the CRC or a check of the packet notices each."""
    bits = 8 * 4 * 20
    with FakeDevice(tmp_path / "s") as device:
        for position in range(0, bits, 37):
            device.hook = only(Op.BASE_MUL, _with_bit(position))
            with open_handle(device, timeout_ms=300) as handle:
                found = handle.run(Op.BASE_MUL, P256, (2,))
                assert found.result in (LINK, TIMEOUT) and not found.values, position


def test_a_device_that_never_answers_ends_jobs_in_time(tmp_path: Path) -> None:
    silent = only(Op.BASE_MUL, lambda d, q, r: None)
    with FakeDevice(tmp_path / "s", hook=silent) as device, open_handle(device, timeout_ms=300) as handle:
        start = time.monotonic()
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == TIMEOUT
        assert 0.25 < time.monotonic() - start < 2
        assert handle.devices()[0].in_service == 0


def test_a_server_that_never_answers_the_greeting_is_absent(tmp_path: Path) -> None:
    class Mute(FakeDevice):
        def _status(self) -> list[int]:
            time.sleep(5)
            return []

    start = time.monotonic()
    with Mute(tmp_path / "s") as device, pytest.raises(NativeError, match="no answer in time"):
        open_handle(device, connect_ms=200)
    assert time.monotonic() - start < 2


def test_a_lost_answer_does_not_take_a_device_that_answers_others_out(tmp_path: Path) -> None:
    lost = only(Op.POINT_ADD, lambda d, q, r: None)
    with FakeDevice(tmp_path / "s", hook=lost) as device, open_handle(device, timeout_ms=1500) as handle:
        g = P256.generator
        with handle.start(Op.POINT_ADD, P256, (*g, *g)) as job:
            end = time.monotonic() + 2
            while time.monotonic() < end:
                assert handle.run(Op.BASE_MUL, P256, (1,)).values == g
            assert job.wait().result == TIMEOUT
        assert handle.devices()[0].in_service


def test_a_slow_device_serves_all_in_time(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", delay=0.02) as device, open_handle(device, timeout_ms=5000) as handle:
        jobs = [handle.start(Op.BASE_MUL, P256, (k,)) for k in range(1, 40)]
        for k, job in enumerate(jobs, 1):
            assert job.wait().values == point.base_mul(P256, k)
            job.free()


def test_alone_it_gives_the_status_of_the_engine(tmp_path: Path) -> None:
    answer = Response(Status.ENGINE_FAULT, Op.BASE_MUL, 0)
    sick = only(Op.BASE_MUL, with_words(lambda w: [w[0] & 0xFFFF0000 | answer.op << 8 | answer.status, 0]))
    with FakeDevice(tmp_path / "s", hook=sick) as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == Status.ENGINE_FAULT


def test_the_queue_has_a_bound(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", delay=0.05) as device, open_handle(device, max_in_flight=4) as handle:
        jobs = [handle.start(Op.MOD_ADD, P256, (1, k)) for k in range(4)]
        with pytest.raises(NativeError) as error:
            handle.start(Op.MOD_ADD, P256, (1, 1))
        assert error.value.code == BUSY
        assert [job.wait().values for job in jobs] == [(1,), (2,), (3,), (4,)]
        assert handle.run(Op.MOD_ADD, P256, (1, 1)).values == (2,)
        for job in jobs:
            job.free()


def test_closing_ends_jobs_in_flight(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", delay=0.2) as device:
        handle = open_handle(device, timeout_ms=20000)
        found: list[int] = []
        jobs = [handle.start(Op.MOD_ADD, P256, (1, k)) for k in range(5)]
        for k in range(5):
            handle.submit(lambda outcome: found.append(outcome.result), Op.MOD_ADD, P256, (1, k))
        start = time.monotonic()
        handle.close()
        assert time.monotonic() - start < 2
        assert found == [CANCELLED] * 5
        assert {job.wait().result for job in jobs} == {CANCELLED}
        for job in jobs:
            job.free()


def test_a_callback_that_submits_while_the_handle_is_closed_gets_an_error(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", delay=0.2) as device:
        handle = open_handle(device, timeout_ms=20000)
        found: list[int] = []

        def again(outcome: Outcome) -> None:
            found.append(outcome.result)
            try:
                handle.submit(again, Op.MOD_ADD, P256, (1, 1))
            except NativeError as error:
                found.append(error.code)

        handle.submit(again, Op.MOD_ADD, P256, (1, 1))
        time.sleep(0.05)
        handle.close()
        assert found == [CANCELLED, CANCELLED]


def test_a_job_that_is_given_up_is_not_sent(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", server=False, delay=0.05) as device, open_handle(device) as handle:
        first = handle.start(Op.MOD_ADD, P256, (1, 1))  # waits for CURVE_LOAD
        second = handle.start(Op.MOD_SUB, P256, (1, 1))
        second.free()
        assert first.wait().values == (2,)
        assert handle.run(Op.MOD_ADD, P256, (1, 1)).result == 0
        assert device.count(Op.MOD_SUB) == 0
        first.free()


def test_every_address_of_a_name_is_tried(tmp_path: Path) -> None:
    """localhost is ::1 as well as 127.0.0.1, and the server has one of them."""
    with FakeDevice(tmp_path / "s") as device, socket.create_server(("127.0.0.1", 0)) as tcp:

        def relay() -> None:
            link, _ = tcp.accept()
            other = socket.socket(socket.AF_UNIX)
            other.connect(str(device.path))
            for one, two in ((link, other), (other, link)):
                threading.Thread(target=_copy, args=(one, two), daemon=True).start()

        threading.Thread(target=relay, daemon=True).start()
        uri = f"tcp:localhost:{tcp.getsockname()[1]}"
        with NativeHandle(uri, library=library()) as handle:
            assert handle.run(Op.BASE_MUL, P256, (1,)).values == P256.generator


def _copy(source: socket.socket, to: socket.socket) -> None:
    while data := source.recv(4096):
        to.sendall(data)
