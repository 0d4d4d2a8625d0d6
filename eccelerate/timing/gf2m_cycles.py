"""The exact cycles in which the binary engine's unit for GF(2^m) accepts and starts its operations.

`DigitUnit` starts them in order, as soon as the multiplier is free and the operands can be read, as
rtl/gf2m/eccel_gf2m_issue.sv does. `WideUnit` has a fixed schedule with a product in every cycle, as
eccel_gf2m_wide_issue.sv does. Requests come one after the other, and no cycle depends on data.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from eccelerate.timing.gf2m_schedule import (
    NONE,
    Operation,
    as_products,
    ladder_step,
    ladder_step_of_products,
    placed,
)

LEAST_INTERVAL = 3
PLACES = 4
"""Largest number of operations in flight."""
WIDE_SQUARES = 8
"""Number of squares that the full-width unit computes in a cycle."""
DIVISION = 6
"""Cycles of a division in addition to the 2 m of its steps."""


@dataclass(frozen=True)
class Pipe:
    """Timing of a `DigitUnit` in one field.

    interval   least number of cycles from the start of a product to the start of the next one
    product    cycles from the start of a product until an operation that reads its result can start
    stage      operands are registered before they are used: additional cycles of a sum
    squarer    whether squares follow a product, one in each cycle; otherwise squares are products
    """

    interval: int
    product: int
    stage: int = 0
    squarer: bool = True


def named(digits: int) -> Pipe:
    """Timing with a hard-wired reduction, for products of so many digits."""
    return Pipe(max(digits, LEAST_INTERVAL), digits + 3)


def named_staged(digits: int) -> Pipe:
    """As `named`, with all operands registered first (parameter OperandStage of the unit)."""
    return Pipe(max(digits, LEAST_INTERVAL), digits + 4, stage=1)


def generic(cycles: int) -> Pipe:
    """Timing with reduction by a polynomial given at run time. A product takes `cycles`, and one cycle each
    to move the digits of b to their place, for their parts, and for the last fold.
    """
    return Pipe(max(cycles, LEAST_INTERVAL), cycles + 6, squarer=False)


@dataclass(frozen=True)
class _Flight:
    """An operation in flight: the registers that it writes, the cycles from which an operation that reads
    them may start, and its last cycle.
    """

    plain: int
    after: int
    plain_at: int
    after_at: int
    last: int


class DigitUnit:
    """Starts operations in order on a digit-serial multiplier.

    `idle` is the first cycle with no operation in flight. `starts` has the start cycle of every operation so
    far.
    """

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.idle = 0
        self.starts: list[int] = []
        self._next = 0
        self._turn = 0
        self._request = self._product = 0  # first cycles in which their registers are free
        self._flights: deque[_Flight] = deque(maxlen=PLACES)

    def operation(self, operation: Operation, offered: int) -> int:
        """The cycle in which the unit accepts a request that is valid from `offered` on."""
        if self._turn:
            operation = placed(operation)
        if self.pipe.squarer:
            return self._start(operation, offered)
        return self._products(as_products(operation), offered)

    def step(self, offered: int) -> int:
        """The cycle in which the unit accepts a step of the ladder that is valid from `offered` on."""
        turn, self._turn = self._turn, self._turn ^ 1
        if self.pipe.squarer:
            return max([self._start(each, offered) for each in ladder_step(turn)])
        return self._products(ladder_step_of_products(turn), offered)

    def divide(self, degree: int, offered: int) -> int:
        """The cycle in which the unit accepts a division by the divider, RegInv = 1 / RegInv."""
        taken = max(offered, self.idle) + 2 * degree + DIVISION
        self.idle = taken + 1
        return taken

    def _products(self, operations: Sequence[Operation], offered: int) -> int:
        # In front of the slot, a request passes one register, and each of its products passes another one.
        taken = max(offered, self._request)
        made = taken
        for operation in operations:
            made = max(made + 1, self._product)
            self._product = self._start(operation, made + 1)
        self._request = made + 1
        return taken

    def _start(self, operation: Operation, offered: int) -> int:
        # The operation waits at least two cycles in a slot, which is free when the one before it starts.
        taken = max(offered, self.starts[-1] + 1) if self.starts else offered
        start = max(taken + 2, self._next)
        reads = operation.a + operation.b
        flights = self._flights
        if len(flights) == PLACES:
            start = max(start, flights[0].last + 1)
        for flight in flights:
            if flight.plain in reads:
                start = max(start, flight.plain_at)
            if flight.after in reads:
                start = max(start, flight.after_at)
        # A whole value has left its register a cycle before the register file has it: the start waits.

        for flight, following in pairwise(flights):
            leaves = following.after_at - 1 == flight.last
            if leaves and flight.after in reads and start == flight.last + 1:
                start += 1
        self._go(operation, start)
        return taken

    def _go(self, operation: Operation, start: int) -> None:
        pipe, squares = self.pipe, operation.squares
        plain_at = start + pipe.product
        after_at = plain_at + pipe.stage + max(1, squares)
        last = after_at + 1
        self._flights.append(_Flight(operation.plain, operation.after, plain_at, after_at, last))
        self._next = start + max(pipe.interval, squares + 1 + pipe.stage)
        self.idle = last + 1
        self.starts.append(start)


class WideUnit:
    """Starts operations one by one on a multiplier of the field's width. Consecutive steps of the ladder
    overlap.

    `idle` is as in `DigitUnit`.
    """

    def __init__(self) -> None:
        self.idle = 0
        self._free = 0
        self._join = NONE  # cycle in which another step may follow without a gap

    def operation(self, operation: Operation, offered: int) -> int:
        """The cycle in which the unit accepts a request that is valid from `offered` on."""
        taken = max(offered, self._free)
        writes_after = operation.after != NONE
        passes = -(-operation.squares // WIDE_SQUARES) if writes_after else 0
        self._free = taken + LEAST_INTERVAL + max(passes, int(writes_after and operation.plain != NONE))
        self.idle = taken + max(8, passes + 6)
        self._join = NONE
        return taken

    def step(self, offered: int) -> int:
        """The cycle in which the unit accepts a step of the ladder that is valid from `offered` on."""
        if offered <= self._join:
            taken = self._join
            self._join += 6
        else:
            taken = max(offered, self.idle)
            self._join = taken + 9
        self._free = self.idle = self._join + 5
        return taken


def step_cycles(unit: DigitUnit | WideUnit) -> float:
    """The cycles of a step once the pipeline is full."""
    taken = [unit.step(0) for _ in range(40)]
    return (taken[-1] - taken[10]) / 29
