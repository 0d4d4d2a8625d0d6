"""Strict DER: one encoding for each value; anything else raises EncodingError."""

from __future__ import annotations

TAG_INTEGER, TAG_BIT_STRING, TAG_OCTET_STRING, TAG_NULL = 0x02, 0x03, 0x04, 0x05
TAG_OID, TAG_SEQUENCE = 0x06, 0x30


class EncodingError(ValueError):
    """The bytes are not the one valid encoding of the expected type."""


def oid(dotted: str) -> bytes:
    """The contents of the object identifier that is written `dotted`, such as 1.2.840.10045.2.1."""
    first, second, *rest = map(int, dotted.split("."))
    contents = bytearray()
    for arc in (40 * first + second, *rest):
        groups = [arc & 0x7F]
        while arc := arc >> 7:
            groups.append(arc & 0x7F | 0x80)
        contents += bytes(reversed(groups))
    return bytes(contents)


def read_tlv(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """The contents of the DER value of type `tag` at the start of `data`, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise EncodingError(f"DER: tag {tag:#04x} expected")
    length, start = data[1], 2
    if length & 0x80:
        size = length & 0x7F
        start += size
        digits = data[2:start]
        if size == 0 or len(digits) < size or digits[0] == 0:
            raise EncodingError("DER: length is indefinite, truncated or has leading zeros")
        length = int.from_bytes(digits, "big")
        if length < 0x80:
            raise EncodingError("DER: length is not in its shortest form")
    if len(data) < start + length:
        raise EncodingError("DER: value is truncated")
    return data[start : start + length], data[start + length :]


def read_only(data: bytes, tag: int) -> bytes:
    """The contents of `data`, which must be exactly one DER value."""
    value, rest = read_tlv(data, tag)
    if rest:
        raise EncodingError("DER: bytes follow the value")
    return value


def read_bits(data: bytes) -> bytes:
    """The bytes of `data`, which must be exactly one BIT STRING of a whole number of bytes."""
    bits = read_only(data, TAG_BIT_STRING)
    if not bits or bits[0] != 0:
        raise EncodingError("DER: BIT STRING has unused bits")
    return bits[1:]


def integer_of(contents: bytes) -> int:
    """The signed integer a DER INTEGER's contents denote."""
    if not contents:
        raise EncodingError("DER: empty INTEGER")
    if len(contents) > 1 and (contents[0], contents[1] >> 7) in ((0, 0), (0xFF, 1)):
        raise EncodingError("DER: INTEGER is not in its shortest form")
    return int.from_bytes(contents, "big", signed=True)
