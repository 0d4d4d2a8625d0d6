"""The program by the Frobenius map is right for every point, with the same cycles for every scalar."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from eccelerate.cli import openssl
from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.config import ROOT, find_config, load_configs
from eccelerate.curves import Curve, find_curve, gf2m
from eccelerate.curves.small import find_koblitz_curve, koblitz_points, small_koblitz_curves
from eccelerate.driver.packet import Request
from eccelerate.machine.binary_datapath import BinaryDatapath
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.model.koblitz import ring_of
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.measure_config import measure_cycles
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.program import Program
from eccelerate.vectors import Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.sample import curve_of
from tests.ecp_binary.bench import MAX_WORDS, order_two
from tests.ecp_compact.bench import CURVE_ID, Comparison, random_jobs
from tests.sampled import sampled

CONFIG = "binary-163-koblitz"
MANIFEST = ROOT / "ucode" / "binary_koblitz.toml"
SMALL = small_koblitz_curves()
SECRET = (Op.MUL, Op.BASE_MUL, Op.ECDH, Op.KEYGEN, Op.ECDSA_SIGN)


@cache
def program() -> Program:
    return assemble(MANIFEST)


def bench_of(curve: Curve, digit_bits: int = 32, words: Program | None = None) -> Comparison:
    """A simulator of a build with the curve's field, with the curve loaded."""
    simulator = DigitSimulator(
        words or program(), digit_bits, max_words=MAX_WORDS, binary=BinaryBuild((curve.p,))
    )
    bench = Comparison(IssTransport(simulator), MAX_WORDS, digit_bits, binary=True)
    bench.load(curve)
    return bench


def simulator_of(bench: Comparison) -> DigitSimulator:
    assert isinstance(bench.transport, IssTransport) and isinstance(bench.transport.simulator, DigitSimulator)
    return bench.transport.simulator


@cache
def on_rtl(name: str = CONFIG) -> Comparison:
    """The engine of the configuration, with its curve loaded."""
    config = find_config(name)
    bench = Comparison(RtlTransport(config), config.max_words, config.digit_bits, binary=True)
    bench.load(find_curve(config.curve_name))
    return bench


def doubled_last(curve: Curve) -> list[int]:
    """The scalars 2 (+-1 +- tau), whose last sum may be that of a point and itself."""
    (u, v), n = ring_of(curve).delta, curve.n
    tau = -u * pow(v, -1, n)
    return [2 * (a + b * tau) % n for a, b in product((1, -1), repeat=2)]


def edge_scalars(curve: Curve) -> list[int]:
    n, top = curve.n, 1 << curve.order_bits
    others = (2 * n, curve.order - 1, top - 1, top >> 1)
    return [0, 1, 2, 3, n >> 1, n - 1, n, n + 1, *others, *doubled_last(curve)]


def operands_of(op: Op, k: int, base: tuple[int, int]) -> tuple[int, ...]:
    return {Op.MUL: (k, *base), Op.ECDH: (*base, k), Op.ECDSA_SIGN: (5, 6, k)}.get(op, (k,))


def test_the_engines_are_those_of_the_ladder() -> None:
    binary = [config for config in load_configs().values() if isinstance(config, BinaryConfig)]
    configs = [config for config in binary if config.koblitz]
    assert len(configs) == 3 and CONFIG in {config.name for config in configs}
    for config in configs:
        one = find_config(config.baseline)
        assert (config.top, config.parameters) == (one.top, one.parameters) and config.program != one.program


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_every_multiple_of_the_base_point(curve: Curve) -> None:
    bench = bench_of(curve, 64)
    for k in (*range(0, 1 << curve.order_bits, 1 if curve.h == 2 else 7), *edge_scalars(curve)):
        bench.submit(Op.BASE_MUL, (k % (1 << curve.order_bits),))


@pytest.mark.parametrize("curve", SMALL, ids=lambda curve: curve.name)
def test_every_point(curve: Curve) -> None:
    """This includes points of even order and infinity."""
    bench, rng = bench_of(curve, 16), random.Random(curve.name)
    for base in ((0, 0), *list(koblitz_points(curve.p, curve.a))[:: 1 if curve.h == 2 else 5]):
        bench.submit(Op.MUL, (rng.choice((*edge_scalars(curve), rng.getrandbits(curve.order_bits))), *base))
        bench.submit(Op.ECDH, (*base, rng.randrange(1, curve.n)), rng.choice((0, Flag.COFACTOR)))


LONG = [pytest.param(name, marks=pytest.mark.soak) for name in ("K-409", "K-571")]


@pytest.mark.parametrize("name", ["K-163", "K-233", "K-283", *LONG])
def test_scalars_at_the_edge(name: str) -> None:
    """Multiples of the base point, and of points in every coset of its subgroup."""
    curve = find_curve(name)
    bench = bench_of(curve, 64 if curve.p_bits > 233 else 16)
    cosets = [(0, 1)] if curve.a else [(0, 1), (1, 0), (1, 1)]
    outside = [point.add(curve, curve.generator, each) for each in cosets]
    for k in edge_scalars(curve)[:: 1 if curve.p_bits < 283 else 5]:
        bench.submit(Op.BASE_MUL, (k,))
        bench.submit(Op.MUL, (k, *curve.generator))
        for base in (*cosets, *(each for each in outside if each), (0, 0)):
            bench.submit(Op.MUL, (k, *base))
            bench.submit(Op.ECDH, (*base, k), Flag.COFACTOR)


@pytest.mark.parametrize("name", ["K-163", "K-233", *LONG])
def test_every_job_agrees(name: str) -> None:
    curve = find_curve(name)
    bench = bench_of(curve)
    for op, operands, flags in random_jobs(curve, random.Random(name)):
        bench.submit(op, operands, flags)


def status_of_load(curve: Curve, operands: tuple[int, ...] | None = None) -> Status:
    simulator = DigitSimulator(program(), 32, max_words=MAX_WORDS, binary=BinaryBuild((curve.p,)))
    packet = Request(
        Op.CURVE_LOAD, CURVE_ID, 0, 0, curve.element_words, operands or curve_load_operands(curve)
    )
    return Status(simulator.submit(packet.words())[0] & 0xFF)


def test_other_curves_are_refused() -> None:
    k163, b163 = find_curve("K-163"), find_curve("B-163")
    even = point.add(k163, k163.generator, order_two(k163))
    assert even is not None
    assert status_of_load(k163) == Status.OK
    for curve in (
        b163,
        replace(k163, gx=even[0], gy=even[1]),
        replace(k163, n=k163.n - 2),
        replace(k163, n=k163.n + 2, h=2),
        replace(k163, h=4),
        find_koblitz_curve(0b100101, 1),
        find_koblitz_curve(0b10000011, 0),
    ):
        assert status_of_load(curve) == Status.BAD_MODULUS, curve
    # The norm modulo n + 2^64, but not the norm.
    k233 = find_curve("K-233")
    lifted = k233.n + (1 << 64)
    alike = [lifted // d - (1 << 64) for d in range(3, 200, 2) if lifted % d == 0]
    assert len(alike) == 3 and all((k233.n - n) % (n + (1 << 64)) == 0 for n in alike)
    for n in alike:
        assert status_of_load(replace(k233, n=n)) == Status.BAD_MODULUS
    # A curve with a = 0 or b = 1 alone.
    for a, b in ((k163.field_size - 1, 1), (1, 3)):
        x, y = next(each for each in affine_points(k163.p, a, b))
        assert status_of_load(replace(k163, a=a, b=b, gx=x, gy=y)) == Status.BAD_MODULUS


def affine_points(f: int, a: int, b: int) -> list[tuple[int, int]]:
    """The points with small x of a binary curve of odd degree."""
    found = []
    for x in range(2, 20):
        value = x ^ a ^ gf2m.mul(b, gf2m.square(gf2m.inverse(x, f), f), f)
        slope = gf2m.half_trace(value, f)
        if gf2m.square(slope, f) ^ slope == value:
            found.append((x, gf2m.mul(x, slope, f)))
    return found


@pytest.mark.parametrize("op", SECRET)
@pytest.mark.parametrize("flags", [Flag.NONE, Flag.BLIND])
def test_same_instructions_for_every_scalar(op: Op, flags: Flag) -> None:
    """They are counted for each address. A job whose result is infinity has the same number of
    instructions.
    """
    curve = find_curve("K-163")
    bench, rng = bench_of(curve), random.Random(op)
    private = op in (Op.ECDH, Op.KEYGEN, Op.ECDSA_SIGN)
    counts, numbers = [], set()
    for k in (*edge_scalars(curve), *(rng.randrange(1, curve.n) for _ in range(4))):
        base = point.base_mul(curve, rng.randrange(1, curve.n)) or (0, 0)
        if private and not 0 < k < curve.n:
            continue
        status = bench.submit(op, operands_of(op, k, base), flags).status
        numbers.add(simulator_of(bench).stats.instructions)
        if status == Status.OK:
            counts.append(simulator_of(bench).stats.counts)
    assert len(numbers) == 1 and all(each == counts[0] for each in counts)


def mutated(tmp_path: Path, file: str, old: str, new: str) -> Program:
    """The program with one change in a file of ucode/koblitz."""
    folder = shutil.copytree(ROOT / "ucode", tmp_path / "ucode")
    path = folder / "koblitz" / file
    assert path.read_text().count(old) == 1, old
    path.write_text(path.read_text().replace(old, new))
    return assemble(folder / MANIFEST.name)


MUTANTS = {
    "an even coordinate stays even": ("digits.s", "cadd y, y, lift", "mov  y, y"),
    "a bit of the wrong number": ("frobenius_mul.s", "setc c0, PBITS-4", "setc c0, PBITS-3"),
    "a column too few": ("frobenius_mul.s", "setc c1, PBITS-3", "setc c1, PBITS-5"),
    "signs of the first digit alone": ("lambda.s", "setb P\n", "setb 1\n"),
    "points not told apart": ("lambda.s", "csel tx, same_x, other_x", "mov  tx, same_x"),
    "the last sum is never of a point and itself": ("lambda.s", "setb Z       ", "setb 0"),
    "points of even order are taken": ("subgroup.s", ".no:\n    setb 0", ".no:\n    setb 1"),
}


@sampled("mutant", MUTANTS, now=2)
def test_wrong_programs_are_noticed(mutant: str, tmp_path: Path) -> None:
    curve = SMALL[0]
    words = mutated(tmp_path, *MUTANTS[mutant])
    with pytest.raises((AssertionError, RuntimeError)):
        bench = bench_of(curve, 32, words)
        for k in (*edge_scalars(curve), *range(40, 60)):
            bench.submit(Op.BASE_MUL, (k % (1 << curve.order_bits),))
            even = point.add(curve, curve.generator, order_two(curve))
            bench.submit(Op.MUL, (k % (1 << curve.order_bits), *(even or (0, 0))))


def right_modulo_n(bench: Comparison) -> None:
    """Check a signature and a product modulo n against the golden model."""
    curve = bench.curve
    assert curve is not None
    bench.submit(Op.MOD_MUL, (curve.n - 3, curve.n - 5), Flag.MOD_N)
    bench.submit(Op.BASE_MUL, (77,))


def test_a_zeroise_at_any_instruction_keeps_the_modulus(tmp_path: Path) -> None:
    """During some instructions the modulus of the reduction is in its place. No digit stays in a slot."""
    curve = SMALL[0]
    bench = bench_of(curve)
    simulator = simulator_of(bench)
    bench.submit(Op.BASE_MUL, (5,))
    most, exposed = simulator.stats.instructions, 0
    for count in range(10, most, 3):
        d = bench.rng.randrange(1, curve.n)
        operands = (d,)
        bench.expect(Request(Op.BASE_MUL, CURVE_ID, 0, 0, 6, operands).words())
        words = Request(Op.BASE_MUL, CURVE_ID, 0, 0, 6, operands).words()
        reply = simulator.submit(words, zeroise_after=count)
        if Status(reply[0] & 0xFF) == Status.ZEROISED:
            exposed += 1
            assert not any(simulator.state.slots[slot] for slot in (0, 8, 11))
        right_modulo_n(bench)
    assert exposed > 100
    bad = bench_of(curve, 32, mutated(tmp_path, "../binary/wipe_all.s", "mov  n, order ", "mov  k, order "))
    with pytest.raises(AssertionError):
        for count in range(10, most, 3):
            words = Request(Op.BASE_MUL, CURVE_ID, 0, 0, 6, (9,)).words()
            bad.expect(words)
            simulator_of(bad).submit(words, zeroise_after=count)
            right_modulo_n(bad)


def test_no_entropy_leaves_no_scalar_behind() -> None:
    curve = find_curve("K-163")
    bench = bench_of(curve)
    bench.dry = True
    d = bench.rng.randrange(1, curve.n)
    for op in (Op.MUL, Op.BASE_MUL, Op.ECDH, Op.KEYGEN):
        assert bench.submit(op, operands_of(op, d, curve.generator)).status == Status.NO_ENTROPY
        assert d not in simulator_of(bench).state.slots[:8]
    bench.dry = False
    right_modulo_n(bench)


def test_nothing_of_a_scalar_stays_in_slots() -> None:
    curve = find_curve("K-163")
    bench = bench_of(curve)
    for op in (Op.MUL, Op.BASE_MUL, Op.ECDH):
        bench.submit(op, operands_of(op, curve.n - 12345, curve.generator))
        assert not any(simulator_of(bench).state.slots[slot] for slot in (8, 11))
        data = simulator_of(bench).data
        assert isinstance(data, BinaryDatapath) and data.scalar in (0, data.added)


@pytest.mark.parametrize("name", [CONFIG, "binary-233-koblitz", "binary-163-koblitz-d16"])
def test_jobs_on_the_rtl(name: str) -> None:
    """The jobs, with edge scalars, are compared with the golden model."""
    bench = on_rtl(name)
    curve = bench.curve
    assert curve is not None
    for op, operands, flags in random_jobs(curve, random.Random(name)):
        bench.submit(op, operands, flags)
    for k in edge_scalars(curve):
        bench.submit(Op.BASE_MUL, (k,))
        bench.submit(Op.MUL, (k, *order_two(curve)))


def test_cycles_do_not_depend_on_the_scalar() -> None:
    """They do not depend on the nonce, on the key, or on whether the result is infinity either."""
    bench = on_rtl()
    curve = bench.curve
    assert curve is not None and isinstance(bench.transport, RtlTransport)
    public = point.base_mul(curve, 77) or (0, 0)
    for op in SECRET:
        spent = set()
        for k in (*edge_scalars(curve), *(bench.rng.randrange(1, curve.n) for _ in range(4))):
            if op in (Op.MUL, Op.BASE_MUL) or 0 < k < curve.n:
                bench.submit(op, operands_of(op, k, public))
                spent.add(bench.transport.last_total)
        assert len(spent) == 1, op


@pytest.mark.parametrize("moment", [1, 300, 700, 900, 1100, 1250, 1400, 3000, 9000, 9700, 10300])
def test_a_zeroise_in_any_phase(moment: int) -> None:
    """The key is gone; the curve and the modulus stay."""
    bench = on_rtl()
    curve = bench.curve
    assert curve is not None and isinstance(bench.transport, RtlTransport)
    bench.submit(Op.KEY_LOAD, (5,))
    bench.transport.idle(4)
    bench.transport.plan = Plan(zeroise_at=moment)
    assert bench.engine.submit(Op.MUL, (7, *curve.generator)).status == Status.ZEROISED
    bench.transport.plan = Plan()
    assert bench.engine.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY
    right_modulo_n(bench)


def test_keys_of_openssl(tmp_path: Path) -> None:
    """Two public keys, and the secret that OpenSSL agrees between them."""
    curve, keys, publics = find_curve("K-163"), [tmp_path / "a", tmp_path / "b"], []
    for key in keys:
        openssl.make_key(key, "sect163k1")
        openssl.public_file(key, key.with_suffix(".pub"))
        publics.append(openssl.public_point(key.with_suffix(".pub"), curve))
    shared = int.from_bytes(openssl.derive(keys[0], keys[1].with_suffix(".pub")), "big")
    scalars = [openssl.private_scalar(key) for key in keys]
    engine = open_engine(find_config(CONFIG))
    engine.load_curve(curve)
    assert [engine.base_mul(k).point for k in scalars] == publics
    assert engine.submit(Op.ECDH, (*publics[1], scalars[0])).check().values == (shared,)


@pytest.mark.parametrize("backend", ["iss", "rtl"])
def test_published_vectors(backend: str) -> None:
    """Vectors of K-163. The program accepts no other curve, and the driver knows this."""
    engine = open_engine(find_config(CONFIG), backend)
    assert "Koblitz" in engine.lacks(find_curve("B-163"))
    every = (case for path in packaged_files("nist") for case in load_cases(path))
    cases = [case for case in every if not case.skip and curve_of(case) == "K-163"]
    report = Report(backend).extend(run_cases(engine, sample_cases(cases, 2)))
    assert report.ok, report.total.failures
    assert report.total.on_engine > 10


def test_measured_operations() -> None:
    """A column, an inversion in parallel with the digits, and one at the end take as long as the headers of
    the sources say.
    """
    cycles = measure_cycles(find_config(CONFIG), find_curve("K-163"))
    assert cycles["column"] == 104
    assert cycles["scalar_mul_inversions"] == 2
    assert 20 < cycles["scalar_mul_products"] - 81 * 11 < 60
    assert 10 < cycles["scalar_mul_squarings"] - 81 * 6 < 30
    assert cycles["base_mul"] < cycles["scalar_mul"] < 10_600
    assert "ladder_step" not in cycles
