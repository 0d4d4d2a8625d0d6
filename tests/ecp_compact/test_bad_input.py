"""Every status of the table for its reason, and the next job right: on the RTL and on the simulator."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_cofactor_curves
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.sim.rtl import Entropy, Plan, RtlTransport
from tests.ecp_compact.bench import CURVE_ID, Bench

CURVE = find_curve("P-192")
G, P, N, W = CURVE.generator, CURVE.p, CURVE.n, CURVE.element_words
LOAD = dict(zip(("par", "p", "a", "b", "gx", "gy", "n", "order"), curve_load_operands(CURVE), strict=True))


@pytest.fixture(scope="module", params=["iss", "rtl"])
def opened(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


@pytest.fixture
def bench(opened: Bench) -> Iterator[Bench]:
    """The engine with P-192 loaded and no key; after the test the next job has to be right."""
    opened.load(CURVE)
    yield opened
    if opened.curve != CURVE:
        opened.load(CURVE)
    opened.submit(Op.MOD_MUL, (P - 1, P - 2))
    assert opened.submit(Op.BASE_MUL, (N - 1,)).values == (G[0], P - G[1])


STATUSES = [
    (Op.BASE_MUL, (0,), 0, Status.INFINITY),
    (Op.MUL, (5, 0, 0), 0, Status.INFINITY),
    (Op.POINT_ADD, (*G, G[0], P - G[1]), 0, Status.INFINITY),
    (Op.DOUBLE_MUL, (3, N - 3, *G), 0, Status.INFINITY),
    (Op.ECDSA_VERIFY, (1, 0, 1, *G), 0, Status.BAD_SIGNATURE),
    (Op.ECDSA_VERIFY, (1, 1, N, *G), 0, Status.BAD_SIGNATURE),
    (Op.ECDSA_VERIFY, (1, 1, 1, *G), 0, Status.BAD_SIGNATURE),
    (0x0B, (1,), 0, Status.BAD_OP),
    (0x3F, (), 0, Status.BAD_OP),
    (0x00, (), 0, Status.BAD_OP),
    (0xFF, (), 0, Status.BAD_OP),
    (Op.BASE_MUL, (1,), 0x10, Status.BAD_OP),
    (Op.ZEROISE, (), 0x80, Status.BAD_OP),
    (Op.MUL, (1, *G, 1), 0, Status.BAD_LENGTH),
    (Op.ECDH, G, 0, Status.BAD_LENGTH),
    (Op.ECDSA_SIGN, (1, 1, 1), Flag.RANDOM, Status.BAD_LENGTH),
    (Op.SELF_TEST, (1,), 0, Status.BAD_LENGTH),
    (Op.ZEROISE, (1,), 0, Status.BAD_LENGTH),
    (Op.X_LADDER, (8, 9), 0, Status.BAD_CURVE),
    (Op.MUL, (1, G[0], G[1] ^ 1), 0, Status.NOT_ON_CURVE),
    (Op.ECDH, (0, 0, 1), 0, Status.NOT_ON_CURVE),
    (Op.ECDSA_VERIFY, (1, 1, 1, G[1], G[0]), 0, Status.NOT_ON_CURVE),
    (Op.POINT_ADD, (*G, 1, 1), 0, Status.NOT_ON_CURVE),
    (Op.MUL, (1, P, G[1]), 0, Status.COORD_RANGE),
    (Op.MUL, (1, G[0], (1 << 192) - 1), 0, Status.COORD_RANGE),
    (Op.POINT_ADD, (1, 1, P, 0), 0, Status.NOT_ON_CURVE),
    (Op.DOUBLE_MUL, (1, 1, P, 0), 0, Status.COORD_RANGE),
    (Op.MOD_ADD, (0, P), 0, Status.COORD_RANGE),
    (Op.MOD_MUL, (N, 0), Flag.MOD_N, Status.COORD_RANGE),
    (Op.KEYGEN, (0,), 0, Status.SCALAR_RANGE),
    (Op.KEY_LOAD, (N,), 0, Status.SCALAR_RANGE),
    (Op.ECDH, (*G, N), 0, Status.SCALAR_RANGE),
    (Op.ECDSA_SIGN, (1, 0, 1), 0, Status.SCALAR_RANGE),
    (Op.ECDSA_SIGN, (1, 1, N), 0, Status.SCALAR_RANGE),
    (Op.ECDH, G, Flag.KEY, Status.NO_KEY),
    (Op.ECDSA_SIGN, (1, 1), Flag.KEY, Status.NO_KEY),
    (Op.ECDSA_SIGN, (-G[0] % N, 1, 1), 0, Status.RETRY),
]


@pytest.mark.parametrize(("op", "operands", "flags", "expected"), STATUSES)
def test_status(bench: Bench, op: int, operands: tuple[int, ...], flags: int, expected: Status) -> None:
    assert bench.submit(op, operands, flags).status_name == expected.name


def test_every_operation_code_and_reserved_flag(bench: Bench) -> None:
    """Without operands: whatever the code, an answer, and no program runs that should not."""
    for op in range(256):
        if op != Op.CURVE_LOAD:
            bench.submit(op)
    for flags in range(16, 256, 5):
        assert bench.submit(Op.SELF_TEST, (), flags).status == Status.BAD_OP


def test_scalars_above_the_bits_of_the_order(bench: Bench) -> None:
    """P-521 leaves room above bits(N) in its 17 words."""
    curve = find_curve("P-521")
    bench.load(curve)
    for k in (1 << 521, (1 << 544) - 1):
        assert bench.submit(Op.BASE_MUL, (k,)).status == Status.SCALAR_RANGE
        assert bench.submit(Op.MUL, (k, *curve.generator)).status == Status.SCALAR_RANGE
        assert bench.submit(Op.DOUBLE_MUL, (1, k, *curve.generator)).status == Status.SCALAR_RANGE
    assert bench.submit(Op.BASE_MUL, ((1 << 521) - 1,)).status == Status.OK


def test_montgomery_curves_have_their_own_ladder_only(bench: Bench) -> None:
    curve = find_curve("curve25519")
    bench.load(curve)
    assert bench.submit(Op.X_LADDER, (4, curve.p)).status == Status.COORD_RANGE
    assert bench.submit(Op.X_LADDER, (4, 0)).status == Status.INFINITY
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE


def test_small_order_and_failed_self_test(bench: Bench) -> None:
    bench.load(find_curve("wei25519"))
    assert bench.submit(Op.BASE_MUL, (2,)).status == Status.EXCEPTIONAL
    curve = small_cofactor_curves()[0]
    bench.load(curve)
    statuses = {bench.submit(Op.ECDH, (*curve.generator, d)).status for d in range(1, curve.n)}
    assert statuses == {Status.OK, Status.EXCEPTIONAL}
    bench.load(replace(CURVE, n=N - 2))
    assert bench.submit(Op.SELF_TEST).status == Status.SELF_TEST_FAILED
    bench.load(CURVE)
    assert bench.submit(Op.SELF_TEST).status == Status.OK


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"p": P - 1}, Status.BAD_MODULUS),
        ({"n": N - 1}, Status.BAD_MODULUS),
        ({"p": P - 2}, Status.BAD_MODULUS),
        ({"n": N - 2}, Status.BAD_MODULUS),
        ({"p": 1}, Status.BAD_MODULUS),
        ({"n": 1}, Status.BAD_MODULUS),
        ({"b": 0}, Status.BAD_MODULUS),
        ({"order": N >> 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] + 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] | 0x3FF}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] & ~0x3FF}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] & ~0x3FF_0000}, Status.BAD_MODULUS),
        ({"par": 0}, Status.BAD_MODULUS),
        ({"p": 0}, Status.BAD_MODULUS),
        ({"n": 0, "order": 0}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] | 0x3FF << 16}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 64}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 95}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 128}, Status.BAD_MODULUS),
        ({"a": P}, Status.COORD_RANGE),
        ({"b": P}, Status.COORD_RANGE),
        ({"gx": P}, Status.COORD_RANGE),
        ({"gy": P}, Status.COORD_RANGE),
        ({"gy": G[1] ^ 1}, Status.NOT_ON_CURVE),
        ({"gx": 1, "gy": 1}, Status.NOT_ON_CURVE),
    ],
)
def test_a_refused_curve_leaves_none(bench: Bench, changes: dict[str, int], expected: Status) -> None:
    operands = tuple((LOAD | changes).values())
    bench.submit(Op.KEY_LOAD, (5,))
    assert bench.submit(Op.CURVE_LOAD, operands).status_name == expected.name
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
    bench.load(CURVE)
    assert bench.submit(Op.ECDH, G, Flag.KEY).status == Status.NO_KEY


def test_a_curve_that_only_claims_a_is_minus_3_is_refused(bench: Bench) -> None:
    """Else DOUBLE_MUL and ECDSA_VERIFY would compute on another curve."""
    curve = find_curve("secp192k1")
    par, *rest = curve_load_operands(curve)
    assert bench.submit(Op.CURVE_LOAD, (par | 256 << 32, *rest)).status == Status.BAD_MODULUS
    bench.load(CURVE)


def test_curve_load_of_too_few_operands_and_another_id(bench: Bench) -> None:
    bench.exchange(Request(Op.BASE_MUL, CURVE_ID + 1, 7, 0, W, (1,)).words())
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.OK
    assert bench.submit(Op.CURVE_LOAD, tuple(LOAD.values())[:7]).status == Status.BAD_LENGTH
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
    bench.load(CURVE)


def test_element_words(bench: Bench) -> None:
    """Any other W than the curve's, for a job and for CURVE_LOAD; the curve stays."""
    for width in (0, 1, 5, 7, 17, 18, 31, 255):
        for op in (Op.SELF_TEST, Op.BASE_MUL):
            words = Request(op, CURVE_ID, 1, 0, width, ()).words()
            assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
    for width in (0, 5, 18, 255):
        words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, ()).words()
        assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH


def test_packets_cut_at_every_word_and_over_long(bench: Bench) -> None:
    good = Request(Op.ECDH, CURVE_ID, 0x5A5A, 0, W, (*G, 5)).words()
    for length in range(1, len(good)):
        assert bench.exchange(good[:length]) == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    # The header may announce up to 255 words; what it announces counts only when it comes.
    for announced in (0, 6, 17, 19, 24, 48, 54, 102, 136, 137, 255, 256, 0xFFFF):
        for length in (2, 3, 17, 19, 20, 50, 56, 138, 139, 257, 258):
            words = [good[0], good[1] & 0xFFFF0000 | announced, *range(300)][:length]
            for flags in (0, 0x20):
                bench.exchange([words[0], words[1] | flags << 16, *words[2:]])
    for extra in (1, 5, 6, 7, 30, 36, 200, 3000):
        response = bench.exchange([*good, *(0xFFFFFFFF,) * extra])
        assert response == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    assert bench.exchange(good)[0] & 0xFF == Status.OK


def test_no_entropy(bench: Bench) -> None:
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


def test_entropy_of_zeros_is_not_a_key(bench: Bench) -> None:
    bench.rng = Zeros()
    try:
        assert bench.submit(Op.KEYGEN, (), Flag.RANDOM).status == Status.RETRY
        assert bench.submit(Op.ECDSA_SIGN, (1, 1), Flag.RANDOM).status == Status.RETRY
        assert bench.submit(Op.ECDH, G, Flag.KEY).status == Status.NO_KEY
        assert bench.submit(Op.MUL, (7, *G), Flag.BLIND).status == Status.OK
    finally:
        bench.rng = random.Random(2)


class Zeros(random.Random):
    """An entropy source that is stuck."""

    def getrandbits(self, k: int, /) -> int:
        return 0


def test_entropy_that_stops_in_a_draw_ends_the_job_in_bounded_time() -> None:
    bench = Bench("rtl")
    bench.load(CURVE)
    transport = bench.transport
    assert isinstance(transport, RtlTransport)
    for words in (1, W + 2, W + 3, W + 4):
        transport.entropy(Entropy.NONE)
        transport.entropy_words([1] * words)
        job = bench.engine.submit(Op.KEYGEN, (), Flag.RANDOM)
        assert (job.status, job.cycles is not None and job.cycles < 140_000) == (Status.NO_ENTROPY, True)
    bench.submit(Op.KEYGEN, (), Flag.RANDOM)


def test_back_pressure_on_both_streams() -> None:
    """However the words trickle, the answers are the same: each pattern withholds most clocks."""
    bench = Bench("rtl")
    transport = bench.transport
    assert isinstance(transport, RtlTransport)
    public = point.base_mul(CURVE, 9)
    signature = ecdsa.sign(CURVE, 9, 1234, 77)
    assert public is not None and signature is not None
    for stalls in (
        (0x5A5A_33F1, 0xFFFF_7FFE),
        (0xFFFF_FFFE, 0),
        (0, 0xFFFF_FFFE),
        (0x7FFF_FFFF, 0x7FFF_FFFF),
    ):
        transport.plan = Plan(req_stall=stalls[0], rsp_stall=stalls[1])
        bench.load(CURVE)
        assert bench.submit(Op.ECDSA_SIGN, (1234, 9, 77)).values == signature
        assert bench.submit(Op.ECDSA_VERIFY, (1234, *signature, *public)).ok
        good = Request(Op.MOD_ADD, CURVE_ID, 1, 0, W, (3, 4)).words()
        for bent in (good[:1], good[:-1], [*good, 0], good):
            bench.exchange(bent)


def test_a_curve_that_does_not_fit_the_engine(bench: Bench) -> None:
    """Every one of the widest curve's elements reaches the last word, and W + 1 is refused by the port."""
    curve = find_curve("P-521")
    bench.load(curve)
    assert bench.submit(Op.BASE_MUL, (curve.n - 1,)).values == (curve.gx, curve.p - curve.gy)
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, 18, curve_load_operands(curve)).words()
    assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
