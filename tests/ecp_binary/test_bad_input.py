"""The binary engine gives every status for its reason, and the next job is right: on RTL and simulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport
from tests.ecp_binary.bench import order_two
from tests.ecp_compact import bad_input
from tests.ecp_compact.bench import CURVE_ID, Comparison

CONFIG = find_config("binary-163-d64")
CURVE = find_curve("B-163")
OTHER = find_curve("c2pnb163v1")  # of the same degree, with another polynomial
WIDER = find_curve("B-233")
G, N, W, SIZE = CURVE.generator, CURVE.n, CURVE.element_words, CURVE.field_size
TWO = order_two(CURVE)
LOAD = dict(zip(("par", "p", "a", "b", "gx", "gy", "n", "order"), curve_load_operands(CURVE), strict=True))


def compared(transport: RtlTransport | IssTransport) -> Comparison:
    return Comparison(transport, CONFIG.max_words, CONFIG.digit_bits, binary=True)


@pytest.fixture(scope="module", params=["iss", "rtl"])
def opened(request: pytest.FixtureRequest) -> Comparison:
    return compared(RtlTransport(CONFIG) if request.param == "rtl" else IssTransport.of(CONFIG))


@pytest.fixture
def bench(opened: Comparison) -> Iterator[Comparison]:
    """The engine with B-163 loaded and no key. After the test the next job has to be right."""
    opened.load(CURVE)
    yield opened
    assert opened.submit(Op.BASE_MUL, (N - 1,)).values == (G[0], G[0] ^ G[1])


STATUSES = [
    *bad_input.statuses(CURVE),
    (Op.MUL, (2, *TWO), 0, Status.INFINITY),
    (Op.POINT_ADD, (*TWO, *TWO), 0, Status.INFINITY),
    (Op.ECDH, (*TWO, 2), Flag.COFACTOR, Status.EXCEPTIONAL),
    (Op.ECDH, (*TWO, 2), 0, Status.EXCEPTIONAL),
    (Op.ECDH, (*TWO, 3), 0, Status.EXCEPTIONAL),
    (Op.ECDSA_VERIFY, (1, 1, 1, *TWO), 0, Status.BAD_SIGNATURE),
    (Op.MUL, (1, 0, TWO[1] ^ 1), 0, Status.NOT_ON_CURVE),
    (Op.MUL, (1, G[0] | SIZE, G[1]), 0, Status.COORD_RANGE),
    (Op.BASE_MUL, (1 << 191,), 0, Status.SCALAR_RANGE),
]


@pytest.mark.parametrize(("op", "operands", "flags", "expected"), STATUSES)
def test_status(bench: Comparison, op: int, operands: tuple[int, ...], flags: int, expected: Status) -> None:
    assert bench.submit(op, operands, flags).status_name == expected.name


def test_every_operation_code_and_reserved_flag(bench: Comparison) -> None:
    bad_input.check_codes_and_flags(bench)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"par": LOAD["par"] & ~(0xFF << 32)}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] + 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] + (1 << 16)}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 128}, Status.BAD_MODULUS),
        ({"par": 0}, Status.BAD_MODULUS),
        ({"p": LOAD["p"] ^ 2}, Status.BAD_MODULUS),
        ({"b": 0}, Status.BAD_MODULUS),
        ({"n": N - 1}, Status.BAD_MODULUS),
        ({"n": 1}, Status.BAD_MODULUS),
        ({"n": 0, "order": 0}, Status.BAD_MODULUS),
        ({"order": LOAD["order"] >> 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] | 1 << 40}, Status.BAD_MODULUS),
        ({"a": SIZE}, Status.COORD_RANGE),
        ({"b": LOAD["b"] | SIZE}, Status.COORD_RANGE),
        ({"gx": G[0] | SIZE}, Status.COORD_RANGE),
        ({"gy": G[1] | SIZE}, Status.COORD_RANGE),
        ({"gy": G[1] ^ 1}, Status.NOT_ON_CURVE),
        ({"gx": 1, "gy": 0}, Status.NOT_ON_CURVE),
    ],
)
def test_a_refused_curve_leaves_none(bench: Comparison, changes: dict[str, int], expected: Status) -> None:
    bad_input.check_refused_curve(bench, CURVE, tuple((LOAD | changes).values()), expected)


def test_fields_that_the_engine_does_not_have(bench: Comparison) -> None:
    """Another polynomial of the same degree, and a field that is too wide for the engine's memory."""
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, W, curve_load_operands(OTHER)).words()
    assert bench.transport.exchange(words).words[0] & 0xFF == Status.BAD_MODULUS
    bench.load(CURVE)
    width = WIDER.element_words
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, curve_load_operands(WIDER)).words()
    assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
    bench.load(CURVE)


def test_element_words(bench: Comparison) -> None:
    bad_input.check_element_words(bench)


def test_packets_cut_at_every_word_and_over_long(bench: Comparison) -> None:
    bad_input.check_cut_and_long_packets(bench, CURVE)


def test_no_entropy(bench: Comparison) -> None:
    bad_input.check_no_entropy(bench, CURVE)


def test_entropy_of_zeros_is_not_a_key(bench: Comparison) -> None:
    bad_input.check_entropy_of_zeros(bench, CURVE)


def test_entropy_that_stops_in_a_draw_ends_the_job_in_bounded_time() -> None:
    transport = RtlTransport(CONFIG)
    bad_input.check_entropy_that_stops(compared(transport), transport, CURVE)


def test_back_pressure_on_both_streams() -> None:
    transport = RtlTransport(CONFIG)
    bad_input.check_back_pressure(compared(transport), transport, CURVE)
