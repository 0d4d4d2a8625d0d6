"""Clock cycles of the turbo engine's field unit, exact: when each thread's operation issues.

The rules are those of the headers of rtl/gfp/turbo/eccel_turbo_issue.sv and eccel_gfp_turbo.sv; a test
compares every clock with the RTL. They know operations and register numbers, no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from eccelerate.model.solinas import Solinas
from eccelerate.model.turbo import PRODUCTS, UNARY

_BUFFER = 3  # from acceptance to the first clock in which the instruction can leave the buffer
_SLOT = 2  # from there to the first issue
_IDLE = 2  # from the last word written to idle_o, one clock after the flags


@dataclass
class Instruction:
    """An instruction, when it is offered (clock of valid_i, at the earliest), and then its clocks: accepted
    by the unit, issued by each thread."""

    op: str
    rd: int
    ra: int
    rb: int = 0
    offered: int = 0
    accepted: int = -1
    issued: list[int] = field(default_factory=list)

    @property
    def is_product(self) -> bool:
        """Which pipeline it takes."""
        return self.op in PRODUCTS

    @property
    def writes(self) -> tuple[int, ...]:
        """Registers of the results."""
        return (self.rd, self.rd + 1) if self.op == "mulw" else (self.rd,)

    @property
    def reads(self) -> tuple[int, ...]:
        """Registers that are operands."""
        return (self.ra,) if self.op in UNARY else (self.ra, self.rb)


@dataclass(frozen=True)
class TurboTiming:
    """Clocks of the unit for one prime and number of threads."""

    field: Solinas
    threads: int

    @property
    def product_interval(self) -> int:
        """Clocks from a product to the next."""
        return self.field.multiply_interval

    @property
    def sum_interval(self) -> int:
        """Clocks from a sum to the next."""
        return self.field.words + self.field.words % 2

    @property
    def product_latency(self) -> int:
        """Clocks from the issue of a product to that of an operation with its result."""
        return self.field.words + self.field.multiply_latency + 3

    @property
    def sum_latency(self) -> int:
        """Clocks from the issue of a sum to that of an operation with its result."""
        return self.field.words + 11

    def latency(self, instruction: Instruction) -> int:
        """One of the two; of mulw until both results are there."""
        latency = self.product_latency if instruction.is_product else self.sum_latency
        return latency + (len(instruction.writes) - 1) * self.field.words

    @cached_property
    def _entries(self) -> tuple[int, int]:
        """Instructions that may be under way: sums, products."""
        pairs = ((self.sum_latency, self.sum_interval), (self.product_latency, self.product_interval))
        first, second = (1 + -(-(latency - every + 4) // (every * self.threads)) for latency, every in pairs)
        return first, second

    def idle(self, instructions: Sequence[Instruction]) -> int:
        """First clock of idle_o behind a program that has run."""
        return max(i.issued[-1] + self.latency(i) for i in instructions) + self.field.words - 1 + _IDLE

    def run(self, instructions: Sequence[Instruction]) -> None:
        """Fill in the clocks of a program that an idle unit gets."""
        _Run(self, instructions).run()


class _Run:
    """The unit's state while a program runs. Index of pairs: is_product."""

    def __init__(self, timing: TurboTiming, program: Sequence[Instruction]) -> None:
        self.timing, self.program, self.next = timing, program, 0
        self.slot: list[Instruction | None] = [None, None]
        self.ok = [0, 0]  # clock in which the slot's next thread could issue
        self.queues: tuple[list[Instruction], list[Instruction]] = ([], [])
        self.writer: dict[int, Instruction] = {}
        self.waits: list[list[Instruction]] = [[], []]  # what the instruction in the slot depends on
        self.loaded = [0, 0]
        self.buffer_free = 0
        self.last = [-(10**9)] * 2
        self.products: list[int] = []  # issue clocks that may still meet a sum at the write port

    def run(self) -> None:
        while self._load() or any(self.slot):
            self._issue()

    def _load(self) -> bool:
        """Move instructions from the buffer into slots as far as that is decided; whether any are left."""
        while self.next < len(self.program):
            new = self.program[self.next]
            kind, entries = new.is_product, self.timing._entries[new.is_product]
            queue, other = self.queues[kind], self.slot[not kind]
            if self.slot[kind] or (other and {*new.writes} & {other.ra, other.rb}):
                return True
            new.accepted = max(new.offered, self.buffer_free)
            clock = max(new.accepted + _BUFFER, self.last[kind] + 2)
            if len(queue) >= entries:
                clock = max(clock, queue[-entries].issued[-1] + self.timing.latency(queue[-entries]))
            former = self.queues[not kind][-1:]
            if former and {*new.writes} & {former[0].ra, former[0].rb}:
                clock = max(clock, former[0].issued[-1] + 2)
            self.buffer_free = clock + 1
            self.slot[kind], self.loaded[kind] = new, clock
            self.waits[kind] = [self.writer[r] for r in {*new.reads, *new.writes} if r in self.writer]
            self.writer |= dict.fromkeys(new.writes, new)
            queue.append(new)
            self.next += 1
            del queue[:-8]
        return False

    def _ready(self, kind: int) -> int | None:
        """Clock from which the slot's next thread meets no hazard; None if an earlier issue decides it."""
        now = self.slot[kind]
        if now is None:
            return None
        thread, clock = len(now.issued), self.loaded[kind] + _SLOT
        for earlier in self.waits[kind]:
            if len(earlier.issued) <= thread:
                return None
            clock = max(clock, earlier.issued[thread] + self.timing.latency(earlier))
        return clock

    def _issue(self) -> None:
        """The next issue of either kind."""
        timing, last = self.timing, self.last
        ready_sum, ready_product = self._ready(False), self._ready(True)
        free = max(last) + 2  # two reads each
        product = clock = None
        if ready_product is not None:
            product = max(ready_product, last[True] + timing.product_interval, free)
        if ready_sum is not None:
            clock = max(ready_sum, last[False] + timing.sum_interval, free)
            meets = timing.product_latency - timing.sum_latency
            while clock - meets in self.products:
                clock += 1
            # A product that could issue now or, but for its interval, in the next clock goes first.
            if ready_product is not None and clock >= max(
                ready_product, last[True] + timing.product_interval - 1
            ):
                clock = None
        if clock is not None and (product is None or clock < product):
            self._note(False, clock)
        else:
            assert product is not None, "the unit hangs"
            self._note(True, product)

    def _note(self, kind: bool, clock: int) -> None:
        now = self.slot[kind]
        assert now is not None
        now.issued.append(clock)
        self.last[kind] = clock
        if kind:
            writes = [clock + i * self.timing.field.words for i in range(len(now.writes))]
            self.products = [*self.products[-8:], *writes]
        if len(now.issued) == self.timing.threads:
            self.slot[kind] = None
