"""Measures a part of a variant of the study: cycles on the RTL, cells on a device, energy in a library.

Every variant multiplies the same points by the same scalars, and a variant that gives a wrong point has no
record. The energy is that of one of these operations, or of a window of it, and is scaled to their mean
number of cycles.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean

from eccelerate.configs.study_config import variant_yardstick
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.curves.curve import Curve
from eccelerate.curves.loader import find_curve
from eccelerate.energy.activity import Window, replay, trace_clocks
from eccelerate.energy.cell_mapping import map_cells
from eccelerate.energy.power import estimate
from eccelerate.explore.study.study_store import (
    CYCLES,
    LIBRARY,
    PLACED,
    PLACED_ON,
    StudyStore,
    part_record,
)
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import map_figures, map_unit, place_figures, unit_design, unit_device
from eccelerate.flow.store import Record
from eccelerate.model import point
from eccelerate.rtlsim.verilate import BuildError
from eccelerate.rtlsim.yardstick_bench import YardstickError, run
from eccelerate.ucode.study.study_files import CURVES, Image

Progress = Callable[[str], None]
CLOCK_MHZ = 80.0
"""Of the paper. It counts for leakage only: the rest of the energy does not depend on the clock."""
OPERATIONS, SEED = 2, 2026
WHOLE_TRACE, WINDOW = 12_000, Window(4_000, 8_192)
"""An operation of more clocks than WHOLE_TRACE is sampled by the window."""
SEEDS = (1, 2, 3)
Vector = dict[str, int]


@cache
def operands(curve: Curve) -> tuple[tuple[Vector, tuple[int, int]], ...]:
    """Operations with their results: random points, and random scalars of average cost. These have one bit
    less than the order; half of their bits, and a third as many signed digits as bits, are not 0.
    """
    chance = random.Random(SEED)
    found: list[tuple[Vector, tuple[int, int]]] = []
    bits = curve.n.bit_length() - 1
    while len(found) < OPERATIONS:
        k = chance.getrandbits(bits) | 1 << (bits - 1)
        if k.bit_count() != bits // 2 or (k ^ 3 * k).bit_count() != bits // 3:
            continue
        base = point.base_mul(curve, chance.randrange(1, curve.n))
        result = None if base is None else point.mul(curve, k, base)
        assert base is not None and result is not None, "the order is prime, and k is below it"
        found.append(({"x_i": base[0], "y_i": base[1], "k_i": k}, result))
    return tuple(found)


def measure(image: Image, part: str, progress: Progress | None = None) -> Record:
    """The record of a part of a variant, not stored. Raises FlowError, BuildError, YardstickError."""
    began = time.monotonic()
    unit = variant_yardstick(image)
    if progress:
        progress(f"{unit.name}: {part}")
    if part == CYCLES:
        figures = _cycles(image)
    elif part == LIBRARY:
        figures = _energy(image, progress)
    elif part == PLACED:
        figures = place_figures(unit, unit_device(PLACED_ON), SEEDS, progress)
    else:
        figures = map_figures(map_unit(unit, unit_device(part), progress))
    return part_record(unit, part, figures, time.monotonic() - began)


def _run(unit: Yardstick, count: int, record: Path | None = None) -> Sequence[int]:
    """The cycles of operations on the RTL. Raises FlowError if a result is wrong."""
    wanted = operands(find_curve(CURVES[0]))[:count]
    done = run(unit, [vector for vector, _ in wanted], record=record)
    for (vector, right), result in zip(wanted, done.results, strict=True):
        if (result["x_o"], result["y_o"]) != right:
            raise FlowError(f"{unit.name}: the result of k = {vector['k_i']:#x} is wrong")
    return done.cycles


@cache
def _all_cycles(image: Image) -> Sequence[int]:
    """The cycles of all operations, which two parts need."""
    return _run(variant_yardstick(image), OPERATIONS)


def _cycles(image: Image) -> Record:
    cycles = _all_cycles(image)
    return {
        "cycles": round(mean(cycles), 1),
        "least": min(cycles),
        "most": max(cycles),
        "operations": len(cycles),
        "operands_seed": SEED,
    }


def _energy(image: Image, progress: Progress | None) -> Record:
    unit, cycles = variant_yardstick(image), mean(_all_cycles(image))
    mapped = map_cells(unit_design(unit), LIBRARY, clock_gates=True, progress=progress)
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        _run(unit, 1, trace)
        window = WINDOW if trace_clocks(trace) > WHOLE_TRACE else None
        activity = replay(mapped.netlist, trace, mapped.library, window=window, qualifier="valid_o")
    energy = estimate(mapped.netlist, activity, mapped.library, CLOCK_MHZ)
    return {
        "energy_pj": energy.energy_pj * cycles / energy.clocks,
        "power_w": energy.total_w,
        "leakage_w": energy.leakage_w,
        "clock_share": round(energy.clock_pj / energy.energy_pj, 4),
        "clock_mhz": CLOCK_MHZ,
        "clock_gates": True,
        "clocks": energy.clocks,
        "sampled": window is not None,
        "area_um2": mapped.area_um2,
        "gate_equivalents": mapped.gate_equivalents,
        "period_ps": mapped.period_ps,
    }


@dataclass(frozen=True)
class Step:
    """A step of a measurement: its part, its record or why there is none, and how many parts are left."""

    name: str
    part: str
    record: Record | None
    problem: str
    left: int


def measure_all(
    wanted: Sequence[tuple[Image, str]], store: StudyStore, progress: Progress | None = None
) -> Iterator[Step]:
    """Measure part after part and store each record at once, so that a measurement can be ended at any time
    and goes on where it was. A part that fails does not end it.
    """
    for i, (image, part) in enumerate(wanted):
        problem, record = "", None
        try:
            record = store.put(measure(image, part, progress))
        except (FlowError, BuildError, YardstickError) as error:
            problem = " ".join(str(error).split())[:200]
        yield Step(variant_yardstick(image).name, part, record, problem, len(wanted) - i - 1)
