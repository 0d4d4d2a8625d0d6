"""Formulas of the study core as text, and their operations as values that are assigned once.

A line is `name = expression`. Expressions, in the order of their cost:

    a            a copy                     a + b      sum
    a^2          square                     (a + b)^2  square of a sum
    a^(2^n)      n squares, n >= 2          a * b      product          a / b   quotient

Operands are names, and the constants 1 and c. A name that was not assigned before in the block has the value
that a block before it has left in its register. `input x` and `input y` are the operands of the core.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

CONSTANTS = ("1", "c")
INPUTS = ("input x", "input y")
_NAME = r"[a-z]\w*|1"
_FORMS = {
    "input": re.compile(r"(?P<a>input [xy])"),
    "copy": re.compile(rf"(?P<a>{_NAME})"),
    "square": re.compile(rf"(?P<a>{_NAME})\^2"),
    "squares": re.compile(rf"(?P<a>{_NAME})\^\(2\^(?P<n>\d+)\)"),
    "add": re.compile(rf"(?P<a>{_NAME}) \+ (?P<b>{_NAME})"),
    "add_square": re.compile(rf"\((?P<a>{_NAME}) \+ (?P<b>{_NAME})\)\^2"),
    "mul": re.compile(rf"(?P<a>{_NAME}) \* (?P<b>{_NAME})"),
    "div": re.compile(rf"(?P<a>{_NAME}) / (?P<b>{_NAME})"),
}
_LINE = re.compile(r"(?P<name>[a-z]\w*) = (?P<expression>.+)")


class FormulaError(ValueError):
    """A formula that cannot be read or scheduled; the text says which."""


@dataclass(frozen=True)
class Op:
    """One operation. It makes the value `number`; `args` are numbers of values, or constants and inputs as
    text. `count`: how often it squares. `name`: what the line calls it.
    """

    number: int
    kind: str
    args: tuple[int | str, ...]
    name: str
    count: int = 1

    @property
    def slots(self) -> int:
        """Cycles in which it is issued."""
        return self.count if self.kind == "squares" else 1


@dataclass(frozen=True)
class Block:
    """Straight code: `entry` has the value of each name that it reads before it assigns it, `final` the
    value of each name that it assigns, at its end. Values from `len(entry)` on are made by `ops`, in order.
    """

    name: str
    entry: dict[str, int]
    ops: tuple[Op, ...]
    final: dict[str, int]

    def op_of(self, value: int) -> Op | None:
        """The operation that makes a value; None for a value of `entry`."""
        return next((op for op in self.ops if op.number == value), None)


def parse(name: str, text: str) -> Block:
    """The block of some lines. Raises FormulaError with the line."""
    rows = [row.partition("#")[0].strip() for row in text.splitlines()]
    read = [_read(name, row) for row in rows if row]
    assigned: set[str] = set()
    entry: dict[str, int] = {}
    for target, _, args, _ in read:
        for arg in args:
            if arg not in assigned and arg not in (*CONSTANTS, *INPUTS):
                entry.setdefault(arg, len(entry))
        assigned.add(target)
    values: dict[str, int] = dict(entry)
    ops: list[Op] = []
    for target, kind, args, count in read:
        numbers = tuple(values.get(arg, arg) for arg in args)
        op = Op(len(entry) + len(ops), kind, numbers, target, count)
        ops.append(op)
        values[target] = op.number
    return Block(name, entry, tuple(ops), {key: values[key] for key in values if key in assigned})


def _read(block: str, row: str) -> tuple[str, str, tuple[str, ...], int]:
    """Target, kind, operands and count of a line."""
    line = _LINE.fullmatch(row)
    if line is None:
        raise FormulaError(f"{block}: a line is `name = expression`, not {row!r}")
    for kind, form in _FORMS.items():
        if found := form.fullmatch(line["expression"]):
            parts = found.groupdict()
            args = tuple(parts[key] for key in "ab" if key in parts)
            if len(args) == 2 and all(arg in CONSTANTS for arg in args):
                raise FormulaError(f"{block}: both operands are constants: {row}")
            count = int(parts.get("n", 1))
            if kind == "squares" and count < 2:
                raise FormulaError(f"{block}: n is at least 2 in a^(2^n): {row}")
            return line["name"], kind, args, count
    raise FormulaError(f"{block}: no operation of the core: {row}")


def needed(block: Block, live: Iterable[str]) -> Block:
    """The block without operations whose values nothing needs, if the names of `live` are read after it."""
    live = set(live)
    wanted = {value for name, value in block.final.items() if name in live}
    kept: list[Op] = []
    for op in reversed(block.ops):
        if op.number in wanted:
            kept.append(op)
            wanted |= {arg for arg in op.args if isinstance(arg, int)}
    final = {name: value for name, value in block.final.items() if name in live}
    entry = {name: value for name, value in block.entry.items() if value in wanted}
    return Block(block.name, entry, tuple(reversed(kept)), final)
