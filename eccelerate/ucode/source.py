"""Parser of microcode source: turns text lines into declarations and symbolic instructions.

Names of registers and slots, labels, constants and expressions are resolved later, because any file of a
program may declare them after their use. Errors name file and line.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAME = r"[A-Za-z_]\w*"
ANNOTATIONS = ("secret", "declassify", "assume")


class AsmError(Exception):
    """The program is wrong. The message names file and line, and says what to do."""


@dataclass(frozen=True)
class Loc:
    """A source line."""

    file: str
    line: int
    text: str

    def error(self, message: str) -> AsmError:
        """An exception that names this line."""
        return AsmError(f"{self.file}:{self.line}: {message}\n    {self.text.strip()}")


@dataclass(frozen=True)
class Annotation:
    """A checker directive in code. `what` is secret, declassify or assume; `names` are registers, slots or
    flags.
    """

    what: str
    names: tuple[str, ...]
    cls: str
    reason: str
    loc: Loc


@dataclass
class Item:
    """One instruction as written, with the checker directives around it.

    `pre` holds on arrival by any path; `post` holds only when control continues with the next instruction.
    """

    mnemonic: str
    args: tuple[str, ...]
    loc: Loc
    unit: str
    file: str
    outer: str
    pre: list[Annotation] = field(default_factory=list)
    post: list[Annotation] = field(default_factory=list)


@dataclass
class Block:
    """`size` consecutive registers. The number of the first one is a multiple of `align`."""

    size: int
    align: int
    base: int | None


@dataclass
class FileScope:
    """The register names of one file. Each has a fixed number, or None if the allocator chooses it."""

    regs: dict[str, int | None] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)


@dataclass
class Contract:
    """`.in`, `.out` and `.clobber` of a routine: names of global registers."""

    loc: Loc
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class Macro:
    """The lines that replace an instruction with the macro's name. Each word that is a parameter is
    replaced.
    """

    loc: Loc
    parameters: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


@dataclass
class Source:
    """Everything read from the files of a program, in order."""

    items: list[Item] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    files: dict[str, FileScope] = field(default_factory=dict)
    global_regs: dict[str, int] = field(default_factory=dict)
    global_blocks: dict[str, Block] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    consts: dict[str, int] = field(default_factory=dict)
    entries: dict[str, tuple[str, Loc]] = field(default_factory=dict)
    secret: dict[str, tuple[bool, Loc]] = field(default_factory=dict)
    ranges: dict[str, tuple[str, Loc]] = field(default_factory=dict)
    kept: dict[str, Loc] = field(default_factory=dict)
    contracts: dict[str, Contract] = field(default_factory=dict)
    uniform: set[str] = field(default_factory=set)
    macros: dict[str, Macro] = field(default_factory=dict)


def evaluate(text: str, consts: dict[str, int], loc: Loc) -> int:
    """Value of an expression of integers, constants, + - * // << and parentheses. AsmError if it is none."""

    def walk(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name) if name in consts:
                return consts[name]
            case ast.Name(id=name):
                raise loc.error(f"{name} is not a constant: declare it with .const {name} = value")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -walk(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return walk(operand)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = walk(left), walk(right)
                match op:
                    case ast.Add():
                        return a + b
                    case ast.Sub():
                        return a - b
                    case ast.Mult():
                        return a * b
                    case ast.LShift():
                        return a << b
                    case ast.FloorDiv():
                        return a // b
        raise loc.error(f"cannot evaluate {text!r}: use integers, constants, + - * // <<")

    try:
        return walk(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError:
        raise loc.error(f"{text!r} is not an expression") from None


class Parser:
    """Reads files one after the other into one `Source`."""

    def __init__(self) -> None:
        self.out = Source()
        self.file = ""
        self.unit = ""
        self.outer = ""
        self.fresh = True
        self.begun = False
        self.attach = False
        self.pending: list[Annotation] = []
        self.macro: Macro | None = None
        self.expanding = 0  # depth of nested macros

    def read(self, path: Path, name: str) -> None:
        """Parse one file. `name` is its name in messages, and names the scope of its registers."""
        if name in self.out.files:
            raise AsmError(f"{name}: the manifest lists this file twice")
        self.file, self.unit, self.outer = name, name, ""
        self.fresh, self.begun, self.attach, self.pending = True, False, False, []
        self.out.files[name] = FileScope()
        loc = Loc(name, 0, "")
        for number, text in enumerate(path.read_text().splitlines(), 1):
            loc = Loc(name, number, text)
            self._line(loc)
        if self.macro:
            raise self.macro.loc.error("this .macro has no .endmacro")
        self._end(loc)

    def _end(self, loc: Loc) -> None:
        """End a routine here. AsmError if control could continue past its end."""
        if self.pending:
            raise loc.error(
                "a .secret/.declassify/.assume must be followed by an instruction of the same routine"
            )
        if not self.fresh and self.out.items[-1].mnemonic not in ("jmp", "ret", "done"):
            raise loc.error(f"routine {self.unit} must end in jmp, ret or done")

    def _line(self, loc: Loc) -> None:
        code, _, comment = loc.text.partition(";")
        code = code.strip()
        while m := re.match(rf"(\.?{NAME}):\s*", code):
            self._label(m[1], loc)
            code = code[m.end() :]
        if not code:
            return
        word, _, rest = code.partition(" ")
        if word in (".macro", ".endmacro"):
            self._macro(word, rest.strip(), loc)
            return
        if self.macro:
            self.macro.lines.append(loc.text)
            return
        if word.startswith("."):
            self._directive(word[1:], rest.strip(), comment.strip(), loc)
            return
        self.begun, self.fresh = True, False
        args = tuple(a.strip() for a in rest.split(",")) if rest.strip() else ()
        if word in self.out.macros:
            self._expand(word, args, loc)
            return
        item = Item(word, args, loc, self.unit, self.file, self.outer, pre=self.pending)
        self.pending = []
        self.out.items.append(item)
        self.attach = True

    def _macro(self, word: str, rest: str, loc: Loc) -> None:
        if word == ".endmacro":
            if self.macro is None:
                raise loc.error(".endmacro without .macro")
            self.macro = None
            return
        name, *parameters = re.split(r"[,\s]+", rest)
        if self.macro or not re.fullmatch(NAME, name) or name in self.out.macros:
            raise loc.error("write .macro name, parameters: a new name, and no macro inside another one")
        self.macro = self.out.macros[name] = Macro(loc, tuple(parameters))

    def _expand(self, name: str, args: tuple[str, ...], loc: Loc) -> None:
        macro = self.out.macros[name]
        if len(args) != len(macro.parameters):
            raise loc.error(f"{name} takes {len(macro.parameters)} operands: {', '.join(macro.parameters)}")
        words = dict(zip(macro.parameters, args, strict=True))
        self.expanding += 1
        for line in macro.lines:
            text = re.sub(rf"(?<![\w.]){NAME}", lambda m: words.get(m[0], m[0]), line.partition(";")[0])
            self._line(Loc(loc.file, loc.line, f"{text.rstrip()}    ; {loc.text.strip()}"))
        self.expanding -= 1

    def _label(self, name: str, loc: Loc) -> None:
        self.begun, self.attach = True, False
        if name.startswith("."):
            name = self.outer + name
        else:
            self.outer = name
        address = len(self.out.items)
        # `.routine f` has already defined f; an explicit `f:` may follow it directly.

        again = name == self.unit and self.out.labels.get(name) == address
        if name in self.out.labels and not again:
            raise loc.error(f"label {name} is defined twice")
        self.out.labels[name] = address

    def _annotate(self, what: str, names: tuple[str, ...], cls: str, reason: str, loc: Loc) -> None:
        note = Annotation(what, names, cls, reason, loc)
        if not self.attach:
            self.pending.append(note)
            return
        if self.out.items[-1].mnemonic in ("jmp", "ret", "done"):
            raise loc.error("this line is never reached: put it after the label it belongs to")
        self.out.items[-1].post.append(note)

    def _directive(self, word: str, rest: str, reason: str, loc: Loc) -> None:
        names = tuple(re.split(r"[,\s]+", rest)) if rest else ()
        scope = self.out.files[self.file]
        match word:
            case "routine":
                self._end(loc)
                self.begun = self.fresh = True
                self.attach, self.unit = False, self._one(names, loc)
                self._label(self.unit, loc)
                self.out.contracts[self.unit] = Contract(loc)
            case "in" | "out" | "clobber":
                if self.unit not in self.out.contracts:
                    raise loc.error(f".{word} belongs after .routine")
                old = self.out.contracts[self.unit].names.get(word, ())
                self.out.contracts[self.unit].names[word] = (*old, *(n for n in names if n != "-"))
            case "uniform":
                if not reason or self.unit not in self.out.contracts:
                    raise loc.error("write .uniform ; reason, after .routine")
                self.out.uniform.add(self.unit)
            case "entry":
                if len(names) != 2:
                    raise loc.error("write .entry OPERATION label")
                if names[0] in self.out.entries:
                    raise loc.error(f"{names[0]} has two entries")
                self.out.entries[names[0]] = (names[1], loc)
            case "reg":
                self._regs(scope.regs, rest, loc)
            case "global_reg":
                m = re.fullmatch(rf"({NAME})\s*=\s*(.+)", rest)
                if not m:
                    raise loc.error("write .global_reg name = number")
                self._define(self.out.global_regs, m[1], self._reg_number(m[2], loc), loc)
            case "block" | "global_block":
                self._block(word, rest, scope, loc)
            case "slot" | "const":
                m = re.fullmatch(rf"({NAME})\s*=\s*(.+)", rest)
                if not m:
                    raise loc.error(f"write .{word} name = value")
                table = self.out.slots if word == "slot" else self.out.consts
                self._define(table, m[1], evaluate(m[2], self.out.consts, loc), loc)
            case "secret" if self.begun:
                self._annotate(word, names, "", reason, loc)
            case "public" if self.begun:
                raise loc.error(".public is an initial state: write .declassify with a reason in code")
            case "secret" | "public":
                for n in names:
                    self._define(self.out.secret, n, (word == "secret", loc), loc)
            case "kept":
                if not reason or not names:
                    raise loc.error("write .kept slot ; reason")
                for n in names:
                    self._define(self.out.kept, n, loc, loc)
            case "range":
                cls = names[-1] if names else ""
                if cls not in ("int", "modp", "modn", "long", "any") or len(names) < 2:
                    raise loc.error("write .range name int|modp|modn|long|any")
                for n in names[:-1]:
                    self._define(self.out.ranges, n, (cls, loc), loc)
            case "declassify" | "assume":
                self._noted(word, names, reason, loc)
            case _:
                raise loc.error(f"unknown directive .{word}")

    def _noted(self, word: str, names: tuple[str, ...], reason: str, loc: Loc) -> None:
        if not reason:
            raise loc.error(f".{word} needs its reason in a comment: .{word} ... ; reason")
        cls = ""
        if word == "assume":
            cls = names[-1] if names else ""
            if cls not in ("mod", "modp", "modn", "long", "int") or len(names) < 2:
                raise loc.error("write .assume name mod|modp|modn|int|long ; reason")
            names = names[:-1]
        if not names:
            raise loc.error(f".{word} needs a name")
        self._annotate(word, names, cls, reason, loc)

    def _one(self, names: tuple[str, ...], loc: Loc) -> str:
        if len(names) != 1 or not re.fullmatch(NAME, names[0]):
            raise loc.error("write one name")
        return names[0]

    def _define(self, table: dict[str, Any], name: str, value: object, loc: Loc) -> None:
        if name in table and table[name] != value:
            raise loc.error(f"{name} is declared twice")
        table[name] = value

    def _reg_number(self, text: str, loc: Loc) -> int:
        value = evaluate(text, self.out.consts, loc)
        if not 0 <= value < 64:
            raise loc.error(f"register {value} does not exist: 0..63")
        return value

    def _regs(self, table: dict[str, int | None], rest: str, loc: Loc) -> None:
        m = re.fullmatch(rf"({NAME})\s*=\s*(.+)", rest)
        if m:
            self._define(table, m[1], self._reg_number(m[2], loc), loc)
            return
        for name in re.split(r"[,\s]+", rest):
            if not re.fullmatch(NAME, name) or re.fullmatch(r"r\d+", name):
                raise loc.error(f"{name!r} is no register name (rN is the register with number N)")
            if name in table and not (self.expanding and table[name] is None):
                raise loc.error(f"{name} is declared twice")
            table[name] = None

    def _block(self, word: str, rest: str, scope: FileScope, loc: Loc) -> None:
        m = re.fullmatch(rf"({NAME})\s*,\s*(\w+)(?:\s*,\s*align\s+(\w+))?(?:\s*=\s*(.+))?", rest)
        if not m:
            raise loc.error(f"write .{word} name, size, align n [= first register]")
        size = evaluate(m[2], self.out.consts, loc)
        align = evaluate(m[3], self.out.consts, loc) if m[3] else 1
        base = self._reg_number(m[4], loc) if m[4] else None
        if (
            align & (align - 1)
            or not 1 <= size <= 64
            or (base is not None and (base % align or base + size > 64))
        ):
            raise loc.error("align must be a power of 2, the block aligned and inside registers 0..63")
        if word == "global_block" and base is None:
            raise loc.error(
                "a global block needs a fixed place: .global_block name, size, align n = first register"
            )
        table = self.out.global_blocks if word == "global_block" else scope.blocks
        self._define(table, m[1], Block(size, align, base), loc)
