"""Checks of the golden transport on the level of packets."""

from collections.abc import Callable

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.golden_transport import GoldenTransport

Bend = Callable[[list[int]], list[int]]


@pytest.fixture
def transport() -> GoldenTransport:
    transport = GoldenTransport()
    Engine(transport).load_curve(find_curve("P-256"))
    return transport


def mul_words() -> list[int]:
    return Request(Op.MUL, 1, 0x55AA, 0, 8, (3, *find_curve("P-256").generator)).words()


@pytest.mark.parametrize(
    "bend",
    [
        lambda w: w[:1],
        lambda w: w[:2],
        lambda w: w[:-1],
        lambda w: [*w, 0],
        lambda w: [w[0], w[1] - 1, *w[2:-1]],
        lambda w: [w[0], w[1] & 0x00FFFFFF, *w[2:]],
        lambda w: [w[0], w[1] & 0x00FFFFFF | 6 << 24, *w[2:]],
        lambda w: [w[0], w[1] - 8, *w[2:-8]],
    ],
)  # fmt: skip
def test_bent_packets_get_one_bad_length_response(transport: GoldenTransport, bend: Bend) -> None:
    response = decode_response(transport.exchange(bend(mul_words())).words, 8)
    assert (response.status, response.op, response.tag, response.results) == (
        Status.BAD_LENGTH,
        Op.MUL,
        0x55AA,
        (),
    )
    response = decode_response(transport.exchange(mul_words()).words, 8)
    assert response.status == Status.OK


def test_same_seed_same_key() -> None:
    def public() -> tuple[int, int]:
        engine = Engine(GoldenTransport(seed=4))
        engine.load_curve(find_curve("P-256"))
        return engine.keygen().point

    assert public() == public()
