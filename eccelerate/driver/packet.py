"""Request and response packets: 32-bit words, little-endian, as docs/architecture.md ("Job packet") fixes
them.

The models and their tests use this module, also for the device's side of packets and for malformed ones.
Devices outside the process are reached through libeccel (`native.py`), which makes its own packets; a test
compares its requests with those of this module word for word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WORD_BITS = 32
WORD_MASK = (1 << WORD_BITS) - 1
HEADER_WORDS = 2
MIN_ELEMENT_WORDS = 6


class PacketError(ValueError):
    """The words are not a well-formed packet, or a value does not fit into one."""


def split_words(value: int, width: int) -> list[int]:
    """`value` (0 <= value < 2^(32*width)) as `width` little-endian words. Raises PacketError if it does
    not fit.
    """
    if value < 0 or value >> (WORD_BITS * width):
        raise PacketError(
            f"value of {value.bit_length()} bits{' (negative)' if value < 0 else ''} does not fit an element "
            f"of {width} words ({WORD_BITS * width} bits): reduce it, or load the curve it belongs to first"
        )
    return [(value >> (WORD_BITS * i)) & WORD_MASK for i in range(width)]


def join_words(words: Sequence[int]) -> int:
    """The integer whose little-endian 32-bit words are `words`."""
    return sum(word << (WORD_BITS * i) for i, word in enumerate(words))


def _field(name: str, value: int, bits: int) -> int:
    if not 0 <= value < (1 << bits):
        raise PacketError(f"{name} = {value} does not fit its {bits} header bits")
    return value


@dataclass(frozen=True)
class Request:
    """A request packet: `operands` are integers of `width` words each."""

    op: int
    curve_id: int = 0
    tag: int = 0
    flags: int = 0
    width: int = MIN_ELEMENT_WORDS
    operands: tuple[int, ...] = ()

    def words(self) -> list[int]:
        """Two header words and the operands. Raises PacketError for a value that does not fit its field."""
        body = [word for value in self.operands for word in split_words(value, self.width)]
        return [
            _field("op", self.op, 8)
            | _field("curve id", self.curve_id, 8) << 8
            | _field("tag", self.tag, 16) << 16,
            _field("operand words", len(body), 16)
            | _field("flags", self.flags, 8) << 16
            | _field("element words", self.width, 8) << 24,
            *body,
        ]


def decode_request(words: Sequence[int]) -> Request:
    """The request in `words`. Raises PacketError when the packet is truncated, over-long or not whole
    elements.
    """
    if len(words) < HEADER_WORDS:
        raise PacketError(f"a request has {HEADER_WORDS} header words, got {len(words)}")
    count, width = words[1] & 0xFFFF, words[1] >> 24
    body = words[HEADER_WORDS:]
    if len(body) != count:
        raise PacketError(f"the header announces {count} operand words, the packet carries {len(body)}")
    if count and (width == 0 or count % width):
        raise PacketError(f"{count} operand words are not whole elements of {width} words")
    operands = tuple(join_words(body[i : i + width]) for i in range(0, count, width)) if count else ()
    return Request(
        op=words[0] & 0xFF,
        curve_id=words[0] >> 8 & 0xFF,
        tag=words[0] >> 16,
        flags=words[1] >> 16 & 0xFF,
        width=width,
        operands=operands,
    )


@dataclass(frozen=True)
class Response:
    """A response packet: `results` are integers of the request's element width."""

    status: int
    op: int
    tag: int
    results: tuple[int, ...] = ()

    def words(self, width: int) -> list[int]:
        """Two header words and the results, `width` words each."""
        body = [word for value in self.results for word in split_words(value, width)]
        return [
            _field("status", self.status, 8)
            | _field("op", self.op, 8) << 8
            | _field("tag", self.tag, 16) << 16,
            _field("result words", len(body), 16),
            *body,
        ]


def decode_response(words: Sequence[int], width: int) -> Response:
    """The response in `words`, its results read as elements of `width` words. Raises PacketError if
    malformed.
    """
    if len(words) < HEADER_WORDS:
        raise PacketError(f"a response has {HEADER_WORDS} header words, got {len(words)}")
    count, reserved = words[1] & 0xFFFF, words[1] >> 16
    body = words[HEADER_WORDS:]
    if reserved:
        raise PacketError(f"response header word 1 has reserved bits set: {words[1]:#010x}")
    if len(body) != count:
        raise PacketError(f"the header announces {count} result words, the packet carries {len(body)}")
    if count % width:
        raise PacketError(f"{count} result words are not whole elements of {width} words")
    return Response(
        status=words[0] & 0xFF,
        op=words[0] >> 8 & 0xFF,
        tag=words[0] >> 16,
        results=tuple(join_words(body[i : i + width]) for i in range(0, count, width)),
    )
