"""Instruction-set simulator of the turbo engine: T threads that run one program in lock step, one job each.

Every thread has registers, flags and mailbox of its own; the program counter is one. A program whose control
flow would differ between threads raises `IssTrap`. Jobs that change the engine's state (`EXCLUSIVE`) run
alone: all threads get the same operands, thread 0 answers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from eccelerate import isa
from eccelerate.machine import port
from eccelerate.machine.decode import DRAIN, FIELD, ILLEGAL, X, decode_program
from eccelerate.machine.iss_state import BaseTable, IssTrap, Machine
from eccelerate.machine.turbo_datapath import TurboDatapath
from eccelerate.model.comb import Comb
from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.timing.lockstep_cycles import UNTIMED, LockstepClock
from eccelerate.timing.turbo_cycles import TurboTiming

ISA = isa.load("turbo")
STATUS, JOB = ISA.status, ISA.job
EXCLUSIVE = frozenset(JOB[name] for name in ("CURVE_LOAD", "KEYGEN", "KEY_LOAD", "ZEROISE", "SELF_TEST"))

__all__ = ["EXCLUSIVE", "IssTrap", "LockstepIss"]


class LockstepIss:
    """One turbo engine for the prime `p` with `threads` threads.

    program: instruction words.   entropy: one 32-bit word per call, or None when the source is dry.
    comb: table of multiples of the base point, None for an engine without it.
    max_instructions: per group, then IssTrap.
    """

    def __init__(
        self,
        program: Sequence[int],
        p: int,
        threads: int,
        entropy: Callable[[], int | None] | None = None,
        comb: Comb | None = None,
        max_instructions: int = 1_000_000,
    ) -> None:
        self.machines = [Machine(comb=BaseTable(comb) if comb else None) for _ in range(threads)]
        self.data = [TurboDatapath(p) for _ in range(threads)]
        self.widths = range(self.data[0].words, self.data[0].words + 1)
        self.threads = threads
        self.max_instructions = max_instructions
        self.counts: dict[str, int] = {}
        self._path: list[tuple[int, int]] = []  # addresses that ran; X of a field operation, jump of another
        self._entropy = entropy or (lambda: None)
        self._code = [
            decode_program(list(program), m, d) for m, d in zip(self.machines, self.data, strict=True)
        ]

    def submit(self, words: Sequence[int]) -> list[int]:
        """The response to one packet, alone in its group."""
        return self.submit_group([words])[0]

    def submit_group(self, packets: Sequence[Sequence[int]]) -> list[list[int]]:
        """Responses to at most `threads` packets that share operation, curve, flags and length."""
        if not 0 < len(packets) <= len(self.machines):
            raise ValueError(f"a group has 1..{len(self.machines)} jobs, not {len(packets)}")
        for words in packets:
            port.require_packet(words)
        if len({(w[0] & 0xFFFF, *w[1:2], len(w)) for w in packets}) > 1:
            raise ValueError("jobs of a group share operation, curve, flags and length")
        op = packets[0][0] & 0xFF
        if op in EXCLUSIVE and len(packets) > 1:
            raise ValueError("this operation changes the engine's state: it runs alone")
        refused = [
            port.admit(m, words, self.widths) for m, words in zip(self.machines, packets, strict=False)
        ]
        self._path = []
        if refused[0] is not None:  # all are judged by what they share
            return [port.respond(self.machines[0], w[0], refused[0], 0) for w in packets]
        first = self.machines[0]
        for m in self.machines[len(packets) :]:
            m.width, m.operands, m.flags = first.width, first.operands, first.flags
            m.header_curve = first.header_curve
            if op in EXCLUSIVE:
                m.slots[: ISA.machine["bus_slots"]] = first.slots[: ISA.machine["bus_slots"]]
        self._share_entropy(op in EXCLUSIVE)
        self._run(op)
        return [
            port.respond(m, w[0], m.status if m.verdict is None else m.verdict, m.results)
            for m, w in zip(self.machines, packets, strict=False)
        ]

    @property
    def cycles(self) -> int | None:
        """Clock cycles of the last group from the last request word to the first response word, if it had a
        job for every thread and entropy never was late: the same for all operands. None if it was refused,
        if it read the base point's table, or if no engine has this prime."""
        form = next((f for f in FORMS.values() if f.p == self.data[0].p), None)
        if not self._path or form is None or UNTIMED & self.counts.keys():
            return None
        clock = LockstepClock(TurboTiming(Solinas(form), self.threads))
        for pc, extra in self._path:
            kind, name, _, rd, ra, rb, indexed = self._code[0][pc]
            if kind == FIELD:
                clock.field(name, rd, ra, rb | extra if indexed else rb, indexed)
            else:
                clock.control(name, kind == DRAIN, bool(extra))
        return clock.now

    def zeroise(self) -> None:
        """Pulse the zeroise input while no job runs."""
        self._run(JOB["ZEROISE_INPUT"])

    def _share_entropy(self, exclusive: bool) -> None:
        """In an exclusive job one draw serves all threads."""
        copies = itertools.tee(iter(self._entropy, object()), len(self.machines))
        for m, drawn in zip(self.machines, copies, strict=True):
            m.entropy = drawn.__next__ if exclusive else self._entropy

    def _run(self, start: int) -> None:
        """Execute from address `start` until the job ends."""
        for m in self.machines:
            m.stack.clear()
            if m.comb and start == JOB["ZEROISE_INPUT"]:
                m.comb = BaseTable(m.comb.comb)
            m.status, m.verdict = -1, None
        counts = self.counts = {}
        path = self._path = list[tuple[int, int]]()
        first = self.machines[0]
        pc = start
        for _ in range(self.max_instructions):
            if not 0 <= pc < len(self._code[0]):
                raise IssTrap(f"program counter {pc:x} is out of range")
            kind, name = self._code[0][pc][:2]
            if kind == ILLEGAL:
                raise IssTrap(f"at {pc:03x}: illegal instruction word")
            counts[name] = counts.get(name, 0) + 1
            if ISA.forms[name].is_field:
                self._share_index(pc)
                path.append((pc, first.f[X]))
                for code in self._code:
                    code[pc][2]()
                pc += 1
                continue
            if table := self.machines[0].comb:
                table.control(name, kind == DRAIN)
            following = {code[pc][2](pc) for code in self._code}
            if len(following) > 1:
                raise IssTrap(f"at {pc:03x}: threads go different ways: {name} depends on a thread's data")
            old, (pc,) = pc, following
            path.append((old, pc != old + 1 or first.jumped))
            first.jumped = False
            if pc < 0:
                return
        raise IssTrap(f"at {pc:03x}: no end after {self.max_instructions} instructions: watchdog")

    def _share_index(self, pc: int) -> None:
        """X of one thread addresses registers: another X in another thread is an error of the program."""
        if self._code[0][pc][6] and len({m.f[4] for m in self.machines}) > 1:
            raise IssTrap(f"at {pc:03x}: X differs between threads and addresses a register")
