"""The cycles of a yardstick on the RTL, with operands from a seed."""

from __future__ import annotations

import random
from typing import Any

from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.rtlsim.yardstick_bench import run

OPERATIONS = 4
SEED = 1


def measure_yardstick(unit: Yardstick) -> dict[str, Any]:
    """Cycles of an operation and clocks from one to the next: the most that OPERATIONS operations take.
    Raises BuildError, YardstickError.
    """
    rng = random.Random(SEED)
    vectors = [
        {port: rng.getrandbits(bits) for port, bits in unit.operand_bits.items()} for _ in range(OPERATIONS)
    ]
    found = run(unit, vectors)
    interval = max(found.intervals, default=max(found.cycles))
    return {"cycles": max(found.cycles), "interval": interval, "operation": unit.operation}
