"""eccel_thread_flags against a model of one thread: B, P, X, the tested flag and the verdict in time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate import isa
from eccelerate.machine.thread_state import Recoder
from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (*PACKAGES, "engine/eccel_recoder.sv", "engine/eccel_thread_flags.sv")
ISA = isa.load("turbo")
SETB = {source.name: source.code for source in ISA.setb.values()}
SETX = 4  # function of sys
PHASE, CONTROL = (Struct("engine/eccel_engine_pkg.sv", name) for name in ("phase_t", "control_t"))
STEP = Struct(
    "engine/eccel_engine_pkg.sv", "step_t", phase=PHASE.width, fetched=24, instr=24, **{"is": CONTROL.width}
)
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
        self.cycle("halt")
        for phase in ("operands", "execute", ""):
            self.cycle(phase, instr=SETB["ZERO"], form="setb")
        self.setx(0)
        self.setb("P_ZERO")

    def cycle(self, phase: str = "", *, instr: int | None = None, form: str = "", **inputs: int) -> None:
        """A cycle in a phase, with an instruction and its bit of control_t, or with a random one."""
        rng = self.rng
        step = {
            name: rng.getrandbits(bits) for name, bits in (("fetched", 24), ("count", 10), ("on_unit", 1))
        }
        step["instr"] = rng.getrandbits(24) if instr is None else instr
        step["is"] = (
            rng.getrandbits(CONTROL.width) if instr is None else CONTROL.pack(**{form: 1} if form else {})
        )
        step["phase"] = PHASE.pack(**{phase: 1} if phase else {})
        step["hold"] = 0 if phase == "execute" else rng.getrandbits(1)
        unknown = {
            "due_i": 0, "zero_i": rng.getrandbits(1), "carry_i": rng.getrandbits(1),
            "count_i": rng.getrandbits(5), "mb_rdata_i": rng.getrandbits(32),
        }  # fmt: skip
        self.module.clock(**(unknown | inputs), step_i=STEP.pack(**step))

    def check(self) -> None:
        """The model's state in the cycle after the one in which it has to be there."""
        self.cycle()
        assert [self.module["b_o"], self.module["verdict_o"]] == [self.b, self.verdict]
        assert self.x in (self.module["x_o"], None)

    # ---- instructions

    def begin(self) -> None:
        self.cycle("halt")
        self.verdict = 0
        self.check()

    def setb(self, source: str) -> None:
        """setb or setp; the flags of the unit are random."""
        rng, code = self.rng, SETB[source]
        z, c, match = rng.getrandbits(1), rng.getrandbits(1), rng.choice((self.x or 0, rng.randrange(16)))
        instr = rng.getrandbits(24) & ~0xFF | match << 4 | code
        flags = {"zero_i": z, "carry_i": c}
        self.cycle("operands", instr=instr, form="setb", **({} if self.lockstep else flags))
        self.cycle("execute", instr=instr, form="setb", **(flags if self.lockstep else {}))
        if self.lockstep:
            self.cycle(instr=instr, form="setb")
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
        instr = self.rng.getrandbits(24) & ~(7 << 16 | 15) | SETX << 16 | value
        self.cycle("operands", instr=instr, form="sys")
        self.cycle("execute", instr=instr, form="sys")
        self.x, self.recoders = value, [Recoder(), Recoder()]
        self.check()

    def read(self, op: str, mode: int) -> None:
        """ldb, ldd (ldb of mode DIGIT), ldx or ldw of a bit of a random word."""
        rng, odd = self.rng, op in ("ldx", "ldw")
        instr = rng.getrandbits(24) & ~(3 << 15 | 1 << 19) | mode << 15 | odd << 19
        word, count = rng.choice((0, 0xFFFFFFFF, rng.getrandbits(32))), rng.randrange(32)
        self.cycle(instr=instr, form="bits", count_i=count, mb_rdata_i=word)
        self.cycle("answer", instr=instr, form="bits", count_i=count)
        self.cycle(instr=instr, form="bits")
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
        self.cycle("operands", instr=instr, form="mod")
        self.cycle("execute", instr=instr, form="mod", zero_i=z, carry_i=c)
        self.cycle(instr=instr, form="mod")
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
        flags = {"zero_i": z, "carry_i": c}
        self.cycle("operands", instr=condition << 14, form="br", **({} if self.lockstep else flags))
        if self.lockstep:
            self.cycle("execute", instr=condition << 14, form="br", **flags)
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
