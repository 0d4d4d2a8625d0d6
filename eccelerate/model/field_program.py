"""Programs of eccel_field_machine (rtl/compare): their instructions, and blocks of formulas that are put in
order for several multipliers.

A block is written as formulas of named values (`Block`). `Block.instructions` chooses an order in which no
multiplier waits long, and the registers. A program is a list of labels, jumps and instructions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

OPS = ("Add", "Sub", "Move", "Negate", "Input", "Multiply", "Product", "Divide", "Quotient", "Jump", "Flag",
       "Output", "Test", "Done")  # fmt: skip
CONDITIONS = ("Always", "Zero", "Nonzero", "Flag", "NoDigit", "NotNegative", "More", "External")
TWO_CYCLES = frozenset(("Add", "Sub", "Move", "Negate", "Multiply", "Divide", "Output", "Test"))
"""Instructions that read the register b, in a cycle of its own."""
ADDRESS_BITS = 10


class ProgramError(ValueError):
    """A program that the machine cannot have; the text says what to change."""


@dataclass(frozen=True)
class Instruction:
    """One instruction, in the terms of eccel_field_pkg. target: the label of a jump."""

    op: str
    unit: int = 0
    d: int = 0
    b: int = 0
    target: str = ""


@dataclass(frozen=True)
class Label:
    """A place that jumps go to."""

    name: str


def jump(condition: str, target: str) -> Instruction:
    """A jump to a label on a condition."""
    return Instruction("Jump", unit=CONDITIONS.index(condition), target=target)


def resolve(lines: Iterable[Instruction | Label]) -> list[Instruction]:
    """The instructions with addresses in place of labels. Raises ProgramError for a label that is missing."""
    lines, at = list(lines), {}
    found: list[Instruction] = []
    for line in lines:
        if isinstance(line, Label):
            at[line.name] = len(found)
        else:
            found.append(line)
    if len(found) > 1 << ADDRESS_BITS:
        raise ProgramError(f"{len(found)} instructions: there are addresses for {1 << ADDRESS_BITS}")
    for place, line in enumerate(found):
        if line.op == "Jump":
            if line.target not in at:
                raise ProgramError(f"no label {line.target}; there are: {', '.join(at)}")
            found[place] = Instruction(
                "Jump", line.unit, at[line.target] >> 6, at[line.target] & 63, line.target
            )
    return found


@dataclass(eq=False)
class Value:
    """A value of a block: the result of `op` on `parts`.

    name: of the register that has it before the block. users: how often it is needed. height: cycles from
    here to the end of the longest chain.
    """

    op: str
    parts: tuple[Value, ...] = ()
    name: str = ""
    users: int = 0
    height: int = 0

    def __add__(self, other: Value) -> Value:
        return _use("Add", self, other)

    def __sub__(self, other: Value) -> Value:
        return _use("Sub", self, other)

    def __mul__(self, other: Value) -> Value:
        return _use("Multiply", self, other)

    def __truediv__(self, other: Value) -> Value:
        return _use("Divide", self, other)

    def __neg__(self) -> Value:
        return _use("Negate", self)


def _use(op: str, *parts: Value) -> Value:
    for part in parts:
        part.users += 1
    return Value(op, parts)


@dataclass
class Block:
    """Formulas between two places of a program.

    registers: numbers of the named registers, which keep their values if nothing is written to them.
    size: how many registers the machine has. multipliers, product_cycles: of the machine.
    """

    registers: Mapping[str, int]
    size: int
    multipliers: int = 1
    product_cycles: int = 258
    quotient_cycles: int = 370
    inputs: dict[str, Value] = field(default_factory=dict)
    outputs: dict[str, Value] = field(default_factory=dict)

    def read(self, *names: str) -> tuple[Value, ...]:
        """The values that the registers have before the block."""
        return tuple(self.inputs.setdefault(name, Value("Read", name=name)) for name in names)

    def write(self, **values: Value) -> None:
        """The values that the registers shall have after the block."""
        for name, value in values.items():
            self.outputs[name] = value
            value.users += 1

    def instructions(self) -> list[Instruction]:
        """The block in an order that keeps the multipliers busy. Raises ProgramError without a register
        left.
        """
        return _Order(self).run()


class _Order:
    """List scheduling: of what can be done in a cycle, first what the longest chain waits for."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.todo: list[Value] = []
        self._collect(list(block.outputs.values()), set())
        self._heights()
        self.left = {id(value): value.users for value in [*self.todo, *block.inputs.values()]}
        self.place = {id(value): block.registers[name] for name, value in block.inputs.items()}
        kept = set(block.registers.values())
        self.free = [number for number in range(block.size) if number not in kept]
        self.wanted: dict[int, int] = {}  # the register that a value shall end in
        for name, value in block.outputs.items():
            self.wanted.setdefault(id(value), block.registers[name])
        self.owner: dict[int, Value | None] = dict.fromkeys(range(block.size)) | {
            block.registers[name]: value for name, value in block.inputs.items()
        }
        self.done: list[Instruction] = []
        self.now = 0
        self.running: dict[int, tuple[Value, int]] = {}  # by unit: value, cycle in which it is ready
        for name in block.outputs:  # an old value that nothing reads is dead at once
            if name not in block.inputs:
                self.owner[block.registers[name]] = None

    def _collect(self, values: list[Value], seen: set[int]) -> None:
        for value in values:
            if id(value) not in seen and value.op != "Read":
                seen.add(id(value))
                self._collect(list(value.parts), seen)
                self.todo.append(value)

    def _heights(self) -> None:
        cost = {"Multiply": self.block.product_cycles, "Divide": self.block.quotient_cycles}
        for value in reversed(self.todo):
            value.height += cost.get(value.op, 1)
            for part in value.parts:
                part.height = max(part.height, value.height)

    # ------------------------------------------------------------------ registers

    def _take(self, value: Value) -> int:
        """A register for a new value: the one that it shall end in if that is free."""
        best = self.wanted.get(id(value))
        if best is None or self.owner[best] is not None:
            if not self.free:
                raise ProgramError(f"{self.block.size} registers are too few for this block")
            best = self.free.pop(0)
        self.owner[best] = value
        self.place[id(value)] = best
        return best

    def _drop(self, value: Value) -> None:
        """One use of a value is over; its register may become free."""
        self.left[id(value)] -= 1
        number = self.place[id(value)]
        kept = value.name and value.name not in self.block.outputs  # a register that the block does not write
        if self.left[id(value)] == 0 and not kept:
            self.owner[number] = None
            if number not in self.block.registers.values():
                self.free.append(number)

    def _last_use(self, value: Value) -> bool:
        kept = value.name and value.name not in self.block.outputs
        return self.left[id(value)] == 1 and not kept

    # ------------------------------------------------------------------ instructions

    def _emit(self, op: str, unit: int = 0, d: int = 0, b: int = 0) -> None:
        self.done.append(Instruction(op, unit, d, b))
        self.now += 1 + (op in TWO_CYCLES)

    def _sum(self, value: Value) -> None:
        """R[d] = R[d] +- R[b]: in the register of an operand that is not needed any more, or in a copy."""
        left, right = value.parts
        if value.op == "Add" and not self._last_use(left) and self._last_use(right):
            left, right = right, left
        if self._last_use(left) and left is not right:
            number = self.place[id(left)]
            self._emit(value.op, d=number, b=self.place[id(right)])
            self._drop(right)
            self.left[id(left)] -= 1
            self.owner[number] = value
            self.place[id(value)] = number
        else:
            source, other = self.place[id(left)], self.place[id(right)]
            number = self._take(value)
            self._emit("Move", d=number, b=source)
            self._emit(value.op, d=number, b=other)
            self._drop(left)
            self._drop(right)

    def _start(self, value: Value, unit: int) -> None:
        left, right = (self.place[id(part)] for part in value.parts)
        divide = value.op == "Divide"
        self._emit(value.op, unit=0 if divide else unit, d=left, b=right)
        cycles = self.block.quotient_cycles if divide else self.block.product_cycles
        self.running[unit] = (value, self.now + cycles)
        for part in value.parts:
            self._drop(part)

    def _finish(self, unit: int) -> None:
        value, ready = self.running.pop(unit)
        self.now = max(self.now, ready)
        if unit < 0:
            self._emit("Quotient", d=self._take(value))
        else:
            self._emit("Product", unit=unit, d=self._take(value))

    def run(self) -> list[Instruction]:
        waiting = list(self.todo)
        while waiting or self.running:
            ready = sorted(
                (v for v in waiting if all(id(part) in self.place for part in v.parts)),
                key=lambda v: -v.height,
            )
            over = [unit for unit, (_, when) in self.running.items() if when <= self.now]
            free = [unit for unit in range(self.block.multipliers) if unit not in self.running]
            chosen = next((v for v in ready if v.op == "Multiply" and free), None)
            chosen = chosen or next((v for v in ready if v.op == "Divide" and -1 not in self.running), None)
            if chosen is None and over:
                self._finish(min(over, key=lambda unit: -self.running[unit][0].height))
                continue
            if chosen is None:
                chosen = next((v for v in ready if v.op not in ("Multiply", "Divide")), None)
            if chosen is None:
                self._finish(min(self.running, key=lambda unit: self.running[unit][1]))
                continue
            waiting.remove(chosen)
            if chosen.op in ("Multiply", "Divide"):
                self._start(chosen, free[0] if chosen.op == "Multiply" else -1)
            elif chosen.op == "Negate":
                source = self.place[id(chosen.parts[0])]
                self._emit("Negate", d=self._take(chosen), b=source)
                self._drop(chosen.parts[0])
            else:
                self._sum(chosen)
        self._settle()
        return self.done

    def _settle(self) -> None:
        """Moves of results to the registers in which they shall be, without overwriting one that still
        moves.
        """
        moves = {
            self.block.registers[name]: self.place[id(value)]
            for name, value in self.block.outputs.items()
            if self.block.registers[name] != self.place[id(value)]
        }
        while moves:
            target = next((t for t in moves if t not in moves.values()), None)
            if target is None:
                target = next(iter(moves))
                spare = self.free[0]
                self._emit("Move", d=spare, b=target)
                moves = {t: spare if s == target else s for t, s in moves.items()}
            self._emit("Move", d=target, b=moves.pop(target))
