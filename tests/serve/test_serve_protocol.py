"""The engine that a connection of a server sees: curve ids, tags, checks of packets, frames."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator

import pytest

from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.driver.packet import Request, decode_response
from eccelerate.driver.server_link import COUNTERS, Frame, ServerLink, encode
from eccelerate.driver.transport import TransportError
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status, curve_load_operands
from tests.serve.serve_running import Server, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A device that answers at once with results of software."""
    with serving("--latency-ms", "0", "--prepare", "4") as found:
        yield found


def load(link: ServerLink, curve: Curve, curve_id: int, tag: int = 0) -> int:
    words = Request(Op.CURVE_LOAD, curve_id, tag, 0, curve.element_words, curve_load_operands(curve)).words()
    return decode_response(link.exchange(words).words, curve.element_words).status


def ask(link: ServerLink, curve: Curve, curve_id: int, op: int, *operands: int, flags: int = 0) -> int:
    words = Request(op, curve_id, 7, flags, curve.element_words, operands).words()
    response = decode_response(link.exchange(words).words, curve.element_words)
    assert (response.op, response.tag) == (op, 7)
    return response.status


def test_status_says_that_curves_are_virtual_and_results_come_from_software(server: Server) -> None:
    status = server.link().status()
    assert status.is_server and status.is_paced
    assert "paced" in status.name


def test_a_connection_uses_many_curves_at_any_time(server: Server) -> None:
    names = ["P-192", "P-256", "B-163", "brainpoolP512r1", "secp256k1", "K-233"]
    link = server.link()
    curves = [find_curve(name) for name in names]
    for number, curve in enumerate(curves):
        assert load(link, curve, 40 * number) == Status.OK
    rng = random.Random(1)
    for _ in range(60):
        number = rng.randrange(len(curves))
        curve, k = curves[number], rng.randrange(1, 1000)
        request = Request(Op.BASE_MUL, 40 * number, 3, 0, curve.element_words, (k,))
        reply = decode_response(link.exchange(request.words()).words, curve.element_words)
        assert reply.results == point.base_mul(curve, k)


def test_curve_ids_and_tags_belong_to_the_connection(server: Server) -> None:
    first, second = server.engine("P-256"), server.engine("P-521")
    assert first.curve_id == second.curve_id
    for k in range(1, 20):
        assert first.base_mul(k).point == point.base_mul(find_curve("P-256"), k)
        assert second.base_mul(k).point == point.base_mul(find_curve("P-521"), k)


def test_checks_come_in_the_order_of_the_job_port(server: Server) -> None:
    link, curve = server.link(), find_curve("P-256")
    assert ask(link, curve, 1, Op.BASE_MUL, 5) == Status.BAD_CURVE
    assert ask(link, curve, 1, 0x2E, 5) == Status.BAD_CURVE
    assert load(link, curve, 1) == Status.OK
    assert ask(link, curve, 1, 0x2E, 5) == Status.BAD_OP
    for op in (0, 0x30, 0x40, 0x41, 0xFF):
        assert ask(link, curve, 1, op) == Status.BAD_OP
    assert ask(link, curve, 1, Op.BASE_MUL, 5, flags=32) == Status.BAD_OP  # an attribute of a key
    assert ask(link, curve, 1, Op.KEYGEN, flags=2 + 128) == Status.BAD_OP
    assert ask(link, curve, 2, Op.BASE_MUL, 5) == Status.BAD_CURVE
    assert ask(link, curve, 1, Op.BASE_MUL, 5, 6) == Status.BAD_LENGTH
    assert ask(link, curve, 1, Op.X_LADDER, 5, 6) == Status.BAD_CURVE
    for width in (0, 5, 7, 19, 255):
        count = min(width, 150)
        words = [Op.BASE_MUL | 1 << 8, width << 24 | count, *[1] * count]
        assert link.exchange(words).words[0] & 0xFF == Status.BAD_LENGTH
    words = Request(Op.BASE_MUL, 1, 0, 0, 8, (5,)).words()
    assert link.exchange(words[:-1]).words[0] & 0xFF == Status.BAD_LENGTH
    assert link.exchange([*words, 0]).words[0] & 0xFF == Status.BAD_LENGTH
    assert link.exchange(words[:1]).words[0] & 0xFF == Status.BAD_LENGTH
    assert ask(link, curve, 1, Op.BASE_MUL, 5) == Status.OK


def test_a_refused_curve_leaves_its_id_without_a_curve(server: Server) -> None:
    link, curve = server.link(), find_curve("P-256")
    assert load(link, curve, 9) == Status.OK
    for change in range(8):
        operands = list(curve_load_operands(curve))
        operands[change] ^= 2
        words = Request(Op.CURVE_LOAD, 9, 0, 0, 8, tuple(operands)).words()
        status = link.exchange(words).words[0] & 0xFF
        assert status in (Status.BAD_MODULUS, Status.NOT_ON_CURVE, Status.COORD_RANGE), change
        assert ask(link, curve, 9, Op.BASE_MUL, 5) == Status.BAD_CURVE
        assert load(link, curve, 9) == Status.OK


def test_all_curves_that_software_has_are_taken(server: Server) -> None:
    link = server.link()
    refused = []
    for curve in load_catalogue().values():
        status = load(link, curve, 3)
        simple = curve.kind == "binary" or (curve.kind == "weierstrass" and curve.h == 1)
        assert status == (Status.OK if simple else Status.BAD_MODULUS), curve.name
        refused += [curve.name] * (status != Status.OK)
    assert refused  # Montgomery curves, and prime curves with a cofactor


def test_responses_to_many_requests_carry_their_tags(server: Server) -> None:
    engine = server.engine("P-256")
    packets = [Request(Op.BASE_MUL, engine.curve_id, tag, 0, 8, (tag + 1,)).words() for tag in range(500)]
    link = engine.transport
    assert isinstance(link, ServerLink)
    replies = link.stream(packets, most=500)  # more than the server keeps under way: it stops reading
    curve = find_curve("P-256")
    found = {reply.words[0] >> 16: decode_response(reply.words, 8).results for reply in replies}
    assert found == {tag: point.base_mul(curve, tag + 1) for tag in range(500)}


def test_reset_forgets_curves_and_jobs_under_way() -> None:
    with serving("--latency-ms", "200") as server:
        engine = server.engine("P-256")
        link = engine.transport
        assert isinstance(link, ServerLink)
        link.send(Frame.REQUEST, Request(Op.BASE_MUL, engine.curve_id, 5, 0, 8, (7,)).words())
        link.send(Frame.CONTROL, [1])
        status = link.expect(Frame.STATUS)
        assert status[2] & 2  # cleared
        assert engine.submit(Op.BASE_MUL, (7,)).status == Status.BAD_CURVE  # and no answer to the first job


def test_counters_count_by_operation(server: Server) -> None:
    before = server.counters()
    assert tuple(before) == COUNTERS
    engine = server.engine("P-256")
    signature = engine.submit(Op.ECDSA_SIGN, (1, 5), 2)
    engine.submit(Op.ECDSA_VERIFY, (1, *signature.values, *engine.base_mul(5).point))
    engine.submit(Op.ECDH, (*engine.base_mul(5).point, 7))
    engine.submit(Op.ECDH, (1, 1, 7))
    after = server.counters()
    grown = {name: after[name] - before[name] for name in COUNTERS}
    assert (grown["ecdsa_sign"], grown["ecdsa_verify"], grown["ecdh"]) == (1, 1, 2)
    assert (grown["jobs"], grown["failed"]) == (7, 1)  # with CURVE_LOAD and two BASE_MUL
    assert after["clocks"] > before["clocks"] and grown["connections_total"] == 2


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("wrong CRC", encode(3)[:-1] + b"\0"),
        ("wrong version", b"\3\2\0\0" + zlib.crc32(b"\3\2\0\0").to_bytes(4, "little")),
        ("unknown type", encode(0x33)),
        ("too long", encode(1, [0] * 161)),
        ("of a device", encode(Frame.RESPONSE, [0, 0])),
        ("of a device", encode(Frame.STATUS, [0] * 4)),
        ("empty request", encode(Frame.REQUEST)),
        ("unknown control", encode(Frame.CONTROL, [3])),
        ("SLIP", b"\xc0" * 64),
    ],
)
def test_a_malformed_frame_ends_only_its_connection(server: Server, name: str, data: bytes) -> None:
    other = server.engine("P-256")
    before = len(server.events("malformed_frame"))
    link = server.link()
    link.send_bytes(data)
    kind, content = link.receive()
    assert kind == Frame.ERROR and content[0] in (1, 2, 3), name
    with pytest.raises(TransportError, match="ended"):
        link.receive()
    assert len(server.events("malformed_frame")) in (
        before + 1,
        before,
    )  # more than 20 a second are only counted
    assert other.base_mul(3).ok


def test_entropy_of_a_client_is_ignored(server: Server) -> None:
    link = server.link()
    link.send(Frame.ENTROPY, [1] * 64)
    assert link.status().is_server
