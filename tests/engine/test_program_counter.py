"""eccel_program_counter: the address of every instruction of random programs, with traps and zeroise."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate import isa
from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (*PACKAGES, "prim/eccel_add.sv", "engine/eccel_program_counter.sv")
CONTROL = Struct("engine/eccel_engine_pkg.sv", "control_t")
STATES = ("halt_i", "decode_i", "operands_i", "execute_i")
TRAP = isa.load("compact").trap
ADDRESSES, STACK = 1 << 11, 4


class Sequencer:
    """Walks the module through the states of a program and checks pc_o in each cycle. What the contract
    does not define is random.

    pc: address of the instruction that runs, or is fetched; stack: return addresses.
    """

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        self.module = Module("engine", "eccel_program_counter", SOURCES, patches=patches)
        self.rng = random.Random(1)
        self.pc, self.stack = 0, list[int]()
        self.held: dict[str, int] = {}

    def cycle(self, state: str, expected: int | None, **inputs: int) -> None:
        """A cycle in a state, "" for one without an input of its own, in which pc_o has a value."""
        widths = {"instr_i": 24, "is_i": CONTROL.width, "entry_i": 6}
        widths |= {"hold_i": 1, "jump_i": 1, "wipe_i": 1, "abort_i": 1, "starving_i": 0, "starved_i": 0}
        widths["failed_i"] = 1
        unknown = {name: self.rng.getrandbits(width) for name, width in widths.items()}
        states = {name: int(name == state) for name in STATES}
        self.module.clock(**(unknown | states | self.held | inputs))
        if expected is not None:
            assert self.module["pc_o"] == expected

    def begin(self, entry: int, *, wipe: bool) -> None:
        """A job, or the zeroise handler, starts in an idle engine."""
        self.held = {"is_i": CONTROL.pack(done=1)}
        for _ in range(self.rng.randrange(4)):
            self.cycle("halt_i", None)
        self.cycle("halt_i", None, entry_i=entry)
        self.cycle("halt_i", None, entry_i=entry, wipe_i=wipe)
        self.pc, self.stack = 0 if wipe else entry, []
        self.fetch()

    def fetch(self) -> None:
        """The two cycles after a jump."""
        self.held = {}
        for _ in range(2):
            self.cycle("", self.pc)

    def decode(self) -> None:
        self.held = {}
        self.cycle("decode_i", self.pc, abort_i=0)

    def run(self, kind: str, target: int, jumps: bool) -> None:
        """One instruction; it jumps if it can, and `jumps`."""
        self.decode()
        following = (self.pc + 1) % ADDRESSES
        instr = self.rng.getrandbits(13) << 11 | target
        bits = {"jmp": {"jumps"}, "call": {"call", "jumps"}, "br": {"br"}, "loop": {"loop"}}
        fields = bits.get(kind, {kind} if kind in ("ret", "chk", "rnd") else set())
        if kind in bits:
            fields = fields | {"target"}
        if kind == "ret":
            fields = fields | {"jumps"}
        self.held = {"instr_i": instr, "is_i": CONTROL.pack(**dict.fromkeys(fields, 1))}
        self.cycle("operands_i", following)
        for _ in range(self.rng.choice((0, 0, 1, 5)) if kind in ("br", "plain") else 0):
            self.cycle("execute_i", following, hold_i=1)
        jumps = (jumps and kind in ("br", "loop", "chk")) or kind in ("jmp", "call", "ret")
        self.cycle("execute_i", following, hold_i=0, jump_i=jumps)
        if kind == "rnd":
            for _ in range(self.rng.randrange(4)):
                self.cycle("", following)
            if jumps := self.rng.random() < 0.5:
                trap = self.rng.choice(("ENTROPY", "HEALTH"))
                self.cycle("", following, starving_i=1, failed_i=trap == "HEALTH")
                self.cycle("", following, starved_i=1)
        self.pc = following
        if jumps:
            if kind == "call":
                self.stack.append(following)
            traps = {"chk": TRAP["LENGTH"]} | ({"rnd": TRAP[trap]} if kind == "rnd" else {})
            self.pc = self.stack.pop() if kind == "ret" else traps.get(kind, target)
            if kind in traps:
                self.stack = []
            self.fetch()

    def abort(self) -> None:
        """Zeroise between two instructions."""
        self.held = {}
        self.cycle("decode_i", self.pc, abort_i=1)
        self.pc, self.stack = 0, []
        self.fetch()


def programs(patches: Sequence[Patch] = ()) -> None:
    """Random programs, with edge addresses, calls to the full depth of the stack, also after traps, and
    zeroise.
    """
    sequencer = Sequencer(patches)
    rng = sequencer.rng
    for entry in (*range(64), *range(64)):
        sequencer.begin(entry, wipe=rng.random() < 0.2)
        for _ in range(rng.randrange(40)):
            kinds = ["plain", "plain", "jmp", "br", "loop", "chk", "rnd"]
            kinds += ["call"] * 3 if len(sequencer.stack) < STACK else []
            kinds += ["ret"] * 2 if sequencer.stack else []
            target = rng.choice((0, 1, ADDRESSES - 2, rng.randrange(ADDRESSES - 1), rng.randrange(64)))
            sequencer.run(rng.choice(kinds), target, rng.random() < 0.5)
            if sequencer.pc == ADDRESSES - 1 or rng.random() < 0.05:
                sequencer.abort()


def test_every_instruction_has_its_address() -> None:
    programs()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stack_q[sp_q+2'd1]", "stack_q[sp_q]"),
        ("execute_i && jump_i && !hold_i", "execute_i && jump_i"),
    ],
    ids=["a call overwrites the address of the one before", "a br jumps before its flags are known"],
)
def test_a_mutant_jumps_to_another_address(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        programs([("eccel_program_counter.sv", old, new)])
