"""Every job of the binary engine's program, compared with the golden model, on the simulator."""

from __future__ import annotations

import random
from itertools import product

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import curve_points, small_binary_curves
from eccelerate.driver.packet import Request
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import point
from eccelerate.model.binary_fields import GENERIC_DEGREES, POLYNOMIALS, generic_degree, polynomials_of
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from tests.ecp_binary.bench import MAX_WORDS, Point, bench_of, order_two, program
from tests.ecp_compact.bench import CURVE_ID, Comparison, random_jobs
from tests.gf2m.multiplier import generic_mask, table
from tests.sampled import sampled

NAMES = ("B-163", "K-163", "sect193r1", "sect193r2", "B-233", "K-233")
SMALL = small_binary_curves()
INFINITY: Point = (0, 0)


@pytest.mark.parametrize("digit_bits", [32, 64])
@sampled("name", NAMES, now=3)
def test_random_jobs(name: str, digit_bits: int) -> None:
    curve = find_curve(name)
    bench = bench_of(curve, digit_bits)
    for op, operands, flags in random_jobs(curve, random.Random(digit_bits)):
        bench.submit(op, operands, flags)


def test_widest_curve() -> None:
    """The order of K-571 needs 18 words, and its field 571 bits."""
    curve = find_curve("K-571")
    bench = bench_of(curve)
    d = bench.rng.randrange(1, curve.n)
    public = bench.submit(Op.KEYGEN, (d,), Flag.HOST_NONCE).values
    bench.submit(Op.ECDH, public, Flag.KEY | Flag.COFACTOR)
    signature = bench.submit(Op.ECDSA_SIGN, (d, d + 1), Flag.KEY).values
    assert bench.submit(Op.ECDSA_VERIFY, (d, *signature, *public)).status == Status.OK


@pytest.mark.parametrize("curve", [find_curve("K-163"), *SMALL], ids=lambda curve: curve.name)
def test_points_and_scalars_at_the_edge(curve: Curve) -> None:
    """Infinity, the point of order two, sums with it, base points, and scalars around the orders."""
    bench, n, top = bench_of(curve), curve.n, 1 << curve.order_bits
    two = order_two(curve)
    other = point.add(curve, two, curve.generator)
    assert other is not None
    points = (INFINITY, two, other, curve.generator)
    for base, k in product(points, (0, 1, 2, 3, n - 1, n, n + 1, curve.order, top - 1, top)):
        bench.submit(Op.MUL, (k, *base))
        bench.submit(Op.MUL, (k, *base), Flag.BLIND)
        bench.submit(Op.DOUBLE_MUL, (k, n - 1, *base))
        bench.submit(Op.DOUBLE_MUL, (n - 1, k, *base))
        bench.submit(Op.ECDH, (*base, k))
        bench.submit(Op.ECDH, (*base, k), Flag.COFACTOR)
        bench.submit(Op.ECDSA_VERIFY, (k, k, k, *base))
    for k in (0, 1, n - 1, n, curve.order, top - 1, top):
        bench.submit(Op.BASE_MUL, (k,))
        bench.submit(Op.KEYGEN, (k,))
        bench.submit(Op.ECDSA_SIGN, (k, k, 1))
        bench.submit(Op.ECDSA_SIGN, (k, 1, k))
    for left, right in product(points, repeat=2):
        negative = point.negate(curve, right)
        assert negative is not None
        for second in (right, negative):
            bench.submit(Op.POINT_ADD, (*left, *second))


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_elements_and_integers_at_the_edge(curve: Curve) -> None:
    bench = bench_of(curve)
    wide = (1 << 32 * curve.element_words) - 1
    for flags, m in ((0, curve.field_size), (Flag.MOD_N, curve.n)):
        for a, b in product((0, 1, m - 1, m, wide), repeat=2):
            for op in (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB, Op.MOD_EXP):
                bench.submit(op, (a, b), flags)
        for a in (0, 1, m - 1, m, wide):
            bench.submit(Op.MOD_INV, (a,), flags)
    for x, y in product((0, 1, curve.field_size, wide), repeat=2):
        bench.submit(Op.ON_CURVE, (x, y))
        bench.submit(Op.POINT_ADD, (*curve.generator, x, y))


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_multiples_of_points(curve: Curve) -> None:
    """Multiples of every point, by every scalar in the smallest fields and by some scalars in others."""
    bench, scalars = bench_of(curve), range(1 << curve.order_bits)
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    bench.transport.simulator.state.entropy = lambda: bench.rng.getrandbits(32)
    for number, base in enumerate(curve_points(curve)):
        table: list[point.Point] = [None]
        for _ in scalars[1:]:
            table.append(point.add(curve, table[-1], base))
        for k in scalars if curve.p_bits == 5 else scalars[number % 37 :: 37]:
            job = bench.engine.mul(k, base)
            assert job.values == (table[k] or INFINITY), (base, k)
            assert job.status == (Status.INFINITY if table[k] is None else Status.OK)


def answer(curve: Curve, operands: tuple[int, ...], polynomial: int = 0) -> Status:
    """The status of CURVE_LOAD in a build with the curve's field, or with another one."""
    simulator = DigitSimulator(
        program(), 64, max_words=MAX_WORDS, binary=BinaryBuild((polynomial or curve.p,))
    )
    words = Request(Op.CURVE_LOAD, CURVE_ID, 0, 0, curve.element_words, operands).words()
    return Status(simulator.submit(words)[0] & 0xFF)


def test_curves_that_are_refused() -> None:
    curve = find_curve("B-163")
    par, p, *_, n, order = good = curve_load_operands(curve)
    assert answer(curve, good) == Status.OK
    bad = {
        Status.BAD_MODULUS: [
            (0, par & ~0xFF00000000),  # a prime curve
            (0, par | 1 << 32),
            (0, par | 1 << 39),
            (0, par + 1),  # degree
            (0, par + (1 << 16)),  # bits of N
            (0, par - (1 << 16)),
            (0, par ^ 1 << 128),  # -1/n
            (1, p ^ 2),
            (1, p | 1 << 163),
            (3, 0),
            (6, n - 1),
            (6, 1),
            (7, order >> 1),
            (7, order << 1),
        ],
        Status.COORD_RANGE: [(i, curve.field_size | good[i]) for i in (2, 3, 4, 5)],
        Status.NOT_ON_CURVE: [(4, curve.gx ^ 1), (5, curve.gy ^ 1), (2, curve.a ^ 1)],
    }
    for status, changes in bad.items():
        for index, value in changes:
            assert answer(curve, (*good[:index], value, *good[index + 1 :])) == status, (index, hex(value))
    assert answer(curve, good[:7]) == Status.BAD_LENGTH
    assert answer(curve, good, find_curve("B-233").p) == Status.BAD_MODULUS
    other = find_curve("c2pnb163v1")
    assert answer(other, curve_load_operands(other), curve.p) == Status.BAD_MODULUS


def test_one_build_has_several_fields() -> None:
    curves = [find_curve(name) for name in ("K-163", "sect193r1", "K-233")]
    build = BinaryBuild(tuple(curve.p for curve in curves))
    simulator = DigitSimulator(program(), 64, max_words=MAX_WORDS, binary=build)
    bench = Comparison(IssTransport(simulator), MAX_WORDS, 64, binary=True)
    for curve in (*curves, *reversed(curves)):
        bench.load(curve)
        bench.submit(Op.BASE_MUL, (bench.rng.randrange(curve.n),))


@pytest.mark.parametrize("name", ["B-163", "K-163", "sect239k1", "c2tnb191v3", "c2tnb239v3", "c2pnb176v1"])
def test_every_cofactor_is_cleared(name: str) -> None:
    """The cofactors are 2, 4, 6, 10 and 65390."""
    curve = find_curve(name)
    bench = bench_of(curve)
    for d in (1, 2, curve.n - 1):
        for flags in (0, Flag.COFACTOR):
            assert bench.submit(Op.ECDH, (*curve.generator, d), flags).status == Status.OK


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_every_signature_of_a_small_curve(curve: Curve) -> None:
    bench, rng = bench_of(curve), random.Random(3)
    for k in range(1, curve.n):
        d, e = rng.randrange(1, curve.n), rng.getrandbits(40)
        job = bench.submit(Op.ECDSA_SIGN, (e, d, k))
        if job.status == Status.OK:
            public = point.base_mul(curve, d)
            assert public is not None
            bench.submit(Op.ECDSA_VERIFY, (e, *job.values, *public))


@pytest.mark.parametrize("flags", [Flag.BLIND, Flag.CHECK, Flag.BLIND | Flag.CHECK])
def test_the_self_test_draws_for_every_multiplication(flags: Flag) -> None:
    assert bench_of(find_curve("B-163")).submit(Op.SELF_TEST, (), flags).status == Status.OK


def test_no_entropy_leaves_no_scalar_behind() -> None:
    curve = find_curve("K-163")
    bench = bench_of(curve)
    bench.dry = True
    d = bench.rng.randrange(1, curve.n)
    jobs = (
        (Op.MUL, (d, *curve.generator), 0),
        (Op.BASE_MUL, (d,), Flag.BLIND),
        (Op.KEYGEN, (), Flag.RANDOM),
        (Op.ECDSA_SIGN, (1, d, d), 0),
        (Op.ECDSA_SIGN, (1, d), Flag.RANDOM),
        (Op.ECDH, (*curve.generator, d), Flag.BLIND),
    )
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    slots = bench.transport.simulator.state.slots
    for op, operands, flags in jobs:
        assert bench.submit(op, operands, flags).status == Status.NO_ENTROPY
        assert d not in slots[:8]


def test_secrets_are_gone_after_zeroise() -> None:
    curve = find_curve("K-163")
    bench = bench_of(curve)
    bench.submit(Op.KEYGEN, (), Flag.RANDOM)
    bench.submit(Op.ECDSA_SIGN, (1,), Flag.KEY | Flag.RANDOM | Flag.BLIND)
    bench.submit(Op.ECDSA_VERIFY, (1, 2, 3, *curve.generator))
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    simulator = bench.transport.simulator
    bench.submit(Op.ZEROISE)
    kept = {register for register, cls in program().ranges.items()}
    public = {program().slots[name] for name in ("DEGREE",)}
    assert not any(value for slot, value in enumerate(simulator.state.slots) if slot not in public)
    for modulus in (0, 1):
        simulator.data.select(modulus)
        assert not any(simulator.data.read_long(r) for r in range(64) if r not in kept)
    bench.submit(Op.BASE_MUL, (5,))  # the curve is still there


@pytest.mark.parametrize("op", [Op.MUL, Op.BASE_MUL, Op.ECDH, Op.KEYGEN, Op.ECDSA_SIGN])
@pytest.mark.parametrize("flags", [Flag.NONE, Flag.BLIND])
def test_same_instructions_for_every_scalar(op: Op, flags: Flag) -> None:
    """They are counted for each address, so the numbers of executions rule out another path."""
    curve = find_curve("K-163")
    bench = bench_of(curve)
    n, rng = curve.n, random.Random(5)
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    simulator, counts = bench.transport.simulator, []
    for k in (1, 2, 3, n - 2, n - 1, 1 << 161, rng.randrange(n)):
        base = point.base_mul(curve, rng.randrange(1, n)) or INFINITY
        e, key = rng.getrandbits(163), rng.randrange(1, n)
        operands = {
            Op.MUL: (k, *base),
            Op.BASE_MUL: (k,),
            Op.ECDH: (*base, k),
            Op.KEYGEN: (k,),
            Op.ECDSA_SIGN: (e, key, k),
        }[op]
        assert bench.submit(op, operands, flags).status == Status.OK
        counts.append(simulator.stats.counts)
    assert all(each == counts[0] for each in counts)


def test_zero_scalar_and_infinity_take_the_same_instructions() -> None:
    """The paths differ in the instructions that end the job, but have the same number of them."""
    curve = find_curve("K-163")
    bench = bench_of(curve)
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    simulator, counts = bench.transport.simulator, set()
    for k in (0, 1, curve.n, curve.n + 1, curve.n - 1, 2 * curve.n):
        bench.submit(Op.BASE_MUL, (k,))
        counts.add(simulator.stats.instructions)
    assert len(counts) == 1


def test_table_of_fields_is_that_of_the_rtl() -> None:
    assert table() == POLYNOMIALS
    assert polynomials_of(0x144) == tuple(find_curve(name).p for name in ("B-163", "sect193r1", "B-233"))
    degrees = {m: generic_mask(m) for m in GENERIC_DEGREES}
    assert all(generic_degree(mask) == m and not polynomials_of(mask) for m, mask in degrees.items())
    assert not generic_degree(0x144)
    with pytest.raises(ValueError, match="bits"):
        polynomials_of(max(degrees.values()) << 1)
