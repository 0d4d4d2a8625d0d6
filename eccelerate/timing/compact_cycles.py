"""Clock cycles of the engine, exact: the field unit's pipeline and the sequencer's instructions.

The numbers are those in the headers of rtl/gfp/eccel_gfp_cios.sv, rtl/engine/eccel_useq_core.sv and
rtl/engine/eccel_mover.sv; tests compare them with the RTL clock by clock. All of them depend on
the operation and the element words W only. Cycles of the mailbox streams and of an entropy source that is
not ready are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from eccelerate import isa

ISA = isa.load()
EXTRA_BITS = ISA.machine["extra_bits"]
INSTRUCTION = 3  # decode, operands, execute
INDEXED = 1  # more for mulx and movx, whose register takes X in
JUMP = 2  # more when an instruction jumps, be it to the next address: fetch
FIRST_EXECUTE = 7  # from the last request word: job port 3, fetch 2, decode, operands
SEEN_IDLE = 1  # the sequencer sees an idle field unit a cycle late
FINISH = 1  # from the end of the job to the first response word
REJECTED = 2  # from the last request word to the response when the job port refuses the packet
HEADER_CHECK = 1  # more when the packet ends with its header: the port judges that longer than a last operand
MAILBOX_READ = 4  # ldb, ldd, ldx wait for a word of the mailbox
UNIT_CYCLES = 3  # the mover: address, array, data
SLOT_WORDS = ISA.machine["slot_bits"] // 32
RANDOM_WORDS = 3  # rnd fills W + 3 words

SUM_STAGE = 7  # stages of the field unit from the address of a digit to its row sum
LEAD_SINGLE = 2  # cycles from the acceptance of a single-row operation by an idle unit to its row
WINDOW_SLOT = 1  # slot of the last row in which the next product is accepted

# Places in a FieldCost.
LEAD, ROWS, ROW, SETTLE, FIRST, DONE, IDLE, LONG = range(8)
FieldCost = tuple[int, int, int, int, int, int, int, bool]


@dataclass(frozen=True)
class FieldTiming:
    """Cycle formulas of the digit-serial field unit for digits of `digit_bits` and elements of `words`."""

    digit_bits: int
    words: int

    @property
    def digits(self) -> int:
        """s, the digits of an element."""
        return -(-32 * self.words // self.digit_bits)

    @property
    def long_digits(self) -> int:
        """Digits of the long length."""
        return self.digits - (-EXTRA_BITS // self.digit_bits)

    def length(self, mnemonic: str) -> int:
        """Digits the operation works on."""
        return self.long_digits if ISA.forms[mnemonic].long else self.digits

    def row(self, mnemonic: str) -> int:
        """T: a row of a product (also of half); or the one row of another operation, which needs both read
        ports to the end."""
        return (
            max(self.length(mnemonic) + (0 if is_product(mnemonic) else 1), lead_product(self.digit_bits)) + 1
        )

    def interval(self, mnemonic: str) -> int:
        """Acceptance to acceptance of operations that do not wait for each other."""
        return self.rows(mnemonic) * self.row(mnemonic)

    def latency(self, mnemonic: str) -> int:
        """Acceptance by an idle unit to done: the last digit of the result is being written."""
        cost = self.cost(mnemonic)
        return cost[LEAD] + cost[ROWS] + cost[DONE]

    def rows(self, mnemonic: str) -> int:
        """Rows of an operation: s for a product of two elements, else 1."""
        return self.digits if is_product(mnemonic) and mnemonic != "half" else 1

    def cost(self, mnemonic: str) -> FieldCost:
        """What `FieldClock` adds up for one operation.

        Acceptance by an idle unit to its first row; first row to last row; cycles of the last row; cycles
        the unit needs after it before it accepts as an idle one; last row to the first cycle in which an
        operation that reads the result may be accepted, to done, to the first idle cycle; long length.
        """
        product, long = is_product(mnemonic), ISA.forms[mnemonic].long
        length, row = self.length(mnemonic), self.row(mnemonic)
        # digit 0 of the result is selected: a register in front of the choice, or a pass that must wait
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
    """True for the operations made of rows of a Montgomery product."""
    return ISA.forms[mnemonic].range == "mul" or mnemonic == "half"


class FieldClock:
    """When the field unit accepts operations and when it is idle, cycle by cycle from a common zero.

    In the last row of an operation there is one cycle in which a product is accepted, and more from there on
    for the others, so that rows follow each other without a gap. An operation that misses it (not offered, an
    operand not yet being written, a long operation) is accepted by the empty unit. `done`: done of the last
    operation accepted; `idle`: first idle cycle after it.
    """

    def __init__(self, digit_bits: int) -> None:
        self._single_window = lead_product(digit_bits) - 1
        self.done = self.idle = 0
        self._window = self._end = self._free = -self._single_window - 1
        self._last = self._before = (-1, -1)  # destination, first cycle in which it may be read
        self._long = False

    def accept(self, now: int, cost: FieldCost, rd: int, ra: int, rb: int) -> int:
        """Cycle in which an operation offered from `now` on is accepted.

        ra, rb: the register fields of the instruction, also where the operation does not read them.
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
    """Cycles of a control instruction, from its execution (with an idle unit, where it waits for one) to the
    execution of the next; JUMP more if it jumps."""
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
    """Cost of every mnemonic."""
    timing = FieldTiming(digit_bits, words)
    return {
        name: timing.cost(name) if form.is_field else control_cost(name, words, digit_bits)
        for name, form in ISA.forms.items()
    }
