"""Traces of the RTL model: the activity of a job, clock by clock, for one set of inputs after the other.

A trace is the number of state bits that change in each clock, without noise. All traces of a case have the
same length, because the cycles of a job do not depend on its inputs.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eccelerate.attacks.leak_case import LeakCase, flags_with
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.rtlsim.rtl import Entropy, EventKind, RtlTransport

Samples = NDArray[np.int16]
BATCH_SAMPLES = 8_000_000
"""Samples of a batch, of two bytes each."""
LARGEST = np.iinfo(np.int16).max


@dataclass(frozen=True)
class Setup:
    """What is traced: a case on an engine, without the measures in `off`. cells: the library in whose cells
    the engine is traced (see gate_source); empty for its RTL.
    """

    config: Config
    curve: Curve
    case: LeakCase
    off: tuple[str, ...] = ()
    seed: int = 1
    cells: str = ""


class TraceError(RuntimeError):
    """A trace is of another length than the first one, or the job failed."""


class CaseEngine:
    """An engine with the curve of a case, which runs its job with one set of inputs after the other."""

    def __init__(self, setup: Setup, transport: RtlTransport) -> None:
        self.setup = setup
        self.transport = transport
        self.flags = flags_with(setup.case, setup.config, setup.off)
        self.engine = Engine(transport, binary=setup.curve.kind == "binary")
        self.engine.load_curve(setup.curve)

    def prepare(self, index: int) -> tuple[bool, dict[str, int]]:
        """Do what comes before trace number `index`. Returns whether it is of the fixed set, and its inputs.
        Raises JobError.
        """
        fixed, values = self.setup.case.inputs(self.setup.curve, self.setup.seed, index)
        self.transport.entropy(Entropy.SEED, (self.setup.seed << 32) + index)
        self.setup.case.prepare(self.engine, values, self.flags)
        return fixed, values

    def submit(self, values: dict[str, int]) -> None:
        """Run the job. Raises JobError."""
        case = self.setup.case
        self.engine.submit(case.op, [values[name] for name in case.operands], self.flags).check()


class TraceSource:
    """An engine that gives traces."""

    def __init__(self, setup: Setup) -> None:
        self.transport = RtlTransport(setup.config, events=True, seed=setup.seed)
        self.transport.record_events(False)
        self.engine = CaseEngine(setup, self.transport)
        self.began = 0  # clock of the latest trace

    def trace(self, index: int) -> tuple[bool, bytes]:
        """Trace number `index`: whether it is of the fixed set, and its samples. Raises JobError."""
        fixed, values = self.engine.prepare(index)
        self.began = self.transport.clocks
        self.transport.count_activity(True)
        self.engine.submit(values)
        samples = self.transport.take_activity()
        self.transport.count_activity(False)
        return fixed, samples

    def program(self) -> tuple[int, list[tuple[int, int]]]:
        """Samples of a trace, and clock and address of each instruction that it executes."""
        self.transport.record_events(True)
        _, samples = self.trace(0)
        events = self.transport.take_events()
        self.transport.record_events(False)
        return len(samples) // 2, [
            (event.cycle - self.began, event.value)
            for event in events
            if event.kind == EventKind.INSTRUCTION and event.cycle >= self.began
        ]


def check_lengths(found: set[int], length: int) -> None:
    """Raises TraceError if there is a trace that has not `length` clocks."""
    if found != {length}:
        raise TraceError(f"traces of {length} and {sorted(found)} clocks: the job is not of constant time")


def as_samples(counts: NDArray[Any]) -> Samples:
    """Numbers of changes as samples. What is larger than a sample can be counts as the largest one."""
    return np.minimum(counts, LARGEST).astype(np.int16)


_SOURCE: TraceSource | None = None


def _open(setup: Setup) -> None:
    global _SOURCE
    _SOURCE = TraceSource(setup)


def _traces(indices: Sequence[int]) -> list[tuple[bool, bytes]]:
    assert _SOURCE is not None
    return [_SOURCE.trace(index) for index in indices]


def batches(
    setup: Setup, count: int, length: int, workers: int
) -> Iterator[tuple[Samples, NDArray[np.uint16]]]:
    """Traces in batches, with 1 for each of the fixed set. `length`: their samples.

    Raises TraceError if one has another length.
    """
    size = max(1, min(256, BATCH_SAMPLES // length))
    groups = [range(at, min(at + size, count)) for at in range(0, count, size)]
    # A fork would also have the models and pipes of this process.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with context.Pool(workers, partial(_open, setup)) as pool:
        for found in pool.imap(_traces, groups):
            check_lengths({len(samples) // 2 for _, samples in found}, length)
            rows = np.frombuffer(b"".join(samples for _, samples in found), dtype=np.uint16)
            traces = as_samples(rows).reshape(len(found), length)
            yield traces, np.array([fixed for fixed, _ in found], dtype=np.uint16)
