"""Instruction-set simulator: the machine of docs/architecture.md on Python integers, from packet to packet.

Checks of the job port, mailbox, microsequencer and field unit follow the architecture page, also for wrong
reduction constants and non-canonical operands. An engine has one program counter and T threads; each thread
has registers, flags and a mailbox of its own and runs one job. A program that breaks a rule of the machine
(stack, counters, illegal words), or whose control flow differs between threads, raises `ProgramError`,
although hardware would do something.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from eccelerate import isa
from eccelerate.machine import port
from eccelerate.machine.datapath import Datapath
from eccelerate.machine.decode import ASK, DRAIN, FIELD, ILLEGAL, LOAD, Entry, decode_program
from eccelerate.machine.thread_state import ProgramError, ThreadState, X
from eccelerate.model.ascon import HedgeSponge
from eccelerate.model.entropy_health import CheckedSource, HealthTest
from eccelerate.timing import compact_cycles

ISA = isa.load()
JOB = ISA.job
TRAPS = frozenset(ISA.trap.values())
EXCLUSIVE = frozenset(JOB[name] for name in ("CURVE_LOAD", "KEYGEN", "KEY_LOAD", "ZEROISE", "SELF_TEST"))
"""Jobs that change the engine's state run alone: all threads get the same operands, thread 0 answers."""


@dataclass
class JobStats:
    """What the last job executed. `counts` has the executions of each address, `field_ops` and `control`
    those of each instruction.
    """

    instructions: int = 0
    cycles: int | None = 0
    field_ops: dict[str, int] = field(default_factory=dict)
    control: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)


class UnitClock(Protocol):
    """When the field unit accepts operations, and when it is idle."""

    @property
    def idle(self) -> int:
        """The first cycle in which the unit has nothing to do after the last operation accepted."""

    def accept(self, now: int, cost: Any, rd: int, ra: int, rb: int) -> int:
        """The cycle in which an operation offered from `now` on is accepted."""


class TwoUnits(Protocol):
    """What an engine with two field units adds to the cycles of the sequencer.

    `counted` is true while the cycles are those of the RTL.
    """

    counted: bool

    def fill_up(self, words: int) -> int:
        """The additional cycles of an `ld`."""

    def is_free(self, now: int) -> bool:
        """The condition that a branch on FREE reads."""


class _Shared:
    """Draws that all threads of an exclusive job share: the first reader makes them."""

    def __init__(self, draw: Callable[[int, int], int]) -> None:
        self._draw = draw
        self._drawn: list[int] = []

    def reader(self) -> Callable[[int, int], int]:
        """A function that gives the draws from the first one on."""
        numbers = itertools.count()

        def read(word: int, old: int) -> int:
            number = next(numbers)
            if number == len(self._drawn):
                self._drawn.append(self._draw(word, old))
            return self._drawn[number]

        return read


class Simulator(ABC):
    """One engine: what the simulators of all kinds have in common.

    datapaths, states: one of each for every thread.
    entropy: returns one 32-bit word for each call, or None when the source is empty. The health tests are
        those of the RTL, without the start-up test.
    widths: element sizes in words that the port accepts.
    max_instructions: ProgramError if a job executes more.
    """

    def __init__(
        self,
        words: Sequence[int],
        datapaths: Sequence[Datapath],
        states: Sequence[ThreadState],
        entropy: Callable[[], int | None] | None,
        widths: range,
        max_instructions: int,
    ) -> None:
        self.datapaths = list(datapaths)
        self.states = list(states)
        self.threads = len(self.states)
        self.widths = widths
        self.max_instructions = max_instructions
        self.stats = JobStats()
        self._entropy = CheckedSource(entropy or (lambda: None))
        for state in self.states:
            state.entropy, state.group = self._entropy, self.states
        self._sponge: HedgeSponge | None = None
        self.hedge_clocks = 0
        self._table = isa.load(self.datapaths[0].unit)
        self._codes = [decode_program(list(words), state, d) for state, d in self._each()]
        self._code = self._codes[0] if self.threads == 1 else self._in_lock_step()
        self._path: list[tuple[int, int]] | None = None

    @abstractmethod
    def _cost_table(self) -> list[Any]:
        """The cost of the instruction at every address, for the W of this job."""

    @abstractmethod
    def _clocks(self) -> tuple[UnitClock, TwoUnits | None]:
        """The clocks of the field units, all idle."""

    def hedge(self, clocks: int) -> None:
        """Let all draws pass the sponge of eccel_hedge, which takes `clocks` cycles more for each word."""
        self._sponge, self.hedge_clocks = HedgeSponge(), clocks
        for state in self.states:
            state.hedge = self._sponge.draw

    @property
    def health(self) -> HealthTest:
        """The health tests of the entropy port."""
        return self._entropy.test

    @health.setter
    def health(self, test: HealthTest) -> None:
        self._entropy.test = test

    def _restart_entropy(self) -> None:
        """Forget what the entropy port gave, as the zeroise input does."""
        self._entropy.restart()
        if self._sponge:
            self.hedge(self.hedge_clocks)

    @property
    def cycles(self) -> int | None:
        """Clock cycles of the last job, from its last request word to the first response word. None if they
        are not known.
        """
        return self.stats.cycles

    def submit(self, words: Sequence[int], zeroise_after: int | None = None) -> list[int]:
        """Answer one request packet with its response packet, both as 32-bit words.

        The last word of `words` carries the `last` mark. With `zeroise_after`, the zeroise input is raised
        after so many instructions of this job. ValueError for an empty packet; ProgramError if the program
        breaks a rule.
        """
        return self.submit_group([words], zeroise_after)[0]

    def submit_group(
        self, packets: Sequence[Sequence[int]], zeroise_after: int | None = None
    ) -> list[list[int]]:
        """The responses to at most `threads` packets that share operation, curve, flags and length.

        ValueError for other packets. `zeroise_after` is as in `submit`.
        """
        self._check_group(packets)
        # The port checks the header while operands arrive. Without operands this check takes a cycle more.

        delay = compact_cycles.HEADER_CHECK if len(packets[0]) == 2 else 0
        op = packets[0][0] & 0xFF
        refused = [
            port.admit(state, words, self.widths) for state, words in zip(self.states, packets, strict=False)
        ]
        if refused[0] is not None:  # the checks see only what all packets share
            self.stats = self._refused(delay)
            return [port.respond(self.states[0], w[0], refused[0], 0) for w in packets]
        if self.states[0].malformed:
            op = ISA.trap["LENGTH"]
            delay += compact_cycles.EARLY_END * self.states[0].early
        self._fill_threads(len(packets), op in EXCLUSIVE)
        if op == JOB["ZEROISE"]:
            self._widen()
            if self._sponge:
                self.hedge(self.hedge_clocks)
        self._run(op, zeroise_after, delay)
        return [
            port.respond(state, w[0], state.status if state.verdict is None else state.verdict, state.results)
            for state, w in zip(self.states, packets, strict=False)
        ]

    def zeroise(self) -> None:
        """Pulse the zeroise input while no job runs. Its handler runs, and there is no response."""
        self._restart_entropy()
        self._widen()
        self._run(JOB["ZEROISE_INPUT"], None, 0)

    def executed(self, mnemonic: str) -> int:
        """How often the last job executed an instruction."""
        each = zip(self.stats.counts, self._code, strict=True)
        return sum(number for number, entry in each if entry[1] == mnemonic)

    def _refused(self, delay: int) -> JobStats:
        """The statistics of a packet that the port refuses."""
        return JobStats(cycles=compact_cycles.REJECTED + delay)

    def _check_group(self, packets: Sequence[Sequence[int]]) -> None:
        if not 0 < len(packets) <= self.threads:
            raise ValueError(f"a group has 1..{self.threads} jobs, not {len(packets)}")
        for words in packets:
            port.require_packet(words)
        if len({(w[0] & 0xFFFF, *w[1:2], len(w)) for w in packets}) > 1:
            raise ValueError("jobs of a group share operation, curve, flags and length")
        if packets[0][0] & 0xFF in EXCLUSIVE and len(packets) > 1:
            raise ValueError("this operation changes the engine's state: it runs alone")

    def _fill_threads(self, jobs: int, exclusive: bool) -> None:
        """Make threads without a job repeat the first one. In an exclusive job all threads share one draw of
        entropy.
        """
        for number, state in enumerate(self.states):
            state.member = exclusive or number < jobs
        if self.threads == 1:
            return
        first = self.states[0]
        for state in self.states[jobs:]:
            state.width, state.operands, state.flags = first.width, first.operands, first.flags
            state.op, state.header_curve = first.op, first.header_curve
            if exclusive:
                state.slots[: ISA.machine["bus_slots"]] = first.slots[: ISA.machine["bus_slots"]]
        copies = itertools.tee(iter(self._entropy, object()), self.threads)
        for state, drawn in zip(self.states, copies, strict=True):
            state.entropy = drawn.__next__ if exclusive else self._entropy
        if self._sponge:
            shared = _Shared(self._sponge.draw)
            for number, state in enumerate(self.states):
                state.hedge = shared.reader() if exclusive else self._of_thread(number < jobs)

    def _of_thread(self, has_job: bool) -> Callable[[int, int], int]:
        """Hedged draws of a thread. The sponge does not see the mailbox of a thread that has no job."""
        draw = self._sponge.draw if self._sponge else lambda word, old: word
        return draw if has_job else lambda word, old: draw(word, 0)

    def _widen(self) -> None:
        """Set the widest elements, on which the zeroise handlers work."""
        for state in self.states:
            state.width = self.widths[-1]

    def _each(self) -> zip[tuple[ThreadState, Datapath]]:
        return zip(self.states, self.datapaths, strict=True)

    def _in_lock_step(self) -> list[Entry]:
        """One program whose instructions act on all threads."""
        return [self._joined(pc, entries) for pc, entries in enumerate(zip(*self._codes, strict=True))]

    def _joined(self, pc: int, entries: Sequence[Entry]) -> Entry:
        kind, name, _, rd, ra, rb, indexed = entries[0]
        acts = [entry[2] for entry in entries]

        def field_action() -> None:
            if indexed and len({state.f[X] for state in self.states}) > 1:
                raise ProgramError(f"at {pc:03x}: X differs between threads and addresses a register")
            for act in acts:
                act()

        def control_action(at: int) -> int:
            following = {act(at) for act in acts}
            if name == "rnd" and len(following) > 1:  # one mover: if it gets no word, no thread goes on
                following.discard(at + 1)
            if len(following) > 1:
                raise ProgramError(
                    f"at {pc:03x}: threads go different ways: {name} depends on a thread's data"
                )
            return int(following.pop())

        return (kind, name, field_action if kind == FIELD else control_action, rd, ra, rb, indexed)

    def _run(self, start: int, zeroise_after: int | None, delay: int) -> None:
        """Execute from address `start` to the end of the job. Fills `stats`."""
        for each, data in self._each():
            data.begin(each.width)
            each.stack.clear()
            each.status, each.verdict = -1, None
        state, code, path = self.states[0], self._code, self._path
        costs = self._cost_table()
        counts = [0] * len(code)
        flags = state.f
        unit, two_units = self._clocks()
        # clock is the cycle in which the instruction at pc is executed, or begins to wait.
        pc, executed, clock, last_cost = start, 0, compact_cycles.FIRST_EXECUTE + delay, 0
        limit = self.max_instructions
        stop = limit if zeroise_after is None else zeroise_after
        while pc >= 0:
            if executed >= stop:
                if zeroise_after is None or executed >= limit:
                    raise ProgramError(f"at {pc:03x}: no end after {executed} instructions: watchdog")
                pc, zeroise_after, stop = 0, None, limit
                self._restart_entropy()
                for each in self.states:
                    each.stack.clear()
            executed += 1
            if pc >= len(code):
                raise ProgramError(f"program counter {pc:x} is out of range")
            kind, _, act, rd, ra, rb, indexed = code[pc]
            counts[pc] += 1
            if kind == FIELD:
                if path is not None:
                    path.append((pc, flags[X]))
                if indexed:
                    rb |= flags[X]
                    clock += compact_cycles.INDEXED
                clock = unit.accept(clock, costs[pc], rd, ra, rb) + compact_cycles.INSTRUCTION
                act()
                pc += 1
            elif kind == ILLEGAL:
                raise ProgramError(f"at {pc:03x}: illegal instruction word")
            else:
                last_cost = costs[pc]
                if kind >= DRAIN and clock <= unit.idle:
                    clock = unit.idle + compact_cycles.SEEN_IDLE
                if two_units and kind == LOAD:
                    last_cost += two_units.fill_up(state.width)
                elif two_units and kind == ASK:
                    state.free = two_units.is_free(clock)
                clock += last_cost
                old, pc = pc, act(pc)
                jumped = pc != old + 1 or state.jumped
                if jumped:
                    state.jumped = False
                    if pc in TRAPS:
                        for each in self.states:
                            each.stack.clear()
                    clock += compact_cycles.JUMP
                if path is not None:
                    path.append((old, jumped))
        end = clock - last_cost - compact_cycles.JUMP + compact_cycles.FINISH
        self._summarise(executed, end if two_units is None or two_units.counted else None, counts)

    def _summarise(self, executed: int, clock: int | None, counts: list[int]) -> None:
        stats = self.stats = JobStats(executed, clock, counts=counts)
        for number, entry in zip(counts, self._code, strict=True):
            if number and entry[0] != ILLEGAL:
                table = stats.field_ops if entry[0] == FIELD else stats.control
                name = self._table.forms[entry[1]].instruction
                table[name] = table.get(name, 0) + number
