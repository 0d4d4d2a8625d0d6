"""State of a simulated thread: mailbox, counters, flags, stack, recoders, table of the base point, job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from eccelerate import isa
from eccelerate.model.comb import TABLES, Comb
from eccelerate.model.entropy_health import Failed

# Places in ThreadState.f.
B, C, Z, P, X = range(5)
FREE = 13  # condition
_FLAG = isa.load().job_flag
_FAULT = isa.load().status["FAULT"]
MAILBOX = frozenset({"ld", "st", "ldb", "ldbx", "ldbn", "ldx", "ldw", "rnd", "wipe", "put1", "par", "done"})


class ProgramError(RuntimeError):
    """A program broke a rule of the machine. The message gives the address of the instruction."""


@dataclass
class Recoder:
    """Signed windows of width 5, highest digit first (wMOF of Okeya et al. 2004).

    Digits are 0 or odd, and at most 15. Digit j of k depends on the bits above it and on bits j to j-5. Bit
    j-5 enters with digit j, so the program gives the bits of 32 k.

    ahead: bits j to j-4.
    age: number of digits since the window was opened; -1 if no window is open.
    sign: the bit that opened the window.
    window: the bits after this bit, relative to it.
    """

    ahead: list[int] = field(default_factory=lambda: [0] * 5)
    age: int = -1
    sign: int = 0
    window: int = 0

    def step(self, bit: int) -> tuple[int, int, int]:
        """Enters bit j-5. Returns whether digit j differs from 0, its sign, and |d| - 1."""
        bits = [*self.ahead, bit]
        if self.age < 0 and bits[0] != bits[1]:
            self.age, self.sign, self.window = 0, bits[0], 0
        due = self.age >= 0 and len(set(bits[1 : 6 - self.age])) == 1
        result = (int(due), self.sign, 2 * self.window)
        # The bits of a window, relative to its sign, are |d| without its lowest bit, which is 1.
        self.window = (2 * self.window + (bits[0] ^ self.sign)) & 7
        self.age = -1 if due or self.age < 0 else self.age + 1
        self.ahead = bits[1:]
        return result


@dataclass
class BaseTable:
    """The table of the base point in the turbo engine, as one thread sees it.

    step: number of digits that were read since `rewind`.
    entry: x and y of the entry that the last `scan` selected, without what `take` has already read.
    passing: the entry may not have arrived yet.
    taking: an instruction may still read the entry.
    """

    comb: Comb
    step: int = 0
    entry: list[int] = field(default_factory=list)
    passing: bool = False
    taking: bool = False

    def control(self, name: str, drains: bool) -> None:
        """A control instruction. ProgramError if it would use the mailbox at the same time as the table."""
        if name in MAILBOX and (self.passing or (self.taking and not drains)):
            raise ProgramError(
                f"{name} uses the mailbox while the base point's table does: caught, or drain first"
            )
        if name == "scan" or drains:
            self.taking = False

    def rewind(self) -> None:
        """The next digit is the first one."""
        self.step = 0

    def scan(self, bits: int) -> int:
        """Read the next digit of the scalar; whether it is negative."""
        column, table = divmod(self.step, TABLES)
        if column >= self.comb.columns:
            raise ProgramError("scan: the scalar has no more digits")
        digit = self.comb.digit(bits, self.comb.columns - 1 - column, table)
        self.step += 1
        self.entry, self.passing = list(self.comb.tables[table][digit.index]), True
        return int(digit.negative)

    def take(self) -> int:
        """x of the entry, then y."""
        if self.passing or not self.entry:
            raise ProgramError("take: no entry is there: scan, caught, then take twice")
        self.taking = True
        return self.entry.pop(0)


@dataclass
class ThreadState:
    """What a thread has, except for the registers of the field unit.

    Threads in lock step execute the same instructions, so their counters, stacks and curves are equal.

    slots: 16 integers of 1024 bits.
    f: the flags B, C, Z, P and X (0..15).
    status: negative while a job runs.
    verdict: the status that `fail` gave to this thread; None if there is none.
    bits_p, bits_n (10 bits each), kind, curve_width: `par` stores them; `loaded` stores curve_id.
    op, flags: of the job.   key_flags: the flags of the job that set the key.
    jumped: br and loop set it when they jump, also if they jump to the next address.
    comb: the table of the base point; None for an engine without one. comb_loaded: the loaded curve is the
        curve of the table.
    field_known: the engine has a field of degree bits_p.
    group: all threads of the engine, this one included. member: the thread has a job of the group that runs.
    free: the unit for GF(2^m) has nothing to do, as `br FREE` sees it now.
    hedge: the word that `rnd` writes, from a word of entropy and the word in its place.
    """

    slots: list[int] = field(default_factory=lambda: [0] * 16)
    counters: list[int] = field(default_factory=lambda: [0] * 4)
    f: list[int] = field(default_factory=lambda: [0] * 5)
    stack: list[int] = field(default_factory=list)
    width: int = 6
    operands: int = 0
    malformed: bool = False
    early: bool = False
    flags: int = 0
    header_curve: int = 0
    op: int = 0
    status: int = -1
    results: int = 0
    verdict: int | None = None
    key_valid: int = 0
    key_flags: int = 0
    loaded: int = 0
    curve_id: int = 0
    curve_width: int = 0
    bits_p: int = 0
    bits_n: int = 0
    kind: int = 0
    comb_loaded: int = 0
    field_known: bool = False
    group: list[ThreadState] = field(default_factory=list)
    member: bool = True
    free: bool = True
    jumped: bool = False
    entropy: Callable[[], int | Failed | None] = lambda: None
    hedge: Callable[[int, int], int] = lambda word, old: word
    comb: BaseTable | None = None
    recoders: list[Recoder] = field(default_factory=lambda: [Recoder(), Recoder()])

    def end(self, status: int, results: int = 0) -> int:
        """End the job; returns the program counter that stops the simulator."""
        self.status, self.results = status, results
        return -1

    def recode(self, bit: int) -> tuple[int, int, int]:
        """`ldd`: the two recoders take turns."""
        self.recoders.reverse()
        return self.recoders[0].step(bit)

    @property
    def squares(self) -> int:
        """How many squares the binary engine's `sqr` makes."""
        return (self.bits_p - 1) >> (self.counters[3] + 1)

    @property
    def permitted(self) -> bool:
        """Whether the attributes of the key permit the job, an ECDH or an ECDSA_SIGN."""
        if self.op & 1 == 0:  # ECDH
            return not self.key_flags >> _FLAG["NO_AGREE"] & 1
        any_nonce = self.key_flags >> _FLAG["HOST_NONCE"] & 1
        drawn = self.flags >> _FLAG["RANDOM"] & 1
        return bool(any_nonce or drawn) and not self.key_flags >> _FLAG["NO_SIGN"] & 1

    def condition(self, code: int) -> int:
        """Truth of a branch condition that is not among the flags Z, C, B, X == 0."""
        match code:
            case 13:  # FREE, FAULTY
                faulty = any(each.member and each.verdict == _FAULT for each in self.group)
                return int((self.free and self.field_known) or faulty)
            case 14:
                return int(self.permitted)
            case 15:
                return self.comb_loaded or int(self.field_known)
            case _:
                pass
        if code >= 8:
            return self.flags >> (code - 8) & 1
        return (self.key_valid, self.kind & 1, self.kind >> 8 & 1, self.loaded)[code - 4]
