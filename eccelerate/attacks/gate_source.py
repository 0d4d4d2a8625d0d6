"""Traces of a mapped netlist: how many nets change in each clock of a job, for one set of inputs each.

The jobs run on the RTL, which records what goes through its ports; the netlist of library cells gets the same
inputs, and its outputs are compared with those of the RTL. All cells between registers count, not only the
registers. The netlist has no delays, so that a net changes at most once in a clock: glitches are not seen.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eccelerate.attacks.trace_source import CaseEngine, Samples, Setup, as_samples, check_lengths
from eccelerate.energy.activity import Window, replay
from eccelerate.energy.cell_mapping import CellNetlist, map_cells
from eccelerate.energy.engine_energy import engine_design
from eccelerate.energy.port_recorder import recording

PART_CLOCKS = 1_000_000
"""About so many clocks are recorded at a time. The engine begins each part with a reset and its curve."""
MOST_CLOCKS = 2**31 - 1
"""The most that the recorder can count: each part is recorded whole."""
SETTLE = 8
"""Clocks after the reset in which outputs are not compared."""


@dataclass(frozen=True)
class _Part:
    """Recorded ports, whether each trace is of the fixed set, and the clock in which each trace begins."""

    ports: Path
    fixed: list[bool]
    begins: list[int]


def gate_batches(
    setup: Setup, count: int, length: int, workers: int
) -> Iterator[tuple[Samples, NDArray[np.uint16]]]:
    """Traces in batches, with 1 for each of the fixed set. `length`: their clocks. `workers`: runs at once.

    Raises TraceError if a trace has another length, and FlowError if the netlist differs from the RTL.
    """
    mapped = map_cells(engine_design(setup.config), setup.cells)
    size = max(1, PART_CLOCKS // length)
    groups = [range(at, min(at + size, count)) for at in range(0, count, size)]
    running: list[Future[tuple[Samples, NDArray[np.uint16]]]] = []
    with tempfile.TemporaryDirectory(prefix="eccel-gates-") as folder, ThreadPoolExecutor(workers) as pool:
        for number, group in enumerate(groups):
            part = _record(setup, group, length, Path(folder) / f"{number}.trace")
            running.append(pool.submit(_replay, mapped, part, length))
            if len(running) > workers:  # recordings do not pile up on the disk
                yield running.pop(0).result()
        for each in running:
            yield each.result()


def _record(setup: Setup, group: range, length: int, ports: Path) -> _Part:
    fixed, begins = [], []
    with recording(setup.config, MOST_CLOCKS, setup.seed) as recorder:
        engine = CaseEngine(setup, recorder.transport)
        for index in group:
            own, values = engine.prepare(index)
            fixed.append(own)
            begins.append(recorder.transport.clocks)
            engine.submit(values)
            check_lengths({recorder.transport.clocks - begins[-1]}, length)
        recorder.transport.idle(2)  # after the last clock of a record nothing is known
        recorder.transport.close()
        recorder.trace.rename(ports)
    return _Part(ports, fixed, begins)


def _replay(mapped: CellNetlist, part: _Part, length: int) -> tuple[Samples, NDArray[np.uint16]]:
    first = part.begins[0]
    window = Window(first, part.begins[-1] + length - first)
    activity = replay(mapped.netlist, part.ports, mapped.library, window=window, settle=SETTLE)
    part.ports.unlink()
    counts = np.array(activity.by_clock, dtype=np.uint64)
    traces = np.stack([counts[begin - first : begin - first + length] for begin in part.begins])
    return as_samples(traces), np.array(part.fixed, dtype=np.uint16)
