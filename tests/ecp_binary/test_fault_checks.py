"""The binary engine's program ends a job with FAULT if a value is not what it must be."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from eccelerate.ucode.asm import assemble
from tests.ecp_binary.bench import MAX_WORDS, program

CURVE = find_curve("B-163")
D, K, E = CURVE.n // 3, CURVE.n // 5, CURVE.n // 7
SIGN = (Op.ECDSA_SIGN, (E, D, K), Flag.NONE)
MUL = (Op.MUL, (K, *CURVE.generator), Flag.NONE)
BLIND, CHECK, KEY = Flag.BLIND, Flag.CHECK, Flag.KEY
LADDER, SIGNATURE = "binary/scalar_mul.s", "binary/ecdsa_sign.s"


def engine_of(folder: Path | None = None, change: tuple[str, str, str] | None = None) -> Engine:
    """The engine with the curve and a key, and one change in a file of its program."""
    found = program()
    if folder and change:
        ucode = shutil.copytree(ROOT / "ucode", folder / "ucode")
        name, old, new = change
        text = (ucode / name).read_text()
        assert text.count(old) == 1, old
        (ucode / name).write_text(text.replace(old, new))
        found = assemble(ucode / "binary.toml", check=False)
    build, rng = BinaryBuild((CURVE.p,)), random.Random(1)
    simulator = DigitSimulator(found, 32, lambda: rng.getrandbits(32), max_words=MAX_WORDS, binary=build)
    engine = Engine(IssTransport(simulator), binary=True)
    engine.load_curve(CURVE)
    assert engine.submit(Op.KEY_LOAD, (D,), BLIND | Flag.HOST_NONCE).status == Status.OK
    return engine


def assert_fault(engine: Engine, job: tuple[Op, tuple[int, ...], int]) -> None:
    """The job ends with FAULT, and curve and key are gone."""
    op, operands, flags = job
    assert engine.submit(op, operands, flags).status == Status.FAULT
    assert engine.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
    engine.load_curve(CURVE)
    assert engine.submit(Op.ECDH, CURVE.generator, KEY).status == Status.NO_KEY


CHANGES = {
    "a coordinate off the curve": (LADDER, "mula qy, t1, inv ", "mul  qy, t1, inv ", MUL),
    "that of a nonce": (LADDER, "mula qy, t1, inv ", "mul  qy, t1, inv ", SIGN),
    "lower bits of a blinded scalar": (
        LADDER,
        "st   SCALAR, low\n    isub",
        "st   SCALAR, part\n    isub",
        (Op.MUL, MUL[1], BLIND),
    ),
    "upper bits": (LADDER, "st   BLIND, high", "st   BLIND, low", (Op.MUL, MUL[1], BLIND)),
    "another second result": (
        LADDER,
        "isub sx, multiple, sx",
        "isub sx, multiple, n",
        (Op.MUL, MUL[1], CHECK),
    ),
    "another scalar the second time": (
        LADDER,
        "mov  part, spare\n",
        "mov  part, one\n",
        (Op.MUL, MUL[1], CHECK | BLIND),
    ),
    "another nonce": (
        SIGNATURE,
        "    st   SCALAR, nonce\n",
        "    st   SCALAR, share\n",
        (Op.ECDSA_SIGN, SIGN[1], BLIND),
    ),
    "a sum of a signature": (SIGNATURE, "add  qy, qy, base", "add  qy, qy, qy", SIGN),
    "the inverse of the nonce": (
        SIGNATURE,
        "mul  base, nonce, factor",
        "mul  base, share, factor",
        (Op.ECDSA_SIGN, (E, K), KEY | BLIND),
    ),
    "a coordinate that is not stored": (
        "binary/points.s",
        "does not leave the engine\n    st   0, qx",
        "does not leave the engine\n    st   0, qy",
        (Op.MUL, MUL[1], CHECK),
    ),
    "half a signature that is not stored": (
        SIGNATURE,
        "    st   1, qy\n",
        "    st   1, qx\n",
        (Op.ECDSA_SIGN, SIGN[1], CHECK),
    ),
    "r": (SIGNATURE, "mul  qx, power2, one", "mul  qx, base, one", SIGN),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_error_in_the_program_is_found(name: str, tmp_path: Path) -> None:
    file, old, new, job = CHANGES[name]
    assert_fault(engine_of(tmp_path, (file, old, new)), job)


CONSTANTS = {
    "integers": (
        *("n", "r2n", "ord", "multiple", "h_inv", "cofactor_bits", "cofactor_end", "constants"),
        *("constants_n", "short", "weight", "order", "bit92"),
    ),
    "elements": ("a", "b", "gx", "gy", "c"),
}


@pytest.mark.parametrize("flags", [Flag.NONE, BLIND, CHECK, BLIND | CHECK])
@pytest.mark.parametrize("unit", CONSTANTS)
def test_a_changed_constant_is_found(unit: str, flags: Flag) -> None:
    """Of the integers, a signature without BLIND checks those that it needs."""
    engine = engine_of()
    transport = engine.transport
    assert isinstance(transport, IssTransport)
    for name in CONSTANTS[unit]:
        data = transport.simulator.data
        registers = data.lo if unit == "integers" else data.elements
        registers[program().registers[name]] ^= 1 << 77
        data.refresh()
        assert_fault(engine, (Op.BASE_MUL, (K,), flags))


@pytest.mark.parametrize("flags", [Flag.NONE, BLIND])
@pytest.mark.parametrize("name", ["KEY", "KEY_MASK", "KEY_CHECK"])
def test_a_changed_key_is_found(name: str, flags: Flag) -> None:
    for job in ((Op.ECDSA_SIGN, (E, K)), (Op.ECDH, CURVE.generator)):
        engine = engine_of()
        assert isinstance(engine.transport, IssTransport)
        engine.transport.simulator.states[0].slots[program().slots[name]] ^= 1 << 5
        assert_fault(engine, (*job, KEY | flags))


@pytest.mark.parametrize("flags", [Flag.NONE, BLIND, CHECK, BLIND | CHECK])
def test_right_results_are_not_refused(flags: Flag) -> None:
    engine, base = engine_of(), CURVE.generator
    assert engine.submit(*MUL[:2], flags).values == point.mul(CURVE, K, base)
    assert engine.submit(Op.ECDSA_SIGN, (E, K), KEY | flags).values == ecdsa.sign(CURVE, D, E, K)
    assert engine.submit(Op.KEYGEN, (D,), flags).values == point.mul(CURVE, D, base)
    assert engine.submit(Op.ECDH, base, KEY | flags).status == Status.OK
    assert engine.submit(Op.BASE_MUL, (CURVE.n,), flags).status == Status.INFINITY
