"""The cycles of a yardstick on the RTL, with operands of its kind from a seed."""

from __future__ import annotations

from typing import Any

from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.energy.unit_operands import operands
from eccelerate.rtlsim.yardstick_bench import run

OPERATIONS = 4
SEED = 1


def measure_yardstick(unit: Yardstick) -> dict[str, Any]:
    """Cycles of an operation, and clocks from one to the next: the most that OPERATIONS operations take.
    Raises BuildError, YardstickError.
    """
    given = operands(unit, OPERATIONS, SEED)
    found = run(unit, given.vectors)
    cycles, intervals = found.cycles[given.setup :], found.intervals[given.setup :]
    longest = max(cycles)
    return {"cycles": longest, "interval": max(intervals, default=longest), "operation": unit.operation}
