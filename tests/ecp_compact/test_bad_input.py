"""The engine gives every status of the table for its reason, and the next job is right: on RTL and
simulator.
"""

from collections.abc import Iterator

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_cofactor_curves
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Op, Status, curve_load_operands
from eccelerate.model.montgomery import small_order_u
from eccelerate.rtlsim.rtl import RtlTransport
from tests.ecp_compact import bad_input
from tests.ecp_compact.bench import CURVE_ID, Bench
from tests.hostile import wrong_order

CURVE = find_curve("P-192")
G, P, N, W = CURVE.generator, CURVE.p, CURVE.n, CURVE.element_words
LOAD = dict(zip(("par", "p", "a", "b", "gx", "gy", "n", "order"), curve_load_operands(CURVE), strict=True))


@pytest.fixture(scope="module", params=["iss", "rtl"])
def opened(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


@pytest.fixture
def bench(opened: Bench) -> Iterator[Bench]:
    """The engine with P-192 loaded and no key. After the test the next job has to be right."""
    opened.load(CURVE)
    yield opened
    if opened.curve != CURVE:
        opened.load(CURVE)
    opened.submit(Op.MOD_MUL, (P - 1, P - 2))
    assert opened.submit(Op.BASE_MUL, (N - 1,)).values == (G[0], P - G[1])


STATUSES = [
    *bad_input.statuses(CURVE),
    (Op.X_LADDER, (8, 9), 0, Status.BAD_CURVE),
]


@pytest.mark.parametrize(("op", "operands", "flags", "expected"), STATUSES)
def test_status(bench: Bench, op: int, operands: tuple[int, ...], flags: int, expected: Status) -> None:
    assert bench.submit(op, operands, flags).status_name == expected.name


def test_every_operation_code_and_reserved_flag(bench: Bench) -> None:
    bad_input.check_codes_and_flags(bench)


def test_scalars_above_the_bits_of_the_order(bench: Bench) -> None:
    """The 17 words of P-521 have room for larger numbers than bits(N)."""
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
    top = 1 << curve.p_bits - 1
    assert bench.submit(Op.X_LADDER, (top, curve.p)).status == Status.COORD_RANGE
    for u in small_order_u(curve):
        assert bench.submit(Op.X_LADDER, (top + 1, u)).status == Status.INFINITY
    for k in (0, 4, top - 1, 2 * top, 3 * top):
        assert bench.submit(Op.X_LADDER, (k, 9)).status == Status.SCALAR_RANGE
    assert bench.submit(Op.X_LADDER, (2 * top - 1, 9)).status == Status.OK
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE


def test_small_order_and_failed_self_test(bench: Bench) -> None:
    bench.load(find_curve("wei25519"))
    assert bench.submit(Op.BASE_MUL, (2,)).status == Status.EXCEPTIONAL
    curve = small_cofactor_curves()[0]
    bench.load(curve)
    statuses = {bench.submit(Op.ECDH, (*curve.generator, d)).status for d in range(1, curve.n)}
    assert statuses == {Status.OK, Status.EXCEPTIONAL}
    bench.load(wrong_order(CURVE))
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
        ({"order": N - 2}, Status.BAD_MODULUS),
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
    bad_input.check_refused_curve(bench, CURVE, tuple((LOAD | changes).values()), expected)


def test_a_curve_that_only_claims_a_is_minus_3_is_refused(bench: Bench) -> None:
    """Otherwise DOUBLE_MUL and ECDSA_VERIFY would compute on another curve."""
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
    bad_input.check_element_words(bench)


def test_packets_cut_at_every_word_and_over_long(bench: Bench) -> None:
    bad_input.check_cut_and_long_packets(bench, CURVE)


def test_no_entropy(bench: Bench) -> None:
    bad_input.check_no_entropy(bench, CURVE)


def test_entropy_of_zeros_is_not_a_key(bench: Bench) -> None:
    bad_input.check_entropy_of_zeros(bench, CURVE)


def on_rtl() -> tuple[Bench, RtlTransport]:
    bench = Bench("rtl")
    assert isinstance(bench.transport, RtlTransport)
    return bench, bench.transport


def test_entropy_that_stops_in_a_draw_ends_the_job_in_bounded_time() -> None:
    bad_input.check_entropy_that_stops(*on_rtl(), CURVE)


def test_back_pressure_on_both_streams() -> None:
    bad_input.check_back_pressure(*on_rtl(), CURVE)


def test_a_curve_that_does_not_fit_the_engine(bench: Bench) -> None:
    """Elements of the widest curve use the last word, and the port refuses W + 1."""
    curve = find_curve("P-521")
    bench.load(curve)
    assert bench.submit(Op.BASE_MUL, (curve.n - 1,)).values == (curve.gx, curve.p - curve.gy)
    words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, 18, curve_load_operands(curve)).words()
    assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
