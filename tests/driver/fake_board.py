"""A board of docs/links.md in Python: the golden model behind a pseudo-terminal, with noise on the line."""

from __future__ import annotations

import os
import pty
import random
import struct
import threading
import time
import tty
import zlib
from collections import deque
from pathlib import Path

from eccelerate.driver.packet import Request, decode_request
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import JobRequest
from eccelerate.regs import ID_VALUE, REGISTERS
from tests.driver.fake_device import ERROR, HELLO, REQUEST, RESPONSE, STATUS, frame

ENTROPY, CONTROL = 0x05, 0x06
FIFO_LOG2 = 9
END, ESC = 0xC0, 0xDB
WANTED, CLEARED, BUSY = 1, 2, 4


def slip(data: bytes) -> bytes:
    """A frame as it is on the line."""
    body = data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
    return b"\xc0" + body + b"\xc0"


class FakeBoard:
    """Answers on the other side of `path`.

    noise: fraction of frames, in each direction, of which one bit is changed or that are lost. delay: seconds
    for each job. Requests beyond the FIFO are dropped, as on a board.
    """

    def __init__(self, *, noise: float = 0.0, delay: float = 0.0, seed: int = 1) -> None:
        self.noise, self.delay = noise, delay
        self.jobs: list[int] = []
        self.entropy_words = 0
        self.lost = 0
        self._random = random.Random(seed)
        self._engine = GoldenEngine()
        self._queue: deque[Request] = deque()
        self._words = 0
        self._lock = threading.Condition()
        self._alive = True
        self._cleared = False
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = Path(os.ttyname(slave))
        self._slave = slave
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._work)]
        for thread in self._threads:
            thread.start()

    @property
    def uri(self) -> str:
        return f"uart:{self.path}?baud=115200"

    def unplug(self) -> None:
        """The cable is pulled: both ends of the line go away."""
        with self._lock:
            self._alive = False
            self._lock.notify_all()
        os.close(self._slave)
        os.close(self._master)

    def __enter__(self) -> FakeBoard:
        return self

    def __exit__(self, *_: object) -> None:
        if self._alive:
            self.unplug()

    def _disturbed(self, data: bytes) -> bytes:
        if self._random.random() >= self.noise:
            return data
        self.lost += 1
        if self._random.random() < 0.3:
            return b""
        broken = bytearray(data)
        broken[self._random.randrange(len(broken))] ^= 1 << self._random.randrange(8)
        return bytes(broken)

    def _send(self, kind: int, words: list[int]) -> None:
        os.write(self._master, self._disturbed(slip(frame(kind, words))))

    def _status(self) -> None:
        flags = (WANTED if self.entropy_words < 1024 else 0) | (CLEARED if self._cleared else 0)
        flags |= BUSY if self._queue else 0
        self._cleared = False
        fifo = REGISTERS["CONFIG"]["FIFO_LOG2"].lsb
        self._send(STATUS, [ID_VALUE, FIFO_LOG2 << fifo, flags, 48_000, *struct.unpack("<1I", b"fake")])

    def _read(self) -> None:
        data, escaped = bytearray(), False
        try:
            while True:
                for byte in os.read(self._master, 4096):
                    if byte == END:
                        if data:
                            received = self._disturbed(bytes(data))
                            with self._lock:
                                self._take(received)
                        data, escaped = bytearray(), False
                    elif byte == ESC:
                        escaped = True
                    else:
                        data.append({0xDC: END, 0xDD: ESC}.get(byte, byte) if escaped else byte)
                        escaped = False
        except OSError:
            pass

    def _take(self, data: bytes) -> None:
        if not data:
            return
        if len(data) < 8 or len(data) % 4 or struct.unpack("<I", data[-4:])[0] != zlib.crc32(data[:-4]):
            self._send(ERROR, [1])
            return
        head, *content = struct.unpack(f"<{len(data) // 4 - 1}I", data[:-4])
        kind = head & 0xFF
        if kind == HELLO:
            self._status()
        elif kind == CONTROL:
            self._engine.reset()
            self._queue.clear()
            self._words = 0
            self._cleared = True
            self._status()
        elif kind == ENTROPY:
            self.entropy_words += len(content)
            if self.entropy_words < 1024:
                self._status()
        elif kind == REQUEST:
            if self._words + len(content) > 2**FIFO_LOG2 - 2:
                self._send(ERROR, [4])
                return
            self._words += len(content)
            self._queue.append(decode_request(content))
            self._lock.notify_all()

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._queue and self._alive:
                    self._lock.wait()
                if not self._alive:
                    return
                request = self._queue[0]
            self.jobs.append(request.op)
            done = self._engine.run(
                JobRequest(request.op, request.operands, request.flags, request.curve_id, request.width)
            )
            if self.delay:
                time.sleep(self.delay)
            words = [word for value in done.values for word in _split(value, request.width)]
            header = [done.status | request.op << 8 | request.tag << 16, len(words)]
            with self._lock:
                if not self._alive:
                    return
                if self._queue and self._queue[0] is request:
                    self._send(RESPONSE, header + words)
                    self._queue.popleft()
                    self._words -= 2 + len(request.operands) * request.width


def _split(value: int, width: int) -> list[int]:
    return [value >> 32 * i & 0xFFFFFFFF for i in range(width)]
