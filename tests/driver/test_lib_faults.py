"""What libeccel does when devices misbehave: an error or another device, no wrong result, and no hang."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver.native import NativeError, NativeHandle, Outcome
from eccelerate.driver.packet import Request, Response
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from tests.driver.fake_device import RESPONSE, STATUS, CloseLink, FakeDevice, Hook, frame, honest
from tests.driver.library import library

P256, K1 = find_curve("P-256"), find_curve("secp256k1")
LINK, TIMEOUT, ABSENT, UNSUPPORTED = -7, -6, -3, -4
BUSY, CANCELLED = -5, -8


def open_handle(*devices: FakeDevice, timeout_ms: int = 1500, **options: int) -> NativeHandle:
    """A handle on devices, which are tried again soon after they have failed."""
    uris = " ".join(device.uri for device in devices)
    return NativeHandle(uris, timeout_ms=timeout_ms, library=library(), retry_ms=100, **options)


def only(op: int, change: Hook) -> Hook:
    """A hook that changes the answers to one operation."""

    def hook(device: FakeDevice, request: Request, response: Response) -> bytes | None:
        return (change if request.op == op else honest)(device, request, response)

    return hook


def _with_bit(position: int) -> Hook:
    def hook(device: FakeDevice, request: Request, response: Response) -> bytes:
        data = bytearray(honest(device, request, response))
        data[position % len(data)] ^= 1 << position // len(data) % 8
        return bytes(data)

    return hook


def _words(change) -> Hook:
    """Changes the words of the response; the frame around it is correct."""

    def hook(device: FakeDevice, request: Request, response: Response) -> bytes:
        return frame(RESPONSE, change(response.words(request.width)))

    return hook


def _close(device: FakeDevice, request: Request, response: Response) -> bytes:
    raise CloseLink(honest(device, request, response)[:11])


MALFORMED: dict[str, Hook] = {
    "cut in the middle": _close,
    "another tag": _words(lambda w: [w[0] ^ 1 << 16, *w[1:]]),
    "another operation": _words(lambda w: [w[0] ^ 1 << 8, *w[1:]]),
    "unknown status": _words(lambda w: [w[0] | 0x77, *w[1:]]),
    "reserved bits": _words(lambda w: [w[0], w[1] | 1 << 16, *w[2:]]),
    "a word less": _words(lambda w: [w[0], w[1] - 1, *w[2:-1]]),
    "a result less": _words(lambda w: [w[0], w[1] - 8, *w[2:-8]]),
    "a result more": _words(lambda w: [w[0], w[1] + 8, *w[2:], *range(8)]),
    "count wrong": _words(lambda w: [w[0], w[1] + 1, *w[2:]]),
    "result with an error": _words(lambda w: [w[0] | 0x13, *w[1:]]),
    "header only": _words(lambda w: w[:1]),
    "empty": _words(lambda w: []),
    "too long": _words(lambda w: [w[0], 200, *range(200)]),
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
    with FakeDevice(tmp_path / "s", hook=lost) as device, open_handle(device, timeout_ms=400) as handle:
        g = P256.generator
        with handle.start(Op.POINT_ADD, P256, (*g, *g)) as job:
            end = time.monotonic() + 0.6
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


def test_alone_it_gives_the_status_of_the_engine(tmp_path: Path) -> None:
    answer = Response(Status.ENGINE_FAULT, Op.BASE_MUL, 0)
    sick = only(Op.BASE_MUL, _words(lambda w: [w[0] & 0xFFFF0000 | answer.op << 8 | answer.status, 0]))
    with FakeDevice(tmp_path / "s", hook=sick) as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == Status.ENGINE_FAULT


def test_a_job_moves_once_only(tmp_path: Path) -> None:
    """Two devices that cut the connection: the job ends, it does not go round for ever."""
    cut = only(Op.BASE_MUL, _close)
    with (
        FakeDevice(tmp_path / "a", hook=cut) as first,
        FakeDevice(tmp_path / "b", hook=cut) as second,
        open_handle(first, second) as handle,
    ):
        assert handle.run(Op.BASE_MUL, P256, (2,)).result == LINK
        assert first.count(Op.BASE_MUL) == second.count(Op.BASE_MUL) == 1


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


def test_jobs_with_a_key_stay_with_its_device(tmp_path: Path) -> None:
    q = point.base_mul(P256, 5)
    assert q
    with (
        FakeDevice(tmp_path / "a") as first,
        FakeDevice(tmp_path / "b") as second,
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
        holder.hook = only(Op.ECDH, _close)
        assert handle.run(Op.ECDH, P256, q, Flag.KEY).result == LINK, "it is not sent to the other device"
        assert handle.run(Op.ECDH, P256, q, Flag.KEY).result == ABSENT
        assert handle.run(Op.BASE_MUL, P256, (3,)).result == 0, "other jobs go on"


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


@pytest.mark.parametrize("other", [None, find_curve("P-384")], ids=["lost", "another curve"])
def test_a_curve_that_was_lost_is_loaded_again(tmp_path: Path, other: Curve | None) -> None:
    """Another master has reset the engine, or has loaded a curve with longer elements."""

    class Forgetful(FakeDevice):
        lost = 0

        def _response(self, request, engines):
            if request.op == Op.BASE_MUL and request.operands == (2,) and self.lost < 2:
                self.lost += 1
                for engine in engines.values():
                    engine.load(other, 200) if other else engine.reset()
            return super()._response(request, engines)

    with Forgetful(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        for k in (1, 2, 3):
            assert handle.run(Op.BASE_MUL, P256, (k,)).values == point.base_mul(P256, k)
        assert device.lost == 2 and device.count(Op.CURVE_LOAD) == 3
        ids = [curve_id for op, curve_id in device.jobs if op == Op.CURVE_LOAD]
        assert len(set(ids)) == 3, "each load has an id of its own"


def test_a_curve_that_is_always_lost_ends_the_job(tmp_path: Path) -> None:
    class Hostile(FakeDevice):
        def _response(self, request, engines):
            for engine in engines.values() if request.op == Op.BASE_MUL else ():
                engine.reset()
            return super()._response(request, engines)

    with Hostile(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == Status.BAD_CURVE
        assert device.count(Op.BASE_MUL) == 9


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


def test_curves_take_turns_within_bounds(tmp_path: Path) -> None:
    """Many jobs of one curve do not keep a single job of another curve waiting, and are not split up much."""
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device, timeout_ms=60000) as handle:
        order: list[str] = []
        done = threading.Semaphore(0)

        def note(name: str):
            def called(outcome: Outcome) -> None:
                assert outcome.result == 0
                order.append(name)
                done.release()

            return called

        for _ in range(300):
            handle.submit(note("many"), Op.MOD_ADD, P256, (1, 2))
        handle.submit(note("one"), Op.MOD_ADD, K1, (1, 2))
        for _ in range(301):
            assert done.acquire(timeout=30)
        assert order.index("one") < 250
        assert device.count(Op.CURVE_LOAD) <= 5


def test_pools_have_curves_of_their_own(tmp_path: Path) -> None:
    b163 = find_curve("B-163")
    device = FakeDevice(tmp_path / "s", server=False, cluster=True, binary=(False, True))
    with device, open_handle(device) as handle:
        for _ in range(5):
            assert handle.run(Op.BASE_MUL, P256, (1,)).values == P256.generator
            assert handle.run(Op.BASE_MUL, b163, (1,)).values == b163.generator
        loads = [curve_id for op, curve_id in device.jobs if op == Op.CURVE_LOAD]
        assert len([each for each in loads if each >> 6 == 1]) in (1, 2) and len(loads) <= 3
        assert handle.run(Op.BASE_MUL, find_curve("P-521"), (1,)).result == 0


def test_a_curve_that_no_device_takes_is_unsupported(tmp_path: Path) -> None:
    b163 = find_curve("B-163")
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        for _ in range(3):
            assert handle.run(Op.BASE_MUL, b163, (1,)).result == UNSUPPORTED
        assert device.count(Op.CURVE_LOAD) == 1, "it is remembered"
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0


def test_more_curves_than_the_library_remembers(tmp_path: Path) -> None:
    """Each has its turn on an engine that holds one curve; the oldest are forgotten."""
    g = P256.generator
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device, timeout_ms=60000) as handle:
        for number in range(150):
            n = P256.n + 2 * number
            curve = Curve(f"own {number}", "weierstrass", P256.p, P256.a, P256.b, *g, n, 1)
            assert handle.run(Op.BASE_MUL, curve, (1,)).result in (Status.OK, Status.BAD_MODULUS)
        assert handle.run(Op.BASE_MUL, P256, (1,)).values == g
        assert device.count(Op.CURVE_LOAD) == 151


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


@pytest.fixture
def liars(tmp_path: Path) -> Iterator[dict[str, FakeDevice]]:
    """Devices whose verification always says the same."""
    always: dict[str, Hook] = {
        "yes": only(Op.ECDSA_VERIFY, _words(lambda w: [w[0] & 0xFFFFFF00, 0])),
        "no": only(Op.ECDSA_VERIFY, _words(lambda w: [w[0] & 0xFFFFFF00 | Status.BAD_SIGNATURE, 0])),
        "ecdh": only(Op.ECDH, _words(lambda w: [*w[:-1], w[-1] ^ 1])),
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
