"""The binary engine's program on the instruction-set simulator, compared with the golden model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from eccelerate.configs.config import ROOT
from eccelerate.curves import Curve, gf2m
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.timing.binary_cycles import BinaryBuild
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.program import Program
from tests.ecp_compact.bench import Comparison

MAX_WORDS = 18
Point = tuple[int, int]


@cache
def program() -> Program:
    """The microcode."""
    return assemble(ROOT / "ucode" / "binary.toml")


def simulator(curves: Sequence[Curve], digit_bits: int = 64) -> DigitSimulator:
    """The simulator of a build that has the fields of these curves."""
    build = BinaryBuild(tuple(curve.p for curve in curves))
    return DigitSimulator(program(), digit_bits, max_words=MAX_WORDS, binary=build)


def bench_of(curve: Curve, digit_bits: int = 64, seed: int = 1) -> Comparison:
    """A simulator of a build that has only the curve's field, with the curve loaded."""
    transport = IssTransport(simulator([curve], digit_bits))
    bench = Comparison(transport, MAX_WORDS, digit_bits, binary=True, seed=seed)
    bench.load(curve)
    return bench


def order_two(curve: Curve) -> Point:
    """The point of order 2, (0, sqrt b)."""
    y = curve.b
    for _ in range(curve.p_bits - 1):
        y = gf2m.square(y, curve.p)
    return 0, y
