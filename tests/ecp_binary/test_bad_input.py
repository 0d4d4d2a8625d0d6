"""Every status of the binary engine for its reason, and the next job right: on RTL and simulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.sim.config import find_config
from eccelerate.sim.iss_transport import IssTransport
from eccelerate.sim.rtl import Entropy, Plan, RtlTransport
from tests.ecp_binary.bench import order_two
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
    """The engine with B-163 loaded and no key; after the test the next job has to be right."""
    opened.load(CURVE)
    yield opened
    assert opened.submit(Op.BASE_MUL, (N - 1,)).values == (G[0], G[0] ^ G[1])


STATUSES = [
    (Op.BASE_MUL, (0,), 0, Status.INFINITY),
    (Op.MUL, (5, 0, 0), 0, Status.INFINITY),
    (Op.MUL, (2, *TWO), 0, Status.INFINITY),
    (Op.POINT_ADD, (*G, G[0], G[0] ^ G[1]), 0, Status.INFINITY),
    (Op.POINT_ADD, (*TWO, *TWO), 0, Status.INFINITY),
    (Op.DOUBLE_MUL, (3, N - 3, *G), 0, Status.INFINITY),
    (Op.ECDH, (*TWO, 2), Flag.COFACTOR, Status.EXCEPTIONAL),
    (Op.ECDSA_VERIFY, (1, 0, 1, *G), 0, Status.BAD_SIGNATURE),
    (Op.ECDSA_VERIFY, (1, 1, N, *G), 0, Status.BAD_SIGNATURE),
    (Op.ECDSA_VERIFY, (1, 1, 1, *G), 0, Status.BAD_SIGNATURE),
    (Op.ECDSA_VERIFY, (1, 1, 1, *TWO), 0, Status.BAD_SIGNATURE),
    (0x0B, (1,), 0, Status.BAD_OP),
    (0x3F, (), 0, Status.BAD_OP),
    (0x00, (), 0, Status.BAD_OP),
    (0xFF, (), 0, Status.BAD_OP),
    (Op.BASE_MUL, (1,), 0x20, Status.BAD_OP),
    (Op.ZEROISE, (), 0x80, Status.BAD_OP),
    (Op.MUL, (1, *G, 1), 0, Status.BAD_LENGTH),
    (Op.ECDH, G, 0, Status.BAD_LENGTH),
    (Op.ECDSA_SIGN, (1, 1, 1), Flag.RANDOM, Status.BAD_LENGTH),
    (Op.SELF_TEST, (1,), 0, Status.BAD_LENGTH),
    (Op.ZEROISE, (1,), 0, Status.BAD_LENGTH),
    (Op.MUL, (1, G[0], G[1] ^ 1), 0, Status.NOT_ON_CURVE),
    (Op.MUL, (1, 0, TWO[1] ^ 1), 0, Status.NOT_ON_CURVE),
    (Op.ECDH, (0, 0, 1), 0, Status.NOT_ON_CURVE),
    (Op.ECDSA_VERIFY, (1, 1, 1, G[1], G[0]), 0, Status.NOT_ON_CURVE),
    (Op.POINT_ADD, (*G, 1, 1), 0, Status.NOT_ON_CURVE),
    (Op.MUL, (1, G[0] | SIZE, G[1]), 0, Status.COORD_RANGE),
    (Op.MUL, (1, G[0], (1 << 192) - 1), 0, Status.COORD_RANGE),
    (Op.DOUBLE_MUL, (1, 1, SIZE, 0), 0, Status.COORD_RANGE),
    (Op.MOD_ADD, (0, SIZE), 0, Status.COORD_RANGE),
    (Op.MOD_MUL, (N, 0), Flag.MOD_N, Status.COORD_RANGE),
    (Op.KEYGEN, (0,), 0, Status.SCALAR_RANGE),
    (Op.KEY_LOAD, (N,), 0, Status.SCALAR_RANGE),
    (Op.ECDH, (*G, N), 0, Status.SCALAR_RANGE),
    (Op.ECDSA_SIGN, (1, 0, 1), 0, Status.SCALAR_RANGE),
    (Op.ECDSA_SIGN, (1, 1, N), 0, Status.SCALAR_RANGE),
    (Op.BASE_MUL, (1 << 191,), 0, Status.SCALAR_RANGE),
    (Op.ECDH, G, Flag.KEY, Status.NO_KEY),
    (Op.ECDSA_SIGN, (1, 1), Flag.KEY, Status.NO_KEY),
    (Op.ECDSA_SIGN, (-G[0] % N, 1, 1), 0, Status.RETRY),
]


@pytest.mark.parametrize(("op", "operands", "flags", "expected"), STATUSES)
def test_status(bench: Comparison, op: int, operands: tuple[int, ...], flags: int, expected: Status) -> None:
    assert bench.submit(op, operands, flags).status_name == expected.name


def test_every_operation_code_and_reserved_flag(bench: Comparison) -> None:
    """Without operands: whatever the code, an answer, and no program runs that should not."""
    for op in range(256):
        if op != Op.CURVE_LOAD:
            bench.submit(op)
    for flags in range(32, 256, 5):
        assert bench.submit(Op.SELF_TEST, (), flags).status == Status.BAD_OP


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
        ({"a": SIZE}, Status.COORD_RANGE),
        ({"b": LOAD["b"] | SIZE}, Status.COORD_RANGE),
        ({"gx": G[0] | SIZE}, Status.COORD_RANGE),
        ({"gy": G[1] | SIZE}, Status.COORD_RANGE),
        ({"gy": G[1] ^ 1}, Status.NOT_ON_CURVE),
        ({"gx": 1, "gy": 0}, Status.NOT_ON_CURVE),
    ],
)
def test_a_refused_curve_leaves_none(bench: Comparison, changes: dict[str, int], expected: Status) -> None:
    bench.submit(Op.KEY_LOAD, (5,))
    assert bench.submit(Op.CURVE_LOAD, tuple((LOAD | changes).values())).status_name == expected.name
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
    bench.load(CURVE)
    assert bench.submit(Op.ECDH, G, Flag.KEY).status == Status.NO_KEY


def test_fields_that_the_engine_does_not_have(bench: Comparison) -> None:
    """Another polynomial of its degree; a field that its memory is too narrow for."""
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, W, curve_load_operands(OTHER)).words()
    assert bench.transport.exchange(words).words[0] & 0xFF == Status.BAD_MODULUS
    bench.load(CURVE)
    width = WIDER.element_words
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, curve_load_operands(WIDER)).words()
    assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
    bench.load(CURVE)


def test_packets_cut_at_every_word_and_over_long(bench: Comparison) -> None:
    good = Request(Op.ECDH, CURVE_ID, 0x5A5A, 0, W, (*G, 5)).words()
    for length in range(1, len(good)):
        assert bench.exchange(good[:length]) == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    for announced in (0, 6, 17, 19, 24, 48, 255, 256, 0xFFFF):
        for length in (2, 3, 17, 19, 20, 50, 258):
            bench.exchange([good[0], good[1] & 0xFFFF0000 | announced, *range(300)][:length])
    for extra in (1, 5, 6, 7, 30, 200, 3000):
        response = bench.exchange([*good, *(0xFFFFFFFF,) * extra])
        assert response == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    for width in (0, 1, 5, 7, 18, 31, 255):
        words = Request(Op.BASE_MUL, CURVE_ID, 1, 0, width, ()).words()
        assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
    assert bench.exchange(good)[0] & 0xFF == Status.OK


def test_no_entropy(bench: Comparison) -> None:
    bench.dry = True
    try:
        for op, operands, flags in (
            (Op.MUL, (5, *G), 0),
            (Op.BASE_MUL, (1,), Flag.BLIND),
            (Op.ECDSA_SIGN, (1, 2), Flag.RANDOM),
            (Op.KEYGEN, (), Flag.RANDOM),
            (Op.SELF_TEST, (), 0),
        ):
            assert bench.submit(op, operands, flags).status == Status.NO_ENTROPY
        assert bench.submit(Op.MOD_INV, (5,)).status == Status.OK
    finally:
        bench.dry = False


def test_entropy_that_stops_in_a_draw_ends_the_job_in_bounded_time() -> None:
    transport = RtlTransport(CONFIG)
    bench = compared(transport)
    bench.load(CURVE)
    for words in (1, W + 2, W + 4):
        transport.entropy(Entropy.NONE)
        transport.entropy_words([1] * words)
        job = bench.engine.submit(Op.KEYGEN, (), Flag.RANDOM)
        assert (job.status, job.cycles is not None and job.cycles < 140_000) == (Status.NO_ENTROPY, True)
    bench.submit(Op.KEYGEN, (), Flag.RANDOM)


def test_back_pressure_on_both_streams() -> None:
    """However the words trickle, the answers are the same: each pattern withholds most clocks."""
    transport = RtlTransport(CONFIG)
    bench = compared(transport)
    public, signature = point.base_mul(CURVE, 9), ecdsa.sign(CURVE, 9, 1234, 77)
    assert public is not None and signature is not None
    for request, response in ((0x5A5A_33F1, 0xFFFF_7FFE), (0xFFFF_FFFE, 0), (0, 0xFFFF_FFFE)):
        transport.plan = Plan(req_stall=request, rsp_stall=response)
        bench.load(CURVE)
        assert bench.submit(Op.ECDSA_SIGN, (1234, 9, 77)).values == signature
        assert bench.submit(Op.ECDSA_VERIFY, (1234, *signature, *public)).ok
        good = Request(Op.MOD_ADD, CURVE_ID, 1, 0, W, (3, 4)).words()
        for bent in (good[:1], good[:-1], [*good, 0], good):
            bench.exchange(bent)
