"""Checks of an assembled program: secrets stay out of control flow and addresses, values stay in range.

The check is one dataflow analysis of the program. It treats every chain of callers and every selected modulus
separately, so that a routine is judged for each use: for secrets and for public values, for p and for n.

Secrets: `.secret` marks a value, results of secret operands are secret, and `.declassify` clears the mark. At
job entry, global registers are secret unless they are `.public`, slots 0..7 (operands) are public unless they
are `.secret`, and slots 8..15 are secret unless they are `.public`. A secret may not reach a branch, X (which
selects registers and digits of slots), or a `.public` register or slot, and may not be left in slots 0..7
when the job ends. In the zeroise handler everything that is not `.public` is secret at the start.

Ranges: a register is canonical mod p, mod n, or both, or it holds a plain integer. `add sub half` need
operands that are canonical under the selected modulus. `mul` needs one such operand; the other may be a plain
integer, but not a value of the other modulus (unless `.assume x int` says that this is meant). Where paths
join, only what holds on all of them is kept. A register with a `.range` keeps it over every write (in
CURVE_LOAD it has it at `loaded 1`), so that the next job can rely on it, also after a zeroise.

Two units (binary engine): the selected modulus selects a unit, and a register number means a register of that
unit. A register may be read only where it was written in this job, or has a `.range`, under the modulus of
its unit (`modp` for elements of GF(2^m), otherwise n). An instruction that the selected unit lacks is
refused. Selecting a unit leaves Z and C undefined. After `begin_steps` and `begin_recip` the unit does not
appear busy: only `mod` may wait for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from eccelerate import isa
from eccelerate.ucode.findings import FLAG, SLOT, Finding
from eccelerate.ucode.program import FIELD_FILE, Instr, Program
from eccelerate.ucode.source import Annotation, Loc

ISA = isa.load()
BUS_SLOTS = range(SLOT, SLOT + ISA.machine["bus_slots"])
HANDLER, CURVE_LOAD = ISA.job["ZEROISE_INPUT"], ISA.job["CURVE_LOAD"]
CLASS = ("modp", "modn")


@dataclass(frozen=True)
class State:
    """Facts at one point of the program.

    Bit sets are over places: registers 0..63, slots 64..79, flags 80..85, and with two units the registers of
    the unit for p from 96 on.

    secret: the places that may depend on a secret.
    canonical: for each modulus, the registers that are certainly below it.
    long: the registers that were written over the long length.
    carry: C holds a defined value.
    known: the registers that hold a value.
    aside: the selected unit may be working although it does not appear busy.
    """

    secret: int
    canonical: tuple[int, int]
    long: int
    carry: bool
    known: int = 0
    aside: bool = False

    def join(self, other: State) -> State:
        """The facts that hold on both of two paths."""
        p, n = (a & b for a, b in zip(self.canonical, other.canonical, strict=True))
        carry, known = self.carry and other.carry, self.known & other.known
        aside = self.aside or other.aside
        return State(self.secret | other.secret, (p, n), self.long & other.long, carry, known, aside)

    def with_secret(self, place: int, secret: bool) -> State:
        """The state with one place marked as secret, or cleared."""
        return replace(self, secret=self.secret | 1 << place if secret else self.secret & ~(1 << place))

    def with_class(self, register: int, p: bool, n: bool, long: bool) -> State:
        """The state with the range facts of one register replaced."""
        bit = 1 << register
        canonical = tuple(c | bit if yes else c & ~bit for c, yes in zip(self.canonical, (p, n), strict=True))
        long_set = self.long | bit if long else self.long & ~bit
        return replace(self, canonical=(canonical[0], canonical[1]), long=long_set, known=self.known | bit)

    def any_secret(self, places: Iterable[int]) -> bool:
        """True if any of the places may depend on a secret."""
        return any(self.secret >> place & 1 for place in places)


# A program point: return addresses, address, and selected modulus (None before one is selected in this job).
Point = tuple[tuple[int, ...], int, int | None]


def check(program: Program) -> list[Finding]:
    """All violations, ordered by place. The list is empty if the program is accepted."""
    found: dict[tuple[Loc, str], Finding] = {}
    for code in sorted(program.entries):
        walk = _Walk(program, code)
        walk.run()
        for finding in walk.findings:
            found.setdefault((finding.loc, finding.message), finding)
    return sorted(found.values(), key=lambda f: (f.loc.file, f.loc.line))


class _Walk:
    """Dataflow from one entry of the jump table."""

    def __init__(self, program: Program, code: int) -> None:
        self.program = program
        self.isa = isa.load(program.unit)
        self.code = code
        self.entry = next((n for n, c in ISA.job.items() if c == code), str(code))
        self.findings: list[Finding] = []
        self.ranges = {
            self.place(register, 0 if cls == "modp" else 1): cls for register, cls in program.ranges.items()
        }

    def place(self, register: int, modulus: int | None) -> int:
        """The place of a register in the unit that the modulus selects."""
        return register + FIELD_FILE if self.isa.two_units and modulus == 0 else register

    def places(self, registers: Iterable[int], modulus: int | None) -> list[int]:
        """The places of several registers of one unit."""
        return [self.place(register, modulus) for register in registers]

    def report(self, loc: Loc, message: str) -> None:
        finding = Finding(loc, message, self.entry)
        if finding not in self.findings:
            self.findings.append(finding)

    def initial(self) -> State:
        declared = self.program.initial_secret
        secret = sum(1 << flag for flag in FLAG.values())
        for place in range(SLOT + ISA.machine["slots"]):
            default = place not in BUS_SLOTS or self.code == HANDLER
            fixed = place in declared and not (self.code == HANDLER and place in BUS_SLOTS)
            secret |= int(declared[place] if fixed else default) << place
        secret |= (secret & ((1 << SLOT) - 1)) << FIELD_FILE
        state = State(secret, (0, 0), 0, False)
        if self.code not in (HANDLER, CURVE_LOAD):
            for place, cls in self.ranges.items():
                state = state.with_class(place, cls == "modp", cls == "modn", cls == "long")
        return state

    def run(self) -> None:
        states: dict[Point, State] = {}
        start: Point = ((), self.program.entries[self.code], None)
        todo = [(start, self.initial())]
        while todo:
            point, state = todo.pop()
            instr = self.program.instrs[point[1]]
            for note in instr.pre:
                state = self.annotate(state, note, point[2], instr.unit)
            old = states.get(point)
            new = state if old is None else old.join(state)
            if new != old:
                states[point] = new
                todo += self.step(point, new, instr)

    def annotate(self, state: State, note: Annotation, modulus: int | None, unit: str) -> State:
        for place in (p for name in note.names for p in self.program.locate(name, unit)):
            if note.what == "assume" and place >= SLOT:
                self.report(note.loc, f"{self.program.describe(place)} has no range: .assume takes registers")
                continue
            if place < SLOT:
                place = self.place(place, modulus)
            bit = 1 << place
            if note.what != "assume":
                state = state.with_secret(place, note.what == "secret")
            elif note.cls == "long":
                state = replace(state, long=state.long | bit)
            elif note.cls == "int":
                state = state.with_class(place, False, False, bool(state.long & bit))
            elif note.cls == "mod" and modulus is None:
                self.report(note.loc, "no modulus is selected on this path: `mod p` or `mod n` first")
            else:
                which = modulus if note.cls == "mod" else CLASS.index(note.cls)
                canonical = [c | bit if i == which else c for i, c in enumerate(state.canonical)]
                state = replace(state, canonical=(canonical[0], canonical[1]))
        return state

    def step(self, point: Point, state: State, instr: Instr) -> list[tuple[Point, State]]:
        """The effect of one instruction: its successors with their states."""
        stack, address, modulus = point
        name, fields = instr.form.mnemonic, instr.fields
        self.check_flags(state, instr)
        state = self.effect(state, instr, modulus)
        if name == "mod":
            modulus = fields["modulus"]
        following: list[tuple[Point, State]] = []
        if name == "call":
            if len(stack) == ISA.machine["stack"]:
                self.report(instr.loc, f"calls nest deeper than {ISA.machine['stack']}")
                return []
            return [(((*stack, address + 1), fields["target"], modulus), state)]
        if name == "ret":
            if not stack:
                self.report(instr.loc, "ret without a call")
                return []
            caller = self.program.instrs[stack[-1] - 1]
            return [((stack[:-1], stack[-1], modulus), self.after(state, caller, modulus))]
        if "target" in fields:
            following.append(((stack, fields["target"], modulus), state))
        state = self.after(state, instr, modulus)
        if instr.form.falls_through:
            following.append(((stack, address + 1, modulus), state))
        return following

    def after(self, state: State, instr: Instr, modulus: int | None) -> State:
        """Apply the directives that follow an instruction, then check what must hold after every write."""
        for note in instr.post:
            state = self.annotate(state, note, modulus, instr.unit)
        name, fields = instr.form.mnemonic, instr.fields
        for written in (SLOT + fields["slot"],) if name in ("st", "rnd") else instr.dests:
            public = self.program.initial_secret.get(written) is False and written not in BUS_SLOTS
            place = written if written >= SLOT else self.place(written, modulus)
            if public and state.any_secret([place]):
                self.report(instr.loc, f"a secret is written to the .public {self.program.describe(written)}")
            if self.code != CURVE_LOAD:
                self.check_range(state, instr, place)
        good_end = name == "done" and fields["status"] == ISA.status["OK"]
        if self.code == CURVE_LOAD and (good_end or (name == "loaded" and fields["arg"])):
            for place in self.ranges:
                self.check_range(state, instr, place)
        return state

    def check_range(self, state: State, instr: Instr, place: int) -> None:
        cls = self.ranges.get(place, "any")
        bit = 1 << place
        holds = (
            state.long & bit if cls == "long" else cls not in CLASS or state.canonical[CLASS.index(cls)] & bit
        )
        if self.isa.two_units and cls == "int":
            holds = state.known & bit
        if not holds:
            what = f"{self.program.describe(place)} must keep its .range {cls} here"
            self.report(instr.loc, f"{what}: compute it that way, or compare and `.assume`")

    def check_flags(self, state: State, instr: Instr) -> None:
        """Report what the instruction must not do with secrets and with undefined flags."""
        name, read = instr.form.mnemonic, self.isa.flags_read(instr.form, instr.fields)
        if "C" in read and not state.carry:
            self.report(instr.loc, "C is not defined here: only iadd, isub, cadd and their long forms set it")
        # setb only compares X: it selects no register or digit with it.
        must = read if name in ("br", "fail") else read & {"X"} if name != "setb" else frozenset()
        if name == "br" and read and self.program.unit == "turbo" and instr.unit not in self.program.uniform:
            self.report(
                instr.loc, "threads differ in B, C, Z and X: use fail or csel, or mark the routine .uniform"
            )
        for flag in sorted(must):
            if state.any_secret([FLAG[flag]]):
                what = {"br": "branch on", "fail": "status from"}.get(name, "register addressed by")
                self.report(
                    instr.loc, f"{what} {flag}, which is secret or not set: use csel, or .declassify {flag}"
                )
        if name in ("ldx", "ldd") and state.any_secret([SLOT + instr.fields["slot"]]):
            slot = self.program.describe(SLOT + instr.fields["slot"])
            self.report(instr.loc, f"X would be read from the secret {slot}: X addresses registers")
        if name == "done":
            for place in BUS_SLOTS:
                if state.any_secret([place]):
                    what = self.program.describe(place)
                    self.report(
                        instr.loc, f"{what} still holds a secret when the job ends: wipe or .declassify it"
                    )

    def effect(self, state: State, instr: Instr, modulus: int | None) -> State:
        form, fields = instr.form, instr.fields
        if self.isa.two_units and (form.is_field or form.mnemonic in ("ld", "st")):
            self.check_unit(state, instr, modulus)
        if state.aside and form.mnemonic != "mod" and self.isa.waits(form, fields):
            text = "would not wait for what begin_steps or begin_recip began: `mod n` first"
            self.report(instr.loc, f"{form.mnemonic} {text}")
        if form.is_field or form.mnemonic == "mod":
            state = replace(state, aside=form.mnemonic in ("begin_steps", "begin_recip"))
        if form.is_field:
            return self.field_effect(state, instr, modulus)
        slot = SLOT + fields["slot"] if "slot" in fields else 0
        match form.mnemonic:
            case "ld":
                secret, rd = state.any_secret([slot]), self.place(fields["rd"], modulus)
                if rd >= FIELD_FILE:
                    state = self.unset(state).with_secret(FLAG["C"], secret)
                    state = replace(state, carry=True)
                return state.with_class(rd, False, False, True).with_secret(rd, secret)
            case "mod" if self.isa.two_units:
                return self.unset(state)
            case "st":
                return state.with_secret(slot, state.any_secret([self.place(fields["ra"], modulus)]))
            case "rnd" | "wipe" | "put1":
                return state.with_secret(slot, form.mnemonic == "rnd")
            case "ldb" | "ldbn":
                return state.with_secret(FLAG["B"], state.any_secret([slot]))
            case "ldbx":
                state = state.with_secret(FLAG["B"], state.any_secret([slot, FLAG["P"]]))
                return state.with_secret(FLAG["P"], state.any_secret([slot]))
            case "ldd":
                # A read from a secret slot is refused, so everything that the instruction sets is public.
                for flag in ("B", "P", "X"):
                    state = state.with_secret(FLAG[flag], state.any_secret([slot]))
                return state
            case "ldw":
                for flag in ("P", "X"):
                    state = state.with_secret(FLAG[flag], state.any_secret([slot]))
                return state
            case "scan":
                for flag in ("P", "E"):
                    state = state.with_secret(FLAG[flag], state.any_secret([slot]))
                return state
            case "ldx" | "setx":
                return state.with_secret(FLAG["X"], form.mnemonic == "ldx" and state.any_secret([slot]))
            case "setb":
                source = self.isa.setb_source(fields["src"])
                assert source is not None
                return state.with_secret(FLAG[source.dest], state.any_secret(FLAG[f] for f in source.flags))
        return state

    def field_effect(self, state: State, instr: Instr, modulus: int | None) -> State:
        form = instr.form
        sources = self.places(instr.sources(), modulus)
        zero = self.is_zero(instr, modulus)
        secret = not zero and state.any_secret((*sources, *(FLAG[f] for f in form.uses)))
        self.check_operands(state, instr, modulus)
        shared = tuple(zero or all(c >> r & 1 for r in sources) for c in state.canonical)
        if form.range in ("mod", "mul") and not zero:
            shared = (modulus == 0, modulus == 1)
        elif form.range in ("canon", "entry"):
            shared = (True, False)
        elif form.range in ("int", "redundant") and not zero:
            shared = (False, False)
        long = form.long and (form.range == "int" or all(state.long >> r & 1 for r in sources))
        for rd in self.places(instr.dests, modulus):
            state = state.with_class(rd, shared[0], shared[1], long).with_secret(rd, secret)
        if not form.sets:  # a product of the turbo unit does not change the flags
            return state
        # In the turbo unit C keeps its value until it is set again.
        keeps = self.program.unit == "turbo" and "C" not in form.sets
        for flag in ("Z",) if keeps else ("Z", "C"):
            state = state.with_secret(FLAG[flag], secret)
        return replace(state, carry=state.carry if keeps else "C" in form.sets)

    def is_zero(self, instr: Instr, modulus: int | None) -> bool:
        """Whether the result is zero for every operand, and so public and canonical: x - x, and x + x in
        GF(2^m).
        """
        names = ("add",) if self.isa.two_units and modulus == 0 else ("sub", "isub")
        return instr.form.mnemonic in names and instr.fields["ra"] == instr.fields["rb"]

    def unset(self, state: State) -> State:
        """The state in which Z and C are undefined."""
        for flag in ("Z", "C"):
            state = state.with_secret(FLAG[flag], True)
        return replace(state, carry=False)

    def check_unit(self, state: State, instr: Instr, modulus: int | None) -> None:
        """With two units: check that the selected one has the instruction, and that the registers it reads
        hold values.
        """
        if modulus is None:
            self.report(instr.loc, "no modulus is selected on this path: `mod p` or `mod n` first")
            return
        name, this = instr.form.mnemonic, "pn"[modulus]
        if self.isa.only.get(name, modulus) != modulus:
            self.report(instr.loc, f"{name} is no instruction of the unit of mod {this}, which is selected")
        empty = () if self.is_zero(instr, modulus) else sorted(instr.sources())
        for register in (r for r in empty if not state.known >> self.place(r, modulus) & 1):
            text = f"{self.name(register, instr)} holds nothing in the unit of mod {this}"
            self.report(instr.loc, f"{text}: write it there, or select the other modulus")

    def check_operands(self, state: State, instr: Instr, modulus: int | None) -> None:
        """Check the ranges that the operation needs."""
        form, fields = instr.form, instr.fields
        if form.long:
            for register in sorted(r for r in instr.sources() if not state.long >> r & 1):
                name = self.name(register, instr)
                self.report(
                    instr.loc,
                    f"{form.mnemonic} reads the long length of {name}, of which only s digits were "
                    "written: ld or movl it, or .assume it long",
                )
        if form.range not in ("mod", "mul") or self.is_zero(instr, modulus):
            return
        if modulus is None:
            self.report(instr.loc, "no modulus is selected on this path: `mod p` or `mod n` first")
            return
        groups = [[fields[name]] for name in form.reads] + [[r] for r in form.also_reads]
        if form.indexed:
            groups[-1] = sorted(ISA.indexed_registers(fields["rb"], instr.size))
        field = self.isa.two_units and modulus == 0
        canonical, other = (c >> (FIELD_FILE if field else 0) for c in state.canonical[:: 1 - 2 * modulus])
        bad = [g for g in groups if not all(canonical >> r & 1 for r in g)]
        mixed = any(other >> r & 1 and not canonical >> r & 1 for g in bad for r in g)
        if mixed or len(bad) > (1 if form.range == "mul" and not field else 0):
            for group in bad:
                register = next(r for r in group if not canonical >> r & 1)
                is_now = CLASS[1 - modulus] if other >> register & 1 else "a plain integer"
                what = f"{self.name(register, instr)} is {is_now}, {form.mnemonic} needs {CLASS[modulus]}"
                self.report(instr.loc, f"{what}: reduce it, or compare and `.assume`")

    def name(self, register: int, instr: Instr) -> str:
        """The source name of a register in the routine of an instruction."""
        temps = [n for n, r in self.program.allocation.get(instr.unit, {}).items() if r == register]
        # A result may be in the same register as an operand.
        sources = instr.loc.text.partition(",")[2]
        used = [n for n in temps if n.split("+")[0] in re.findall(r"\w+", sources)]
        return (used or [self.program.describe(register)])[0]
