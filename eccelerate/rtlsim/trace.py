"""Figures read from the event trace of a job on the RTL."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from eccelerate.rtlsim.probes import MeasureError
from eccelerate.rtlsim.rtl import Event, EventKind

INVERSION = "fermat_inverse"
"""Label of the inversion modulo p."""


def parts_of_ladder(events: Sequence[Event], labels: Mapping[str, int], step: str) -> dict[str, int | float]:
    """ladder_step and inversion in the trace of one scalar multiplication.

    step: the label that each ladder step passes once. Raises MeasureError.
    """
    return {
        "ladder_step": ladder_step(events, address_of(labels, step)),
        "inversion": routine_cycles(events, address_of(labels, INVERSION)),
    }


def field_latency(events: Iterable[Event], code: int) -> int:
    """Clocks of field operation `code` with no other in flight: from the clock that accepts it to the clock
    at whose end its last digit is in the register file. This is after the done event, in which the digit
    enters the write port. Other operations do not count, because they wait for the one before them.
    Raises MeasureError if the trace has none, or if they differ.
    """
    issues, dones = _field_operations(events)
    free = [0, *(done.cycle for done in dones)]  # the unit finishes operations in the order it takes them
    latencies = {
        done.cycle - issue.cycle + 1
        for before, issue, done in zip(free, issues, dones, strict=False)
        if issue.value == code and before < issue.cycle
    }
    if len(latencies) != 1:
        found = f"takes {', '.join(map(str, sorted(latencies)))} clocks" if latencies else "is never alone"
        raise MeasureError(f"field operation {code} {found} in this trace: its latency cannot be told")
    return latencies.pop()


def field_interval(events: Iterable[Event], code: int) -> int:
    """Most frequent number of clocks from field operation `code` accepted to the next operation accepted: the
    rate that a program without gaps sustains. Raises MeasureError if the trace has none.
    """
    issues, _ = _field_operations(events)
    intervals = [after.cycle - issue.cycle for issue, after in pairwise(issues) if issue.value == code]
    if not intervals:
        raise MeasureError(f"no field operation {code} is followed by another in this trace")
    return statistics.mode(intervals)


def _field_operations(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    events = list(events)
    issues = [event for event in events if event.kind == EventKind.FIELD_ISSUE]
    dones = [event for event in events if event.kind == EventKind.FIELD_DONE]
    if len(issues) != len(dones):
        raise MeasureError(f"{len(issues)} field operations issued, {len(dones)} done")
    return issues, dones


def ladder_step(events: Iterable[Event], address: int) -> float:
    """Mean clocks between passes of the instruction at `address`, rounded to a tenth."""
    passes = _passes(events, address)
    if len(passes) < 3:
        raise MeasureError(f"address {address:#05x} is passed {len(passes)} times: no ladder in this trace")
    return round((passes[-1] - passes[0]) / (len(passes) - 1), 1)


def taken_cycles(events: Iterable[Event], address: int, last: int) -> int:
    """Clocks from the field instruction at `address` accepted to that at `last` accepted, last run. What the
    former starts runs in parallel with other operations, and the latter waits for it.
    """
    events = list(events)
    starts, ends = _passes(events, address), _passes(events, last)
    issues = [e.cycle for e in events if e.kind == EventKind.FIELD_ISSUE and starts and e.cycle >= starts[-1]]
    after = [cycle for cycle in issues if ends and cycle >= ends[-1]]
    if not after:
        raise MeasureError(f"no field instruction follows that at {address:#05x} in this trace")
    return after[0] - issues[0]


def inner_cycles(events: Iterable[Event], address: int, after: int) -> int:
    """Clocks of a binary engine's scalar multiplication without packet, checks and entropy: from the field
    instruction at `address` accepted to the last coordinate written. `after` is the first instruction after
    that which computes it; from there on, each operation writes one register.
    """
    events = list(events)
    starts, ends = _passes(events, address), _passes(events, after)
    if not starts or not ends or ends[-1] < starts[-1]:
        raise MeasureError(f"{address:#05x} to {after:#05x} is not passed in this trace")
    others = sum(event.kind == EventKind.FIELD_ISSUE and event.cycle >= ends[-1] for event in events)
    writes = [event.cycle for event in events if event.kind == EventKind.FIELD_DONE]
    return writes[-1 - others] - starts[-1] + 1


def streamed_step(events: Iterable[Event], address: int, steps: int, wait: int) -> float:
    """Mean clocks of one of the steps that the instruction at `address` starts in the field unit, rounded to
    a tenth. Other operations run in parallel until the instruction at `wait`. All steps write the same number
    of registers.
    """
    events = list(events)
    starts, waits = _passes(events, address), _passes(events, wait)
    if not starts or not waits or waits[-1] < starts[-1]:
        raise MeasureError(f"address {address:#05x} starts no steps in this trace")
    end = min(e.cycle for e in events if e.kind == EventKind.FIELD_ISSUE and e.cycle > waits[-1])
    writes = [e.cycle for e in events if e.kind == EventKind.FIELD_DONE and starts[-1] < e.cycle < end]
    each = round(len(writes) / steps)  # the other operations are few
    if not each:
        raise MeasureError(f"{len(writes)} registers are written in {steps} steps: too few")
    writes = [cycle for cycle in writes if cycle > waits[-1]]
    # Not the first and the last ones, among which are other operations' writes.
    count = len(writes) // each - 4
    return round((writes[(count + 2) * each] - writes[2 * each]) / count, 1)


def routine_cycles(events: Iterable[Event], address: int) -> int:
    """Clocks from the entry of the routine at `address` to the instruction after its call, last run."""
    instructions = [event for event in events if event.kind == EventKind.INSTRUCTION]
    spans = []
    for before, entry in pairwise(instructions):
        if entry.value == address:
            returns = (e.cycle for e in instructions if e.cycle > entry.cycle and e.value == before.value + 1)
            end = next(returns, None)
            if end is not None:
                spans.append(end - entry.cycle)
    if not spans:
        raise MeasureError(f"the routine at {address:#05x} is not called, or does not return, in this trace")
    return spans[-1]


def _passes(events: Iterable[Event], address: int) -> list[int]:
    return [event.cycle for event in events if event.kind == EventKind.INSTRUCTION and event.value == address]


def address_of(labels: Mapping[str, int], name: str) -> int:
    """Address of a label of the microcode. Raises MeasureError."""
    if name not in labels:
        raise MeasureError(f"the microcode has no label {name}: the measurement of its cycles needs it")
    return labels[name]
