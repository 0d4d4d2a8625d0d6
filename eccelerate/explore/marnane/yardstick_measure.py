"""Makes the figures of a yardstick: runs it on operands with known results, maps it, and places it where
there is a placer.

A core that gives a wrong result has no record, so every row of the tables is of a core that works.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import fmean

from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.explore.marnane.yardstick_operands import checks
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import (
    map_figures,
    map_unit,
    overflow,
    place_figures,
    unit_device,
    unit_record,
)
from eccelerate.flow.store import Record
from eccelerate.rtlsim.yardstick_bench import run

Progress = Callable[[str], None]
SEEDS = (1, 2, 3)
OPERATIONS, OPERANDS_SEED = 8, 2026
"""Random operations that a record is of, and the seed of their operands, which it names."""


def measure_yardstick(unit: Yardstick, device: str, progress: Progress | None = None) -> Record:
    """The record of a yardstick on a device, which is not stored. Raises FlowError, BuildError,
    YardstickError, and FlowError if a result is wrong.
    """
    began = time.monotonic()
    if progress:
        progress(f"simulating {unit.name}")
    simulated = simulate(unit)
    target = unit_device(device)
    mapped = map_unit(unit, target, progress)
    full = overflow(mapped, target) if target.place else ""
    if target.place and not full:
        figures = place_figures(unit, target, SEEDS, progress)
    else:
        figures = map_figures(mapped) | {"too_large": full}
    return unit_record(unit, target, figures, simulated, time.monotonic() - began)


def simulate(unit: Yardstick) -> Record:
    """Operations with random operands on the RTL: their number, their cycles on average (those of
    double-and-add depend on the scalar), and the seed of the operands.

    Raises BuildError, YardstickError, and FlowError if a result is wrong.
    """
    wanted = checks(unit, random.Random(OPERANDS_SEED), OPERATIONS)
    found = run(unit, [check.operands for check in wanted])
    for number, (check, result) in enumerate(zip(wanted, found.results, strict=True)):
        if not check.right(result):
            raise FlowError(f"{unit.name}: the result of operation {number} is wrong")
    counted = [n for check, n in zip(wanted, found.cycles, strict=True) if check.counts]
    cycles = round(fmean(counted))
    return {"operations": len(counted), "cycles": cycles, "operands_seed": OPERANDS_SEED}
