"""Exact clock cycles of the turbo engine: the sequencer's instructions and the field unit's timeline.

The numbers are those in the headers of eccel_useq_core.sv, eccel_lockstep_useq.sv and
eccel_lockstep_mover.sv in rtl/engine; a test compares them with the RTL. They assume that entropy is always
available. In an exclusive job of several threads, which draw only once, `rnd` takes less time than computed
here.
"""

from __future__ import annotations

from eccelerate.timing.compact_cycles import INDEXED, INSTRUCTION, JUMP, MAILBOX_READ
from eccelerate.timing.turbo_cycles import Instruction, TurboTimeline, TurboTiming

FIRST_EXECUTE = 8  # from the last request word
SEEN_IDLE = 2  # the sequencer sees an idle field unit two cycles late
BRANCH = 2  # additional cycles of a br, in which it selects the flag of a thread
FINISH = 17  # from the end of the job to the first response word
FILL = 35  # wipe, put1
PARAMETERS = 11  # par
READ = MAILBOX_READ + 2  # ldb .. ldw: there are registers on the way to the mailboxes and back
TRANSFER = 25  # ld, st: cycles for each thread, in addition to one for each word
DRAW = 3  # rnd: cycles for each of the W + 3 words of a thread
MOVER = 3  # ld, st, rnd: cycles at the beginning and at the end
RANDOM_WORDS = 3
UNTIMED = {"scan", "caught", "rewind"}
"""Instructions that wait for the base point's table. Their cycles are not counted here."""
_TIMED_AS = {"mulx": "mul", "movx": "add", "take": "mov"}


class LockstepClock:
    """Counts the cycle in which the next instruction is executed, or begins to wait.

    hedge_clocks: additional cycles of a word of entropy in an engine with hedged draws.
    """

    def __init__(self, timing: TurboTiming, hedge_clocks: int = 0) -> None:
        self.timing = timing
        self.unit = TurboTimeline(timing)
        self.now = FIRST_EXECUTE
        self.idle = 0
        words, threads = timing.field.words, timing.threads
        self.extra = {
            "ldb": READ, "ldbx": READ, "ldbn": READ, "ldx": READ, "ldw": READ,
            "ld": threads * (words + TRANSFER) + MOVER, "st": threads * (words + TRANSFER) + MOVER,
            "par": PARAMETERS, "wipe": FILL, "put1": FILL,
            "rnd": (DRAW + hedge_clocks) * threads * (words + RANDOM_WORDS) + MOVER,
        }  # fmt: skip

    def field(self, name: str, rd: int, ra: int, rb: int, indexed: bool) -> None:
        """Add an operation of the field unit. `rb` is already combined with X."""
        offered = self.now + INDEXED * indexed
        instruction = Instruction(_TIMED_AS.get(name, name), rd, ra, rb, offered)
        self.now = self.unit.accept(instruction) + INSTRUCTION
        self.idle = 0

    def control(self, name: str, drains: bool, jumps: bool) -> None:
        """Add an instruction of the sequencer. With `drains` it waits for an idle field unit."""
        if name == "br":
            self.now += BRANCH
        if drains:
            self.idle = self.idle or self.unit.drain()
            self.now = max(self.now, self.idle + SEEN_IDLE)
        if name == "done":
            self.now += FINISH
            return
        self.now += INSTRUCTION + JUMP * jumps + self.extra.get(name, 0)
