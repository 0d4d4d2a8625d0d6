"""Every scalar, point and random draw takes the same number of clock cycles, on the RTL of every digit
size.
"""

import random
from collections.abc import Iterable, Iterator

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine, JobResult
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.rtl import RtlTransport
from tests.ecp_compact.bench import DIGITS, config_of

CURVE = find_curve("P-192")
SCALARS = 40
ANSWERS = (Status.OK, Status.INFINITY)


def scalars(curve: Curve, count: int, rng: random.Random) -> list[int]:
    """`count` different scalars: 0, 1, 2, 3, n - 1, n, n + 1, all ones, single bits, few bits, and random
    ones.
    """
    bits, n = curve.order_bits, curve.n
    found = [0, 1, 2, 3, n - 2, n - 1, n, n + 1, (1 << bits) - 1, (1 << bits // 2) - 1, n // 2, n // 2 + 1]
    found += [1 << i for i in (4, 31, 32, 63, 64, bits // 2, bits - 2, bits - 1)]
    found += [rng.getrandbits(bits) & rng.getrandbits(bits) & rng.getrandbits(bits) for _ in range(4)]
    distinct = dict.fromkeys(k for k in found if k < 1 << bits)
    while len(distinct) < count:
        distinct[rng.getrandbits(bits)] = None
    return list(distinct)[:count]


def points(curve: Curve) -> list[tuple[int, int]]:
    """G, -G, random points, points of small x, and the one with x = 0 if the curve has it."""
    rng = random.Random(5)
    found = [curve.generator, (curve.gx, curve.p - curve.gy)]
    found += [point.base_mul(curve, rng.randrange(1, curve.n)) or curve.generator for _ in range(3)]
    lifted = (point.lift_x(curve, x) for x in range(8))
    return found + [each for each in lifted if each is not None]


def cycles(jobs: Iterable[JobResult]) -> set[int | None]:
    """The cycle counts of jobs, all of which must succeed."""
    counts = {}
    for job in jobs:
        assert job.status in ANSWERS, job
        counts.setdefault(job.cycles, job)
    assert None not in counts
    return set(counts)


@pytest.fixture(scope="module", params=DIGITS)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with RtlTransport(config_of(request.param)) as transport:
        yield Engine(transport)


def of_scalars(engine: Engine, curve: Curve, ks: list[int], op: Op, flags: int = 0) -> set[int | None]:
    """Cycle counts of `op` for the scalars that it accepts, while points and hashes vary."""
    if engine.curve != curve:
        engine.load_curve(curve)
    rng, bases = random.Random(9), points(curve)

    def run() -> Iterator[JobResult]:
        for number, k in enumerate(ks):
            base = bases[number % len(bases)]
            private = 1 <= k < curve.n
            e = rng.getrandbits(curve.n.bit_length())
            if op == Op.MUL:
                yield engine.submit(op, (k, *base), flags)
            elif op == Op.BASE_MUL:
                yield engine.submit(op, (k,), flags)
            elif op == Op.ECDH and private:
                yield engine.submit(op, (*base, k), flags)
            elif op == Op.KEYGEN and private:
                yield engine.submit(op, (k,), flags)
            elif op == Op.ECDSA_SIGN and private:
                yield engine.submit(op, (e, rng.randrange(1, curve.n), k), flags)
                yield engine.submit(op, (e, k, rng.randrange(1, curve.n)), flags)

    return cycles(run())


def test_scalars_and_points(engine: Engine) -> None:
    assert len(of_scalars(engine, CURVE, scalars(CURVE, SCALARS, random.Random(1)), Op.MUL)) == 1


@pytest.mark.parametrize("op", [Op.BASE_MUL, Op.ECDH, Op.ECDSA_SIGN, Op.KEYGEN])
def test_edges_in_every_job_with_a_secret(engine: Engine, op: Op) -> None:
    n = CURVE.n
    edges = [0, 1, 2, n - 2, n - 1, n, n + 1, (1 << CURVE.order_bits) - 1, 1 << 100]
    assert len(of_scalars(engine, CURVE, edges, op)) == 1


def test_blinding_takes_the_same_time_for_every_draw(engine: Engine) -> None:
    n = CURVE.n
    for op in (Op.MUL, Op.ECDSA_SIGN):
        assert len(of_scalars(engine, CURVE, [1, 2, n - 1, n // 3, 1 << 150], op, Flag.BLIND)) == 1


def test_drawn_keys_and_nonces(engine: Engine) -> None:
    engine.load_curve(CURVE)
    assert len(cycles(engine.keygen() for _ in range(4))) == 1
    assert len(cycles(engine.ecdsa_sign(e) for e in (0, 1, CURVE.n, (1 << 192) - 1))) == 1


def test_x_ladder(engine: Engine) -> None:
    """Every clamped k and every u: on the curve or on its twist. (A u of small order gives infinity, which is
    no secret.)
    """
    curve = find_curve("curve25519")
    engine.load_curve(curve)
    rng = random.Random(3)
    ks = [1 << 254, (1 << 255) - 8, *((rng.getrandbits(251) << 3) | 1 << 254 for _ in range(3))]
    us = [9, 2, curve.p - 2, rng.randrange(curve.p)]
    assert len(cycles(engine.submit(Op.X_LADDER, (k, u)) for k in ks[:2] for u in us)) == 1
    assert len(cycles(engine.submit(Op.X_LADDER, (k, 9)) for k in ks)) == 1


def test_modular_arithmetic(engine: Engine) -> None:
    engine.load_curve(CURVE)
    p = CURVE.p
    values = [0, 1, 2, p - 1, p // 2, random.Random(4).randrange(p)]
    for op in (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB, Op.MOD_EXP):
        assert len(cycles(engine.submit(op, (a, b)) for a in values for b in values[::2])) == 1
    assert len(cycles(engine.submit(Op.MOD_INV, (a,)) for a in values)) == 1


def test_a_loaded_key_is_used_in_the_same_time(engine: Engine) -> None:
    engine.load_curve(CURVE)
    jobs: list[JobResult] = []
    for d in (1, 2, CURVE.n - 1, CURVE.n // 5):
        engine.key_load(d)
        jobs.append(engine.ecdh(points(CURVE)[2]))
    assert len(cycles(jobs)) == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "count", "in_other_jobs"), [("P-256", 340, 60), ("secp256k1", 340, 60), ("P-521", 60, 24)]
)
def test_hundreds_of_scalars(engine: Engine, name: str, count: int, in_other_jobs: int) -> None:
    """P-521 has fewer: it runs the same microcode, and takes eight times as long on the smallest engine."""
    curve = find_curve(name)
    for op in (Op.MUL, Op.BASE_MUL, Op.ECDH, Op.ECDSA_SIGN, Op.KEYGEN):
        ks = scalars(curve, count if op == Op.MUL else in_other_jobs, random.Random(2))
        assert len(of_scalars(engine, curve, ks, op)) == 1
