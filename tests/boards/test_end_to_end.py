"""The tops of the boards, simulated with their serial pins, under libeccel: what a user of a board does."""

from __future__ import annotations

import os
import secrets
import select
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.cli import openssl
from eccelerate.configs.board_table import find_board
from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.native import NativeHandle, Outcome
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.board_model import BoardSim
from tests.boards.bridge import dropped
from tests.boards.frames import HELLO, STATUS, frame, split
from tests.driver.library import library
from tests.sampled import sampled

P256 = find_curve("P-256")
BOARDS = {
    "ulx3s": ("compact-w32", P256),
    "orangecrab": ("compact-w32", find_curve("brainpoolP384r1")),
    "icebreaker": ("compact-w16-up5k", P256),
    "arty": ("binary-163-d64", find_curve("B-163")),
}
RANDOM = Flag.RANDOM | Flag.BLIND


@pytest.fixture(scope="module")
def sim() -> Iterator[BoardSim]:
    with BoardSim(find_config("compact-w32"), find_board("ulx3s")) as board:
        yield board


def open_board(sim: BoardSim) -> NativeHandle:
    return NativeHandle(f"uart:{sim.port}", timeout_ms=60_000, connect_ms=20_000, library=library())


def multiple(curve: Curve, k: int) -> tuple[int, int]:
    found = point.base_mul(curve, k)
    assert found is not None
    return found


@pytest.mark.timeout(300)
@sampled("name", BOARDS, now=2)
def test_every_board_computes(name: str) -> None:
    config, curve = BOARDS[name]
    with BoardSim(find_config(config), find_board(name)) as board, open_board(board) as handle:
        (info,) = handle.devices()
        assert info.name.decode() == config
        k = secrets.randbelow(curve.n - 1) + 1
        assert handle.run(Op.BASE_MUL, curve, (k,)).values == multiple(curve, k)
        signed = handle.run(Op.ECDSA_SIGN, curve, (99, k), RANDOM)
        assert (
            handle.run(Op.ECDSA_VERIFY, curve, (99, *signed.values, *multiple(curve, k))).result == Status.OK
        )
        wrong = handle.run(Op.ECDSA_VERIFY, curve, (98, *signed.values, *multiple(curve, k)))
        assert wrong.result == Status.BAD_SIGNATURE


@pytest.mark.timeout(120)
def test_openssl_verifies_what_the_board_signs(sim: BoardSim, tmp_path: Path) -> None:
    key, public, message, der = (
        tmp_path / name for name in ("key.pem", "public.pem", "message", "signature")
    )
    message.write_bytes(secrets.token_bytes(1000))
    openssl.make_key(key, "prime256v1")
    openssl.public_file(key, public)
    digest = external.run(["openssl", "dgst", "-sha256", "-binary", str(message)], timeout=60).out
    with open_board(sim) as handle:
        for _ in range(3):
            operands = int.from_bytes(digest, "big"), openssl.private_scalar(key)
            signed = handle.run(Op.ECDSA_SIGN, P256, operands, RANDOM)
            der.write_bytes(openssl.der_signature(*signed.values))
            assert openssl.verifies(public, der, message)
            der.write_bytes(openssl.der_signature(signed.values[0] ^ 1, signed.values[1]))
            assert not openssl.verifies(public, der, message)


@pytest.mark.timeout(120)
def test_many_jobs_are_queued_and_all_answered(sim: BoardSim) -> None:
    with open_board(sim) as handle:
        jobs = [handle.start(Op.MOD_MUL, P256, (k, k + 1)) for k in range(200)]
        assert [job.wait().values for job in jobs] == [(k * (k + 1),) for k in range(200)]
        for job in jobs:
            job.free()
        assert handle.self_test(P256) == 0


@pytest.mark.timeout(120)
@sampled("skew", [0.985, 1.015], now=1)
def test_a_host_with_another_clock_is_understood(skew: float) -> None:
    config, board = find_config("compact-w32"), find_board("ulx3s")
    with BoardSim(config, board, 32, skew) as slow, open_board(slow) as handle:
        assert handle.run(Op.BASE_MUL, P256, (7,)).values == multiple(P256, 7)


@pytest.mark.timeout(200)
def test_a_noisy_line_costs_time_only() -> None:
    """A bit in 10,000 is inverted, in both directions: every fourth frame of entropy is lost."""
    config, board = find_config("compact-w32"), find_board("ulx3s")
    with BoardSim(config, board, noise=1 / 10_000) as noisy, open_board(noisy) as handle:
        jobs = [handle.start(Op.MOD_MUL, P256, (k, k + 7)) for k in range(60)]
        assert [job.wait().values for job in jobs] == [(k * (k + 7),) for k in range(60)]
        for job in jobs:
            job.free()
        handle.close()
        assert lost_frames(noisy.port) > 0, "there was noise"


def lost_frames(port: str) -> int:
    """Frames that the board has lost since its reset, as it says itself."""
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(line)
        stream = b""
        for _ in range(100):
            os.write(line, frame(HELLO))
            if select.select([line], [], [], 0.2)[0]:
                good, _, stream = split(stream + os.read(line, 4096))
                if found := [each for each in good if each.kind == STATUS]:
                    return dropped(found[-1])
    finally:
        os.close(line)
    raise AssertionError("the board does not answer")


def until(handle: NativeHandle, op: Op, operands: tuple[int, ...], flags: int = 0) -> Outcome:
    """The outcome of a job, which is sent again while the library says that the device went away."""
    limit = time.monotonic() + 60
    while True:
        found = handle.run(op, P256, operands, flags)
        if found.result >= 0 or time.monotonic() > limit:
            return found
        time.sleep(0.1)


@pytest.mark.timeout(200)
def test_a_board_that_was_reset_just_now_can_be_opened(sim: BoardSim) -> None:
    """Its own STATUS may come before that for the reset of the host, at any distance."""
    for delay in (0, 1, 2, 3, 4, 5, 7, 10):
        sim.press("reset")
        time.sleep(delay / 2000)
        with open_board(sim) as handle:
            assert handle.run(Op.MOD_ADD, P256, (3, delay)).values == (3 + delay,)


@pytest.mark.timeout(200)
@pytest.mark.parametrize("button", ["reset", "zeroise"])
def test_a_button_pressed_in_a_job_loses_the_key_and_nothing_else(sim: BoardSim, button: str) -> None:
    """The host goes on: jobs that were lost are computed again or end with an error, and none with a wrong
    result. A key that was in the board is gone.
    """
    with open_board(sim) as handle:
        assert handle.run(Op.KEY_LOAD, P256, (1234,)).result == Status.OK
        jobs = [handle.start(Op.BASE_MUL, P256, (k,)) for k in range(1, 6)]
        sim.press(button)
        for k, job in enumerate(jobs, 1):
            found = job.wait()
            assert found.result < 0 or found.values == multiple(P256, k)
            job.free()
        refused = until(handle, Op.ECDSA_SIGN, (5,), RANDOM | Flag.KEY)
        assert refused.result == Status.NO_KEY or refused.result < 0
        assert until(handle, Op.BASE_MUL, (9,)).values == multiple(P256, 9)
