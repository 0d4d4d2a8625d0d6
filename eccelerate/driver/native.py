"""libeccel from Python: `sw/include/eccel.h` through ctypes."""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Callable, Sequence
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from eccelerate.curves import CurveNotFoundError, find_curve
from eccelerate.curves.curve import Curve
from eccelerate.external.c_software import software_folder

LIBRARY = "ECCEL_LIBRARY"
"""Environment variable with the path of another shared library."""
MAX_BYTES, MAX_OPERANDS, MAX_RESULTS = 80, 5, 2
KINDS = ("weierstrass", "montgomery", "binary")


class NativeError(RuntimeError):
    """An error of libeccel. `code` is that of `enum eccel_error`."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Options(ctypes.Structure):
    """`struct eccel_options`."""

    _fields_ = [(name, ctypes.c_uint) for name in ("timeout_ms", "retry_ms", "max_in_flight", "connect_ms")]


class DeviceInfo(ctypes.Structure):
    """`struct eccel_device_info`."""

    _fields_ = [
        ("uri", c_char * 256), ("name", c_char * 64), ("in_service", c_int), ("last_error", c_int),
        ("in_flight", ctypes.c_uint), ("queued", ctypes.c_uint), ("jobs", c_uint64), ("failures", c_uint64),
        ("clock_khz", c_uint64), ("paced", c_int), ("curve_loads", ctypes.c_uint),
    ]  # fmt: skip


class _Parameters(ctypes.Structure):
    _fields_ = [
        ("kind", c_int), ("bytes", c_size_t),
        *((name, c_char_p) for name in ("p", "a", "b", "gx", "gy", "order")),
        ("cofactor", c_uint32),
    ]  # fmt: skip


class _Operand(ctypes.Structure):
    _fields_ = [("bytes", c_char_p), ("length", c_size_t)]


class _Request(ctypes.Structure):
    _fields_ = [
        ("op", c_uint8), ("flags", c_uint8), ("options", c_uint8), ("curve", c_void_p),
        ("operands", ctypes.c_uint), ("operand", _Operand * MAX_OPERANDS),
    ]  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = [
        ("result", c_int), ("values", ctypes.c_uint), ("bytes", c_size_t),
        ("value", (c_uint8 * MAX_BYTES) * MAX_RESULTS), ("cycles", c_uint64), ("device", c_size_t),
    ]  # fmt: skip


DONE = ctypes.CFUNCTYPE(None, c_void_p, POINTER(_Result))
"""The type of a completion callback in C."""


@dataclass(frozen=True)
class Outcome:
    """The result of a job: a status of the engine or an error of the library (negative), and its values.

    cycles: clocks of the engine, 0 if the device does not tell. device: index of the one that did it.
    """

    result: int
    values: tuple[int, ...]
    cycles: int
    device: int


def _outcome(raw: _Result) -> Outcome:
    values = (bytes(raw.value[i])[: raw.bytes] for i in range(raw.values))
    return Outcome(
        raw.result, tuple(int.from_bytes(value, "big") for value in values), raw.cycles, raw.device
    )


def library_path() -> Path:
    """The shared library: ECCEL_LIBRARY, or the one that `make -C sw lib` builds.

    Raises FileNotFoundError if it is not built.
    """
    path = Path(os.environ.get(LIBRARY, software_folder() / "libeccel.so"))
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: run `make -C sw lib`")
    return path


@cache
def load(path: Path | None = None) -> ctypes.CDLL:
    """The library with the types of its functions. Raises FileNotFoundError."""
    library = ctypes.CDLL(str(path or library_path()), use_errno=True)
    handle, job, curve = c_void_p, c_void_p, c_void_p
    request, result = POINTER(_Request), POINTER(_Result)
    signatures: dict[str, tuple[object, list[object]]] = {
        "eccel_result_name": (c_char_p, [c_int]),
        "eccel_advice": (c_char_p, [c_int]),
        "eccel_curve_named": (curve, [c_char_p]),
        "eccel_curve_at": (curve, [c_size_t]),
        "eccel_curve_new": (curve, [POINTER(_Parameters)]),
        "eccel_curve_free": (None, [curve]),
        "eccel_curve_name": (c_char_p, [curve]),
        "eccel_curve_kind": (c_int, [curve]),
        "eccel_curve_field_bytes": (c_size_t, [curve]),
        "eccel_curve_order_bytes": (c_size_t, [curve]),
        "eccel_curve_order_bits": (ctypes.c_uint, [curve]),
        "eccel_open": (c_int, [POINTER(handle), c_char_p, POINTER(Options)]),
        "eccel_open_error": (c_char_p, []),
        "eccel_close": (None, [handle]),
        "eccel_device_count": (c_size_t, [handle]),
        "eccel_device": (c_int, [handle, c_size_t, POINTER(DeviceInfo)]),
        "eccel_submit": (c_int, [handle, request, DONE, c_void_p]),
        "eccel_start": (c_int, [handle, request, POINTER(job)]),
        "eccel_job_done": (c_int, [job]),
        "eccel_wait": (c_int, [job, c_int, result]),
        "eccel_job_free": (None, [job]),
        "eccel_run": (c_int, [handle, request, result]),
        "eccel_fd": (c_int, [handle]),
        "eccel_poll": (c_size_t, [handle]),
        "eccel_self_test": (c_int, [handle, curve]),
    }
    for name, (returns, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = returns, arguments
    return library


def _bytes(value: int) -> bytes:
    return value.to_bytes(max(1, -(-value.bit_length() // 8)), "big")


def new_curve(library: ctypes.CDLL, curve: Curve) -> c_void_p:
    """A curve of the library from its numbers. The caller frees it. Raises ValueError if it is refused."""
    numbers = (curve.p, curve.a, curve.b, curve.gx, curve.gy, curve.n)
    if curve.h >> 32:
        raise ValueError(f"{curve.name}: the cofactor has more than 32 bits")
    size = max(len(_bytes(value)) for value in numbers)
    texts = [value.to_bytes(size, "big") for value in numbers]
    made = library.eccel_curve_new(byref(_Parameters(KINDS.index(curve.kind), size, *texts, curve.h)))
    if not made:
        raise ValueError(f"{curve.name}: libeccel refuses the numbers of this curve")
    return c_void_p(made)


class NativeJob:
    """A job that runs. Free it, or use it as a context."""

    def __init__(self, library: ctypes.CDLL, raw: c_void_p, keep: object) -> None:
        self._library, self._raw, self._keep = library, raw, keep

    @property
    def done(self) -> bool:
        """Whether the result is there."""
        return bool(self._library.eccel_job_done(self._raw))

    def wait(self, timeout_ms: int = -1) -> Outcome:
        """The result. Raises TimeoutError if it does not come in time; the job goes on."""
        raw = _Result()
        status = self._library.eccel_wait(self._raw, timeout_ms, byref(raw))
        if status == -6 and not self.done:
            raise TimeoutError(f"no result after {timeout_ms} ms")
        return _outcome(raw)

    def free(self) -> None:
        """Give the job up; it is cancelled if it has not begun."""
        if self._raw:
            self._library.eccel_job_free(self._raw)
            self._raw = c_void_p()

    def __enter__(self) -> NativeJob:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()


class NativeHandle:
    """`eccel *`: one device or several. Raises NativeError if none can be reached, FileNotFoundError."""

    def __init__(
        self,
        uris: str,
        *,
        timeout_ms: int = 0,
        retry_ms: int = 0,
        max_in_flight: int = 0,
        connect_ms: int = 0,
        library: Path | None = None,
    ) -> None:
        self.library = load(library)
        self._raw: c_void_p | None = None
        self._curves: dict[Curve, c_void_p] = {}
        self._own: list[c_void_p] = []
        self._keys = itertools.count(1)
        self._waiting: dict[int, Callable[[Outcome], None]] = {}
        self._callback = DONE(self._done)
        raw = c_void_p()
        options = Options(timeout_ms, retry_ms, max_in_flight, connect_ms)
        error = self.library.eccel_open(byref(raw), uris.encode(), byref(options))
        if error:
            raise NativeError(error, self.library.eccel_open_error().decode())
        self._raw = raw

    def close(self) -> None:
        """End all jobs and close the devices."""
        if self._raw:
            self.library.eccel_close(self._raw)
            self._raw = None
            for curve in self._own:
                self.library.eccel_curve_free(curve)

    def __enter__(self) -> NativeHandle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def curve(self, curve: Curve) -> c_void_p:
        """The library's curve: that of its catalogue if the numbers are the same, else a new one."""
        if curve not in self._curves:
            try:
                known = find_curve(curve.name) if not curve.name.endswith(".toml") else None
            except CurveNotFoundError:
                known = None
            if known == curve:
                self._curves[curve] = c_void_p(self.library.eccel_curve_named(curve.name.encode()))
            else:
                self._curves[curve] = new_curve(self.library, curve)
                self._own.append(self._curves[curve])
        return self._curves[curve]

    def request(self, op: int, curve: Curve | None, operands: Sequence[int], flags: int = 0) -> _Request:
        """A request in the library's form."""
        if len(operands) > MAX_OPERANDS:
            raise ValueError(f"a request has at most {MAX_OPERANDS} operands, not {len(operands)}")
        texts = [_bytes(value) for value in operands]
        given = (_Operand * MAX_OPERANDS)(*(_Operand(text, len(text)) for text in texts))
        return _Request(int(op), int(flags), 0, self.curve(curve) if curve else None, len(texts), given)

    def run(self, op: int, curve: Curve | None, operands: Sequence[int] = (), flags: int = 0) -> Outcome:
        """Run one job; errors of the library are in the outcome, too."""
        raw = _Result()
        self.library.eccel_run(self._raw, byref(self.request(op, curve, operands, flags)), byref(raw))
        return _outcome(raw)

    def start(self, op: int, curve: Curve | None, operands: Sequence[int] = (), flags: int = 0) -> NativeJob:
        """Start a job. Raises NativeError if the library does not take it."""
        raw = c_void_p()
        request = self.request(op, curve, operands, flags)
        self._check(self.library.eccel_start(self._raw, byref(request), byref(raw)))
        return NativeJob(self.library, raw, self)

    def submit(
        self,
        done: Callable[[Outcome], None],
        op: int,
        curve: Curve | None,
        operands: Sequence[int] = (),
        flags: int = 0,
    ) -> None:
        """Submit a job; a thread of the library calls `done`. Raises NativeError if it is not taken."""

        key = next(self._keys)
        self._waiting[key] = done
        request = self.request(op, curve, operands, flags)
        error = self.library.eccel_submit(self._raw, byref(request), self._callback, key)
        if error:
            del self._waiting[key]
        self._check(error)

    def _done(self, key: int, raw: Any) -> None:
        self._waiting.pop(key)(_outcome(raw.contents))

    def devices(self) -> list[DeviceInfo]:
        """A snapshot of every device."""
        found = []
        for index in range(self.library.eccel_device_count(self._raw)):
            info = DeviceInfo()
            self._check(self.library.eccel_device(self._raw, index, byref(info)))
            found.append(info)
        return found

    def self_test(self, curve: Curve | None = None) -> int:
        """0, or why a device has failed."""
        return int(self.library.eccel_self_test(self._raw, self.curve(curve) if curve else None))

    def fd(self) -> int:
        """The descriptor that is readable while finished jobs wait."""
        return int(self.library.eccel_fd(self._raw))

    def poll(self) -> int:
        """Clears the descriptor; the number of jobs in flight."""
        return int(self.library.eccel_poll(self._raw))

    def name_of(self, result: int) -> str:
        """The name of a result."""
        text: bytes = self.library.eccel_result_name(result)
        return text.decode()

    def advice(self, result: int) -> str:
        """What a result means for the user."""
        text: bytes = self.library.eccel_advice(result)
        return text.decode()

    def _check(self, error: int) -> None:
        if error:
            raise NativeError(error, f"{self.name_of(error)}: {self.advice(error)}")
