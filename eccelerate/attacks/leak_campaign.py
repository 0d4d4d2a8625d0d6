"""Welch's t-test, fixed against random, on traces of the RTL model or of a mapped netlist.

The traces are split in two disjoint sets, each tested by itself: a sample counts if it exceeds the threshold
in both. Orders 1 (means) and 2 (variances) are computed by SCALib.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scalib.metrics import Ttest

from eccelerate.attacks.gate_source import gate_batches
from eccelerate.attacks.trace_source import Samples, Setup, TraceSource, batches
from eccelerate.configs.images import load_program
from eccelerate.isa import IsaError
from eccelerate.ucode.disasm import disassemble_word

ORDERS = 2
FALSE_ALARM = 1e-5
"""Probability with which a set without any leak has a sample above the threshold."""
SHOWN = 60
"""Places that a result names."""
T = NDArray[np.float64]


def threshold(samples: int, false_alarm: float = FALSE_ALARM) -> float:
    """The t that one of `samples` independent samples exceeds with the given probability (Sidak), for as many
    traces that t is normal. For one sample it is the usual 4.4.
    """
    each = -np.expm1(np.log1p(-false_alarm) / samples)
    return -NormalDist().inv_cdf(float(each) / 2)


class Welch:
    """The t values of the orders for two disjoint sets of traces."""

    def __init__(self) -> None:
        self._sets = (Ttest(d=ORDERS), Ttest(d=ORDERS))
        self.traces = 0

    def add(self, traces: Samples, fixed: NDArray[np.uint16]) -> None:
        """Add traces; the even ones go to the first set."""
        for number, test in enumerate(self._sets):
            own = slice((number + self.traces) % 2, None, 2)
            if len(fixed[own]):
                test.fit_u(np.ascontiguousarray(traces[own]), np.ascontiguousarray(fixed[own]))
        self.traces += len(fixed)

    def t(self) -> T:
        """Set, order, sample. A sample that never changes in either class has t = 0, and one that never
        changes in both, but differs, is infinite.
        """
        found = np.stack([test.get_ttest() for test in self._sets])
        return np.nan_to_num(found, nan=0.0, posinf=np.inf, neginf=-np.inf)


@dataclass(frozen=True)
class Place:
    """An instruction during which samples exceed the threshold.

    samples: their number. t: the largest. first: clock of the first one.
    """

    routine: str
    address: int
    text: str
    order: int
    samples: int
    t: float
    first: int


@dataclass(frozen=True)
class Result:
    """The outcome of a test. t: the smaller one of both sets, by order and sample. above: samples of any
    order beyond the threshold in both sets.
    """

    setup: Setup
    traces: int
    threshold: float
    t: T
    places: tuple[Place, ...]
    above: int
    routines: tuple[tuple[int, str], ...]

    @property
    def record(self) -> dict[str, Any]:
        """As JSON."""
        finite = self.t[np.isfinite(self.t)]
        return {
            "config": self.setup.config.name,
            "curve": self.setup.curve.name,
            "case": self.setup.case.name,
            "off": list(self.setup.off),
            "cells": self.setup.cells,
            "traces": self.traces,
            "samples": self.t.shape[1],
            "threshold": round(self.threshold, 3),
            "max_t": [round(float(each), 2) if np.isfinite(each) else None for each in self.t.max(axis=1)],
            "largest_finite_t": round(float(finite.max()), 2) if finite.size else 0.0,
            "above": self.above,
            "where": [vars(place) | {"t": _json(place.t)} for place in self.places[:SHOWN]],
        }


def _json(t: float) -> float | None:
    return round(t, 2) if np.isfinite(t) else None


class Timeline:
    """Which instruction is executed in each clock of a trace."""

    def __init__(self, setup: Setup) -> None:
        self.samples, issues = TraceSource(setup).program()
        self.clocks, self.addresses = [c for c, _ in issues], [a for _, a in issues]
        program = load_program(setup.config)
        self.words, self.unit = program.words, setup.config.engine.removeprefix("ecp_")
        labels = sorted((address, name) for name, address in program.labels.items() if address >= 64)
        self._starts, self._names = [a for a, _ in labels], [n for _, n in labels]

    def address(self, clock: int) -> int | None:
        """The instruction that was issued last. None before the first one."""
        at = bisect_right(self.clocks, clock) - 1
        return None if at < 0 else self.addresses[at]

    def routine(self, address: int | None) -> str:
        """The routine of an address: its label without local parts."""
        if address is None:
            return "request"
        at = bisect_right(self._starts, address) - 1
        return self._names[at].split(".")[0] if at >= 0 else "entry"

    def text(self, address: int | None) -> str:
        """The instruction at an address."""
        if address is None:
            return "words of the request"
        try:
            return disassemble_word(self.words[address], unit=self.unit)
        except IsaError:
            return f"{self.words[address]:06x}"

    def routines(self) -> tuple[tuple[int, str], ...]:
        """The clocks at which another routine begins, with its name."""
        found: list[tuple[int, str]] = [(0, "request")]
        for clock, address in zip(self.clocks, self.addresses, strict=True):
            if (name := self.routine(address)) != found[-1][1]:
                found.append((clock, name))
        return tuple(found)


def run(setup: Setup, count: int, workers: int = 1, progress: Callable[[int], None] | None = None) -> Result:
    """Test `count` traces. Raises TraceError, JobError, BuildError, ConfigError for a measure that does not
    exist, and FlowError if a netlist is not what it should be.
    """
    timeline = Timeline(setup)
    welch = Welch()
    source = gate_batches if setup.cells else batches
    for traces, fixed in source(setup, count, timeline.samples, workers):
        welch.add(traces, fixed)
        if progress:
            progress(welch.traces)
    return evaluate(setup, welch, timeline)


def evaluate(setup: Setup, welch: Welch, timeline: Timeline) -> Result:
    """The result of all traces so far."""
    both = welch.t()
    same = np.sign(both[0]) == np.sign(both[1])  # chance has no preferred sign
    t = np.where(same, np.abs(both).min(axis=0), 0.0)
    limit = threshold(both.shape[2] * ORDERS)
    above = t > limit
    found: dict[tuple[int, int | None], list[int]] = {}
    for order, sample in np.argwhere(above):
        found.setdefault((int(order), timeline.address(int(sample))), []).append(int(sample))
    places = [
        Place(
            timeline.routine(address),
            -1 if address is None else address,
            timeline.text(address),
            order + 1,
            len(samples),
            float(t[order, samples].max()),
            samples[0],
        )
        for (order, address), samples in found.items()
    ]
    places.sort(key=lambda place: -place.t)
    return Result(
        setup, welch.traces, limit, t, tuple(places), int(above.any(axis=0).sum()), timeline.routines()
    )
