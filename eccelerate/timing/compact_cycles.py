"""Exact clock cycles of the compact engine: the field unit's pipeline and the sequencer's instructions.

The numbers are those in the headers of rtl/gfp/eccel_gfp_cios.sv, rtl/engine/eccel_useq_core.sv and
rtl/engine/eccel_mover.sv; tests compare them with the RTL clock by clock. They depend only on the operation
and on W, the words of an element. Cycles in which mailbox streams or an entropy source are not ready are not
counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from eccelerate import isa

ISA = isa.load()
EXTRA_BITS = ISA.machine["extra_bits"]
INSTRUCTION = 3  # decode, operands, execute
INDEXED = 1  # additional cycle of mulx and movx, whose register number is combined with X
JUMP = 2  # additional cycles of an instruction that jumps, even to the next address: fetch
FIRST_EXECUTE = 7  # from the last request word: job port 3, fetch 2, decode, operands
SEEN_IDLE = 1  # the sequencer sees an idle field unit a cycle late
FINISH = 1  # from the end of the job to the first response word
REJECTED = 2  # from the last request word to the response when the job port refuses the packet
EARLY_END = 1  # additional cycle for a packet that ends early, or inside an operand
HEADER_CHECK = 1  # additional cycle for a packet without operands, because checking a header takes longer
MAILBOX_READ = 4  # ldb, ldd, ldx wait for a word of the mailbox
UNIT_CYCLES = 3  # cycles of the mover for a word or digit: address, array, data
SLOT_WORDS = ISA.machine["slot_bits"] // 32
RANDOM_WORDS = 3  # rnd fills W + 3 words

SUM_STAGE = 7  # stages of the field unit from the address of a digit to its row sum
LEAD_SINGLE = 2  # cycles from the acceptance of a single-row operation by an idle unit to its row
WINDOW_SLOT = 1  # slot of the last row in which the next product is accepted

# Indices in a FieldCost.
LEAD, ROWS, ROW, SETTLE, FIRST, DONE, IDLE, LONG = range(8)
FieldCost = tuple[int, int, int, int, int, int, int, bool]


@dataclass(frozen=True)
class FieldTiming:
    """Cycle formulas of the digit-serial field unit for digits of `digit_bits` bits and elements of `words`
    words.
    """

    digit_bits: int
    words: int

    @property
    def digits(self) -> int:
        """s, the number of digits of an element."""
        return -(-32 * self.words // self.digit_bits)

    @property
    def long_digits(self) -> int:
        """The number of digits of the long length."""
        return self.digits - (-EXTRA_BITS // self.digit_bits)

    def length(self, mnemonic: str) -> int:
        """The number of digits that the operation works on."""
        return self.long_digits if ISA.forms[mnemonic].long else self.digits

    def row(self, mnemonic: str) -> int:
        """T, the cycles of a row: a row of a product (or of half), or the only row of another operation,
        which uses both read ports until its end.
        """
        return (
            max(self.length(mnemonic) + (0 if is_product(mnemonic) else 1), lead_product(self.digit_bits)) + 1
        )

    def interval(self, mnemonic: str) -> int:
        """Cycles from acceptance to acceptance of operations that do not wait for each other."""
        return self.rows(mnemonic) * self.row(mnemonic)

    def latency(self, mnemonic: str) -> int:
        """Cycles from acceptance by an idle unit to done, the cycle in which the last digit of the result is
        written.
        """
        cost = self.cost(mnemonic)
        return cost[LEAD] + cost[ROWS] + cost[DONE]

    def rows(self, mnemonic: str) -> int:
        """The number of rows of an operation: s for a product of two elements, 1 for any other."""
        return self.digits if is_product(mnemonic) and mnemonic != "half" else 1

    def cost(self, mnemonic: str) -> FieldCost:
        """The numbers that `FieldClock` adds up for one operation. In order:

        LEAD: cycles from acceptance by an idle unit to the first row.
        ROWS: cycles from the first row to the last one.
        ROW: cycles of the last row.
        SETTLE: cycles after the last row before the unit accepts an operation as an idle unit does.
        FIRST: cycles from the last row to the first cycle in which an operation that reads the result may be
            accepted.
        DONE, IDLE: cycles from the last row to done, and to the first idle cycle.
        LONG: whether the operation has the long length.
        """
        product, long = is_product(mnemonic), ISA.forms[mnemonic].long
        length, row = self.length(mnemonic), self.row(mnemonic)
        # cycles until digit 0 of the result is selected: a register precedes the choice, or a pass must wait
        select = length + SUM_STAGE + 1 + int(self.digit_bits == 16 or self.digits == 3)
        return (
            lead_product(self.digit_bits) if product else LEAD_SINGLE,
            (self.rows(mnemonic) - 1) * row,
            row,
            0 if product else 1,
            select + 2,
            select + length - 1,
            select + length + 1,
            long,
        )


def lead_product(digit_bits: int) -> int:
    """Cycles from the acceptance of a product by an idle unit to its first row."""
    return 7 if digit_bits == 64 else 8


def is_product(mnemonic: str) -> bool:
    """Whether the operation is made of rows of a Montgomery product."""
    return ISA.forms[mnemonic].range == "mul" or mnemonic == "half"


class FieldClock:
    """When the field unit accepts operations and when it is idle. All cycles are counted from the same zero.

    In the last row of an operation there is one cycle in which the unit accepts a product, and several in
    which it accepts any other operation, so that rows follow each other without a gap. If an operation misses
    them, the unit accepts it when it is empty. An operation misses them if it was not offered in time, if an
    operand was not yet being written, or if it is a long operation. `done` is the cycle of done of the last
    operation accepted, and `idle` the first idle cycle after it.
    """

    def __init__(self, digit_bits: int) -> None:
        self._single_window = lead_product(digit_bits) - 1
        self.done = self.idle = 0
        self._window = self._end = self._free = -self._single_window - 1
        self._last = self._before = (-1, -1)  # destination, first cycle in which it may be read
        self._long = False

    def accept(self, now: int, cost: FieldCost, rd: int, ra: int, rb: int) -> int:
        """The cycle in which an operation offered from `now` on is accepted.

        `ra` and `rb` are the register fields of the instruction, even if the operation does not read them.
        """
        lead, rows, row, settle, first, done, idle, long = cost
        safe = -1
        last, before = self._last, self._before
        if last[0] == ra or last[0] == rb:
            safe = last[1]
        elif before[0] == ra or before[0] == rb:
            safe = before[1]
        if self._long:
            safe = self.idle + 1
        at = max(now, safe, self._window)
        window = self._single_window if lead == LEAD_SINGLE else 1
        if at < self._window + window and not (long or self._long):
            start = self._end
        else:
            at = max(now, safe, self._free)
            start = at + lead
        start += rows
        self._window, self._end = start + WINDOW_SLOT, start + row
        self._free = start + row + settle
        self._before, self._last = last, (rd, start + first)
        self.done, self.idle, self._long = start + done, start + idle, long
        return at


def control_cost(mnemonic: str, words: int, digit_bits: int) -> int:
    """Cycles of a control instruction, from its execution (with an idle unit, if it waits for one) to the
    execution of the next one. A jump takes JUMP more.
    """
    word_units = max(1, 32 // digit_bits)
    number = UNIT_CYCLES * FieldTiming(digit_bits, words).long_digits * max(1, digit_bits // 32) + 1
    fill = SLOT_WORDS * word_units + 2
    extra = {
        "ldb": MAILBOX_READ, "ldd": MAILBOX_READ, "ldx": MAILBOX_READ,
        "ld": number, "st": number, "par": number,
        "rnd": UNIT_CYCLES * (words + RANDOM_WORDS) * word_units + 1, "wipe": fill, "put1": fill,
    }  # fmt: skip
    return INSTRUCTION + extra.get("ldb" if mnemonic.startswith("ldb") else mnemonic, 0)


@cache
def costs(digit_bits: int, words: int) -> dict[str, FieldCost | int]:
    """Cost of every mnemonic: a `FieldCost` for an operation of the field unit, cycles for a control
    instruction.
    """
    timing = FieldTiming(digit_bits, words)
    return {
        name: timing.cost(name) if form.is_field else control_cost(name, words, digit_bits)
        for name, form in ISA.forms.items()
    }
