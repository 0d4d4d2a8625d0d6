"""eccel_thread_flags against a model of one thread: B, P, X, the tested flag and the verdict in time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate import isa
from eccelerate.machine.iss_state import Recoder
from tests.engine.units import PACKAGES
from tests.module import Module
from tests.verilated import Patch

SOURCES = (*PACKAGES, "engine/eccel_recoder.sv", "engine/eccel_thread_flags.sv")
ISA = isa.load("turbo")
SETB = {source.name: source.code for source in ISA.setb.values()}
CARRY = {"C", "NOT_C", "B_OR_C", "B_AND_C"}
ZERO = {"Z", "NOT_Z", "B_OR_Z", "B_AND_Z"}
PLAIN, XOR, NOT, DIGIT = range(4)
INFINITY = ISA.status["INFINITY"]


class Thread:
    """The module beside the model of a thread; inputs have random values outside of the cycles in which the
    contract defines them."""

    def __init__(self, lockstep: int, patches: Sequence[Patch] = ()) -> None:
        parameters = {"Lockstep": f"1'd{lockstep}"}
        self.module = Module("engine", "eccel_thread_flags", SOURCES, parameters, patches)
        self.rng, self.lockstep = random.Random(lockstep), lockstep
        self.b = self.p = self.verdict = 0
        self.x: int | None = None  # undefined
        self.recoders: list[Recoder] = []
        self.cycle(begin_i=1)
        for executes in (0, 1, 0):
            self.cycle(instr_i=SETB["ZERO"], setb_i=executes)
        self.setx(0)
        self.setb("P_ZERO")

    def cycle(self, **inputs: int) -> None:
        rng = self.rng
        unknown = {
            "setb_i": 0, "fail_i": 0, "setx_i": 0, "read_i": 0, "begin_i": 0, "due_i": 0,
            "instr_i": rng.getrandbits(24), "on_flag_i": rng.getrandbits(1), "on_carry_i": rng.getrandbits(1),
            "zero_i": rng.getrandbits(1), "carry_i": rng.getrandbits(1), "count_i": rng.getrandbits(5),
            "mb_rdata_i": rng.getrandbits(32),
        }  # fmt: skip
        self.module.clock(**(unknown | inputs))

    def check(self) -> None:
        """The model's state in the cycle after the one in which it has to be there."""
        self.cycle()
        assert [self.module["b_o"], self.module["verdict_o"]] == [self.b, self.verdict]
        assert self.x in (self.module["x_o"], None)

    # ---- instructions

    def begin(self) -> None:
        self.cycle(begin_i=1)
        self.verdict = 0
        self.check()

    def setb(self, source: str) -> None:
        """setb or setp; the flags of the unit are random."""
        rng, code = self.rng, SETB[source]
        z, c, match = rng.getrandbits(1), rng.getrandbits(1), rng.choice((self.x or 0, rng.randrange(16)))
        instr = rng.getrandbits(24) & ~0xFF | match << 4 | code
        before = {"instr_i": instr, "on_flag_i": 0, "on_carry_i": int(source in CARRY)}
        flags = {"zero_i": z, "carry_i": c}
        self.cycle(**before, **({} if self.lockstep else flags))
        self.cycle(instr_i=instr, setb_i=1, **(flags if self.lockstep else {}))
        if self.lockstep:
            self.cycle(instr_i=instr)
        b, p = self.b, self.p
        values = {
            "ZERO": 0, "ONE": 1, "C": c, "NOT_C": 1 - c, "Z": z, "NOT_Z": 1 - z, "P": p, "NOT_P": 1 - p,
            "NOT_B": 1 - b, "B_OR_C": b | c, "B_OR_Z": b | z, "B_AND_C": b & c, "B_AND_Z": b & z,
            "X_IS": int(self.x == match),
        }  # fmt: skip
        if source in values:
            self.b = values[source]
        else:
            self.p = int(source == "P_ONE")
        self.check()

    def setx(self, value: int) -> None:
        """setx; it also clears the recoder."""
        instr = self.rng.getrandbits(24) & ~15 | value
        self.cycle(instr_i=instr, setx_i=1)
        self.cycle(instr_i=instr)
        self.x, self.recoders = value, [Recoder(), Recoder()]
        self.check()

    def read(self, op: str, mode: int) -> None:
        """ldb, ldd (ldb of mode DIGIT), ldx or ldw of a bit of a random word."""
        rng, odd = self.rng, op in ("ldx", "ldw")
        instr = rng.getrandbits(24) & ~(3 << 15 | 1 << 19) | mode << 15 | odd << 19
        word, count = rng.choice((0, 0xFFFFFFFF, rng.getrandbits(32))), rng.randrange(32)
        held = {"instr_i": instr, "count_i": count}
        self.cycle(count_i=count, mb_rdata_i=word)
        self.cycle(**held, read_i=1)
        self.cycle(**held)
        bit, nibble = word >> count & 1, word >> (count & 28) & 15
        assert self.module["bit_o"] == bit
        if op == "ldx":
            self.x = nibble
        elif op == "ldw":
            self.p, self.x = 1 - (nibble >> 3), (nibble & 7) ^ (0 if nibble >> 3 else 7)
        elif mode == DIGIT:
            recoder = self.recoders.pop(0)
            self.recoders.append(recoder)
            due, sign, window = recoder.step(bit)
            self.b, self.p, self.x = due, sign, window if due else None
            self.check()
            if not due:  # P is undefined
                self.setb("P_ZERO")
            return
        else:
            self.b = bit ^ (self.p if mode == XOR else int(mode == NOT))
            self.p = bit if mode == XOR else self.p
        self.check()

    def fail(self) -> None:
        """fail: the first one whose condition holds gives the thread its status."""
        rng = self.rng
        condition, invert = rng.randrange(4), rng.getrandbits(1)
        status = rng.choice((INFINITY, rng.randrange(256)))
        z, c = rng.getrandbits(1), rng.getrandbits(1)
        instr = rng.getrandbits(24) & ~(1 << 18 | 3 << 14 | 255) | invert << 18 | condition << 14 | status
        self.cycle(instr_i=instr, on_flag_i=1)
        self.cycle(instr_i=instr, fail_i=1, zero_i=z, carry_i=c)
        self.cycle(instr_i=instr)
        flag = (z, c, self.b, int(self.x == 0))[condition]
        assert self.module["flag_o"] == flag
        if flag != invert and not self.verdict:
            self.verdict = int(status != INFINITY) << 9 | 1 << 8 | status
        self.check()

    def comb(self) -> None:
        """A bit of a digit of the comb."""
        word, count = self.rng.getrandbits(32), self.rng.randrange(32)
        self.cycle(count_i=count, mb_rdata_i=word)
        self.cycle(count_i=count)
        self.cycle(due_i=1)
        assert self.module["bit_o"] == word >> count & 1
        self.p = 1 - (word >> count & 1)
        self.check()

    def br(self) -> None:
        """A br on a flag: B stays, flag_o is the flag."""
        rng = self.rng
        z, c, condition = rng.getrandbits(1), rng.getrandbits(1), rng.randrange(4 if self.lockstep else 2)
        inputs = {"instr_i": condition << 14, "on_flag_i": 1, "on_carry_i": condition}
        if self.lockstep:
            self.cycle(**(inputs | {"on_carry_i": rng.getrandbits(1)}))
            self.cycle(zero_i=z, carry_i=c)
        else:
            self.cycle(**inputs, zero_i=z, carry_i=c)
        self.check()
        assert self.module["flag_o"] == (z, c, self.b, int(self.x == 0))[condition]


def programs(lockstep: int, patches: Sequence[Patch] = ()) -> None:
    """Random instructions of one thread, so that each one sees every B, P and X."""
    thread = Thread(lockstep, patches)
    rng = thread.rng
    sources = [name for name in SETB if lockstep or name != "X_IS"]
    for _ in range(6000):
        match rng.randrange(8):
            case 0 | 1 | 2:
                thread.setb(rng.choice(sources))
            case 3:
                thread.read("ldb", rng.choice((PLAIN, XOR, NOT)))
            case 4:
                thread.read("ldx", rng.choice((PLAIN, NOT)))
            case 5 if lockstep:
                thread.read("ldw", XOR)
            case 5:
                thread.read("ldb", DIGIT)
            case 6 if lockstep:
                thread.fail() if rng.random() < 0.8 else thread.begin()
            case 6:
                thread.setx(rng.randrange(16)) if rng.random() < 0.1 else thread.br()
            case _ if lockstep:
                rng.choice((thread.comb, thread.br, lambda: thread.setx(rng.randrange(4))))()
            case _:
                thread.read("ldb", DIGIT)


@pytest.mark.parametrize("lockstep", [0, 1])
def test_flags_are_those_of_the_instructions(lockstep: int) -> None:
    programs(lockstep)


@pytest.mark.parametrize(
    ("lockstep", "old", "new"),
    [
        (0, "(source inside {SETB_B_OR_C, SETB_B_OR_Z}) && b_q", "1'b0"),
        (1, "&& !verdict_q[8]", ""),
    ],
    ids=["an OR forgets B", "a later fail changes the status"],
)
def test_a_mutant_sets_another_flag(lockstep: int, old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        programs(lockstep, [("eccel_thread_flags.sv", old, new)])
