"""eccel_gf2m_core as a Python object, and a model of it clock by clock."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.curves import gf2m
from tests.gf2m.multiplier import degree, table, texts
from tests.verilated import Patch, Unit

HARNESS = Path(__file__).with_name("core_harness.cpp")
NOTHING, FILE, RESULT, AFTER = range(4)
Pair = tuple[int, int]


@dataclass
class Operation:
    """(a * b + c)^(2^squares), with the origin of each operand, and the clocks since the start of the
    operation before.
    """

    a: Pair
    b: Pair
    c: Pair
    gap: int
    take: int = 0
    a_from: int = FILE
    b_from: int = FILE
    c_take: int = 0
    c_from: int = FILE
    squares: int = 0


@dataclass(frozen=True)
class Outcome:
    """The values of an operation and the clocks in which they appear, counted from the first start."""

    result: int
    after: int
    addend_at: int
    result_at: int
    after_at: int


class Timeline:
    """The values of a register, each from a certain clock on."""

    def __init__(self) -> None:
        self._clocks, self._values = [-1], [0]

    def set(self, clock: int, value: int) -> None:
        """A new value from this clock on."""
        self._clocks.append(clock)
        self._values.append(value)

    def at(self, clock: int) -> int:
        """The value in a clock."""
        return self._values[bisect_right(self._clocks, clock) - 1]


def model(f: int, digits: int, operations: Sequence[Operation], stage: bool = False) -> list[Outcome]:
    """The core clock by clock: operands are read from the registers as these are in that clock."""
    result, after, outcomes, start = Timeline(), Timeline(), [], 0

    def read(pair: Pair, take: int, source: int, clock: int) -> int:
        sources = {NOTHING: 0, FILE: pair[take], RESULT: result.at(clock), AFTER: after.at(clock)}
        return sources[source]

    # An operation writes after the next one has started, but maybe before that one reads its last operand. So
    # operands are read in the order of clocks, when everything that happens earlier is known.
    pending: list[tuple[int, Operation, int]] = []

    def finish(before: int) -> None:
        while pending and pending[0][0] <= before:
            addend_at, operation, product = pending.pop(0)
            value = product ^ read(operation.c, operation.c_take, operation.c_from, addend_at)
            result.set(addend_at + 1, product)
            steps = max(1, operation.squares)
            for _ in range(steps):
                value = gf2m.square(value, f) if operation.squares else value
            after.set(addend_at + 1 + steps + stage, value)
            after_at = addend_at + 1 + steps + stage
            outcomes.append(Outcome(product, value, addend_at, addend_at + 1, after_at))

    for index, operation in enumerate(operations):
        start += operation.gap if index else 0
        finish(start)
        a = read(operation.a, operation.take, operation.a_from, start)
        b = read(operation.b, operation.take, operation.b_from, start)
        pending.append((start + digits + 2 + stage, operation, gf2m.mul(a, b, f)))
    finish(1 << 60)
    return outcomes


class Core:
    """One eccel_gf2m_core with the fields of these polynomials."""

    def __init__(
        self, fields: Sequence[int], digit_bits: int, patches: Sequence[Patch] = (), stage: bool = False
    ) -> None:
        self.fields = sorted(fields, key=table().index)
        self.digit_bits, self.stage = min(digit_bits, max(map(degree, fields))), stage
        words = -(-max(map(degree, fields)) // 32)
        mask = sum(1 << table().index(f) for f in fields)
        self._lib = Unit(
            room="gf2m",
            name=f"core-{mask:x}-{digit_bits}-{stage:d}",
            top="eccel_gf2m_core",
            harness=HARNESS,
            texts=texts(patches),
            parameters=[f"-GFields=26'h{mask:x}", f"-GDigitBits={digit_bits}", f"-GOperandStage={stage:d}"],
            settings=[f"-DWORDS={words}", f"-I{HARNESS.parent}"],
            unknown="unique",
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self._element = ctypes.c_uint32 * words
        pairs = [(name, self._element * 2) for name in "abc"]
        values = [(name, self._element) for name in ("result", "after")]
        numbers = [(name, ctypes.c_uint32) for name in ("squares", "gap")]
        flags = [(name, ctypes.c_uint8) for name in ("take", "a_from", "b_from", "c_take", "c_from")]
        clocks = [(name, ctypes.c_uint64) for name in ("start", "addend", "result_at", "after_at")]
        self._job = type("_Job", (ctypes.Structure,), {"_fields_": pairs + values + numbers + flags + clocks})

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def digits(self, f: int) -> int:
        """Cycles of a product."""
        return -(-degree(f) // self.digit_bits)

    def run(self, f: int, operations: Sequence[Operation]) -> list[Outcome]:
        """The results of the RTL for the operations."""
        jobs = (self._job * len(operations))()
        for job, operation in zip(jobs, operations, strict=True):
            for name in "abc":
                pair = (self._element * 2)(*(self._split(value) for value in getattr(operation, name)))
                setattr(job, name, pair)
            for name in ("squares", "gap", "take", "a_from", "b_from", "c_take", "c_from"):
                setattr(job, name, getattr(operation, name))
        limit = ctypes.c_uint64(sum(operation.gap + operation.squares for operation in operations) + 1000)
        extra = self._lib.unit_run(self._unit, self.fields.index(f), jobs, len(operations), limit)
        assert extra == 0, "results are missing" if extra < 0 else f"{extra} results too many"
        first = jobs[0].start
        return [
            Outcome(
                self._join(job.result),
                self._join(job.after),
                job.addend - first,
                job.result_at - first,
                job.after_at - first,
            )
            for job in jobs
        ]

    def _split(self, value: int) -> ctypes.Array[ctypes.c_uint32]:
        return self._element(*(value >> 32 * i & 0xFFFFFFFF for i in range(len(self._element()))))

    @staticmethod
    def _join(words: Sequence[int]) -> int:
        return sum(word << 32 * i for i, word in enumerate(words))
