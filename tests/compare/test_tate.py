"""eccel_tate_pairing computes the pairings of the model: all of a small curve, and some of the 256-bit
curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick
from eccelerate.model import tate_program
from eccelerate.model.field_machine import FieldMachine
from eccelerate.model.field_program import ProgramError
from eccelerate.model.program_files import DIGIT, MULTIPLIERS
from eccelerate.model.tate_curve import CURVE, SMALL
from eccelerate.model.tate_pairing import ONE, Element, PairingCurve, TwistPoint, mul, mul_twist, power, tate
from eccelerate.rtlsim import yardstick_bench
from tests.compare.test_pairing import generators

PUBLISHED_CYCLES = 476_094
"""256 bits / 0.01868 Mbit/s x 34.74 MHz; four times as many if the throughput counts 1,024 bits."""
Pair = tuple[tuple[int, int] | None, TwistPoint | None]


def pairs(curve: PairingCurve, factors: Sequence[tuple[int, int]]) -> list[Pair]:
    p, q = generators(curve)
    return [(mul(curve.p, m, p), mul_twist(curve, n, q)) for m, n in factors]


def run(
    of: Yardstick, work: Sequence[Pair], mutant: yardstick_bench.Mutant | None = None, gaps: bool = False
) -> tuple[list[Element], tuple[int, ...]]:
    """Pairings and cycles."""
    vectors = []
    for p, q in work:
        x, y = p or (0, 0)
        at = q or TwistPoint(0, 0, 0, 0)
        coordinates = {"qx0_i": at.x0, "qx1_i": at.x1, "qy0_i": at.y0, "qy1_i": at.y1}
        vectors.append({"px_i": x, "py_i": y, **coordinates, "infinity_i": int(p is None or q is None)})
    done = yardstick_bench.run(of, vectors, mutant=mutant, gaps=gaps)
    found = [(each["e0_o"], each["e1_o"], each["e2_o"], each["e3_o"]) for each in done.results]
    return found, done.cycles


def small() -> Yardstick:
    return replace(find_yardstick("tate-256"), name="tate-test-10", params={"Bits": 10, "Curve": 1})


def test_every_pairing_of_the_small_curve() -> None:
    factors = [(m, n) for m in range(SMALL.r + 1) for n in range(SMALL.r + 1)]
    work = pairs(SMALL, factors)
    e = tate(SMALL, *pairs(SMALL, [(1, 1)])[0])
    found, _ = run(small(), work, gaps=True)
    assert found == [power(SMALL.p, e, m * n) for m, n in factors]


def test_a_mutant_that_ignores_signs_fails() -> None:
    work = pairs(SMALL, [(1, 1), (2, 3)])
    mutant = ("eccel_tate_pairing", "(Negative[place_q])", "(1'b0)")
    assert run(small(), work, mutant)[0] != [tate(SMALL, *each) for each in work]


def model_run(multipliers: int, product_cycles: int) -> tuple[FieldMachine, Element]:
    """The program on the model of the machine."""
    (p, q) = pairs(CURVE, [(1, 1)])[0]
    assert p is not None and q is not None
    digits = [(d, n == len(s) - 1) for s in tate_program.digits(CURVE) for n, d in enumerate(s)]
    place = 0

    def digit(step: bool) -> tuple[int, bool]:
        nonlocal place
        now = digits[min(place, len(digits) - 1)]
        place += step
        return now

    operands = dict(enumerate((*p, q.x0, q.x1, q.y0, q.y1, 1, pow(4, 256, CURVE.p))))
    program = tate_program.program(multipliers, product_cycles)
    machine = FieldMachine(256, CURVE.p, program, operands, digit, multiplier_cycles=product_cycles)
    machine.run()
    return machine, (machine.outputs[0], machine.outputs[1], machine.outputs[2], machine.outputs[3])


@pytest.mark.parametrize("multipliers", [MULTIPLIERS, 6])
def test_the_program_computes_the_pairing_in_the_cycles_of_the_paper(multipliers: int) -> None:
    machine, found = model_run(multipliers, 256 // DIGIT + 1)
    assert found == tate(CURVE, *pairs(CURVE, [(1, 1)])[0])
    assert machine.quotients == 1
    assert machine.now < PUBLISHED_CYCLES


def test_too_few_registers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tate_program, "REGISTERS", 20)
    with pytest.raises(ProgramError, match="20 registers are too few"):
        tate_program.program(MULTIPLIERS, 129)


@pytest.mark.soak
def test_pairings_of_256_bits_in_the_cycles_of_the_paper() -> None:
    factors = [(1, 1), (2, 3), (CURVE.r - 1, 1), (12345, 54321), (0, 1), (1, 0), (CURVE.r, 7)]
    work = pairs(CURVE, factors)
    e = tate(CURVE, *work[0])
    found, cycles = run(find_yardstick("tate-256"), work)
    assert found == [power(CURVE.p, e, m * n % CURVE.r) for m, n in factors]
    assert ONE in found and e != ONE
    assert max(cycles) < PUBLISHED_CYCLES
