"""libeccel blinds scalars on the engines that can, and computes without on those that cannot."""

from __future__ import annotations

from ctypes import byref
from pathlib import Path

from eccelerate.curves import find_curve
from eccelerate.driver.native import NativeHandle, _outcome, _Result
from eccelerate.driver.packet import Request, Response
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from tests.driver.fake_device import FakeDevice, honest
from tests.driver.library import library

P256 = find_curve("P-256")
BLIND_IF_POSSIBLE = 1


class Engine:
    """Keeps the flags of its jobs; a turbo engine refuses the flag BLIND."""

    def __init__(self, *, turbo: bool) -> None:
        self.turbo = turbo
        self.flags: list[int] = []

    def __call__(self, device: FakeDevice, request: Request, response: Response) -> bytes:
        if request.op == Op.BASE_MUL:
            self.flags.append(request.flags)
            if self.turbo and request.flags & Flag.BLIND:
                response = Response(Status.BAD_OP, request.op, request.tag)
        return honest(device, request, response)


def blinded(handle: NativeHandle, k: int) -> tuple[int, ...]:
    """The values of BASE_MUL with the option."""
    raw, request = _Result(), handle.request(Op.BASE_MUL, P256, (k,))
    request.options = BLIND_IF_POSSIBLE
    handle.library.eccel_run(handle._raw, byref(request), byref(raw))
    return _outcome(raw).values


def flags_of(folder: Path, *, turbo: bool) -> list[int]:
    engine = Engine(turbo=turbo)
    with (
        FakeDevice(folder / "s", hook=engine) as device,
        NativeHandle(device.uri, library=library()) as handle,
    ):
        for k in (5, 6):
            expected = point.base_mul(P256, k)
            assert blinded(handle, k) == expected
        before = len(engine.flags)
        explicit = handle.run(Op.BASE_MUL, P256, (5,), Flag.BLIND).result
        assert explicit == (Status.BAD_OP if turbo else Status.OK)
        return engine.flags[:before]


def test_an_engine_that_refuses_is_asked_once(tmp_path: Path) -> None:
    assert flags_of(tmp_path, turbo=True) == [Flag.BLIND, 0, 0]


def test_an_engine_that_can_always_blinds(tmp_path: Path) -> None:
    assert flags_of(tmp_path, turbo=False) == [Flag.BLIND, Flag.BLIND]
