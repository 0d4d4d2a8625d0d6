"""Makes the figures of a yardstick: runs it on operands with known results, maps it, and places it where
there is a placer.

A core that gives a wrong result has no record, so every row of the tables is of a core that works.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.explore.marnane.yardstick_operands import Check, checks
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
OPERANDS_SEED = 2026
"""The seed of the operands, which a record names."""


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
    """Operations with random operands on the RTL: their number, the cycles of the longest one, and the seed
    of the operands.

    Raises BuildError, YardstickError, and FlowError if a result is wrong.
    """
    wanted = checks(unit, random.Random(OPERANDS_SEED))
    found = run(unit, [check.operands for check in wanted])
    for check, result in zip(wanted, found.results, strict=True):
        _compare(unit, check, result)
    counted = [n for check, n in zip(wanted, found.cycles, strict=True) if check.counts]
    return {"operations": len(counted), "cycles": max(counted), "operands_seed": OPERANDS_SEED}


def _compare(unit: Yardstick, check: Check, result: dict[str, int]) -> None:
    for port, value in check.results.items():
        if result[port] != value:
            raise FlowError(f"{unit.name}: {port} is {result[port]:#x}, and it should be {value:#x}")
