"""The ladder meets the engine's targets on the model of the binary engine's unit.

tests/gf2m and tests/ecp_binary test that the model counts as the RTL does.
"""

from __future__ import annotations

from dataclasses import replace

from eccelerate.timing.gf2m_cycles import DigitUnit, WideUnit, generic, named, named_staged, step_cycles
from eccelerate.timing.gf2m_schedule import Operation


def test_the_multiplier_never_idles_with_three_digits_and_more() -> None:
    for digits in (3, 4, 6, 8, 11, 36):
        assert step_cycles(DigitUnit(named(digits))) == 6 * digits
        # The shortest products need one cycle more, because squares are products too.
        assert step_cycles(DigitUnit(generic(digits))) == 10 * digits + (digits == 3)
    unit = DigitUnit(named(3))
    for _ in range(6):
        unit.step(0)
    assert unit.starts == list(range(2, 110, 3))


def test_a_stage_more_costs_a_cycle_a_step() -> None:
    """With three digits. Registered operands cost two cycles, because sums also wait for them."""
    for digits, stage, operands in ((3, 19, 20), (4, 24, 24)):
        pipe = named(digits)
        assert step_cycles(DigitUnit(replace(pipe, product=pipe.product + 1))) == stage
        assert step_cycles(DigitUnit(named_staged(digits))) == operands


def test_a_product_a_cycle() -> None:
    assert step_cycles(WideUnit()) == 6


def test_operands_are_waited_for() -> None:
    """In a chain of dependent products, each starts when the result register before it can be loaded."""
    unit = DigitUnit(named(3))
    for i in range(3):
        unit.operation(Operation((i,), (i,), plain=i + 1), 0)
    assert unit.starts == [2, 8, 14]
    unit = DigitUnit(named(3))
    for i in range(3):
        unit.operation(Operation((i,), (), squares=2, after=i + 1), 0)
    assert unit.starts == [2, 10, 18]
