"""eccel_ecc_affine and eccel_ecc_jacobian (both eccel_ecc_core, a program on eccel_field_machine) multiply
points as the catalogue's model and OpenSSL do: every point and scalar of small curves, and curves of 256
bits.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick
from eccelerate.curves import find_curve
from eccelerate.curves.curve import Curve
from eccelerate.curves.small import all_points
from eccelerate.model import ecc_program, program_files
from eccelerate.model.field_machine import FieldMachine
from eccelerate.model.field_program import Instruction, Label, ProgramError, jump, resolve
from eccelerate.model.point import Point, add, mul
from eccelerate.rtlsim import yardstick_bench

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("ecc-256-affine", "ecc-256-jacobian")
PUBLISHED_CYCLES = {"ecc-256-affine": 562_731, "ecc-256-jacobian": 1_192_528}
"""256 bits, divided by the throughput and multiplied by the clock of Marnane's table."""
Work = tuple[Curve, tuple[int, int], int]  # curve, point, scalar


def unit(name: str, bits: int, a: int = -3) -> Yardstick:
    return replace(find_yardstick(name), name=f"{name}-test-{bits}", params={"Bits": bits, "A": a})


def point_of(result: dict[str, int], p: int) -> Point:
    """The point that the ports say. Infinity has coordinates of 0."""
    if result["infinity_o"]:
        assert sum(result.values()) == 1
        return None
    x, y, z = result["x_o"], result["y_o"], result.get("z_o", 1)
    assert max(x, y, z) < p and z
    inverse = pow(z, -1, p)
    return x * inverse**2 % p, y * inverse**3 % p


def small_curves(primes: Sequence[int], bs: Sequence[int]) -> Iterator[Curve]:
    """Curves with a = -3, of any order: there are points of order 2, and every k P can meet P or -P."""
    for p in primes:
        for b in bs:
            if (4 * -27 + 27 * b * b) % p:
                yield Curve(name=f"{p}-{b}", kind="weierstrass", p=p, a=p - 3, b=b, gx=0, gy=0, n=0, h=1)


def every_multiple(curves: Iterator[Curve], bits: int) -> Iterator[Work]:
    for curve in curves:
        for point in all_points(curve.p, curve.a, curve.b):
            yield from ((curve, point, k) for k in range(1 << bits))


def wrong(
    of: Yardstick, work: Sequence[Work], mutant: yardstick_bench.Mutant | None = None
) -> list[tuple[str, int, int]]:
    """Curve, x and scalar of what the RTL computes wrong."""
    vectors = [{"p_i": c.p, "x_i": x, "y_i": y, "infinity_i": 0, "k_i": k} for c, (x, y), k in work]
    done = yardstick_bench.run(of, vectors, mutant=mutant)
    assert list(done.intervals) == list(done.cycles[:-1])
    right = dict[tuple[str, tuple[int, int]], list[Point]]()  # 0 P, 1 P, 2 P ... by addition
    found = []
    for (curve, point, k), result in zip(work, done.results, strict=True):
        if curve.p < 1 << 16:
            known = right.setdefault((curve.name, point), [None])
            while len(known) <= k:
                known.append(add(curve, known[-1], point))
            expected = known[k]
        else:
            expected = mul(curve, k, point)
        if point_of(result, curve.p) != expected:
            found.append((curve.name, point[0], k))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_multiple_on_small_curves(name: str) -> None:
    work = list(every_multiple(small_curves((5, 13, 23), (1, 4)), 5))
    assert wrong(unit(name, 5), work) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_every_multiple_on_every_curve_of_6_bits(name: str) -> None:
    primes = [p for p in range(5, 64, 2) if all(p % q for q in (3, 5, 7)) or p in (5, 7)]
    for p in primes:
        assert wrong(unit(name, 6), list(every_multiple(small_curves((p,), range(1, p)), 6))) == []


def test_a_mutant_that_takes_other_bits_fails() -> None:
    work = list(every_multiple(small_curves((23,), (1,)), 5))
    mutant = ("eccel_ecc_core", "(k_q[left_q])", "(k_q[0])")
    assert wrong(unit(NAMES[0], 5), work, mutant)


def test_infinity_and_its_flag() -> None:
    curve = next(small_curves((23,), (1,)))
    (x, y), *_ = all_points(23, curve.a, curve.b)
    for name in NAMES:
        vector = {"p_i": 23, "x_i": x, "y_i": y, "infinity_i": 1, "k_i": 5}
        done = yardstick_bench.run(unit(name, 5), [vector, vector | {"infinity_i": 0, "k_i": 1}], gaps=True)
        assert [point_of(result, 23) for result in done.results] == [None, (x, y)]


def test_the_programs_are_those_of_the_formulas() -> None:
    files = program_files.outputs()
    stale = [name for name, text in files.items() if (ROOT / name).read_text() != text]
    assert not stale, f"run: {program_files.COMMAND}"


def cost(program: Sequence[Instruction], curve: Curve, k: int) -> FieldMachine:
    """A run of a program on the model, for 256 bits."""
    place = 0

    def digit(step: bool) -> tuple[int, bool]:
        nonlocal place
        now = k >> (255 - place) & 1, place == 255
        place = (place + step) % 256
        return now

    operands = {0: 1, 1: curve.gx, 2: curve.gy, 3: curve.a}
    machine = FieldMachine(256, curve.p, program, operands, digit)
    machine.run()
    return machine


def test_products_and_quotients_of_a_multiplication() -> None:
    k = sum(1 << n for n in range(0, 256, 2))  # 128 ones; the first addition is a copy
    curve = find_curve("P-256")
    machine = cost(ecc_program.affine(), curve, k)
    last = {n: machine.outputs[n] for n in (0, 1)}
    assert (last[0], last[1]) == mul(curve, k, curve.generator)
    doublings, additions = 254, 127
    assert machine.quotients == doublings + additions
    assert machine.products == 4 * doublings + 3 * additions + 3 + 2  # operands and results of residues
    machine = cost(ecc_program.jacobian(), curve, k)
    assert machine.products == 8 * doublings + (11 + 3) * additions + 3 + 1 + 3


def test_programs_that_the_machine_cannot_have_are_refused() -> None:
    with pytest.raises(ProgramError, match="no label there"):
        resolve([jump("Always", "there"), Label("here")])
    with pytest.raises(ProgramError, match="1500 instructions"):
        resolve([Instruction("Done")] * 1500)
    with pytest.raises(ProgramError, match="read before it is written"):
        FieldMachine(8, 13, [Instruction("Move", d=1, b=2)], {}, lambda _: (0, True)).run()
    with pytest.raises(ProgramError, match="no Done"):
        FieldMachine(8, 13, [Instruction("Input", d=1)], {0: 1}, lambda _: (0, True)).run()


def scalars(n: int) -> list[int]:
    """0, 1, the order and its neighbours, the greatest, one with 128 ones, and random ones."""
    generator = random.Random(1)
    edges = [0, 1, 2, 3, n - 1, n, n + 1, (1 << 256) - 1, ((1 << 256) - 1) // 3]
    return [*edges, *(generator.getrandbits(256) for _ in range(10))]


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("curve_name", ["P-256", "secp256k1", "brainpoolP256r1"])
def test_curves_of_256_bits(name: str, curve_name: str) -> None:
    curve = find_curve(curve_name)
    a = curve.a - curve.p if curve.p - curve.a < 10 else curve.a
    work = [(curve, curve.generator, k) for k in scalars(curve.n)]
    assert wrong(unit(name, 256, a), work) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_p_256_against_openssl_in_the_cycles_of_the_paper(name: str) -> None:
    curve, k = find_curve("P-256"), scalars(1)[8] % find_curve("P-256").n
    vector = {"p_i": curve.p, "x_i": curve.gx, "y_i": curve.gy, "infinity_i": 0, "k_i": k}
    done = yardstick_bench.run(find_yardstick(name), [vector])
    key = ec.derive_private_key(k, ec.SECP256R1()).public_key().public_numbers()
    assert point_of(done.results[0], curve.p) == (key.x, key.y)
    assert f"{k:b}".count("1") >= 100
    assert done.cycles[0] <= PUBLISHED_CYCLES[name]
