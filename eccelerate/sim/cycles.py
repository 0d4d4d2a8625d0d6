"""Cycle model of the sequencer and field unit for the instruction-set simulator.

All costs are clock cycles. A field operation costs polynomials in s, the digits of a field register:
coefficients (c0, c1, c2) stand for c0 + c1*s + c2*s^2. The engines state their own constants; the defaults
here are one cycle for everything, so that `cycles` counts instructions issued until an engine's constants
are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Poly = tuple[int, int, int]


@dataclass(frozen=True)
class FieldCost:
    """One kind of field operation.

    interval: issue to issue of the next field operation (initiation interval).
    ready: issue to the earliest issue of an operation with `dep`.   idle: issue to an idle field unit.
    For operations of the long length s counts the long digits.
    """

    interval: Poly = (1, 0, 0)
    ready: Poly = (1, 0, 0)
    idle: Poly = (1, 0, 0)


def value(poly: Poly, s: int) -> int:
    """The polynomial at s."""
    return poly[0] + poly[1] * s + poly[2] * s * s


@dataclass(frozen=True)
class CycleModel:
    """Costs by mnemonic; `control` and `per_word` (times W words moved) for control instructions.

    start: last request word to first instruction.   finish: `done` to first response word.
    """

    field_ops: Mapping[str, FieldCost] = field(default_factory=dict)
    control: Mapping[str, int] = field(default_factory=dict)
    per_word: Mapping[str, int] = field(default_factory=dict)
    default_field: FieldCost = FieldCost()
    default_control: int = 1
    field_issue: int = 1
    start: int = 0
    finish: int = 0

    def field_cost(self, mnemonic: str, s: int) -> tuple[int, int, int]:
        """(interval, ready, idle) of a field operation at s digits."""
        cost = self.field_ops.get(mnemonic, self.default_field)
        return value(cost.interval, s), value(cost.ready, s), value(cost.idle, s)

    def control_cost(self, mnemonic: str, words: int) -> int:
        """Cycles of a control instruction, from an idle unit where it needs one, to the next instruction."""
        return self.control.get(mnemonic, self.default_control) + self.per_word.get(mnemonic, 0) * words
