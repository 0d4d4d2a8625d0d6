"""A connection to a server (`eccel serve`), or to any device that speaks the frames of docs/links.md."""

from __future__ import annotations

import contextlib
import socket
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import TracebackType
from typing import Self

from eccelerate.driver.transport import Reply, TransportError

VERSION = 1
MAX_WORDS = 256
"""The longest content of a frame that is accepted."""
SERVER, PACED = 1 << 8, 1 << 9
"""Bits of word 2 of STATUS."""
COUNTERS = (
    "jobs", "failed", "ecdsa_sign", "ecdsa_verify", "ecdh", "key", "curve_loads", "other", "clocks",
    "busy_clocks", "connections", "connections_total", "in_flight", "queued", "in_service", "late",
)  # fmt: skip
"""Names of the counters of a server, in order."""


class Frame(IntEnum):
    """Types of frames."""

    REQUEST = 1
    RESPONSE = 2
    HELLO = 3
    STATUS = 4
    ENTROPY = 5
    CONTROL = 6
    ERROR = 7
    COUNTERS = 8


@dataclass(frozen=True)
class LinkStatus:
    """The content of a STATUS frame."""

    config: int
    bits: int
    clock_khz: int
    name: str

    @property
    def is_server(self) -> bool:
        """Whether curves are virtual."""
        return bool(self.bits & SERVER)

    @property
    def is_paced(self) -> bool:
        """Whether results come from software."""
        return bool(self.bits & PACED)


def encode(kind: int, content: Sequence[int] = ()) -> bytes:
    """The bytes of a frame."""
    body = struct.pack(f"<{1 + len(content)}I", kind | VERSION << 8 | len(content) << 16, *content)
    return body + struct.pack("<I", zlib.crc32(body))


def connect(uri: str, timeout: float = 10.0) -> socket.socket:
    """A socket that is connected to unix:PATH or tcp:HOST:PORT. Raises TransportError."""
    scheme, _, place = uri.partition(":")
    try:
        if scheme == "unix":
            link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            link.settimeout(timeout)
            try:
                link.connect(place)
            except OSError:
                link.close()
                raise
            return link
        host, colon, port = place.rpartition(":")
        if scheme == "tcp" and colon and port.isdecimal():
            return socket.create_connection((host.strip("[]"), int(port)), timeout)
    except (OSError, OverflowError) as error:
        raise TransportError(f"{uri}: {error}: is the server running? (`eccel serve CONFIG`)") from error
    raise TransportError(f"{uri}: write unix:PATH or tcp:HOST:PORT")


class ServerLink:
    """Sends and receives frames. As a transport it carries job packets, also many at once.

    Raises TransportError if the peer ends the connection, sends a malformed frame, or nothing for `timeout`
    seconds.
    """

    def __init__(self, uri: str, timeout: float = 60.0) -> None:
        self.uri = uri
        self.socket = connect(uri, timeout)
        self._bytes = bytearray()

    def __enter__(self) -> Self:
        """The link itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self.socket.close()

    def send(self, kind: int, content: Sequence[int] = ()) -> None:
        """Send one frame."""
        self.send_bytes(encode(kind, content))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise TransportError(f"{self.uri}: {error}") from error

    def receive(self) -> tuple[Frame, list[int]]:
        """The next frame: type and content."""
        while True:
            if len(self._bytes) >= 4:
                (head,) = struct.unpack_from("<I", self._bytes)
                size = 4 * ((head >> 16) + 2)
                if head >> 8 & 0xFF != VERSION or head >> 16 > MAX_WORDS:
                    raise TransportError(f"{self.uri}: the peer does not speak the frames of docs/links.md")
                if len(self._bytes) >= size:
                    return self._take(size)
            try:
                more = self.socket.recv(65536)
            except TimeoutError as error:
                raise TransportError(f"{self.uri}: no answer in time") from error
            except OSError as error:
                raise TransportError(f"{self.uri}: {error}") from error
            if not more:
                raise TransportError(f"{self.uri}: the peer has ended the connection")
            self._bytes += more

    def _take(self, size: int) -> tuple[Frame, list[int]]:
        words = struct.unpack_from(f"<{size // 4}I", self._bytes)
        good = zlib.crc32(self._bytes[: size - 4]) == words[-1]
        del self._bytes[:size]
        if not good or words[0] & 0xFF not in Frame.__members__.values():
            raise TransportError(f"{self.uri}: a frame with a wrong checksum or of an unknown type")
        return Frame(words[0] & 0xFF), list(words[1:-1])

    def expect(self, kind: Frame) -> list[int]:
        """The content of the next frame, which has to be of this type."""
        found, content = self.receive()
        if found != kind:
            raise TransportError(f"{self.uri}: {found.name} came, {kind.name} was expected")
        return content

    def status(self) -> LinkStatus:
        """Ask for the STATUS of the device. No job may be under way."""
        self.send(Frame.HELLO)
        words = self.expect(Frame.STATUS)
        if len(words) < 4:
            raise TransportError(f"{self.uri}: a STATUS of {len(words)} words")
        name = struct.pack(f"<{len(words) - 4}I", *words[4:]).split(b"\0")[0]
        return LinkStatus(words[1], words[2], words[3], name.decode("ascii", "replace"))

    def counters(self) -> dict[str, int]:
        """The counters of a server by name. No job may be under way."""
        self.send(Frame.COUNTERS)
        words = self.expect(Frame.COUNTERS)
        values = [low | high << 32 for low, high in zip(words[1::2], words[2::2], strict=False)]
        return dict(zip(COUNTERS, values, strict=False))

    def exchange(self, words: list[int]) -> Reply:
        """Send one request packet and wait for the response."""
        self.send(Frame.REQUEST, words)
        return Reply(self.expect(Frame.RESPONSE))

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None, most: int = 64
    ) -> list[Reply]:
        """Send packets with at most `most` unanswered ones; the responses in the order in which they come."""
        replies: list[Reply] = []
        for sent, packet in enumerate(packets):
            if sent - len(replies) >= most:
                replies.append(Reply(self.expect(Frame.RESPONSE)))
            self.send(Frame.REQUEST, packet)
        while len(replies) < len(packets):
            replies.append(Reply(self.expect(Frame.RESPONSE)))
            if progress:
                progress(len(replies))
        return replies
