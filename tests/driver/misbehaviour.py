"""Handles on devices that misbehave, and the ways in which they do."""

from __future__ import annotations

from collections.abc import Callable

from eccelerate.driver.native import NativeHandle
from eccelerate.driver.packet import Request, Response
from tests.driver.fake_device import RESPONSE, CloseLink, FakeDevice, Hook, frame, honest
from tests.driver.library import library

LINK, TIMEOUT, ABSENT, UNSUPPORTED = -7, -6, -3, -4
BUSY, CANCELLED = -5, -8
"""Errors of libeccel."""


def open_handle(*devices: FakeDevice, timeout_ms: int = 1500, **options: int) -> NativeHandle:
    """A handle on devices, which are tried again soon after they have failed."""
    uris = " ".join(device.uri for device in devices)
    return NativeHandle(uris, timeout_ms=timeout_ms, library=library(), retry_ms=100, **options)


def only(op: int, change: Hook) -> Hook:
    """A hook that changes the answers to one operation."""

    def hook(device: FakeDevice, request: Request, response: Response) -> bytes | None:
        return (change if request.op == op else honest)(device, request, response)

    return hook


def with_words(change: Callable[[list[int]], list[int]]) -> Hook:
    """Changes the words of the response; the frame around it is correct."""

    def hook(device: FakeDevice, request: Request, response: Response) -> bytes:
        return frame(RESPONSE, change(response.words(request.width)))

    return hook


def cut(device: FakeDevice, request: Request, response: Response) -> bytes:
    """A hook: the connection ends in the middle of the response."""
    raise CloseLink(honest(device, request, response)[:11])
