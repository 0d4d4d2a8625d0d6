"""The UART bridge in Verilator with a line to the host and a stand-in engine (bridge_harness.cpp)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from tests.boards.frames import BUSY, CLEARED, STATUS, WANTED, Frame, frame, split
from tests.verilated import Patch, Unit, patched

ROOM = 1 << 16
SOURCES = (
    "isa/eccel_packet_pkg.sv",
    "bus/gen/eccel_reg_pkg.sv",
    "bus/uart/eccel_uart_pkg.sv",
    "prim/eccel_ram.sv",
    "prim/eccel_ram_1p.sv",
    "bus/eccel_fifo.sv",
    "bus/uart/eccel_uart_rx.sv",
    "bus/uart/eccel_uart_tx.sv",
    "bus/uart/eccel_uart_crc.sv",
    "bus/uart/eccel_uart_queue.sv",
    "bus/uart/eccel_uart_frame_in.sv",
    "bus/uart/eccel_uart_frame_out.sv",
    "bus/uart/eccel_uart_bridge.sv",
)
DELAY, THIRST, WIPE, STALL, BIT, ZEROISE, RESET_N, SEED = range(8)


@cache
def _library(parameters: tuple[str, ...], patches: tuple[Patch, ...]) -> ctypes.CDLL:
    paths = [RTL_DIR / source for source in SOURCES]
    unit = Unit(
        room="boards", name="bridge", top="eccel_uart_bridge",
        harness=Path(__file__).with_name("bridge_harness.cpp"),
        texts=patched({path.name: path.read_text() for path in paths}, patches),
        parameters=parameters, settings=(), unknown="unique",
    )  # fmt: skip
    library = unit.load()
    library.unit_count.restype = ctypes.c_uint32
    return library


def levels(data: Iterable[int], bit: float = 8.0, gap: float = 0.0) -> bytearray:
    """The line in each clock while the bytes are sent. gap: bits of rest after each byte."""
    found, now = bytearray(), 0.0
    for byte in data:
        for value in (0, *(byte >> i & 1 for i in range(8)), 1):
            now += bit
            found += bytes([value]) * (round(now) - len(found))
        now += gap * bit
        found += b"\1" * (round(now) - len(found))
    return found


class Bridge:
    """The bridge after a reset. dry: log2 of the clocks that a request waits for entropy."""

    def __init__(
        self,
        *,
        step: int = 65536,
        log2: int = 8,
        small: bool = False,
        dry: int = 10,
        external: bool = False,
        patches: Sequence[Patch] = (),
        seed: int = 1,
    ) -> None:
        values = {
            "Step": step,
            "AddrBits": log2,
            "SmallRam": int(small),
            "ClockKhz": 48000,
            "DryBits": dry,
            "ExternalEntropy": int(external),
        }
        parameters = tuple(f"-G{name}={value}" for name, value in values.items())
        self._library = _library(parameters, tuple(patches))
        self._unit = ctypes.c_void_p(self._library.unit_open())
        self._rest = b""
        self.bit = 2**19 / step
        self.cut: list[bytes] = []
        """What came from the bridge and was no frame."""
        self.set(BIT, self.bit)
        self.set(SEED, seed)

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._library.unit_close(self._unit)

    def set(self, what: int, value: float) -> None:
        self._library.unit_set(self._unit, what, ctypes.c_double(value))

    def play(self, line: bytes | bytearray) -> None:
        self._library.unit_play(self._unit, bytes(line), len(line))

    def send(self, data: bytes, *, skew: float = 1.0, gap: float = 0.0) -> None:
        """Bytes on the line; skew: length of the host's bits, relative to the right one."""
        self.play(levels(data, self.bit * skew, gap))

    def idle(self, clocks: int) -> None:
        self._library.unit_idle(self._unit, clocks)

    def _take(self, kind: int) -> list[int]:
        room = (ctypes.c_uint64 * ROOM)()
        return room[: self._library.unit_take(self._unit, kind, room, ROOM)]

    def received(self) -> list[Frame]:
        """Frames from the bridge since the last call."""
        raw = self._take(0)
        assert all(byte < 0x100 for byte in raw), "a byte of the bridge has no stop bit"
        good, bad, self._rest = split(self._rest + bytes(raw))
        self.cut += bad
        return good

    def settle(self, clocks: int = 200_000) -> list[Frame]:
        """Frames until the bridge has sent nothing for 3,000 clocks. Fails if it does not come to rest."""
        found, quiet = [], 0
        for _ in range(clocks // 1000):
            self.idle(1000)
            raw = self._take(0)
            quiet = 0 if raw else quiet + 1
            good, bad, self._rest = split(self._rest + bytes(raw))
            found += good
            self.cut += bad
            if quiet >= max(3, 12 * self.bit / 1000) and not self.busy:
                return found
        raise AssertionError("the bridge does not come to rest")

    def requests(self) -> list[list[int]]:
        """Packets that the engine has got since the last call; each must be whole."""
        found: list[list[int]] = [[]]
        for word in self._take(1):
            found[-1].append(word & 0xFFFFFFFF)
            if word >> 32:
                found.append([])
        assert found.pop() == [], "the engine got a part of a packet"
        return found

    def entropy(self) -> list[int]:
        """Words that the engine has taken since the last call."""
        return self._take(2)

    @property
    def resets(self) -> int:
        return self._library.unit_count(self._unit, 0)

    @property
    def zeroises(self) -> int:
        return self._library.unit_count(self._unit, 1)

    @property
    def lost(self) -> int:
        return self._library.unit_count(self._unit, 2)

    @property
    def busy(self) -> bool:
        return bool(self._library.unit_count(self._unit, 3))


def answer(request: Sequence[int]) -> Frame:
    """The response of the stand-in engine to a request."""
    results = [~word & 0xFFFFFFFF for word in request[2 : 2 + 62]]
    head = request[0] & 0xFFFF0000 | (request[0] & 0xFF) << 8
    return Frame(2, (head, len(results), *results))


def flags(status: Frame) -> tuple[bool, bool, bool]:
    """Entropy wanted, cleared, busy."""
    assert status.kind == STATUS
    word = status.words[2]
    return bool(word & WANTED), bool(word & CLEARED), bool(word & BUSY)


def dropped(status: Frame) -> int:
    return status.words[2] >> 16


__all__ = ["Bridge", "answer", "dropped", "flags", "frame", "levels"]
