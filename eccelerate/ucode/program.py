"""A program: its instructions and their addresses, what the checker and the simulator need to know, the
output files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate import isa
from eccelerate.ucode.source import Annotation, Loc

ISA = isa.load()  # what is the same for all field units: limits, bit fields, codes
SIZE = 1 << ISA.machine["address_bits"]
ENTRIES = ISA.machine["entries"]
LENGTH_ENTRIES = range(ISA.machine["jobs"], ENTRIES, 2)
"""Where a job starts whose packet is malformed: all of them lead to the trap LENGTH, the last one."""
FIELD_FILE = 96
"""Place of register 0 of the unit that `mod p` selects, in an engine with two field units."""


def checked(word: int, address: int) -> int:
    """The word as the microcode memory holds it: above its bits the parity, and the address modulo 3."""
    return (address % 3 << 1 | word.bit_count() & 1) << ISA.machine["word_bits"] | word


def image(words: Iterable[int], *, guarded: bool = True) -> str:
    """The $readmemh image of the words, from address 0 on: one in each line, with its check bits for an
    engine that is guarded.
    """
    held = (checked(word, at) if guarded else word for at, word in enumerate(words))
    return "".join(f"{word:07x}\n" for word in held)


@dataclass
class Instr:
    """One instruction at `address`. `fields` are the numbers of its bit fields.

    `size` is the number of registers that an indexed operand may reach (rb OR X, X < size).
    """

    address: int
    form: isa.Form
    fields: dict[str, int]
    loc: Loc
    unit: str
    size: int = 16
    pre: list[Annotation] = field(default_factory=list)
    post: list[Annotation] = field(default_factory=list)

    @property
    def word(self) -> int:
        """The 24-bit instruction word."""
        return ISA.encode_form(self.form, **self.fields)

    def sources(self) -> frozenset[int]:
        """The registers that the instruction may read."""
        read = {self.fields[name] for name in self.form.reads}
        if self.form.indexed:
            read |= ISA.indexed_registers(self.fields["rb"], self.size)
        return frozenset(read.union(self.form.also_reads))

    @property
    def dests(self) -> tuple[int, ...]:
        """The registers that the instruction writes."""
        if not self.form.writes:
            return self.form.also_writes
        rd = self.fields["rd"]
        return (rd, rd + 1) if self.form.pair else (rd,)


@dataclass
class Program:
    """An assembled program for the engine of one field unit.

    instrs: the instruction at each address, jump table included.
    labels: the address of each name.
    entries: the address of each job code.
    registers: the number of each global register.
    allocation: the number of each temporary, for each routine.
    clobbers: for each routine, the numbers that its temporaries and those of its callees use.
    initial_secret, ranges: declared state at job entry, by location (register number, or 64 + slot).
    kept: the slots (64 + slot) that keep a secret from job to job.
    uniform: the routines in which all threads hold the same data.
    """

    name: str
    unit: str = "compact"
    instrs: dict[int, Instr] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    registers: dict[str, int] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    allocation: dict[str, dict[str, int]] = field(default_factory=dict)
    clobbers: dict[str, frozenset[int]] = field(default_factory=dict)
    initial_secret: dict[int, bool] = field(default_factory=dict)
    ranges: dict[int, str] = field(default_factory=dict)
    max_register: int = 0
    uniform: frozenset[str] = frozenset()
    kept: frozenset[int] = frozenset()

    @property
    def words(self) -> list[int]:
        """The 2048 instruction words. At an address without code the job ends with BAD_OP, or the status of
        the trap.
        """
        table = ISA
        endings = {"LENGTH": "BAD_LENGTH", "ENTROPY": "NO_ENTROPY", "HEALTH": "ENTROPY_FAILED"}
        statuses = dict.fromkeys(LENGTH_ENTRIES, endings["LENGTH"])
        statuses |= {table.trap[trap]: status for trap, status in endings.items()}
        fill = [
            table.encode("done", status=table.status[statuses.get(a, "BAD_OP")], n=0) for a in range(SIZE)
        ]
        return [self.instrs[a].word if a in self.instrs else fill[a] for a in range(SIZE)]

    @property
    def size(self) -> int:
        """The number of instruction words in use, jump table included."""
        return max(self.instrs, default=0) + 1

    @property
    def listing(self) -> str:
        """Address, word and source line of each instruction, then the registers of each routine."""
        names: dict[int, list[str]] = {}
        for label, address in self.labels.items():
            names.setdefault(address, []).append(label)
        lines = [f"; program {self.name}: {self.size} of {SIZE} words, registers 0..{self.max_register}"]
        for address, instr in sorted(self.instrs.items()):
            lines += [f"                      {label}:" for label in names.get(address, ())]
            lines.append(
                f"{address:03x}  {instr.word:06x}  {instr.loc.file}:{instr.loc.line:<4} "
                f"{instr.loc.text.strip()}".rstrip()
            )
        for unit, regs in sorted(self.allocation.items()):
            temps = " ".join(f"{name}=r{n}" for name, n in regs.items())
            lines.append(f"; {unit}: {temps or 'no temporaries'}; clobbers {sorted(self.clobbers[unit])}")
        return "\n".join(lines) + "\n"

    def locate(self, name: str, unit: str) -> list[int]:
        """The places of a register, block, slot (64 + number) or flag (80 + index) by its name in a
        routine.
        """
        for table, offset in ((self.allocation.get(unit, {}), 0), (self.registers, 0), (self.slots, 64)):
            found = [n + offset for key, n in table.items() if key == name or key.startswith(name + "+")]
            if found:
                return found
        return [80 + isa.FLAGS.index(name)]

    def describe(self, location: int) -> str:
        """Name of a place, for messages: register (0..63, and from 96 on for a second unit), slot (64..79),
        flag (80..).
        """
        if location >= FIELD_FILE:
            location -= FIELD_FILE
        if location >= 80:
            return f"flag {isa.FLAGS[location - 80]}"
        table, number = (self.registers, location) if location < 64 else (self.slots, location - 64)
        kind = "register" if location < 64 else "slot"
        found = [name for name, n in table.items() if n == number]
        return f"{kind} {found[0]}" if found else f"{kind} {number}"

    def write_hex(self, path: Path | str, depth: int = SIZE, *, guarded: bool = True) -> None:
        """Write the $readmemh image of the first `depth` addresses: a comment line, then one word in each
        line, with its check bits if the engine is guarded.
        """
        head = f"// microcode {self.name}, generated by: eccel assemble\n"
        Path(path).write_text(head + image(self.words[:depth], guarded=guarded))

    def write_listing(self, path: Path | str) -> None:
        """Write the listing as a text file."""
        Path(path).write_text(self.listing)

    def write_symbols(self, path: Path | str) -> None:
        """Write a JSON object that gives the address of each label."""
        Path(path).write_text(json.dumps(self.labels, indent=1, sort_keys=True) + "\n")
