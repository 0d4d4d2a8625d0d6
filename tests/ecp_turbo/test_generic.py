"""The program for any 256-bit prime on the lock-step simulator: arithmetic at its bounds, curves, edges."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from tests.ecp_turbo.lockstep import CURVE_ID, Group, program
from tests.ucode.helpers import assemble_text

UNIT = find_curve("P-256").p
CURVES = ["brainpoolP256r1", "brainpoolP256t1", "SM2", "secp256k1", "P-256"]
R = 1 << 256


ARITHMETIC = """
.global_reg p = 0
.global_reg one = 3
.entry MUL start
.routine start
.reg t
.global_reg x = 40
.global_reg y = 41
.global_reg product = 42
.global_reg sum = 43
.global_reg loose = 44
.global_reg difference = 45
.global_reg either = 46
.global_reg canonical = 47
.global_reg z = 48
.global_reg products = 49
.global_reg opposite = 50
    ld   p, 0
    ld   pinv, 1
    ld   one_p, 2
    ld   x, 3
    ld   y, 4
    ldb  5, c0
    ld   z, 6
    put1 7
    ld   one, 7
    mul  product, x, y
    add  sum, x, y
    addl loose, x, y
    sub  difference, x, y
    addsub either, x, y
    canon canonical, y
    mul_sub products, x, y, y, z
    mul_sub opposite, z, y, x, y
    done OK, 0
"""


@pytest.mark.parametrize("p", [find_curve("brainpoolP256r1").p, find_curve("SM2").p, R // 2 + 1, R - 1])
def test_arithmetic_at_its_bounds(p: int, tmp_path: Path) -> None:
    """For products and loose sums, x and z are loose and y is reduced. For other operations all are
    reduced.
    """
    macros = (ROOT / "ucode" / "turbo_generic" / "modular_p.s").read_text()
    code = assemble_text(tmp_path, macros, ARITHMETIC, unit="turbo")
    iss = TurboSimulator(code.words, UNIT, 1)
    m, registers = iss.states[0], iss.data[0].registers
    m.loaded, m.curve_id, m.curve_width = 1, CURVE_ID, 8
    reduced = [0, 1, 2, p // 2, p - 2, p - 1, p]
    loose = [*reduced, min(p + 1, R - 1), R - p, R - 2, R - 1]
    for x, y in product(loose, loose):
        for z, bit in ((0, 0), (1, 1), (R - 1, 0), (R // 2, 1)):
            operands = (p, pow(p, -1, R), R - p, x, y, bit, z)
            iss.submit(Request(Op.MUL, CURVE_ID, 0, 0, 8, operands).words())
            found = {name: registers[number] for name, number in code.registers.items()}
            assert (found["product"] * R - x * y) % p == 0
            if y <= p:
                assert found["product"] < p
                assert (found["loose"] - x - y) % p == 0
                assert found["products"] <= p and (found["products"] * R - (x - z) * y) % p == 0
                assert found["opposite"] <= p and (found["opposite"] * R + (x - z) * y) % p == 0
            if max(x, y) <= p:
                assert found["sum"] <= p and (found["sum"] - x - y) % p == 0
                assert found["difference"] <= p and (found["difference"] - x + y) % p == 0
                assert found["either"] == found["difference" if bit else "sum"]
                assert found["canonical"] == y % p


def group(name: str, threads: int = 4) -> Group:
    return Group(find_curve(name), threads, UNIT)


@pytest.mark.parametrize("name", CURVES)
def test_scalars_where_a_formula_could_fail(name: str) -> None:
    g = group(name)
    n = g.curve.n
    scalars = [*range(18), *(n - i for i in range(18)), n + 1, n // 2, n // 2 + 1, R - 1]
    scalars += [g.rng.randrange(n) for _ in range(8)]
    g.in_groups(Op.MUL, [(k, *g.point()) for k in scalars])
    g.in_groups(Op.BASE_MUL, [(k,) for k in scalars[::5]])


@pytest.mark.parametrize("name", CURVES)
def test_errors_of_one_thread_are_its_own(name: str) -> None:
    g = group(name)
    curve, p = g.curve, g.point()
    small = next(found for x in range(1, 99) if (found := point.lift_x(curve, x)) is not None)
    jobs = [
        (5, p[0], p[1] ^ 1), (7, 0, 0), (9, *p), (11, curve.p, p[1]), (0, *p), (13, p[0], curve.p),
        (curve.n, 0, 0), (R - 1, R - 1, 1), (4, *small), (5, small[0], curve.p - small[1]),
    ]  # fmt: skip
    g.in_groups(Op.MUL, jobs)
    g.expect(Op.ON_CURVE, [p, (p[0], p[1] ^ 1), (0, 0), (curve.p - 1, 1)])
    other = g.point()
    minus = (p[0], curve.p - p[1])
    g.expect(Op.POINT_ADD, [(*p, *other), (*p, *p), (*p, *minus), (0, 0, *p)])
    g.expect(Op.ECDH, [(*p, 3), (*p, 0), (*p, curve.n - 1), (*minus, g.rng.randrange(1, curve.n))])
    assert g.expect(Op.ECDH, [p], Flag.KEY) == [Status.NO_KEY]
    g.expect(Op.KEY_LOAD, [(g.rng.randrange(1, curve.n),)])
    g.expect(Op.ECDH, [p, (p[0], p[1] ^ 1), other], Flag.KEY)
    g.expect(Op.ZEROISE, [()])
    assert g.expect(Op.ECDH, [p], Flag.KEY) == [Status.NO_KEY]
    g.expect(Op.BASE_MUL, [(5,)])
    assert g.expect(Op.KEYGEN, [(curve.n - 7,)]) == [Status.OK]
    g.expect(Op.ECDH, [p, other], Flag.KEY)
    assert g.expect(Op.SELF_TEST, [()]) == [Status.OK]


@pytest.mark.parametrize("name", ["brainpoolP256r1", "SM2"])
@pytest.mark.parametrize("flags", [0, Flag.MOD_N])
def test_modular_jobs(name: str, flags: int) -> None:
    g = group(name)
    m = g.curve.n if flags else g.curve.p
    values = [0, 1, 2, m - 1, m - 2, m // 2, g.rng.randrange(m), m]
    pairs = [(a, g.rng.choice(values)) for a in values]
    for op in (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB):
        g.in_groups(op, pairs, flags)
    g.in_groups(Op.MOD_INV, [(a,) for a in values], flags)
    g.expect(Op.MOD_EXP, [(a, g.rng.getrandbits(256)) for a in values[1:5]], flags)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({1: 1}, Status.BAD_MODULUS),  # p even
        ({1: 2}, Status.BAD_MODULUS),  # p not prime
        ({6: -1, 7: -1}, Status.BAD_MODULUS),  # n even
        ({7: 2}, Status.BAD_MODULUS),  # N is not n
        ({3: 1}, Status.NOT_ON_CURVE),
        ({5: 1}, Status.NOT_ON_CURVE),
        ({2: find_curve("secp256k1").p}, Status.COORD_RANGE),
    ],
)
def test_curves_the_engine_refuses(change: dict[int, int], status: Status) -> None:
    g = group("secp256k1")
    operands = list(curve_load_operands(g.curve))
    for index, difference in change.items():
        operands[index] += difference
    words = g.packet(Op.CURVE_LOAD, operands)
    assert decode_response(g.iss.submit(words), 8).status == status
    words = g.packet(Op.MUL, (1, *g.curve.generator))
    assert decode_response(g.iss.submit(words), 8).status == Status.BAD_CURVE


@pytest.mark.parametrize("name", ["wei25519", "secp224k1"])
def test_shorter_primes_are_refused(name: str) -> None:
    """The program splits products at 2^256."""
    iss = TurboSimulator(program("turbo_generic"), UNIT, 4)
    request = Request(Op.CURVE_LOAD, CURVE_ID, 0, 0, 8, curve_load_operands(find_curve(name)))
    assert decode_response(iss.submit(request.words()), 8).status == Status.BAD_MODULUS


@pytest.mark.parametrize("flag", [Flag.BLIND, Flag.CHECK])
def test_blinding_and_a_second_computation_are_refused(flag: Flag) -> None:
    """This program has no room for them. It says so, and computes nothing."""
    g = group("brainpoolP256r1")
    p = g.point()
    for op, operands in ((Op.MUL, (5, *p)), (Op.BASE_MUL, (5,)), (Op.ECDH, (*p, 5)), (Op.KEYGEN, (5,))):
        words = g.packet(op, operands, flags=flag)
        assert decode_response(g.iss.submit(words), 8).status == Status.BAD_OP


@pytest.mark.parametrize("register", [4, 5, 12, 33])
def test_a_changed_constant_ends_with_fault(register: int) -> None:
    """One that does not decide whether an operand is valid."""
    g = group("brainpoolP256r1")
    for data in g.iss.data:
        data.registers[register] ^= 1 << 77
    answer = decode_response(g.iss.submit(g.packet(Op.BASE_MUL, (5,))), 8)
    assert (answer.status, answer.results) == (Status.FAULT, ())
