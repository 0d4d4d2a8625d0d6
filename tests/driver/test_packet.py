"""Every field of a packet survives a round trip, and malformed words are refused with a reason."""

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.packet import (
    PacketError,
    Request,
    Response,
    decode_request,
    decode_response,
    join_words,
    split_words,
)
from eccelerate.model.jobs import Op, curve_load_operands


def test_layout_of_a_known_request() -> None:
    request = Request(
        op=0x06, curve_id=0x12, tag=0xABCD, flags=0x05, width=6, operands=(1 << 32 | 7, 1 << 191)
    )
    words = request.words()
    assert words[0] == 0xABCD1206
    assert words[1] == 0x0605000C
    assert words[2:4] == [7, 1]
    assert words[13] == 1 << 31
    assert len(words) == 14


def test_layout_of_a_known_response() -> None:
    words = Response(status=1, op=0x02, tag=0x7FFF, results=(5, 6)).words(8)
    assert words[:2] == [0x7FFF0201, 16]
    assert (words[2], words[10]) == (5, 6)


def test_requests_survive_the_round_trip() -> None:
    rng = random.Random(1)
    for _ in range(300):
        width = rng.randint(1, 17)
        operands = tuple(rng.getrandbits(rng.randint(0, 32 * width)) for _ in range(rng.randint(0, 8)))
        request = Request(
            rng.randrange(256), rng.randrange(256), rng.randrange(65536), rng.randrange(256), width, operands
        )
        assert decode_request(request.words()) == request


def test_responses_survive_the_round_trip() -> None:
    rng = random.Random(2)
    for _ in range(300):
        width = rng.randint(1, 17)
        results = tuple(rng.getrandbits(32 * width) for _ in range(rng.randint(0, 2)))
        response = Response(rng.randrange(256), rng.randrange(256), rng.randrange(65536), results)
        assert decode_response(response.words(width), width) == response


@pytest.mark.parametrize("width", [6, 8, 17])
def test_words_split_and_join_at_the_edges(width: int) -> None:
    for value in (0, 1, (1 << 32) - 1, 1 << 32, (1 << 32 * width) - 1):
        assert join_words(split_words(value, width)) == value
    for value in (-1, 1 << 32 * width):
        with pytest.raises(PacketError, match="does not fit"):
            split_words(value, width)


@pytest.mark.parametrize("field", ["op", "curve_id", "tag", "flags", "width"])
def test_header_fields_are_bounded(field: str) -> None:
    good = {"op": 1, "curve_id": 1, "tag": 1, "flags": 0, "width": 6}
    for value in (-1, 1 << 16):
        with pytest.raises(PacketError):
            Request(**{**good, field: value}).words()


def test_malformed_packets_are_refused() -> None:
    words = Request(1, 1, 1, 0, 6, (1, 2, 3)).words()
    for bad in (
        [],
        words[:1],
        words[:-1],
        [*words, 0],
        [words[0], words[1] - 1, *words[2:-1]],
        [words[0], 0x0005, *[0] * 5],
    ):
        with pytest.raises(PacketError):
            decode_request(bad)
    answer = Response(0, 1, 1, (1, 2)).words(6)
    for bad in (
        [],
        answer[:-1],
        [*answer, 0],
        [answer[0], answer[1] | 1 << 16, *answer[2:]],
        [answer[0], 5, *answer[2:7]],
    ):
        with pytest.raises(PacketError):
            decode_response(bad, 6)


def test_curve_load_carries_sizes_and_reduction_constants() -> None:
    curve = find_curve("P-256")
    words = Request(Op.CURVE_LOAD, 1, 1, 0, curve.element_words, curve_load_operands(curve)).words()[2:]
    assert words[0] == 256 | 256 << 16
    assert words[1] == 256
    assert (words[2] | words[3] << 32) * curve.p % (1 << 64) == (1 << 64) - 1
    assert (words[4] | words[5] << 32) * curve.n % (1 << 64) == (1 << 64) - 1
    assert words[6:8] == [0, 0]
    assert join_words(words[8:16]) == curve.p
