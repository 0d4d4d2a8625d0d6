"""libeccel on a serial port: a board in Python behind a pseudo-terminal, with and without noise."""

from __future__ import annotations

import time

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.native import NativeError, NativeHandle
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from tests.driver.fake_board import FakeBoard
from tests.driver.library import library

P256, K1 = find_curve("P-256"), find_curve("secp256k1")


def test_jobs_and_entropy_over_a_serial_port() -> None:
    with FakeBoard() as board, NativeHandle(board.uri, library=library()) as handle:
        info = handle.devices()[0]
        assert (info.name, info.clock_khz, info.in_service) == (b"fake", 48_000, 1)
        for curve in (P256, K1):
            assert handle.run(Op.BASE_MUL, curve, (5,)).values == point.base_mul(curve, 5)
        jobs = [handle.start(Op.MOD_ADD, P256, (k, k)) for k in range(300)]
        assert [job.wait().values for job in jobs] == [(2 * k,) for k in range(300)]
        for job in jobs:
            job.free()
        assert board.entropy_words == 1024, "the host has filled the buffer of the start-up test"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noise_on_the_line_costs_time_only(seed: int) -> None:
    board = FakeBoard(noise=0.1, seed=seed)
    with board, NativeHandle(board.uri, timeout_ms=60_000, library=library()) as handle:
        jobs = [handle.start(Op.MOD_MUL, P256, (k, k)) for k in range(120)]
        assert [job.wait().values for job in jobs] == [(k * k,) for k in range(120)]
        for job in jobs:
            job.free()
        assert board.lost > 10


def test_a_key_that_the_engine_draws_is_not_drawn_twice() -> None:
    """If a response is lost, KEYGEN ends with an error: the slot may hold another key than the first."""
    with FakeBoard() as board, NativeHandle(board.uri, timeout_ms=5000, library=library()) as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0
        real, board._send = board._send, lambda kind, words: None if kind == 2 else real(kind, words)
        found = handle.run(Op.KEYGEN, P256, (), Flag.RANDOM)
        assert handle.name_of(found.result) == "ERROR_LINK"
        assert board.jobs.count(Op.KEYGEN) == 1


@pytest.mark.parametrize(("late", "result"), [(2, Status.OK), (100, Status.NO_ENTROPY)])
def test_a_job_whose_entropy_came_late_is_sent_again(late: int, result: Status) -> None:
    """But not for ever."""
    with (
        FakeBoard() as board,
        NativeHandle(board.uri, timeout_ms=9000, connect_ms=9000, library=library()) as handle,
    ):
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0
        real, refused = board._send, iter(range(late))

        def send(kind: int, words: list[int]) -> None:
            if kind == 2 and words[0] >> 8 & 0xFF == Op.KEYGEN and next(refused, None) is not None:
                words = [words[0] | Status.NO_ENTROPY, 0]
            real(kind, words)

        board._send = send  # type: ignore[method-assign]
        assert handle.run(Op.KEYGEN, P256, (), Flag.RANDOM).result == result
        assert board.jobs.count(Op.KEYGEN) == min(late, 8) + 1


def test_a_slow_job_is_not_sent_again() -> None:
    with (
        FakeBoard(delay=0.7) as board,
        NativeHandle(board.uri, timeout_ms=9000, connect_ms=9000, library=library()) as handle,
    ):
        assert handle.run(Op.MOD_ADD, P256, (1, 1)).values == (2,)
        assert board.jobs == [0x20, Op.MOD_ADD] or board.jobs == [0x40, 0x20, Op.MOD_ADD]


def test_a_pulled_cable_ends_jobs() -> None:
    with (
        FakeBoard(delay=0.2) as board,
        NativeHandle(board.uri, timeout_ms=9000, connect_ms=9000, library=library()) as handle,
    ):
        assert handle.run(Op.MOD_ADD, P256, (1, 1)).result == 0
        job = handle.start(Op.MOD_ADD, P256, (1, 1))
        time.sleep(0.05)
        board.unplug()
        start = time.monotonic()
        assert handle.name_of(job.wait().result) == "ERROR_LINK"
        assert time.monotonic() - start < 3
        assert handle.name_of(handle.run(Op.MOD_ADD, P256, (1, 1)).result) == "ERROR_ABSENT"
        job.free()


def test_a_port_without_a_board_is_absent() -> None:
    class Silent(FakeBoard):
        def _take(self, data: bytes) -> None:
            pass

    start = time.monotonic()
    with Silent() as board, pytest.raises(NativeError, match="no answer in time"):
        NativeHandle(board.uri, connect_ms=500, library=library())
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    "uri", ["uart:", "uart:/dev/ttyS9?baud=12345", "uart:/x?speed=1", "uart:/x?baud=9600x", "uart:/dev/null"]
)
def test_wrong_addresses_are_explained(uri: str) -> None:
    with pytest.raises(NativeError, match=r"usual rate|open /dev/null"):
        NativeHandle(uri, library=library())
