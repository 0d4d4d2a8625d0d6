"""Instruction-set simulator: the engine of docs/architecture.md on Python integers, packet in, packet out.

Job port checks, mailbox, microsequencer and field unit follow the architecture page, wrong reduction
constants and non-canonical operands included. A program that breaks a rule of the machine (stack, counters,
hazards, illegal words) raises `IssTrap` instead of doing what some hardware would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from eccelerate.sim.cycles import CycleModel
from eccelerate.sim.datapath import Datapath
from eccelerate.sim.decode import CONTROL, DRAIN, FIELD, decode_program
from eccelerate.sim.iss_state import IssTrap, Machine
from eccelerate.ucode import isa
from eccelerate.ucode.program import Program

ISA = isa.load()
STATUS, JOB = ISA.status, ISA.job
WITH_RESULTS = (STATUS["OK"], STATUS["INFINITY"])
MASK32 = 0xFFFFFFFF

__all__ = ["Iss", "IssTrap", "JobStats"]


@dataclass
class JobStats:
    """What the last job executed. `counts`: executions by address; `field_ops`, `control`: by mnemonic."""

    instructions: int = 0
    cycles: int = 0
    field_ops: dict[str, int] = field(default_factory=dict)
    control: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)


class Iss:
    """One engine.

    program: assembled program, or its words.   digit_bits: 8, 16, 32, 64 (any multiple of 8).   entropy:
    gives one 32-bit word per call, or None when the source is dry (NO_ENTROPY).   max_instructions: per job,
    then IssTrap.
    """

    def __init__(
        self,
        program: Program | Sequence[int],
        digit_bits: int,
        entropy: Callable[[], int | None] | None = None,
        cycle_model: CycleModel | None = None,
        max_instructions: int = 5_000_000,
    ) -> None:
        words = program.words if isinstance(program, Program) else list(program)
        self.cycle_model = cycle_model or CycleModel()
        self.max_instructions = max_instructions
        self.machine = Machine()
        self.data = Datapath(digit_bits)
        self.machine.entropy = entropy or (lambda: None)
        self._code = decode_program(words, self.machine, self.data)
        self._costs: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        self.stats = JobStats()

    @property
    def cycles(self) -> int:
        """Modelled clock cycles of the last job."""
        return self.stats.cycles

    def submit(self, words: Sequence[int], zeroise_after: int | None = None) -> list[int]:
        """One request packet to its response packet, both as 32-bit words.

        The last word of `words` carries the `last` mark. zeroise_after: raise the zeroise input after so many
        instructions of this job. ValueError for an empty packet; IssTrap when the program breaks a rule.
        """
        if not words or any(not 0 <= w <= MASK32 for w in words):
            raise ValueError("a packet is at least one word, each 0..2^32-1")
        self.stats = JobStats()
        op = words[0] & 0xFF
        status = self._port(words)
        results = 0
        if status is None:
            status, results = self._run(op, zeroise_after)
        width = self.machine.width
        body: list[int] = []
        if status in WITH_RESULTS:
            for slot in range(results):
                value = self.machine.slots[slot]
                body += [(value >> 32 * i) & MASK32 for i in range(width)]
        return [status | op << 8 | (words[0] >> 16) << 16, len(body), *body]

    def zeroise(self) -> None:
        """Pulse the zeroise input while no job runs: the handler at address 0 runs, nothing is answered."""
        self.stats = JobStats()
        self._run(0, None)

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

    def _port(self, words: Sequence[int]) -> int | None:
        """Checks before microcode starts; fills the mailbox. Returns a status to answer at once, or None."""
        m = self.machine
        header = words[1] if len(words) > 1 else 0
        count, flags, width = header & 0xFFFF, header >> 16 & 0xFF, header >> 24
        op, curve = words[0] & 0xFF, words[0] >> 8 & 0xFF
        limits = ISA.machine
        most = limits["max_elements"] * limits["max_words"]
        # Word 1 is judged as it comes: framing that it shows, then operation and flags, then the curve.
        if len(words) < 2 or (count == 0) != (len(words) == 2) or count > most:
            return STATUS["BAD_LENGTH"]
        if not limits["min_words"] <= width <= limits["max_words"]:
            return STATUS["BAD_LENGTH"]
        wants_curve = op not in (JOB["CURVE_LOAD"], JOB["ZEROISE"])
        if wants_curve and m.loaded and width != m.curve_width:
            return STATUS["BAD_LENGTH"]
        if flags >> len(ISA.job_flag) or not 0 < op < limits["entries"]:
            return STATUS["BAD_OP"]
        if wants_curve and not (m.loaded and curve == m.curve_id):
            return STATUS["BAD_CURVE"]
        # Then the operands.
        if count != len(words) - 2 or count % width or count // width > limits["max_elements"]:
            return STATUS["BAD_LENGTH"]
        m.width, m.operands, m.flags, m.header_curve = width, count // width, flags, curve
        low = (1 << 32 * width) - 1
        for element in range(m.operands):
            base = 2 + element * width
            value = sum(w << 32 * i for i, w in enumerate(words[base : base + width]))
            m.slots[element] = (m.slots[element] & ~low) | value
        return None

    def _cost_table(self) -> list[tuple[int, int, int]]:
        """Per operation code: (interval, ready, idle) or (cycles, 0, 0), for the widths of this job."""
        data, width = self.data, self.machine.width
        key = (data.s, width)
        if key not in self._costs:
            table = [(1, 0, 0)] * 32
            for form in ISA.forms.values():
                if form.is_field:
                    digits = data.long_bits // data.digit_bits if form.long else data.s
                    table[form.code] = self.cycle_model.field_cost(form.mnemonic, digits)
                else:
                    table[form.code] = (self.cycle_model.control_cost(form.instruction, width), 0, 0)
            self._costs[key] = table
        return self._costs[key]

    def _run(self, start: int, zeroise_after: int | None) -> tuple[int, int]:
        """Execute from address `start` to the end of the job: (status, results). Fills `stats`."""
        m, data, code = self.machine, self.data, self._code
        data.set_width(m.width)
        data.refresh()
        m.stack.clear()
        m.status = -1
        costs = self._cost_table()
        counts = [0] * len(code)
        flags = m.f
        field_issue = self.cycle_model.field_issue
        pc, executed, clock = start, 0, self.cycle_model.start
        free = ready = idle = 0
        last = before = 0
        limit = self.max_instructions
        stop = limit if zeroise_after is None else zeroise_after
        while pc >= 0:
            if executed >= stop:
                if zeroise_after is None or executed >= limit:
                    raise IssTrap(f"at {pc:03x}: no end after {executed} instructions: watchdog")
                pc, zeroise_after, stop, last, before = 0, None, limit, 0, 0
                m.stack.clear()
            executed += 1
            if pc >= len(code):
                raise IssTrap(f"program counter {pc:x} is out of range")
            kind, op, act, dep, touched, writes, base = code[pc]
            counts[pc] += 1
            if kind == FIELD:
                if base is not None:
                    touched |= 1 << (base | flags[4])
                if dep:
                    if ready > clock:
                        clock = ready
                elif touched & (last | before):
                    raise IssTrap(f"at {pc:03x}: operand of a pending field operation used without dep")
                last, before = writes, last
                if free > clock:
                    clock = free
                interval, latency, drain = costs[op]
                free = clock + interval
                ready = max(ready, clock + latency)
                idle = max(idle, clock + drain)
                clock += field_issue
                act()
                pc += 1
            elif kind == CONTROL:
                clock += costs[op][0]
                pc = act(pc)
            elif kind == DRAIN:
                last = before = 0
                clock = max(clock, idle) + costs[op][0]
                pc = act(pc)
            else:
                raise IssTrap(f"at {pc:03x}: illegal instruction word")
        clock = max(clock, idle) + self.cycle_model.finish
        self._summarise(executed, clock, counts)
        return m.status, m.results

    def _summarise(self, executed: int, clock: int, counts: list[int]) -> None:
        stats = self.stats = JobStats(executed, clock, counts=counts)
        names = {f.code: f.instruction for f in ISA.forms.values()}
        for number, entry in zip(counts, self._code, strict=True):
            if number and entry[0] >= 0:
                table = stats.field_ops if entry[0] == FIELD else stats.control
                name = names[entry[1]]
                table[name] = table.get(name, 0) + number
