"""Straight-line blocks of a routine, and the constraints on the order of their instructions.

A block is a run of instructions without a label, a branch, a call, or anything that waits for an idle field
unit or carries a checker directive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from eccelerate import isa
from eccelerate.ucode.alloc import Node, Unit, Var

# Sequencer cycles of an instruction; more for a jump, and for one that reads bits of a slot (ldb .. ldw).
INSTRUCTION, JUMP, BIT = 3, 2, 4
PAIR = 2  # number of registers that such an instruction writes
_ISA = isa.load("turbo")
_TIMED_AS = {
    "mulx": "mul",
    "movx": "add",
    "take": "mov",
}  # operations that the timing model does not know, and one with the same timing

# What an instruction reads or writes: a register, or a flag, slot or counter.
Place = Var | int | tuple[str, str]


@dataclass(frozen=True)
class Step:
    """An instruction of a block, with the places that it reads and writes. `results` are the registers that
    it writes.
    """

    node: Node
    reads: frozenset[Place]
    writes: frozenset[Place]
    results: tuple[Var | int, ...]

    @property
    def name(self) -> str:
        """The mnemonic by which the timing model knows the instruction."""
        return _TIMED_AS.get(self.node.form.mnemonic, self.node.form.mnemonic)

    @property
    def cycles(self) -> int:
        """Cycles of the sequencer for the instruction."""
        return INSTRUCTION + (BIT if self.node.form.instruction in ("ldb", "ldx") else 0)


@dataclass
class Block:
    """The steps between two boundaries.

    gap: sequencer cycles from the last step to the first step of the next iteration; None unless a loop
        repeats exactly this block.
    before: for each step, the steps that must come earlier.
    operands: for each step, the steps whose results it reads.
    carries: the steps that set C.
    reader: for a step that sets C, the step that reads it. No other step that sets C may come between the
        two.
    """

    steps: list[Step]
    gap: int | None
    before: list[set[int]] = field(default_factory=list)
    operands: list[set[int]] = field(default_factory=list)
    carries: set[int] = field(default_factory=set)
    reader: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        writer: dict[Place, int] = {}
        readers: dict[Place, list[int]] = {}
        zero: list[int] = []  # steps that set Z
        carry: list[int] = []  # steps that set C
        outside: set[int] = set()  # steps that read the C from before the block
        for i, step in enumerate(self.steps):
            early = {writer[p] for p in step.reads | step.writes if p in writer}
            early |= {r for p in step.writes for r in readers.get(p, ())}
            self.before.append(early - {i})
            self.operands.append({writer[p] for p in step.reads if p in writer})
            for place in step.reads:
                readers.setdefault(place, []).append(i)
            for place in step.writes:
                writer[place], readers[place] = i, []
            if "Z" in step.node.form.sets:
                zero.append(i)
            if step.node.form.uses.isdisjoint({"C"}) or ("flag", "C") in step.reads:
                pass
            elif carry:
                self.reader[carry[-1]] = i
                self.operands[i].add(carry[-1])
            else:
                outside = {i}
            if "C" in step.node.form.sets and ("flag", "C") not in step.writes:
                carry.append(i)
        self.carries = {*carry}
        # Nothing that the reader of a C waits for may have to come after the step that sets this C.
        for setter, reader in self.reader.items():
            self.before[setter] |= self.before[reader] - {setter}
            self.before[reader].add(setter)
        for setter in self.carries - outside:
            self.before[setter] |= outside
        for setters in (zero, carry):
            if setters:
                self.before[setters[-1]] |= {*setters[:-1]}
        if carry and carry[-1] in self.reader.values():
            setter = next(s for s, reader in self.reader.items() if reader == carry[-1])
            self.before[setter] |= {*carry[:-1]} - {setter}
        self.final = writer

    def allows(self, order: Sequence[int]) -> bool:
        """Whether the order has every step once, after all steps that must come earlier."""
        place = {step: at for at, step in enumerate(order)}
        if sorted(order) != list(range(len(self.steps))):
            return False
        if any(place[e] > place[i] for i, early in enumerate(self.before) for e in early):
            return False
        between = (order[place[setter] + 1 : place[reader]] for setter, reader in self.reader.items())
        return all(self.carries.isdisjoint(steps) for steps in between)

    def incoming(self) -> dict[Place, list[int]]:
        """The places from before the block, or from the iteration before, and the steps that read each of
        them.
        """
        written: set[Place] = set()
        found: dict[Place, list[int]] = {}
        for i, step in enumerate(self.steps):
            for place in step.reads - written:
                found.setdefault(place, []).append(i)
            written |= step.writes
        return found


def movable(node: Node) -> bool:
    """Whether an instruction may belong to a block; one that may not ends the block."""
    form = node.form
    if node.noted_before or node.noted_after or node.annotated:
        return False
    if form.is_field:
        return True
    return form.instruction in ("ldb", "ldx", "setb", "setc") and not _ISA.waits(form, node.fields)


def runs(unit: Unit, starts: frozenset[int]) -> Iterator[list[Node]]:
    """The nodes in order, cut into blocks and the instructions between blocks."""
    run: list[Node] = []
    for node in unit.nodes:
        if run and (node.address in starts or not movable(node) or not movable(run[-1])):
            yield run
            run = []
        run.append(node)
    yield run


def gap(unit: Unit, run: list[Node]) -> int | None:
    """Sequencer cycles of the control instructions from the end of a block back to its start; None if other
    instructions follow.
    """
    gap = 0
    for node in unit.nodes[run[-1].address + 1 - unit.nodes[0].address :]:
        if node.form.mnemonic not in ("loop", "jmp"):
            return None
        gap += INSTRUCTION + JUMP
        if node.target == run[0].address:
            return gap
    return None


def _flags(node: Node, values: bool) -> tuple[set[Place], set[Place]]:
    """The flags, slots and counters that an instruction reads and sets. Z is left out, and C too if `values`
    treats it as a value.
    """
    apart = {"C"} if values else set()
    form, fields = node.form, node.fields
    reads: set[Place] = {("flag", f) for f in _ISA.flags_read(form, fields) - apart}
    sets: set[Place] = {("flag", f) for f in form.sets - {"Z"} - apart}
    if form.instruction == "setb":
        source = _ISA.setb_source(fields["src"])
        assert source is not None
        sets.add(("flag", source.dest))
    # The mailboxes serve either a take or a read of bits. So takes stay in order, and none may pass an
    # instruction that reads bits of a slot.
    if form.mnemonic == "take":
        sets.add(("flag", "E"))
    if form.instruction in ("ldb", "ldx"):
        reads.add(("flag", "E"))
    if "slot" in form.operands:
        reads.add(("slot", str(fields["slot"])))
    if "counter" in form.operands:
        (sets if form.mnemonic == "setc" else reads).add(("counter", str(fields["counter"])))
    return reads, sets


def renamed(unit: Unit, run: list[Node], threads: int) -> list[Step]:
    """The steps of a block. A register that is written again later in the block becomes a temporary of its
    own.

    With several threads this includes pairs, and a C that is read belongs only to its reader. Otherwise sums
    that set C keep their order.
    """
    left: dict[Var | int, int] = {}  # number of later writes
    fixed: set[Var | int] = set()
    for node in run:
        for register in node.written():
            left[register] = left.get(register, 0) + 1
        fixed |= _reached(node)
        if node.form.pair and threads == 1:
            fixed |= {*node.written()}
    now: dict[Var | int, Var | int] = {}
    steps = []
    for node in run:
        reads, writes = _flags(node, threads > 1)
        regs = {name: now.get(v, v) for name, v in node.regs.items() if name in node.form.reads}
        reads |= {*regs.values(), *_reached(node)}
        results = node.written()
        for old in results:
            left[old] -= 1
        pair = node.form.pair
        if all(left[old] and old not in fixed and not _is_fixed(unit, old, pair) for old in results):
            for i, old in enumerate(results):
                name = f"r{old}.{node.address:x}" if isinstance(old, int) else f"{old[0]}.{node.address:x}"
                now[old] = (name, i if pair else -1)
        else:
            now |= zip(results, results, strict=True)
        if results:
            regs["rd"] = now[results[0]]
        results = tuple(now[r] for r in results)
        steps.append(
            Step(replace(node, regs=regs), frozenset(reads), frozenset(writes | {*results}), results)
        )
    return steps


def _reached(node: Node) -> set[Var | int]:
    """The registers that an indexed operand may select."""
    base = node.regs.get("rb")
    numbers = range(base, base + node.size) if node.form.indexed and isinstance(base, int) else ()
    return {*node.group, *numbers}


def is_new(place: Place) -> bool:
    """Whether `renamed` has created the place. Its value then ends in its block."""
    return isinstance(place, tuple) and "." in place[0]


def _is_fixed(unit: Unit, register: Var | int, pair: bool) -> bool:
    """Whether a register keeps its place: as a member of a table, or as a temporary with a fixed number."""
    if isinstance(register, int):
        return register in unit.table
    in_table = register[1] >= 0 and not (pair and unit.blocks[register[0]].size == PAIR)
    return in_table or register[0] in unit.fixed
