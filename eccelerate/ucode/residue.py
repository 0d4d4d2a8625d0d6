"""Check of an assembled program: no secret stays behind when a job ends.

The check follows secrets from where they enter to every `done`, over all paths: fail paths, and the traps
that `chk` and `rnd` take. A register or slot that may then hold a secret, or a value that was computed from
one, is refused, whatever the status is. `.kept KEY ; reason` excepts a slot that keeps its secret.

Secrets enter as operands (isa.toml lists those of each job; a job that is not listed has public operands),
from a kept slot, as entropy, and where the source says `.secret`. A result carries what its operands and
flags carry. `.declassify` ends it, with a reason. A register has two parts: its s digits, and the digits
above them, which only long operations write. So a short operation does not wipe what a long one has left.

At job entry all other registers and slots are clean, because every job leaves them so. Where an event of the
port can start a routine in the middle of a job (the handler of zeroise), everything that is not
`.public` holds a secret at first. The port starts the trap of `chk` for a malformed packet, with secrets in
the slots of operands.
"""

from __future__ import annotations

from collections.abc import Iterable

from eccelerate import isa
from eccelerate.ucode.findings import FLAG, SLOT, Finding
from eccelerate.ucode.program import FIELD_FILE, LENGTH_ENTRIES, Instr, Program
from eccelerate.ucode.source import Annotation

ISA = isa.load()
HIGH = 256
"""The place of a register plus this number is the part above its s digits."""
OPERANDS = range(SLOT, SLOT + ISA.machine["bus_slots"])
ENTRY_SLOTS = (SLOT + 6, SLOT + 7)
"""Where `scan` leaves the table's entry that a digit selects (turbo)."""
SCALAR = 47
"""The register of the bits of `steps`, which the unit overwrites after the last step."""

# The places that hold a secret, each with the address of the instruction that put it there (-1: job entry).
State = dict[int, int]
# A program point: return addresses, address, and selected modulus (None before one is selected in this job).
Point = tuple[tuple[int, ...], int, int | None]


def check_residue(program: Program) -> list[Finding]:
    """All registers and slots that keep a secret at the end of a job, in the order of source lines."""
    found: dict[tuple[str, int, int], Finding] = {}
    for code in sorted(program.entries):
        for (file, line, place), finding in _Walk(program, code).run().items():
            found.setdefault((file, line, place), finding)
    return [found[key] for key in sorted(found)]


class _Walk:
    """The flow of secrets from one entry of the jump table."""

    def __init__(self, program: Program, code: int) -> None:
        self.program, self.code = program, code
        self.isa = isa.load(program.unit)
        self.entry = next((name for name, c in (*ISA.job.items(), *ISA.trap.items()) if c == code), str(code))
        self.units = (0, FIELD_FILE) if self.isa.two_units else (0,)
        self.states: dict[Point, State] = {}
        self.found: dict[tuple[str, int, int], Finding] = {}

    def run(self) -> dict[tuple[str, int, int], Finding]:
        """The findings, by file and line of the `done`, and place."""
        todo: list[tuple[Point, State]] = [(((), self.program.entries[self.code], None), self.initial())]
        while todo:
            point, state = todo.pop()
            instr = self.program.instrs.get(point[1])
            if instr is None:  # an address without code ends the job
                continue
            state = self.noted(state, instr.pre, point[2], instr.unit)
            old = self.states.get(point)
            new = dict(state) if old is None else old | {p: a for p, a in state.items() if p not in old}
            if old is None or len(new) != len(old):
                self.states[point] = new
                todo += self.step(point, dict(new), instr)
        return self.found

    def initial(self) -> State:
        program = self.program
        held = set(program.kept)
        if self.code in LENGTH_ENTRIES:
            held |= set(OPERANDS)
        elif self.code in ISA.trap.values():
            pass  # only rnd goes there, with what the job has by then
        elif self.code == ISA.job["ZEROISE_INPUT"]:
            held |= self.everything()
        else:
            held |= {SLOT + e for e in ISA.secret_operands.get(self.entry, ())}
        return dict.fromkeys(held, -1)

    def everything(self) -> set[int]:
        public = {place for place, secret in self.program.initial_secret.items() if not secret}
        numbers = set(range(self.program.max_register + 1)) - public
        registers = {unit + r for unit in self.units for r in numbers}
        slots = {SLOT + s for s in range(ISA.machine["slots"])} - public
        long = {HIGH + r for r in registers if r < FIELD_FILE} if "movl" in self.isa.forms else set()
        return registers | long | slots

    def place(self, register: int, modulus: int | None) -> int:
        """The place of a register in the unit that the modulus selects."""
        return register + FIELD_FILE if self.isa.two_units and modulus == 0 else register

    def noted(self, state: State, notes: Iterable[Annotation], modulus: int | None, unit: str) -> State:
        """The state after directives."""
        for note in (n for n in notes if n.what != "assume"):
            for place in (p for name in note.names for p in self.program.locate(name, unit)):
                where = self.place(place, modulus) if place < SLOT else place
                if note.what == "secret":
                    state = state | {where: state.get(where, -1)}
                else:
                    state = {p: a for p, a in state.items() if p not in (where, HIGH + where)}
        return state

    def step(self, point: Point, state: State, instr: Instr) -> list[tuple[Point, State]]:
        """The effect of one instruction: its successors with their states."""
        stack, address, modulus = point
        name, fields = instr.form.mnemonic, instr.fields
        if name == "done":
            self.end(state, instr)
            return []
        following: list[tuple[Point, State]] = []
        if name == "chk":
            following += self.trap("LENGTH", modulus, state)
            state = {p: a for p, a in state.items() if p not in OPERANDS[fields["n"] :]}
        self.effect(state, instr, modulus)
        if name == "rnd":
            for trap in (t for t in ISA.trap if t != "LENGTH"):
                following += self.trap(trap, modulus, state)
        if name == "mod":
            modulus = fields["modulus"]
        if name == "call":
            if len(stack) == ISA.machine["stack"]:
                return []
            return [(((*stack, address + 1), fields["target"], modulus), state)]
        if name == "ret":
            if not stack:
                return []
            caller = self.program.instrs[stack[-1] - 1]
            state = self.noted(state, caller.post, modulus, caller.unit)
            return [((stack[:-1], stack[-1], modulus), state)]
        if "target" in fields:
            following.append(((stack, fields["target"], modulus), dict(state)))
        if instr.form.falls_through:
            state = self.noted(state, instr.post, modulus, instr.unit)
            following.append(((stack, address + 1, modulus), state))
        return following

    def trap(self, name: str, modulus: int | None, state: State) -> list[tuple[Point, State]]:
        """The trap as a successor. A program without it ends there; the same as an empty trap."""
        code = ISA.trap[name]
        if code in self.program.entries:
            return [(((), self.program.entries[code], modulus), dict(state))]
        return []

    def effect(self, state: State, instr: Instr, modulus: int | None) -> None:
        """Changes the state to the one after the instruction."""
        form, fields = instr.form, instr.fields
        if form.is_field:
            self.field_effect(state, instr, modulus)
            return
        slot = SLOT + fields["slot"] if "slot" in fields else 0
        carried = slot in state
        flags: dict[str, bool] = {}
        match form.mnemonic:
            case "ld":
                rd = self.place(fields["rd"], modulus)
                self.put(state, (rd,), carried, instr)
                state.pop(HIGH + rd, None)  # the digits above are 0
                if rd >= FIELD_FILE:
                    flags["C"] = carried
            case "st":
                ra = self.place(fields["ra"], modulus)
                self.put(state, (slot,), ra in state or HIGH + ra in state, instr)
            case "rnd" | "wipe" | "put1":
                self.put(state, (slot,), form.mnemonic == "rnd", instr)
            case "ldb" | "ldbn" | "ldd":
                flags["B"] = carried
            case "ldbx":
                flags["B"] = carried or FLAG["P"] in state
                flags["P"] = carried
            case "ldw":
                flags["P"] = flags["X"] = carried
            case "ldx" | "setx":
                flags["X"] = carried
            case "scan":
                flags["P"] = flags["E"] = carried
                self.put(state, ENTRY_SLOTS, carried, instr)
            case "setb":
                source = self.isa.setb_source(fields["src"])
                assert source is not None
                flags[source.dest] = any(FLAG[f] in state for f in source.flags)
        for flag, secret in flags.items():
            self.put(state, (FLAG[flag],), secret, instr)

    def field_effect(self, state: State, instr: Instr, modulus: int | None) -> None:
        form, fields = instr.form, instr.fields
        sources = [self.place(r, modulus) for r in instr.sources()]
        dests = [self.place(r, modulus) for r in instr.dests]
        low = any(s in state for s in sources) or any(FLAG[f] in state for f in form.uses)
        high = any(HIGH + s in state for s in sources)
        field = self.isa.two_units and modulus == 0
        twice = form.mnemonic in (("add",) if field else ("sub", "isub", "iaddl"))
        if twice and form.mnemonic != "iaddl" and fields["ra"] == fields["rb"]:
            low = high = False  # x - x, or x + x in GF(2^m)
        if form.mnemonic in ("steps", "begin_steps"):
            state.pop(self.place(SCALAR, modulus), None)
        if form.long and form.mnemonic != "movl":
            low = high = low or high  # carries go up
        self.put(state, dests, low, instr)
        if form.long:
            self.put(state, [HIGH + d for d in dests], high, instr)
        for flag in form.sets:
            self.put(state, (FLAG[flag],), low or (form.long and high), instr)

    def put(self, state: State, places: Iterable[int], secret: bool, instr: Instr) -> None:
        """Writes the places, with a secret or without one."""
        for place in places:
            if secret:
                state[place] = instr.address
            else:
                state.pop(place, None)

    def end(self, state: State, instr: Instr) -> None:
        """Reports what holds a secret at a `done`."""
        status = next(name for name, code in ISA.status.items() if code == instr.fields["status"])
        for place, writer in sorted(state.items()):
            register = place % HIGH
            if SLOT + ISA.machine["slots"] <= register < FIELD_FILE or place in self.program.kept:
                continue
            what = self.name(register, writer)
            if place >= HIGH:
                what = f"the long length of {what}"
            since = "since the job began"
            if writer >= 0:
                by = self.program.instrs[writer]
                code = by.loc.text.split(";")[0].strip()
                since = f"since {by.loc.file}:{by.loc.line} of {by.unit} (`{code}`)"
            mend = "wipe it" if SLOT <= register < FIELD_FILE - 16 else "overwrite it with a public value"
            if place >= HIGH:
                mend += " by movl"
            text = f"{what} holds a secret {since} when the job ends with {status}: {mend} on this path"
            text += ", or .declassify it with the reason"
            finding = Finding(instr.loc, f"routine {instr.unit}: {text}", self.entry)
            self.found.setdefault((instr.loc.file, instr.loc.line, place), finding)

    def name(self, place: int, writer: int) -> str:
        """The name of a register or slot; of a temporary, that in the routine that wrote it."""
        number = place - FIELD_FILE if place >= FIELD_FILE else place
        unit = self.program.instrs[writer].unit if writer >= 0 else ""
        temps = [n for n, r in self.program.allocation.get(unit, {}).items() if r == number]
        base = self.program.describe(place)
        if place < SLOT or place >= FIELD_FILE:
            base += f" ({temps[0]})" if temps else ""
            base += " of GF(2^m)" if place >= FIELD_FILE else ""
        return base
