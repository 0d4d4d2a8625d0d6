"""Simulator of the turbo engine: T threads that run one program in lock step, one job each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eccelerate.machine.decode import DRAIN, FIELD, ILLEGAL
from eccelerate.machine.simulator import Entry, JobStats, Simulator, TwoUnits, UnitClock
from eccelerate.machine.thread_state import BaseTable, ThreadState
from eccelerate.machine.turbo_datapath import TurboDatapath
from eccelerate.model.comb import Comb
from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.timing.lockstep_cycles import UNTIMED, LockstepClock
from eccelerate.timing.turbo_cycles import TurboTiming


class _Later:
    """The field unit, whose cycles are counted when they are asked for."""

    idle = -1

    def accept(self, now: int, cost: Any, rd: int, ra: int, rb: int) -> int:
        """As `UnitClock`."""
        del cost, rd, ra, rb
        return now


class TurboSimulator(Simulator):
    """One turbo engine for the prime `p` with `threads` threads.

    program: instruction words.   entropy: one 32-bit word per call, or None when the source is dry.
    comb: table of multiples of the base point, None for an engine without it.
    max_instructions: per group, then ProgramError.
    karatsuba: the array of the field unit is the Karatsuba one, which only `cycles` shows.
    """

    def __init__(
        self,
        program: Sequence[int],
        p: int,
        threads: int,
        entropy: Callable[[], int | None] | None = None,
        comb: Comb | None = None,
        max_instructions: int = 1_000_000,
        *,
        karatsuba: bool = False,
    ) -> None:
        states = [ThreadState(comb=BaseTable(comb) if comb else None) for _ in range(threads)]
        self.data = [TurboDatapath(p) for _ in range(threads)]
        widths = range(self.data[0].words, self.data[0].words + 1)
        super().__init__(program, self.data, states, entropy, widths, max_instructions)
        if comb:
            self._code = [self._guarded(entry) for entry in self._code]
        self._free = [0] * len(self._code)
        self.karatsuba = karatsuba

    @property
    def cycles(self) -> int | None:
        """Clock cycles of the last group from the last request word to the first response word, if it had a
        job for every thread and entropy never was late: the same for all operands. None if it was refused,
        if it read the base point's table, or if no engine has this prime.
        """
        form = next((f for f in FORMS.values() if f.p == self.data[0].p), None)
        if not self._path or form is None or any(self.executed(name) for name in UNTIMED):
            return None
        field = Solinas(form, karatsuba=self.karatsuba)
        clock = LockstepClock(TurboTiming(field, self.threads), self.hedge_clocks)
        for pc, extra in self._path:
            kind, name, _, rd, ra, rb, indexed = self._code[pc]
            if kind == FIELD:
                clock.field(name, rd, ra, rb | extra if indexed else rb, indexed)
            else:
                clock.control(name, kind == DRAIN, bool(extra))
        return clock.now

    def zeroise(self) -> None:
        """See `Simulator`; the base point's table starts anew."""
        for state in self.states:
            if state.comb:
                state.comb = BaseTable(state.comb.comb)
        super().zeroise()

    def _run(self, start: int, zeroise_after: int | None, delay: int) -> None:
        self._path = []
        super()._run(start, zeroise_after, delay)

    def _refused(self, delay: int) -> JobStats:
        self._path = None
        return JobStats(cycles=None)

    def _cost_table(self) -> list[Any]:
        return self._free

    def _clocks(self) -> tuple[UnitClock, TwoUnits | None]:
        return _Later(), None

    def _guarded(self, entry: Entry) -> Entry:
        """A control instruction must not use the mailbox together with the base point's table."""
        kind, name, act, rd, ra, rb, indexed = entry
        if kind in (FIELD, ILLEGAL):
            return entry
        state = self.states[0]

        def checked(pc: int) -> int:
            if state.comb:
                state.comb.control(name, kind == DRAIN)
            return int(act(pc))

        return (kind, name, checked, rd, ra, rb, indexed)
