"""GoldenEngine: every operation and every status, on a real curve and exhaustively on small ones."""

import random
from collections.abc import Callable

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import curve_points, small_cofactor_curves, small_curves
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import (
    Flag,
    JobRequest,
    JobResponse,
    Op,
    Status,
    curve_load_operands,
    operand_count,
    result_count,
)
from eccelerate.model.montgomery import small_order_u
from tests.hostile import wrong_order

P256 = find_curve("P-256")
CURVE25519 = find_curve("curve25519")
G = P256.generator
P, N = P256.p, P256.n
OK = Status.OK
INFINITE = JobResponse(Status.INFINITY, (0, 0))


def engine_with(curve: Curve = P256, **options: object) -> GoldenEngine:
    engine = GoldenEngine(**options)
    assert engine.load(curve) == JobResponse(OK)
    return engine


def status(engine: GoldenEngine, op: int, *operands: int, flags: int = 0) -> Status:
    """The status, after a check that only OK and INFINITY come with results, and with the right number of
    them.
    """
    result = engine.do(op, *operands, flags=flags)
    answered = result.status in (Status.OK, Status.INFINITY)
    assert len(result.values) == (result_count(Op(op)) if answered else 0)
    return result.status


def constant(value: int | None) -> Callable[[int], int | None]:
    return lambda bits: value


# ---- operations


def test_multiplications() -> None:
    engine = engine_with()
    k = random.Random(1).randrange(N)
    expected = point.base_mul(P256, k)
    assert expected is not None
    for flags in (Flag.NONE, Flag.BLIND):
        assert engine.do(Op.BASE_MUL, k, flags=flags) == JobResponse(OK, expected)
        assert engine.do(Op.MUL, k, *G, flags=flags) == JobResponse(OK, expected)
    assert engine.do(Op.DOUBLE_MUL, 5, k, *G) == JobResponse(OK, point.base_mul(P256, k + 5) or ())
    assert engine.do(Op.DOUBLE_MUL, N - k, k, *G) == INFINITE
    assert engine.do(Op.MUL, k, 0, 0) == INFINITE
    for k in (0, N):
        assert engine.do(Op.MUL, k, *G) == engine.do(Op.BASE_MUL, k) == INFINITE
    top = 2**256 - 1
    assert engine.do(Op.BASE_MUL, top) == JobResponse(OK, point.base_mul(P256, top) or ())


@pytest.mark.parametrize("curve", small_curves()[-2:], ids=lambda curve: curve.name)
def test_points_exhaustively(curve: Curve) -> None:
    """Every pair of coordinates, on the curve or not, every sum, and every multiple by scalars up to
    2^bits(N).
    """
    engine = engine_with(curve)
    points = curve_points(curve)
    for x in range(curve.p):
        for y in range(curve.p):
            expected = OK if (x, y) in points else Status.NOT_ON_CURVE
            assert status(engine, Op.ON_CURVE, x, y) == expected
            assert status(engine, Op.ECDH, x, y, 1) == expected

    def as_result(value: tuple[int, int] | None) -> JobResponse:
        return INFINITE if value is None else JobResponse(OK, value)

    written = {None: (0, 0)} | {each: each for each in points}
    for left in written:
        running = None
        for k in range(1 << curve.order_bits):
            assert engine.do(Op.MUL, k, *written[left]) == as_result(running)
            running = point.add(curve, running, left)
        for right in written:
            expected = as_result(point.add(curve, left, right))
            assert engine.do(Op.POINT_ADD, *written[left], *written[right]) == expected


def test_modular_arithmetic() -> None:
    engine = engine_with()
    rng = random.Random(2)
    for flags, m in ((Flag.NONE, P), (Flag.MOD_N, N)):
        for a, b in ((0, 0), (1, m - 1), (m - 1, m - 1), (rng.randrange(m), rng.randrange(m))):
            assert engine.do(Op.MOD_MUL, a, b, flags=flags) == JobResponse(OK, (a * b % m,))
            assert engine.do(Op.MOD_ADD, a, b, flags=flags) == JobResponse(OK, ((a + b) % m,))
            assert engine.do(Op.MOD_SUB, a, b, flags=flags) == JobResponse(OK, ((a - b) % m,))
            assert engine.do(Op.MOD_INV, a, flags=flags) == JobResponse(OK, (pow(a, m - 2, m),))
            assert engine.do(Op.MOD_EXP, a, b, flags=flags) == JobResponse(OK, (pow(a, b, m),))
        assert engine.do(Op.MOD_EXP, 0, 0, flags=flags) == JobResponse(OK, (1,))
        assert engine.do(Op.MOD_EXP, 2, 2**256 - 1, flags=flags) == JobResponse(OK, (pow(2, 2**256 - 1, m),))


def test_keys_and_signatures() -> None:
    d, e, k = 0x1234567, N + 3, 0x7654321
    engine = engine_with()
    public = point.base_mul(P256, d)
    assert public is not None
    assert engine.do(Op.KEYGEN, d, flags=Flag.HOST_NONCE) == JobResponse(OK, public)
    assert engine.key == d
    pair = ecdsa.sign(P256, d, e, k)
    assert pair is not None
    assert engine.do(Op.ECDSA_SIGN, e, d, k) == JobResponse(OK, pair)
    assert engine.do(Op.ECDSA_SIGN, e, k, flags=Flag.KEY) == JobResponse(OK, pair)
    assert engine.do(Op.ECDSA_VERIFY, e, *pair, *public) == JobResponse(OK)
    assert engine.do(Op.ECDSA_VERIFY, e + 1, *pair, *public) == JobResponse(Status.BAD_SIGNATURE)
    shared = engine.do(Op.ECDH, *public, k)
    assert engine.do(Op.KEY_LOAD, k) == JobResponse(OK)
    assert engine.do(Op.ECDH, *public, flags=Flag.KEY) == shared
    assert shared.values == (engine.do(Op.MUL, k, *public).values[0],)


def test_random_scalars_come_from_the_entropy_port() -> None:
    """A draw uses W + 3 words and keeps W. Two draws make a scalar, before those that split a key, randomise
    and blind.
    """
    ignored = 0xABCDEF << 256
    draws = iter([77 + ignored, 5 + ignored, 6, 7, 1, 2, 99, 3, 4])
    key, nonce = (77 + 5 * 2**256) % N, (99 + 3 * 2**256) % N
    sizes = []

    def entropy(bits: int) -> int:
        sizes.append(bits)
        return next(draws)

    engine = engine_with(entropy=entropy)
    assert engine.do(Op.KEYGEN, flags=Flag.RANDOM | Flag.BLIND) == JobResponse(
        OK, point.base_mul(P256, key) or ()
    )
    assert engine.key == key
    signature = engine.do(Op.ECDSA_SIGN, 5, flags=Flag.KEY | Flag.RANDOM)
    assert signature == JobResponse(OK, ecdsa.sign(P256, key, 5, nonce) or ())
    assert sizes == [32 * 11] * 9 and next(draws, None) is None


def test_default_entropy_gives_different_signatures() -> None:
    engine = engine_with()
    first, second = (engine.do(Op.ECDSA_SIGN, 5, 6, flags=Flag.RANDOM) for _ in range(2))
    assert first.status == second.status == OK and first != second


def test_x_ladder() -> None:
    """The first vector of RFC 7748, 5.2, and a point of small order."""
    engine = engine_with(CURVE25519)
    k = 31029842492115040904895560451863089656472772604678260265531221036453811406496
    u = 34426434033919594451155107781188821651316167215306631574996226621102155684838
    expected = 0x5285A2775507B454F7711C4903CFEC324F088DF24DEA948E90C6E99D3755DAC3
    for flags in (Flag.NONE, Flag.BLIND):
        assert engine.do(Op.X_LADDER, k, u, flags=flags) == JobResponse(OK, (expected,))
    assert engine.do(Op.X_LADDER, k, 1) == JobResponse(Status.INFINITY, (0,))
    assert engine.do(Op.MOD_MUL, 3, 4) == JobResponse(OK, (12,))
    assert engine.do(Op.SELF_TEST) == JobResponse(OK)


# ---- statuses


@pytest.mark.parametrize(
    ("op", "operands", "flags", "expected"),
    [
        (0x00, (), 0, Status.BAD_OP),
        (0x0B, (1,), 0, Status.BAD_OP),
        (0xFF, (), 0, Status.BAD_OP),
        (Op.BASE_MUL, (1,), 0x20, Status.BAD_OP),
        (Op.ZEROISE, (), 0x80, Status.BAD_OP),
        (Op.X_LADDER, (8, 9), 0, Status.BAD_CURVE),
        (Op.MUL, (2**256 - 1, *G), 0, OK),
        (Op.MUL, (1, P, G[1]), 0, Status.COORD_RANGE),
        (Op.MUL, (1, G[0], P), 0, Status.COORD_RANGE),
        (Op.MUL, (1, G[0], G[1] + 1), 0, Status.NOT_ON_CURVE),
        (Op.MUL, (0, 0, 1), 0, Status.NOT_ON_CURVE),
        (Op.DOUBLE_MUL, (1, 1, 0, 0), 0, Status.NOT_ON_CURVE),
        (Op.DOUBLE_MUL, (1, 1, P, 0), 0, Status.COORD_RANGE),
        (Op.POINT_ADD, (*G, G[0], 1), 0, Status.NOT_ON_CURVE),
        (Op.POINT_ADD, (G[0], 1, *G), 0, Status.NOT_ON_CURVE),
        (Op.POINT_ADD, (0, 0, 0, P), 0, Status.COORD_RANGE),
        (Op.POINT_ADD, (0, 0, 0, 0), 0, Status.INFINITY),
        (Op.ON_CURVE, (0, 0), 0, Status.NOT_ON_CURVE),
        (Op.ON_CURVE, (P, 0), 0, Status.COORD_RANGE),
        (Op.ECDH, (0, 0, 1), 0, Status.NOT_ON_CURVE),
        (Op.ECDH, (*G, 0), 0, Status.SCALAR_RANGE),
        (Op.ECDH, (*G, N), 0, Status.SCALAR_RANGE),
        (Op.ECDH, (*G, N - 1), 0, OK),
        (Op.ECDH, G, Flag.KEY, Status.NO_KEY),
        (Op.ECDSA_SIGN, (1, 0, 1), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (1, 1, 0), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (1, N, 1), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (1, 1, N), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (2**256 - 1, 1, 1), 0, OK),
        (Op.ECDSA_SIGN, (1, 1), Flag.KEY, Status.NO_KEY),
        (Op.ECDSA_SIGN, (-G[0] % N, 1, 1), 0, Status.RETRY),
        (Op.ECDSA_VERIFY, (1, 0, 1, *G), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, 1, 0, *G), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, N, 1, *G), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, 1, N, *G), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (N - 1, 1, 1, *G), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, 1, 1, 0, 0), 0, Status.NOT_ON_CURVE),
        (Op.ECDSA_VERIFY, (1, 1, 1, P, 0), 0, Status.COORD_RANGE),
        (Op.KEYGEN, (0,), 0, Status.SCALAR_RANGE),
        (Op.KEYGEN, (N,), 0, Status.SCALAR_RANGE),
        (Op.KEY_LOAD, (0,), 0, Status.SCALAR_RANGE),
        (Op.KEY_LOAD, (N,), 0, Status.SCALAR_RANGE),
        (Op.KEY_LOAD, (N - 1,), 0, OK),
        (Op.MOD_MUL, (P, 0), 0, Status.COORD_RANGE),
        (Op.MOD_MUL, (0, P), 0, Status.COORD_RANGE),
        (Op.MOD_ADD, (0, N), Flag.MOD_N, Status.COORD_RANGE),
        (Op.MOD_SUB, (N, 0), Flag.MOD_N, Status.COORD_RANGE),
        (Op.MOD_SUB, (N, 0), 0, OK),
        (Op.MOD_INV, (P,), 0, Status.COORD_RANGE),
        (Op.MOD_EXP, (P, 1), 0, Status.COORD_RANGE),
        (Op.MOD_EXP, (1, P), 0, OK),
        (Op.SELF_TEST, (), 0, OK),
        (Op.ZEROISE, (), 0, OK),
    ],
)
def test_statuses_on_p256(op: int, operands: tuple[int, ...], flags: int, expected: Status) -> None:
    engine = engine_with()
    if op not in Op.__members__.values():
        assert engine.do(op, *operands) == JobResponse(expected)
    else:
        assert status(engine, op, *operands, flags=flags) == expected


@pytest.mark.parametrize("op", [Op.MUL, Op.BASE_MUL, Op.DOUBLE_MUL])
def test_scalars_of_too_many_bits(op: Op) -> None:
    """The 17 words of P-521 have room for more than bits(N) = 521 bits."""
    curve = find_curve("P-521")
    engine = engine_with(curve)
    base = {Op.MUL: curve.generator, Op.BASE_MUL: (), Op.DOUBLE_MUL: (1, *curve.generator)}[op]
    assert status(engine, op, 2**521 - 1, *base) == OK
    assert status(engine, op, 2**521, *base) == Status.SCALAR_RANGE
    if op == Op.DOUBLE_MUL:
        assert status(engine, op, 1, 2**521, *curve.generator) == Status.SCALAR_RANGE


def test_x_ladder_ranges() -> None:
    for curve in (find_curve("curve448"), CURVE25519):
        engine, top = engine_with(curve), 1 << curve.p_bits - 1
        for k in (top, 2 * top - 1):
            assert status(engine, Op.X_LADDER, k, curve.p - 2) == OK
            assert status(engine, Op.X_LADDER, k, curve.p) == Status.COORD_RANGE
        wide = (2 * top, 3 * top) if curve is CURVE25519 else ()  # the words of curve448 have no more room
        for k in (0, 1, top - 1, *wide):
            assert status(engine, Op.X_LADDER, k, curve.p) == Status.SCALAR_RANGE


@pytest.mark.parametrize("curve", [CURVE25519, find_curve("curve448")], ids=lambda curve: curve.name)
def test_x_ladder_answers_every_u_of_small_order_alike(curve: Curve) -> None:
    """The points of order 1, 2, 4 and 8 of the curve and of its twist; also for a k that is no multiple of
    their order.
    """
    engine, top = engine_with(curve), 1 << curve.p_bits - 1
    small = small_order_u(curve)
    assert {0, 1, curve.p - 1} <= small and len(small) == (5 if curve is CURVE25519 else 3)
    for u in small:
        for k in (top, top + 1, top + 2, 2 * top - 1):
            assert engine.do(Op.X_LADDER, k, u) == JobResponse(Status.INFINITY, (0,))


@pytest.mark.parametrize("op", [op for op in Op if op not in (Op.ZEROISE, Op.CURVE_LOAD)])
def test_header_checks(op: Op) -> None:
    """No curve, another curve's id, a wrong W, and one operand too many or too few are refused for every
    operation.
    """
    curve = CURVE25519 if op == Op.X_LADDER else P256
    operands = (1,) * operand_count(op)
    assert GoldenEngine().do(op, *operands) == JobResponse(Status.BAD_CURVE)
    engine = engine_with(curve)
    assert engine.run(JobRequest(op, operands, curve_id=2, words=8)) == JobResponse(Status.BAD_CURVE)
    assert engine.run(JobRequest(op, operands, curve_id=1, words=7)) == JobResponse(Status.BAD_LENGTH)
    assert engine.do(op, *operands, 1) == JobResponse(Status.BAD_LENGTH)
    if operands:
        assert engine.do(op, *operands[1:]) == JobResponse(Status.BAD_LENGTH)


@pytest.mark.parametrize(
    "op", [Op.MUL, Op.BASE_MUL, Op.DOUBLE_MUL, Op.POINT_ADD, Op.ON_CURVE, Op.ECDH, Op.ECDSA_SIGN, Op.KEYGEN]
)
def test_point_operations_refuse_a_montgomery_curve(op: Op) -> None:
    assert engine_with(CURVE25519).do(op, *(1,) * operand_count(op)) == JobResponse(Status.BAD_CURVE)


@pytest.mark.parametrize(
    ("op", "operands", "flags"),
    [
        (Op.MUL, (0, *G), 0),
        (Op.BASE_MUL, (1,), 0),
        (Op.ECDH, (*G, 1), 0),
        (Op.ECDSA_SIGN, (1, 1, 1), 0),
        (Op.ECDSA_SIGN, (1, 1), Flag.RANDOM),
        (Op.KEYGEN, (1,), 0),
        (Op.KEYGEN, (), Flag.RANDOM),
    ],
)
def test_no_entropy(op: Op, operands: tuple[int, ...], flags: int) -> None:
    engine = engine_with(entropy=constant(None))
    assert status(engine, op, *operands, flags=flags) == Status.NO_ENTROPY
    # A given key is stored before its public key is computed.
    assert engine.key == (1 if op == Op.KEYGEN and operands else None)


def test_jobs_without_secrets_need_no_entropy() -> None:
    engine = engine_with(entropy=constant(None))
    assert status(engine, Op.DOUBLE_MUL, 1, 1, *G) == OK
    assert status(engine, Op.ECDSA_VERIFY, 1, 1, 1, *G) == Status.BAD_SIGNATURE
    assert status(engine, Op.MOD_INV, 5) == OK
    assert status(engine, Op.KEY_LOAD, 5) == OK
    assert status(engine, Op.MUL, 5, 0, 0) == Status.INFINITY


def test_entropy_that_is_zero_asks_for_another_try() -> None:
    engine = engine_with(entropy=constant(0))
    assert status(engine, Op.KEYGEN, flags=Flag.RANDOM) == Status.RETRY
    assert status(engine, Op.ECDSA_SIGN, 1, 1, flags=Flag.RANDOM) == Status.RETRY
    assert status(engine, Op.MUL, 1, *G) == OK


def test_points_of_small_order_are_exceptional() -> None:
    """This excludes the multiples by 0 and 1, which need no ladder."""
    curve = small_cofactor_curves()[0]
    torsion = next(each for each in curve_points(curve) if each[1] == 0)
    engine = engine_with(curve)
    assert status(engine, Op.MUL, 3, *torsion) == Status.EXCEPTIONAL
    assert status(engine, Op.ECDH, *torsion, 2) == Status.EXCEPTIONAL
    assert engine.do(Op.MUL, 0, *torsion) == INFINITE
    assert engine.do(Op.MUL, 1, *torsion) == JobResponse(OK, torsion)
    assert {status(engine, Op.MUL, k, *curve.generator) for k in range(20)} > {OK, Status.INFINITY}
    exact = engine_with(curve, exceptional=lambda curve, k, base, blind: False)
    assert exact.do(Op.MUL, 3, *torsion) == JobResponse(OK, torsion)


def test_zeroise_operation_and_input() -> None:
    engine = engine_with()
    engine.do(Op.KEY_LOAD, 5)
    assert engine.do(Op.ZEROISE) == JobResponse(OK)
    assert status(engine, Op.ECDH, *G, flags=Flag.KEY) == Status.NO_KEY
    engine.do(Op.KEY_LOAD, 5)
    assert engine.run(JobRequest(Op.BASE_MUL, (1,), curve_id=1, words=8), zeroise=True) == JobResponse(
        Status.ZEROISED
    )
    assert engine.key is None
    assert status(engine, Op.BASE_MUL, 1) == OK
    assert GoldenEngine().do(Op.ZEROISE) == JobResponse(OK)
    assert GoldenEngine().do(Op.ZEROISE, 1) == JobResponse(Status.BAD_LENGTH)


def test_a_failed_key_job_leaves_the_key_alone() -> None:
    engine = engine_with()
    engine.do(Op.KEY_LOAD, 5)
    engine.do(Op.KEY_LOAD, N)
    engine.do(Op.KEYGEN, 0)
    assert engine.key == 5


def test_reset_and_curve_load_end_the_key() -> None:
    engine = engine_with()
    engine.do(Op.KEY_LOAD, 5)
    engine.load(P256, curve_id=9)
    assert engine.key is None
    engine.do(Op.KEY_LOAD, 5)
    engine.reset()
    assert engine.key is None
    assert status(engine, Op.BASE_MUL, 1) == Status.BAD_CURVE


def test_self_test_finds_a_wrong_order() -> None:
    """CURVE_LOAD cannot tell whether a prime n is the order of G, but the self-test can."""
    for curve in (P256, CURVE25519):
        engine = GoldenEngine()
        assert engine.load(wrong_order(curve)) == JobResponse(OK)
        assert engine.do(Op.SELF_TEST) == JobResponse(Status.SELF_TEST_FAILED)


LOAD = dict(zip(("par", "p", "a", "b", "gx", "gy", "n", "order"), curve_load_operands(P256), strict=True))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, OK),
        ({"p": P - 1}, Status.BAD_MODULUS),
        ({"n": N - 1}, Status.BAD_MODULUS),
        ({"b": 0}, Status.BAD_MODULUS),
        ({"p": P - 2}, Status.BAD_MODULUS),
        ({"n": N - 2}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 16}, Status.BAD_MODULUS),
        ({"a": P - 4}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 64}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 1 << 128}, Status.BAD_MODULUS),
        ({"par": LOAD["par"] ^ 256 << 32}, OK),
        ({"par": LOAD["par"] ^ 1 << 127}, OK),
        ({"par": LOAD["par"] ^ 1 << 200}, OK),
        ({"a": P}, Status.COORD_RANGE),
        ({"n": 1, "par": LOAD["par"] | (1 << 64) - 1 << 128}, Status.BAD_MODULUS),
        ({"b": P}, Status.COORD_RANGE),
        ({"gx": P}, Status.COORD_RANGE),
        ({"gy": P}, Status.COORD_RANGE),
        ({"gy": G[1] - 1}, Status.NOT_ON_CURVE),
        ({"p": 7}, Status.BAD_MODULUS),
    ],
)
def test_curve_load_statuses(changes: dict[str, int], expected: Status) -> None:
    """No curve is loaded after a failed load."""
    engine = engine_with()
    operands = tuple((LOAD | changes).values())
    assert engine.run(JobRequest(Op.CURVE_LOAD, operands, curve_id=4, words=8)) == JobResponse(expected)
    after = engine.run(JobRequest(Op.BASE_MUL, (1,), curve_id=4, words=8)).status
    assert after == (OK if expected == OK else Status.BAD_CURVE)


def test_constants_count_in_whole_digits() -> None:
    """The same packet serves every digit size: each engine reads only its own digit of a constant."""
    par = LOAD["par"] ^ 1 << 127
    operands = tuple((LOAD | {"par": par}).values())
    job = JobRequest(Op.CURVE_LOAD, operands, words=8)
    assert GoldenEngine(digit_bits=32).run(job) == JobResponse(OK)
    assert GoldenEngine(digit_bits=64).run(job) == JobResponse(Status.BAD_MODULUS)


def test_header_checks_come_in_the_order_of_the_port() -> None:
    engine = engine_with()

    def answer(**fields: object) -> Status:
        return engine.run(
            JobRequest(**{"op": 0x2F, "flags": 0x20, "curve_id": 2, "words": 8} | fields)
        ).status

    assert answer(words=9) == answer(words=5) == answer(words=18) == Status.BAD_LENGTH
    assert answer() == answer(flags=0, op=0x30) == Status.BAD_OP
    assert answer(flags=0) == Status.BAD_CURVE
    assert answer(flags=0, curve_id=1, whole=False) == Status.BAD_LENGTH
    assert answer(flags=0, curve_id=1, operands=(0,) * 9) == Status.BAD_LENGTH
    assert answer(flags=0, curve_id=1) == Status.BAD_OP
    assert engine.do(Op.ZEROISE) == JobResponse(OK)


def test_curve_load_lengths() -> None:
    operands = tuple(LOAD.values())
    engine = GoldenEngine()
    assert engine.run(JobRequest(Op.CURVE_LOAD, operands[:7], words=8)) == JobResponse(Status.BAD_LENGTH)
    assert engine.run(JobRequest(Op.CURVE_LOAD, operands, words=9)) == JobResponse(OK)
    assert engine.run(JobRequest(Op.CURVE_LOAD, words=5)) == JobResponse(Status.BAD_LENGTH)
    assert GoldenEngine(max_words=7).load(P256) == JobResponse(Status.BAD_LENGTH)
