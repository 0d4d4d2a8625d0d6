"""A device of docs/links.md in Python: the golden model behind a Unix socket. It can be slow or misbehave."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.driver.packet import Request, Response, decode_request
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import IDS, JobRequest, Op, Status
from eccelerate.regs import ID_VALUE, REGISTERS

REQUEST, RESPONSE, HELLO, STATUS, ERROR = 0x01, 0x02, 0x03, 0x04, 0x07
SERVER, PACED = 1 << 8, 1 << 9
FIFO_LOG2 = 9

Hook = Callable[["FakeDevice", Request, Response], "bytes | None"]
"""Given a request and the right response, the bytes to send instead; None for no answer."""


def frame(kind: int, words: Sequence[int]) -> bytes:
    """The bytes of one frame."""
    body = struct.pack(f"<{1 + len(words)}I", kind | 1 << 8 | len(words) << 16, *words)
    return body + struct.pack("<I", zlib.crc32(body))


class CloseLink(Exception):
    """Raised by a hook: the device sends `last` and closes the connection."""

    def __init__(self, last: bytes = b"") -> None:
        super().__init__("the device closes the connection")
        self.last = last


def honest(device: FakeDevice, request: Request, response: Response) -> bytes:
    """The hook of a device that behaves well."""
    return frame(RESPONSE, response.words(request.width))


@dataclass
class FakeDevice:
    """Listens on `path` until it is stopped; one thread for each connection.

    server: every curve id has an engine of its own (docs/links.md, "A server"). Otherwise there is one
        engine, or with `cluster` one for each pool. binary: which pools compute in GF(2^m).
    delay: seconds for each job. piece: bytes that are sent at once, if not all. hook: what is sent in place
        of each response.
    """

    path: Path
    server: bool = True
    binary: tuple[bool, ...] = (False,)
    delay: float = 0.0
    piece: int = 0
    hook: Hook = honest
    name: str = "fake"
    cluster: bool = False
    jobs: list[tuple[int, int]] = field(default_factory=list)
    """Operation and curve id of every request so far."""
    connections: int = 0

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._links: list[socket.socket] = []
        self.path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(self.path))
        self._socket.listen(64)
        self._start(self._accept)

    @property
    def uri(self) -> str:
        return f"unix:{self.path}"

    def count(self, op: int) -> int:
        """Number of requests with this operation."""
        return sum(each == op for each, _ in self.jobs)

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                link, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            self._links.append(link)
            self._start(self._serve, link)

    def drop(self) -> None:
        """Cut all connections; new ones are accepted."""
        links, self._links = self._links, []
        for link in links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        """Close the socket and all connections."""
        self._stop.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self.path.unlink(missing_ok=True)
        self.drop()

    def __enter__(self) -> FakeDevice:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _status(self) -> list[int]:
        fifo = REGISTERS["CONFIG"]["FIFO_LOG2"].lsb
        words = [ID_VALUE, FIFO_LOG2 << fifo, SERVER if self.server else 0, 123_000]
        if self.server:
            text = self.name.encode() + bytes(-len(self.name) % 4)
            words += struct.unpack(f"<{len(text) // 4}I", text)
        return words

    def _serve(self, link: socket.socket) -> None:
        engines: dict[int, GoldenEngine] = {}
        data = b""
        try:
            while True:
                while len(data) < 4 or len(data) < 4 * ((struct.unpack_from("<I", data)[0] >> 16) + 2):
                    more = link.recv(1 << 16)
                    if not more:
                        return
                    data += more
                head = struct.unpack_from("<I", data)[0]
                size = 4 * ((head >> 16) + 2)
                content = struct.unpack_from(f"<{head >> 16}I", data, 4)
                assert struct.unpack_from("<I", data, size - 4)[0] == zlib.crc32(data[: size - 4])
                data = data[size:]
                if head & 0xFF == HELLO:
                    link.sendall(frame(STATUS, self._status()))
                elif head & 0xFF == REQUEST:
                    answer = self._answer(decode_request(content), engines) or b""
                    size = self.piece or len(answer) or 1
                    for at in range(0, len(answer), size):
                        link.sendall(answer[at : at + size])
        except CloseLink as last:
            link.sendall(last.last)
        except OSError:
            pass
        finally:
            link.close()

    def _answer(self, request: Request, engines: dict[int, GoldenEngine]) -> bytes | None:
        self.jobs.append((request.op, request.curve_id))
        if self.delay:
            time.sleep(self.delay)
        return self.hook(self, request, self._response(request, engines))

    def _response(self, request: Request, engines: dict[int, GoldenEngine]) -> Response:
        if request.op == 0x40:
            if not self.cluster or request.curve_id >= len(self.binary):
                return Response(Status.BAD_OP, request.op, request.tag)
            words = (0, 0, 0, 0, len(self.binary) | 1 << 8 | 1 << 16 | request.curve_id << 24)
            return _Words(Status.OK, request.op, request.tag, words)
        pool = request.curve_id // IDS if self.cluster else 0
        which = request.curve_id if self.server else pool
        if request.op == Op.ZEROISE:
            for engine in engines.values():
                engine.run(JobRequest(Op.ZEROISE, words=6))
            return Response(Status.OK, request.op, request.tag)
        if pool >= len(self.binary):
            return Response(Status.BAD_CURVE, request.op, request.tag)
        engine = engines.setdefault(which, GoldenEngine(binary=self.binary[pool]))
        done = engine.run(
            JobRequest(request.op, request.operands, request.flags, request.curve_id, request.width)
        )
        return Response(done.status, request.op, request.tag, done.values)


class _Words(Response):
    """A response whose results are single words."""

    def words(self, width: int) -> list[int]:
        return super().words(1)
