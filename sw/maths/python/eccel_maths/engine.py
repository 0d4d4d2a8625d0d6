"""Calculations on the engine, through libeccel_maths.so. sw/maths/core/process.h explains the calls.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes
import json
import os
import warnings
from functools import cache
from pathlib import Path
from typing import Any

_DONE, _FAILED = 0, 2
_ROOM = 1 << 14
_warned = False


class DeviceError(RuntimeError):
    """A device has failed, or none can be reached."""


@cache
def _library() -> ctypes.CDLL | None:
    """The library, None if the scripts run without an engine. Raises DeviceError if it is not there."""
    if not os.environ.get("ECCEL_DEVICES"):
        return None
    path = Path(os.environ.get("ECCEL_MATHS_LIBRARY", Path(__file__).with_name("libeccel_maths.so")))
    if not path.is_file():
        raise DeviceError(f"{path} does not exist: `eccel maths` builds it")
    library = ctypes.CDLL(str(path))
    strings = ctypes.POINTER(ctypes.c_char_p)
    library.process_calculate.argtypes = [
        ctypes.c_char_p, ctypes.c_uint, strings, ctypes.c_char_p, ctypes.c_size_t,
    ]  # fmt: skip
    library.process_report.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.process_report.restype = ctypes.c_size_t
    return library


def calculate(name: str, *operands: int | None) -> tuple[int, ...] | None:
    """The results of one calculation, None if Python has to do it. None as an operand: not known, or a
    coordinate of infinity; the point at infinity as a result is an empty tuple with `name` point_...

    Raises DeviceError if a device fails and ECCEL_STRICT is set; otherwise warns the first time.
    """
    library = _library()
    if library is None:
        return None
    texts = [b"" if each is None else f"{each:x}".encode() for each in operands]
    out = ctypes.create_string_buffer(_ROOM)
    given = (ctypes.c_char_p * len(texts))(*texts)
    status = library.process_calculate(name.encode(), len(texts), given, out, _ROOM)
    text = out.value.decode()
    if status == _DONE:
        return tuple(int(each, 16) for each in text.split())
    if status < 0:
        raise ValueError(text)
    if status == _FAILED:
        _failed(text)
    return None


def _failed(why: str) -> None:
    global _warned
    if os.environ.get("ECCEL_STRICT", "0") not in ("", "0"):
        raise DeviceError(f"eccel: {why}")
    if not _warned:
        _warned = True
        warnings.warn(f"eccel: a device failed ({why}): Python does its work", RuntimeWarning, stacklevel=4)


def counters() -> dict[str, Any]:
    """What the engine has done so far: for each calculation its `calls`, the `jobs` of the engine for them
    and their `cycles`, calls that Python did because the engine cannot (`declined`) or a device failed
    (`failed`), and why; `devices`, `clock_khz`. Empty without an engine.
    """
    library = _library()
    out = ctypes.create_string_buffer(_ROOM)
    if library is None or not library.process_report(out, _ROOM):
        return {}
    found: dict[str, Any] = json.loads(out.value)
    return found
