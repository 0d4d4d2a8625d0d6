"""Instruction-set simulator: the engine of docs/architecture.md on Python integers, packet in, packet out.

Job port checks, mailbox, microsequencer and field unit follow the architecture page, wrong reduction
constants and non-canonical operands included. A program that breaks a rule of the machine (stack, counters,
illegal words) raises `IssTrap` instead of doing what some hardware would. Clock cycles are counted as the RTL
spends them (see `cycles`, and `binary_cycles`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from eccelerate import isa
from eccelerate.curves.curve import MAX_BITS, WORD_BITS
from eccelerate.machine import port
from eccelerate.machine.binary_datapath import BinaryDatapath
from eccelerate.machine.datapath import Datapath
from eccelerate.machine.decode import ASK, DRAIN, FIELD, ILLEGAL, LOAD, decode_program, unit_of
from eccelerate.machine.iss_state import IssTrap, Machine
from eccelerate.timing import binary_cycles, cycles
from eccelerate.timing.binary_cycles import BinaryBuild, BinaryClock
from eccelerate.ucode.program import Program

ISA = isa.load()
JOB = ISA.job

__all__ = ["Iss", "IssTrap", "JobStats"]


@dataclass
class JobStats:
    """What the last job executed. `counts`: executions by address; `field_ops`, `control`: by mnemonic."""

    instructions: int = 0
    cycles: int | None = 0
    field_ops: dict[str, int] = field(default_factory=dict)
    control: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)


class Iss:
    """One engine.

    program: assembled program, or its words.   digit_bits: 8, 16, 32, 64 (any multiple of 8).   entropy:
    gives one 32-bit word per call, or None when the source is dry (NO_ENTROPY).   max_instructions: per job,
    then IssTrap.   max_words: widest element of the engine: its port takes no wider one, the zeroise handler
    wipes as much.   binary: the unit for GF(2^m), of a binary engine.
    """

    def __init__(
        self,
        program: Program | Sequence[int],
        digit_bits: int,
        entropy: Callable[[], int | None] | None = None,
        max_instructions: int = 5_000_000,
        max_words: int = MAX_BITS // WORD_BITS,
        binary: BinaryBuild | None = None,
    ) -> None:
        words = program.words if isinstance(program, Program) else list(program)
        self.max_instructions = max_instructions
        self.max_words = max_words
        self.machine = Machine()
        self.binary = binary
        self.data = (
            BinaryDatapath(digit_bits, binary.polynomials, binary.generic_degree)
            if binary
            else Datapath(digit_bits)
        )
        self.machine.entropy = entropy or (lambda: None)
        self._table = unit_of(self.data)
        self._code = decode_program(words, self.machine, self.data)
        self._costs: dict[int, list[Any]] = {}
        self.stats = JobStats()

    @property
    def cycles(self) -> int | None:
        """Clock cycles of the last job, from its last request word to the first response word; None where a
        program has used a field of a degree that its engine lacks.
        """
        return self.stats.cycles

    def submit(self, words: Sequence[int], zeroise_after: int | None = None) -> list[int]:
        """One request packet to its response packet, both as 32-bit words.

        The last word of `words` carries the `last` mark. zeroise_after: raise the zeroise input after so many
        instructions of this job. ValueError for an empty packet; IssTrap when the program breaks a rule.
        """
        port.require_packet(words)
        # Operands hide the check of the header.
        delay = cycles.HEADER_CHECK if len(words) == 2 else 0
        self.stats = JobStats(cycles=cycles.REJECTED + delay)
        op = words[0] & 0xFF
        widths = range(ISA.machine["min_words"], self.max_words + 1)
        status = port.admit(self.machine, words, widths, self._table)
        results = 0
        if status is None:
            if op == JOB["ZEROISE"]:
                self.machine.width = self.max_words
            status, results = self._run(op, zeroise_after, delay)
        return port.respond(self.machine, words[0], status, results)

    def zeroise(self) -> None:
        """Pulse the zeroise input while no job runs: the handler at address 0 runs, nothing is answered."""
        self.machine.width = self.max_words
        self._run(0, None, 0)

    def read_register(self, register: int) -> int:
        """The long length of a field register, for debuggers and tests."""
        self.data.set_width(self.machine.width)
        return self.data.read_long(register)

    def write_register(self, register: int, value: int) -> None:
        """Set the long length of a field register (0 <= value < 2^long bits), for debuggers and tests."""
        self.data.set_width(self.machine.width)
        self.data.write_long(register, value)

    def reset(self) -> None:
        """Pulse rst_ni: key and curve count as not loaded; memories keep their content."""
        m = self.machine
        m.key_valid = m.loaded = self.data.selected = 0

    def _cost_table(self) -> list[Any]:
        """Cost of the instruction at every address, for the W of this job."""
        width = self.machine.width
        if width not in self._costs:
            source = binary_cycles if self.binary else cycles
            table = source.costs(self.data.digit_bits, width)
            self._costs[width] = [table.get(entry[1], 0) for entry in self._code]
        return self._costs[width]

    def _run(self, start: int, zeroise_after: int | None, delay: int) -> tuple[int, int]:
        """Execute from address `start` to the end of the job: (status, results). Fills `stats`."""
        m, data, code = self.machine, self.data, self._code
        data.set_width(m.width)
        data.refresh()
        m.stack.clear()
        m.status = -1
        costs = self._cost_table()
        counts = [0] * len(code)
        flags = m.f
        unit, beside = self._clocks()
        # clock: the cycle in which the instruction at pc is executed, or waits to be.
        pc, executed, clock, last_cost = start, 0, cycles.FIRST_EXECUTE + delay, 0
        limit = self.max_instructions
        stop = limit if zeroise_after is None else zeroise_after
        while pc >= 0:
            if executed >= stop:
                if zeroise_after is None or executed >= limit:
                    raise IssTrap(f"at {pc:03x}: no end after {executed} instructions: watchdog")
                pc, zeroise_after, stop = 0, None, limit
                m.stack.clear()
            executed += 1
            if pc >= len(code):
                raise IssTrap(f"program counter {pc:x} is out of range")
            kind, _, act, rd, ra, rb, indexed = code[pc]
            counts[pc] += 1
            if kind == FIELD:
                if indexed:
                    rb |= flags[4]
                    clock += cycles.INDEXED
                clock = unit.accept(clock, costs[pc], rd, ra, rb) + cycles.INSTRUCTION
                act()
                pc += 1
            elif kind == ILLEGAL:
                raise IssTrap(f"at {pc:03x}: illegal instruction word")
            else:
                last_cost = costs[pc]
                if kind >= DRAIN and clock <= unit.idle:
                    clock = unit.idle + cycles.SEEN_IDLE
                if beside and kind == LOAD:
                    last_cost += beside.fill_up(m.width)
                elif beside and kind == ASK:
                    m.free = beside.is_free(clock)
                clock += last_cost
                old, pc = pc, act(pc)
                if pc != old + 1 or m.jumped:
                    m.jumped = False
                    clock += cycles.JUMP
        end = clock - last_cost - cycles.JUMP + cycles.FINISH
        self._summarise(executed, end if beside is None or beside.counted else None, counts)
        return m.status, m.results

    def _clocks(self) -> tuple[Any, BinaryClock | None]:
        """Of the field units, all idle; with the one of a binary engine as what it is."""
        if self.binary is None or not isinstance(self.data, BinaryDatapath):
            return cycles.FieldClock(self.data.digit_bits), None
        clock = BinaryClock(self.binary, self.data, self.machine)
        return clock, clock

    def _summarise(self, executed: int, clock: int | None, counts: list[int]) -> None:
        stats = self.stats = JobStats(executed, clock, counts=counts)
        for number, entry in zip(counts, self._code, strict=True):
            if number and entry[0] != ILLEGAL:
                table = stats.field_ops if entry[0] == FIELD else stats.control
                name = self._table.forms[entry[1]].instruction
                table[name] = table.get(name, 0) + number
