"""Frames of docs/links.md as bytes, and back: a codec for tests, which shares no code with the driver."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE = 0xC0, 0xDB, 0xDC, 0xDD
REQUEST, RESPONSE, HELLO, STATUS, ENTROPY, CONTROL, ERROR = range(1, 8)
WRONG_CRC, MALFORMED, TOO_LONG, NO_ROOM = 1, 2, 3, 4
RESET, ZEROISE = 1, 2
ENTROPY_WORDS = 64
WANTED, CLEARED, BUSY = 1, 2, 4


def words_to_bytes(words: Sequence[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


def bytes_to_words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def content(kind: int, words: Sequence[int], *, version: int = 1, count: int | None = None) -> bytes:
    """A frame before SLIP, with its CRC. count: what the header says, if it is not the truth."""
    head = kind | version << 8 | (len(words) if count is None else count) << 16
    data = words_to_bytes([head, *words])
    return data + zlib.crc32(data).to_bytes(4, "little")


def slip(data: bytes) -> bytes:
    escaped = data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
    return b"\xc0" + escaped + b"\xc0"


def frame(kind: int, words: Sequence[int] = ()) -> bytes:
    """A good frame as it is sent."""
    return slip(content(kind, words))


@dataclass(frozen=True)
class Frame:
    """A frame that has come whole."""

    kind: int
    words: tuple[int, ...]


def unslip(data: bytes) -> bytes | None:
    """None if an escape is malformed."""
    found, escaped = bytearray(), False
    for byte in data:
        if escaped:
            if byte not in (ESCAPED_END, ESCAPED_ESCAPE):
                return None
            found.append(END if byte == ESCAPED_END else ESCAPE)
            escaped = False
        elif byte == ESCAPE:
            escaped = True
        else:
            found.append(byte)
    return None if escaped else bytes(found)


def decode(data: bytes) -> Frame | None:
    """The frame between two bytes END, None if it is not a whole frame with its CRC."""
    plain = unslip(data)
    if plain is None or len(plain) < 8 or len(plain) % 4:
        return None
    if zlib.crc32(plain[:-4]) != int.from_bytes(plain[-4:], "little"):
        return None
    head, *words = bytes_to_words(plain[:-4])
    if head >> 8 & 0xFF != 1 or head >> 16 != len(words):
        return None
    return Frame(head & 0xFF, tuple(words))


def split(stream: bytes) -> tuple[list[Frame], list[bytes], bytes]:
    """The good frames of a stream, what else was between two bytes END, and what follows the last END."""
    *parts, rest = stream.split(bytes([END]))
    good, bad = [], []
    for part in filter(None, parts):
        found = decode(part)
        if found is None:
            bad.append(part)
        else:
            good.append(found)
    return good, bad, rest
