"""Engines for any polynomial: small fields exhaustively on the RTL, and jobs on standard curves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from eccelerate.configs.config import Config, find_config
from eccelerate.configs.images import load_program
from eccelerate.curves import Curve, find_curve, gf2m
from eccelerate.curves.small import curve_points, find_koblitz_curve, small_binary_curves
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.measure_config import measure_cycles
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from tests.ecp_binary.bench import MAX_WORDS, order_two, program
from tests.ecp_binary.test_units import engine
from tests.ecp_compact.bench import Comparison, random_jobs
from tests.gf2m.multiplier import generic_mask
from tests.gf2m.test_generic_multiplier import random_irreducible
from tests.sampled import sampled

CONFIG = find_config("binary-generic-d64")
DIVIDER = find_config("binary-generic-d64-div")
STANDARD = ("sect113r1", "sect131r1", "B-163", "c2pnb163v1", "c2tnb191v1", "K-233", "c2tnb239v1", "sect239k1")
INFINITY = (0, 0)


def small_engine(digit_bits: int, *, divider: bool = False) -> Comparison:
    """The RTL with registers of eight coefficients, and the program that all binary engines run."""
    model = engine(generic_mask(8), digit_bits, 6, divider=divider)
    return Comparison(RtlTransport(model, program=load_program(CONFIG).hex), 6, 64, binary=True)


def simulator() -> Comparison:
    """The same program on the instruction-set simulator."""
    iss = DigitSimulator(program(), 64, max_words=MAX_WORDS, binary=BinaryBuild(generic_degree=255))
    return Comparison(IssTransport(iss), MAX_WORDS, 64, binary=True)


@pytest.fixture(scope="module")
def rtl() -> Iterator[Comparison]:
    with RtlTransport(CONFIG) as transport:
        yield Comparison(transport, CONFIG.max_words, CONFIG.digit_bits, binary=True)


def check_polynomials(bench: Comparison, degree: int) -> None:
    """Load a curve with each polynomial of this degree. For an irreducible one the engine says whether the
    point is on the curve; for any other one it answers BAD_MODULUS.
    """
    curve = next(curve for curve in small_binary_curves() if curve.p_bits == degree)
    good = curve_load_operands(curve)
    for low in range(1 << degree):
        operands = (good[0], low, *good[2:])
        job = bench.submit(Op.CURVE_LOAD, operands)
        refused = job.status == Status.BAD_MODULUS
        assert refused != gf2m.is_irreducible(1 << degree | low)


@pytest.mark.parametrize("degree", [5, 6, 7, 8])
def test_every_polynomial_is_loaded_or_refused(degree: int) -> None:
    check_polynomials(small_engine(3), degree)
    check_polynomials(simulator(), degree)


@pytest.mark.parametrize("degree", [pytest.param(5, marks=pytest.mark.soak), 6, 8])
def test_every_polynomial_is_loaded_or_refused_by_the_divider(degree: int) -> None:
    check_polynomials(small_engine(3, divider=True), degree)


def test_jobs_on_small_curves_with_a_divider() -> None:
    bench = small_engine(8, divider=True)
    for curve in small_binary_curves():
        bench.load(curve)
        for op, operands, flags in random_jobs(curve, random.Random(1)):
            bench.submit(op, operands, flags)


@pytest.mark.parametrize("curve", small_binary_curves(), ids=lambda curve: curve.name)
def test_multiples_of_points_on_the_rtl(curve: Curve) -> None:
    """Multiples of every point, by every scalar in the smallest fields and by some scalars in others."""
    bench, scalars = small_engine(3), range(1 << curve.order_bits)
    bench.load(curve)
    for number, base in enumerate(curve_points(curve)):
        table: list[point.Point] = [None]
        for _ in scalars[1:]:
            table.append(point.add(curve, table[-1], base))
        for k in scalars if curve.p_bits == 5 else scalars[number % 37 :: 37]:
            job = bench.engine.mul(k, base)
            assert job.values == (table[k] or INFINITY), (base, k)
            assert job.status == (Status.INFINITY if table[k] is None else Status.OK)


@pytest.mark.parametrize("digit_bits", [pytest.param(1, marks=pytest.mark.soak), 8])
def test_jobs_on_small_curves(digit_bits: int) -> None:
    bench = small_engine(digit_bits)
    for curve in small_binary_curves():
        bench.load(curve)
        for op, operands, flags in random_jobs(curve, random.Random(digit_bits)):
            bench.submit(op, operands, flags)


@sampled("name", STANDARD, now=4)
def test_every_job_on_the_rtl(rtl: Comparison, name: str) -> None:
    curve = find_curve(name)
    rtl.load(curve)
    for op, operands, flags in random_jobs(curve, random.Random(name)):
        rtl.submit(op, operands, flags)


def test_points_and_scalars_at_the_edge(rtl: Comparison) -> None:
    curve = find_curve("sect131r1")
    rtl.load(curve)
    top = 1 << curve.order_bits
    points, scalars = (
        (INFINITY, order_two(curve), curve.generator),
        (0, 1, curve.n, curve.order, top - 1, top),
    )
    for base, k in product(points, scalars):
        rtl.submit(Op.MUL, (k, *base))
        rtl.submit(Op.ECDH, (*base, k), Flag.COFACTOR)


def test_reducible_polynomials_of_standard_size(rtl: Comparison) -> None:
    """A square, a product of two polynomials, factors z and z + 1, and factors whose degrees divide m."""
    curve = find_curve("sect113r1")
    par, _, *rest = curve_load_operands(curve)

    def answer(bench: Comparison, f: int) -> Status:
        m = f.bit_length() - 1
        operands = (par & ~0x3FF | m, f ^ 1 << m, *rest)
        return Status(bench.submit(Op.CURVE_LOAD, operands).status)

    def product_of(*factors: int) -> int:
        f = 1
        for factor in factors:
            f = gf2m.mul(f, factor, 1 << 600)
        return f

    tens = [random_irreducible(10, 9, seed) for seed in (1, 2, 3)]
    reducible = [
        product_of(*[random_irreducible(57, 40)] * 2),
        product_of(random_irreducible(56, 40), random_irreducible(57, 40)),
        product_of(2, random_irreducible(112, 40)),
        product_of(3, random_irreducible(112, 40)),
        product_of(*tens),
        product_of(random_irreducible(5, 4), random_irreducible(15, 14)),
        product_of(random_irreducible(20, 14), random_irreducible(20, 14, 1)),
    ]
    for f in reducible:
        assert not gf2m.is_irreducible(f)
        assert answer(rtl, f) == Status.BAD_MODULUS
    assert answer(rtl, curve.p) == Status.OK


def test_a_polynomial_with_a_dense_lower_part(rtl: Comparison) -> None:
    """The second exponent is at most m - 1, so each coefficient of a digit needs a fold. A Koblitz curve has
    the same order for every polynomial of a degree.
    """
    for m, top in ((239, 192), (97, 96)):
        curve = find_koblitz_curve(random_irreducible(m, top), 0)
        x, y = curve.generator
        rtl.load(curve)
        for k in (0, 1, 2, 3, curve.n):
            rtl.submit(Op.MUL, (k, x, y))
        rtl.submit(Op.POINT_ADD, (x, y, x, y))


def test_every_job_with_a_divider() -> None:
    with RtlTransport(DIVIDER) as transport:
        bench = Comparison(transport, DIVIDER.max_words, DIVIDER.digit_bits, binary=True)
        for name in ("B-163", "K-233"):
            curve = find_curve(name)
            bench.load(curve)
            for op, operands, flags in random_jobs(curve, random.Random(name)):
                bench.submit(op, operands, flags)


@pytest.mark.parametrize("config", [CONFIG, DIVIDER], ids=lambda config: config.name)
@pytest.mark.parametrize("op", [Op.MUL, Op.ECDH, Op.ECDSA_SIGN])
def test_same_cycles_for_every_scalar_on_the_rtl(op: Op, config: Config) -> None:
    curve, cycles = find_curve("K-163"), set()
    rng, n = random.Random(5), curve.n
    bench = open_engine(config)
    bench.load_curve(curve)
    scalars = [1, 2, n - 1, 1 << 161, *(rng.randrange(1, n) for _ in range(3))]
    for k in [*scalars, *([0, n, curve.order] if op == Op.MUL else [])]:
        base = point.base_mul(curve, rng.randrange(1, n)) or curve.generator
        operands = {
            Op.MUL: (k, *base),
            Op.ECDH: (*base, k),
            Op.ECDSA_SIGN: (rng.getrandbits(163), rng.randrange(1, n), k),
        }[op]
        cycles.add(bench.submit(op, operands).check(Status.INFINITY).cycles)
    assert len(cycles) == 1 and None not in cycles


@pytest.mark.parametrize(("name", "step", "most"), [("B-163", 31, 10_911), ("B-233", 40, 19_329)])
def test_measured_cycles(name: str, step: int, most: int) -> None:
    """At most three times the cycles of the named field, with steps that wait for nothing."""
    cycles = measure_cycles(CONFIG, find_curve(name))
    assert step - 0.1 <= cycles["ladder_step"] <= step
    assert cycles["scalar_mul"] <= most


@pytest.mark.parametrize("name", ["B-163", "B-233"])
def test_inversions_of_the_divider(name: str) -> None:
    """An inversion takes 2 m cycles, and those of the product before it, of its start and of its end. k P
    gains as much as the inversion does.
    """
    curve = find_curve(name)
    with_divider, without = measure_cycles(DIVIDER, curve), measure_cycles(CONFIG, curve)
    gain = without["inversion"] - with_divider["inversion"]
    assert with_divider["inversion"] <= 2 * curve.p_bits + 40
    assert without["scalar_mul"] - with_divider["scalar_mul"] >= gain > 800


@pytest.mark.parametrize("config", [CONFIG, DIVIDER], ids=lambda config: config.name)
def test_a_zeroise_ends_without_a_field(config: Config) -> None:
    """Before the first curve, and after curves of degrees that the engine does not have."""
    curve = find_curve("B-163")
    with RtlTransport(config) as transport:
        bench = Comparison(transport, config.max_words, config.digit_bits, binary=True)
        assert bench.submit(Op.ZEROISE).ok
        par, *rest = curve_load_operands(curve)
        for degree in (0, 1, 256, 257, 300, 1023):
            bench.curve = curve
            words = (par & ~0x3FF | degree, *rest)
            assert bench.submit(Op.CURVE_LOAD, words).status == Status.BAD_MODULUS
            assert bench.submit(Op.ZEROISE).ok
        bench.load(curve)
        assert bench.submit(Op.BASE_MUL, (curve.n - 1,)).ok


def test_what_the_driver_refuses() -> None:
    bench = open_engine(CONFIG, "iss")
    with pytest.raises(ValueError, match="degree 5 to 255"):
        bench.load_curve(find_curve("B-283"))
    with pytest.raises(ValueError, match="GF"):
        bench.load_curve(find_curve("P-256"))
