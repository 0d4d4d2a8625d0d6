"""Exact clock cycles of the turbo engine's field unit: when the operation of each thread issues.

The rules are those in the headers of rtl/gfp_turbo/eccel_turbo_issue.sv and eccel_gfp_turbo.sv; a test
compares every clock with the RTL. The rules depend on operations and register numbers, but not on data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from eccelerate.model.solinas import Solinas
from eccelerate.model.turbo import PRODUCTS, UNARY

_BUFFER = 3  # clocks from acceptance to the first clock in which the instruction can leave the buffer
_SLOT = 2  # clocks from there to the first issue
_IDLE = 2  # clocks from the last word written to idle_o, which follows one clock after the flags


@dataclass(slots=True)
class Instruction:
    """An instruction, its earliest clock of valid_i (`offered`), and the clocks that the model computes: when
    the unit accepts it, and when each thread issues it.

    `is_product` says which pipeline the instruction uses. `reads` and `writes` are the registers of the
    operands and of the results.
    """

    op: str
    rd: int
    ra: int
    rb: int = 0
    offered: int = 0
    accepted: int = -1
    issued: list[int] = field(default_factory=list)
    is_product: bool = field(init=False)
    reads: tuple[int, ...] = field(init=False)
    writes: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.is_product = self.op in PRODUCTS
        self.reads = (self.ra,) if self.op in UNARY else (self.ra, self.rb)
        self.writes = (self.rd, self.rd + 1) if self.op == "mulw" else (self.rd,)


@dataclass(frozen=True)
class TurboTiming:
    """Clocks of the unit for one prime and one number of threads."""

    field: Solinas
    threads: int

    @cached_property
    def product_interval(self) -> int:
        """Clocks from the start of a product to the start of the next one."""
        return self.field.multiply_interval

    @cached_property
    def sum_interval(self) -> int:
        """Clocks from the start of a sum to the start of the next one."""
        return self.field.words + self.field.words % 2

    @cached_property
    def product_latency(self) -> int:
        """Clocks from the issue of a product to the issue of an operation that reads its result."""
        return self.field.start_latency + self.field.multiply_latency + 4

    @cached_property
    def sum_latency(self) -> int:
        """Clocks from the issue of a sum to the issue of an operation that reads its result."""
        return self.field.words + 11

    def latency(self, instruction: Instruction) -> int:
        """The latency of a product or a sum. For mulw it lasts until both results can be read."""
        latency = self.product_latency if instruction.is_product else self.sum_latency
        return latency + (len(instruction.writes) - 1) * self.field.words

    @cached_property
    def _entries(self) -> tuple[int, int]:
        """The largest number of instructions in flight: (sums, products)."""
        pairs = ((self.sum_latency, self.sum_interval), (self.product_latency, self.product_interval))
        first, second = (1 + -(-(latency - every + 4) // (every * self.threads)) for latency, every in pairs)
        return first, second

    def run(self, instructions: Sequence[Instruction]) -> int:
        """Compute the clocks of a program that starts on an idle unit. Returns the first clock of idle_o
        after it.
        """
        timeline = TurboTimeline(self)
        for instruction in instructions:
            timeline.accept(instruction)
        return timeline.drain()


class TurboTimeline:
    """The unit's state while a program runs, one instruction after the other. `is_product` is the index of
    pairs.
    """

    def __init__(self, timing: TurboTiming) -> None:
        self.timing = timing
        self.buffer_free = 0
        """First clock in which the unit accepts another instruction."""
        self._slot: list[Instruction | None] = [None, None]
        self._queues: tuple[list[Instruction], list[Instruction]] = ([], [])
        self._writer: dict[int, Instruction] = {}
        self._waits: list[list[Instruction]] = [[], []]  # instructions that the one in the slot depends on
        self._loaded = [0, 0]
        self._last = [-(10**9)] * 2
        self._products: list[int] = []  # issue clocks that may still meet a sum at the write port
        self._end = 0  # clock from which the last result so far can be read

    def accept(self, new: Instruction) -> int:
        """The clock in which the instruction, offered from `new.offered` on, is accepted."""
        kind, entries = new.is_product, self.timing._entries[new.is_product]
        # The instruction leaves the buffer once the slot is free and no waiting one has an operand that it
        # overwrites.

        while self._slot[kind] or ((other := self._slot[not kind]) and self._overtakes(other, new)):
            self._issue()
        queue = self._queues[kind]
        new.accepted = max(new.offered, self.buffer_free)
        clock = max(new.accepted + _BUFFER, self._last[kind] + 2)
        if len(queue) >= entries:
            clock = max(clock, queue[-entries].issued[-1] + self.timing.latency(queue[-entries]))
        former = self._queues[not kind][-1:]
        if former and self._overtakes(former[0], new):
            clock = max(clock, former[0].issued[-1] + 2)
        self.buffer_free = clock + 1
        self._slot[kind], self._loaded[kind] = new, clock
        self._waits[kind] = [self._writer[r] for r in {*new.reads, *new.writes} if r in self._writer]
        for register in new.writes:
            self._writer[register] = new
        queue.append(new)
        del queue[:-8]
        return new.accepted

    @staticmethod
    def _overtakes(earlier: Instruction, new: Instruction) -> bool:
        """Whether `new` writes a register that the register fields of `earlier` name."""
        return any(r in (earlier.ra, earlier.rb) for r in new.writes)

    def drain(self) -> int:
        """Issue all waiting instructions. Returns the first clock of idle_o if no other instruction comes."""
        while any(self._slot):
            self._issue()
        return self._end + self.timing.field.words - 1 + _IDLE

    def _ready(self, kind: int) -> int | None:
        """The clock from which the slot's next thread meets no hazard. None if an earlier issue decides
        it.
        """
        now = self._slot[kind]
        if now is None:
            return None
        thread, clock = len(now.issued), self._loaded[kind] + _SLOT
        for earlier in self._waits[kind]:
            if len(earlier.issued) <= thread:
                return None
            clock = max(clock, earlier.issued[thread] + self.timing.latency(earlier))
        return clock

    def _issue(self) -> None:
        """Make the next issue, of a sum or of a product."""
        timing, last = self.timing, self._last
        ready_sum, ready_product = self._ready(False), self._ready(True)
        free = max(last) + 2  # each issue reads two operands
        product = clock = None
        if ready_product is not None:
            product = max(ready_product, last[True] + timing.product_interval, free)
        if ready_sum is not None:
            clock = max(ready_sum, last[False] + timing.sum_interval, free)
            meets = timing.product_latency - timing.sum_latency
            while clock - meets in self._products:
                clock += 1
            # A product has priority if it could issue now, or in the next clock but for its interval.
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
        now = self._slot[kind]
        assert now is not None
        now.issued.append(clock)
        self._last[kind] = clock
        self._end = max(self._end, clock + self.timing.latency(now))
        if kind:
            writes = [clock + i * self.timing.field.words for i in range(len(now.writes))]
            self._products = [*self._products[-8:], *writes]
        if len(now.issued) == self.timing.threads:
            self._slot[kind] = None
