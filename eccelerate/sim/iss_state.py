"""State of the simulated sequencer: mailbox, counters, flags, stack, job and curve registers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

# Places in Machine.f.
B, C, Z, P, X = range(5)


class IssTrap(RuntimeError):
    """The program did what no correct program does; the message gives the address."""


@dataclass
class Machine:
    """Everything but the field registers.

    slots: 16 integers of 1024 bits.   f: flags B, C, Z, P and X (0..15).   status < 0 while a job runs.
    bits_p, bits_n (10 bits each), kind, curve_width: latched by `par`; curve_id by `loaded`.
    """

    slots: list[int] = field(default_factory=lambda: [0] * 16)
    counters: list[int] = field(default_factory=lambda: [0] * 4)
    f: list[int] = field(default_factory=lambda: [0] * 5)
    stack: list[int] = field(default_factory=list)
    width: int = 6
    operands: int = 0
    flags: int = 0
    header_curve: int = 0
    status: int = -1
    results: int = 0
    key_valid: int = 0
    loaded: int = 0
    curve_id: int = 0
    curve_width: int = 0
    bits_p: int = 0
    bits_n: int = 0
    kind: int = 0
    entropy: Callable[[], int | None] = lambda: None

    def end(self, status: int, results: int = 0) -> int:
        """End the job; returns the program counter that stops the simulator."""
        self.status, self.results = status, results
        return -1

    def condition(self, code: int) -> int:
        """Truth of a branch condition that is not among the flags Z, C, B, X == 0."""
        if code >= 8:
            return self.flags >> (code - 8) & 1
        return (self.key_valid, self.kind & 1, self.kind >> 8 & 1, self.loaded)[code - 4]
