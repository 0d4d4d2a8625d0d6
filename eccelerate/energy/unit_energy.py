"""The energy of one operation of a unit of rtl/compare, of the study, or of the multiplier family.

The unit runs on the RTL with operands of its kind, and its ports are recorded. The netlist of library cells
gets the same inputs, its outputs are compared, and its toggles give the energy. Long operations are sampled:
the first clocks of an operation stand for all of it, and the record says so.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.energy.activity import Activity, Window, replay, trace_ports
from eccelerate.energy.cell_mapping import CellNetlist, map_cells
from eccelerate.energy.energy_store import GATED, origin
from eccelerate.energy.library import Library
from eccelerate.energy.power import DEFAULT_MHZ, Energy, Wires, estimate
from eccelerate.energy.unit_operands import operands
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_design
from eccelerate.flow.store import Record
from eccelerate.flow.tools import versions
from eccelerate.rtlsim import yardstick_bench

WORK = 2_000_000_000
"""Clocks times cells that a replay takes at most; what is longer is sampled."""
MOST_OPERATIONS = 32
CLOCKS_WANTED = 20_000
"""Short operations are repeated until they have about so many clocks."""
CAUTION = (
    "pre-layout: no wires, no clock tree, no glitches; typical corner. Compare figures of one library: they"
    " order designs, and an absolute figure can be half of that of a placed design."
)
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """A recorded run of a unit: its trace, the clocks that count, and what they contain."""

    trace: Path
    window: Window
    operations: float
    cycles: int
    interval: int
    seed: int
    sampled: dict[str, int] | None


def measure_unit(
    unit: Yardstick,
    library: str | Path | Library,
    *,
    clock_mhz: float = DEFAULT_MHZ,
    clock_gates: bool = False,
    seed: int = 1,
    wires: Wires | None = None,
    progress: Progress | None = None,
) -> Record:
    """The record of a unit in a library. Raises FlowError, BuildError, YardstickError."""
    say = progress or (lambda _: None)
    mapped = map_cells(unit_design(unit), library, clock_gates=clock_gates, progress=progress)
    say(f"running {unit.name} on the RTL")
    cells = sum(mapped.cells.values())
    with recorded(unit, WORK // max(cells, 1), seed) as run:
        say(f"counting toggles of {cells:,} cells in {run.window.clocks:,} clocks")
        qualifier = "valid_o"
        activity = replay(
            mapped.netlist, run.trace, mapped.library, window=run.window, qualifier=qualifier, clock="clk_i"
        )
    energy = estimate(mapped.netlist, activity, mapped.library, clock_mhz, wires=wires)
    operation = {"operation": unit.operation, "cycles": run.cycles, "interval": run.interval}
    drawn = {"operands": {"seed": run.seed, "operations": run.operations}, "sampled": run.sampled}
    record = figures(mapped, activity, energy, run.operations, clock_mhz)
    return {
        "unit": unit.name + GATED * clock_gates,
        **record,
        **operation,
        **drawn,
        "clock_gates": clock_gates,
        "tools": versions(),
        **origin(unit.files),
    }


def figures(
    mapped: CellNetlist, activity: Activity, energy: Energy, operations: float, clock_mhz: float
) -> Record:
    """What the netlist and the run say, for one operation."""
    library = mapped.library
    return {
        "library": library.name,
        "corner": library.corner,
        "area_um2": mapped.area_um2,
        "gate_equivalents": mapped.gate_equivalents,
        "delay_ps": mapped.delay_ps,
        "period_ps": mapped.period_ps,
        "cells": sum(mapped.cells.values()),
        "memory_bits": mapped.memory_bits,
        "energy_pj": rounded(energy.energy_pj / operations),
        "clock_pj": rounded(energy.clock_pj / operations),
        "toggles": round(activity.total / operations),
        "clock_mhz": clock_mhz,
        "switching_w": rounded(energy.switching_w),
        "internal_w": rounded(energy.internal_w),
        "leakage_w": rounded(energy.leakage_w),
        "total_w": rounded(energy.total_w),
        "caution": CAUTION,
    }


def rounded(value: float) -> float:
    """Five significant digits."""
    return float(f"{value:.5g}")


@contextmanager
def recorded(unit: Yardstick, most_clocks: int, seed: int = 1) -> Iterator[Run]:
    """Run a unit on the RTL and record its ports. The trace exists while the context does. At most
    `most_clocks` clocks of it count. Raises BuildError, YardstickError, FlowError.
    """
    first = operands(unit, 1, seed)
    probe = yardstick_bench.run(unit, first.vectors)
    cycles = probe.cycles[-1]
    count = min(MOST_OPERATIONS, max(2, CLOCKS_WANTED // max(cycles, 1)))
    if cycles > most_clocks // 2:
        count = 1
    given = operands(unit, count + 1 if count > 1 else 1, seed)
    with tempfile.TemporaryDirectory(prefix="eccel-energy-") as folder:
        trace = Path(folder) / "trace"
        limit = sum(probe.cycles) + min(cycles, most_clocks) + 64 if count == 1 else None
        with _cut(trace, limit) as target:
            done = yardstick_bench.run(unit, given.vectors, record=target)
        starts = _acceptances(trace, given.setup + count + 1)[given.setup :]
        if not starts:
            raise FlowError(f"{unit.name} accepted no operation in the trace")
        sampled = None
        if count == 1:
            clocks = min(done.cycles[-1], most_clocks)
            operations = clocks / done.cycles[-1]
            if clocks < done.cycles[-1]:
                sampled = {"clocks": clocks, "of": done.cycles[-1]}
        else:
            clocks, operations = starts[count] - starts[0], float(count)
        interval = done.intervals[-1] if done.intervals and count > 1 else done.cycles[-1]
        yield Run(trace, Window(starts[0], clocks), operations, done.cycles[-1], interval, seed, sampled)


@contextmanager
def _cut(trace: Path, limit: int | None) -> Iterator[Path]:
    """Where a bench may write a trace of which only the first `limit` clocks are kept: a long one of wide
    ports would fill the disk.
    """
    if limit is None:
        yield trace
        return
    pipe = trace.with_suffix(".pipe")
    os.mkfifo(pipe)

    def copy() -> None:
        with pipe.open("rb") as source, trace.open("wb") as kept:
            for _ in range(limit + 1):
                kept.write(source.readline())
            while source.read(1 << 20):
                pass

    reader = threading.Thread(target=copy, daemon=True)
    reader.start()
    try:
        yield pipe
    finally:
        # If the bench never opened the pipe, the reader still waits for a writer.
        os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
        reader.join(timeout=60)


def _acceptances(trace: Path, most: int) -> list[int]:
    """The clocks in which the unit accepts an operation: valid_i and ready_o are 1, and rst_i is 0."""
    inputs, outputs = trace_ports(trace)
    valid, reset, ready = _place(inputs, "valid_i"), _place(inputs, "rst_i"), _place(outputs, "ready_o")
    found = []
    with trace.open() as stream:
        stream.readline()
        for clock, line in enumerate(stream):
            given, shown = line.split()
            if _bit(given, valid) and not _bit(given, reset) and _bit(shown, ready):
                found.append(clock)
                if len(found) == most:
                    break
    return found


def _place(ports: list[tuple[str, int]], name: str) -> int:
    """The lowest bit of a port in the number that a trace has."""
    low = sum(bits for _, bits in ports)
    for port, bits in ports:
        low -= bits
        if port == name:
            return low
    raise FlowError(f"the port trace has no {name}")


def _bit(text: str, place: int) -> int:
    return int(text[-1 - place // 4], 16) >> place % 4 & 1
