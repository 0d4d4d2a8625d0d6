"""A monitor program makes registers and slots of an engine visible through packets, without a debug port.

It is assembled together with the program under test and answers CURVE_LOAD packets, which may have any W:

    flags 4       the curve counts as loaded with this W, so that other jobs run
    flags b       (b in 0..3) operand: x. Result: W words of register 16 b + x
    flags 8       result: W words of the slot chosen when the program was made

For each eight registers to be set there are two more job codes: see `Monitor.write`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from eccelerate import isa
from eccelerate.curves.curve import MAX_BITS, WORD_BITS
from eccelerate.ucode.asm import assemble_files
from eccelerate.ucode.program import Program
from tests.ucode.helpers import packet

ISA = isa.load()
WIDE = MAX_BITS // WORD_BITS
FIRST_SETTER = 0x28
PER_SETTER = 8

# r63 belongs to the monitor.
TEXT = """
.entry CURVE_LOAD monitor
.routine monitor
    br F2, .claim
    br F3, .slot
    setc c0, 0
    ldx 0, c0
    br F0, .odd
    br F1, .two
    movx r63, r0
    jmp .out
.two:
    movx r63, r32
    jmp .out
.odd:
    br F1, .three
    movx r63, r16
    jmp .out
.three:
    movx r63, r48
    jmp .out
.slot:
    ld r63, {slot}
.out:
    st 0, r63
    done OK, 1
.claim:
    par
    loaded 1
    done OK, 0
"""


class Monitor:
    """The program under test with its monitor, and the packets for the monitor.

    `registers` are those that `write` can set, and `slot` is the one that `slot` reads.
    """

    def __init__(
        self, sources: Sequence[Path], folder: Path, registers: Sequence[int], slot: int = 9
    ) -> None:
        self.registers = list(registers)
        text = TEXT.format(slot=slot)
        for start in range(0, len(self.registers), PER_SETTER):
            code = FIRST_SETTER + start // PER_SETTER
            group = self.registers[start : start + PER_SETTER]
            lines = "".join(f"    ld r{register}, {i}\n" for i, register in enumerate(group))
            text += f".entry {code} set_{code}\n.routine set_{code}\n{lines}    done OK, 0\n"
        path = folder / "monitor.s"
        path.write_text(text)
        self.program: Program = assemble_files("monitored", [*sources, path], check=False)
        self.hex = folder / "monitored.hex"
        self.program.write_hex(self.hex)

    def claim(self, width: int) -> list[int]:
        """A packet after which jobs of this W run under curve id 1."""
        return packet("CURVE_LOAD", 0, width=width, flags=4)

    def write(self, values: dict[int, int], width: int) -> list[list[int]]:
        """Packets that set registers, each to a value below 2^(32 W). Those of `registers` that are not named
        become 0.
        """
        packets = []
        for start in range(0, len(self.registers), PER_SETTER):
            group = self.registers[start : start + PER_SETTER]
            operands = [values.get(register, 0) for register in group]
            packets.append(packet(FIRST_SETTER + start // PER_SETTER, *operands, width=width))
        return packets

    def read(self, register: int, send: Callable[[list[int]], list[int]], bits: int) -> int:
        """The lowest `bits` bits of a register."""
        return _value(send(packet("CURVE_LOAD", register & 15, width=WIDE, flags=register >> 4)), bits)

    def slot(self, send: Callable[[list[int]], list[int]], bits: int) -> int:
        """The lowest `bits` bits of the slot."""
        return _value(send(packet("CURVE_LOAD", 0, width=WIDE, flags=8)), bits)


def _value(response: list[int], bits: int) -> int:
    assert response[0] & 0xFF == 0 and response[1] == WIDE, response[:2]
    return sum(word << 32 * i for i, word in enumerate(response[2:])) & ((1 << bits) - 1)
