"""Assembler: the routines that a manifest lists become one program.

docs/isa.md describes the source language.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from eccelerate import isa
from eccelerate.ucode.alloc import Node, Unit, Var, allocate
from eccelerate.ucode.manifest import read_manifest
from eccelerate.ucode.program import ENTRIES, LENGTH_ENTRIES, SIZE, Instr, Program
from eccelerate.ucode.schedule import Scheduler, make_scheduler
from eccelerate.ucode.source import Annotation, AsmError, Item, Loc, Parser, Source, evaluate

ISA = isa.load()


def assemble(manifest: Path | str, *, check: bool = True, scheduler: Scheduler | None = None) -> Program:
    """Assemble the program of a manifest; `read_manifest` describes manifests.

    With `check`, secrets and ranges are also checked. AsmError names what to change.
    """
    path = Path(manifest)
    data = read_manifest(path)
    files = [path.parent / name for name in data["files"]]
    unit = data.get("unit", "compact")
    if unit not in isa.UNITS:
        raise AsmError(f"{path}: no field unit {unit!r}: {', '.join(isa.UNITS)}")
    scheduler = scheduler or make_scheduler(path)
    limit = data.get("registers", 64)
    return assemble_files(data["name"], files, unit=unit, limit=limit, scheduler=scheduler, check=check)


def assemble_files(
    name: str,
    files: list[Path],
    *,
    unit: str = "compact",
    limit: int = 64,
    scheduler: Scheduler | None = None,
    check: bool = True,
) -> Program:
    """Assemble source files in this order. See `assemble`."""
    parser = Parser()
    for path in files:
        if not path.is_file():
            raise AsmError(f"{path} does not exist: correct the manifest of program {name}")
        parser.read(path, path.name)
    program = _Assembly(name, unit, parser.out, limit, scheduler).run()
    if check:
        from eccelerate.ucode.check import check as run_checks
        from eccelerate.ucode.residue import check_residue

        findings = run_checks(program) + check_residue(program)
        if findings:
            raise AsmError("\n".join(str(f) for f in findings))
    return program


class _Assembly:
    """One run: resolves names, allocates registers, and fills the jump table."""

    def __init__(self, name: str, unit: str, source: Source, limit: int, scheduler: Scheduler | None) -> None:
        self.source = source
        self.limit = limit
        self.scheduler = scheduler
        self.program = Program(name, unit)
        self.isa = isa.load(unit)
        self.globals: dict[str, int] = dict(source.global_regs)
        for block, b in source.global_blocks.items():
            base = b.base or 0
            self.globals |= {block if i == 0 else f"{block}+{i}": base + i for i in range(b.size)}
        self.reserved = set(self.globals.values())
        members = [range(b.base or 0, (b.base or 0) + b.size) for b in source.global_blocks.values()]
        self.table = frozenset(number for block in members for number in block)

    def run(self) -> Program:
        source, program = self.source, self.program
        if len(source.items) + ENTRIES > SIZE:
            raise AsmError(f"program {program.name}: {len(source.items)} instructions, {SIZE - ENTRIES} fit")
        program.labels = {name: ENTRIES + index for name, index in source.labels.items()}
        program.registers, program.slots = dict(self.globals), dict(source.slots)
        parsed = [self._parse(item, ENTRIES + i) for i, item in enumerate(source.items)]
        units = self._units(parsed)
        self._entries()
        starts = set(program.entries.values())
        reserved = frozenset(self.reserved)
        if self.scheduler:
            orders = partial(self.scheduler.orders, starts=frozenset(program.labels.values()))
            result = allocate(units, reserved, starts, self.limit, orders)
        else:
            result = allocate(units, reserved, starts, self.limit)
        for node in (n for unit in result.units.values() for n in unit.nodes):
            regs = result.registers[node.unit]
            item = source.items[node.origin - ENTRIES]
            registers = {o: v if isinstance(v, int) else regs[v] for o, v in node.regs.items()}
            program.instrs[node.address] = Instr(
                node.address,
                node.form,
                node.fields | registers,
                item.loc,
                item.unit,
                node.size,
                item.pre,
                item.post,
            )
        for code, address in program.entries.items():
            label = next(n for n, a in program.labels.items() if a == address)
            loc = Loc("jump table", code, f"jmp {label}")
            program.instrs[code] = Instr(code, ISA.forms["jmp"], {"target": address}, loc, "jump table")
        for unit, regs in result.registers.items():
            program.allocation[unit] = {
                n if i < 0 else f"{n}+{i}": r for (n, i), r in sorted(regs.items(), key=lambda x: x[1])
            }
        program.clobbers = result.clobbers
        used = {r for c in result.clobbers.values() for r in c} | self.reserved
        program.max_register = max(used, default=0)
        if program.max_register >= self.limit:
            raise AsmError(
                f"global register {program.max_register} is outside the limit of {self.limit} registers"
            )
        program.uniform = frozenset(source.uniform)
        self._states()
        self._contracts()
        return program

    def _parse(self, item: Item, address: int) -> Node:
        """The node of an instruction, for the allocator."""
        mnemonic, args, loc = item.mnemonic, item.args, item.loc
        if mnemonic == "setp":
            mnemonic, args = "setb", (f"setp {' '.join(args)}",)
        form = self.isa.forms.get(mnemonic)
        if form is None:
            raise loc.error(f"unknown instruction {item.mnemonic} (field unit {self.isa.unit})")
        if len(args) != len(form.operands):
            raise loc.error(
                f"{mnemonic} takes {len(form.operands)} operands: {', '.join(form.operands) or 'none'}"
            )
        fields: dict[str, int] = dict(form.fixed)
        regs: dict[str, Var | int] = {}
        for operand, text in zip(form.operands, args, strict=True):
            if ISA.operands[operand].kind == "reg":
                regs[operand] = self._register(text, item)
            else:
                self._operand(operand, text, item, fields)
        size, group = self._reach(regs, item) if form.indexed else (16, ())
        if form.pair:
            self._pair(regs["rd"], item)
        try:
            self.isa.encode(mnemonic, **fields)
        except isa.IsaError as error:
            raise loc.error(str(error)) from None
        if mnemonic == "done" and fields["n"] and fields["status"] not in (0, 1):
            raise loc.error("only OK and INFINITY carry results")
        if mnemonic == "done" and fields["n"] > 2:
            raise loc.error("at most 2 results (slots 0 and 1)")
        before, after = self._noted(item, item.pre), self._noted(item, item.post)
        return Node(
            address, form, regs, fields.get("target"), loc, item.unit, group, before, after, fields, size,
            origin=address, annotated=bool(item.pre or item.post),
        )  # fmt: skip

    def _noted(self, item: Item, notes: list[Annotation]) -> frozenset[Var]:
        """The temporaries that checker directives name. AsmError if a name is unknown."""
        scope, found = self.source.files[item.file], set()
        for note in notes:
            for name in note.names:
                if name in scope.blocks:
                    found |= {(name, i) for i in range(scope.blocks[name].size)}
                elif name in scope.regs:
                    found.add((name, -1))
                elif name not in self.globals and name not in self.source.slots and name not in isa.FLAGS:
                    raise note.loc.error(f"{name} is no register, slot or flag (B C Z P X)")
        return frozenset(found)

    def _register(self, text: str, item: Item) -> Var | int:
        m = re.fullmatch(r"(\w+)(?:\s*\+\s*(.+))?", text)
        name = m[1] if m else text
        index = evaluate(m[2], self.source.consts, item.loc) if m and m[2] else 0
        scope = self.source.files[item.file]
        if name in scope.blocks or name in self.source.global_blocks:
            block = scope.blocks.get(name) or self.source.global_blocks[name]
            if not 0 <= index < block.size:
                raise item.loc.error(f"{name} has {block.size} registers: +0..+{block.size - 1}")
            return (
                (name, index) if name in scope.blocks else self.globals[f"{name}+{index}" if index else name]
            )
        if index:
            raise item.loc.error(f"{name} is not a block")
        if name in scope.regs:
            number = scope.regs[name]
            if number in self.reserved:
                raise item.loc.error(f"{name} = {number} is a global register")
            return (name, -1)
        if name in self.globals:
            return self.globals[name]
        if (raw := re.fullmatch(r"r(\d+)", name)) and int(raw[1]) < ISA.machine["registers"]:
            self.reserved.add(int(raw[1]))
            return int(raw[1])
        raise item.loc.error(
            f"register {name} is not declared: .reg {name} (temporary) or .global_reg {name} = number"
        )

    def _reach(self, regs: dict[str, Var | int], item: Item) -> tuple[int, tuple[Var, ...]]:
        """The number of registers that rb OR X can reach, and the temporaries among them."""
        name = item.args[-1].split("+")[0].strip()
        scope = self.source.files[item.file]
        block = scope.blocks.get(name) or self.source.global_blocks.get(name)
        if block is None and isinstance(regs["rb"], int) and name == f"r{regs['rb']}" and not regs["rb"] % 16:
            self.reserved |= set(range(regs["rb"], regs["rb"] + 16))
            return 16, ()
        if block is None:
            raise item.loc.error(f"{name} must be a register of a block: .block {name}, 16, align 16")
        power = 1 << (block.size - 1).bit_length()
        if power > 16 or block.align < power:
            raise item.loc.error(
                f"block {name} must have at most 16 registers and align {min(power, 16)} or more"
            )
        members = tuple((name, i) for i in range(block.size)) if name in scope.blocks else ()
        return block.size, members

    def _pair(self, rd: Var | int, item: Item) -> None:
        """Check an instruction that writes rd and the register after it: both must belong to one block, and
        rd must be even.
        """
        name = item.args[0].split("+")[0].strip()
        block = self.source.files[item.file].blocks.get(name) or self.source.global_blocks.get(name)
        if block is None and isinstance(rd, int) and name == f"r{rd}" and not rd % 2:
            self.reserved.add(rd + 1)
            return
        if block is None:
            raise item.loc.error(f"{name} must be a register of a block: .block {name}, 2, align 2")
        index = rd - (block.base or 0) if isinstance(rd, int) else rd[1]
        if block.align < 2 or index % 2 or index + 1 >= block.size:
            raise item.loc.error(f"{item.mnemonic} writes an even register of block {name} and the next one")

    def _operand(self, operand: str, text: str, item: Item, fields: dict[str, int]) -> None:
        loc, consts = item.loc, self.source.consts
        match ISA.operands[operand].kind:
            case "label":
                fields[operand] = self._label(text, item.outer, loc)
            case "cond":
                fields["invert"] = int(text.startswith("!"))
                name = text.lstrip("!").strip()
                found = [c for c in ISA.conditions.values() if name in (c.name, *c.aliases)]
                if not found:
                    raise loc.error(f"unknown condition {name}: {' '.join(ISA.conditions)}")
                fields[operand] = found[0].code
            case "counter":
                if not re.fullmatch(r"c[0-3]", text):
                    raise loc.error(f"{text} is no counter: c0..c3")
                fields[operand] = int(text[1])
            case "count":
                m = re.fullmatch(r"([A-Z]BITS|COLS)\s*([+-].*)?", text)
                if m and m[1] not in ISA.base:
                    raise loc.error(f"{m[1]} is no counter base: {', '.join(list(ISA.base)[1:])}")
                fields["base"] = ISA.base[m[1]] if m else 0
                fields[operand] = evaluate((m[2] or "0") if m else text, consts, loc)
            case "slot":
                fields[operand] = self._slot(text, loc)
            case "setb":
                text = text if text.startswith("setp") else "setb " + re.sub(r"\s", "", text)
                if m := re.fullmatch(r"(setb X==)(.+)", text):
                    text, fields["match"] = m[1], evaluate(m[2], consts, loc)
                source = self.isa.setb.get(text)
                if source is None:
                    raise loc.error(f"unknown source: {', '.join(self.isa.setb)}")
                fields[operand] = source.code
            case "status":
                if text not in ISA.status:
                    raise loc.error(f"unknown status {text}: {' '.join(ISA.status)}")
                fields[operand] = ISA.status[text]
            case "modulus":
                fields[operand] = isa.MODULI[text] if text in isa.MODULI else evaluate(text, consts, loc)
            case _:
                fields[operand] = evaluate(text, consts, loc)

    def _slot(self, text: str, loc: Loc) -> int:
        value = self.source.slots.get(text)
        if value is None:
            if re.fullmatch(r"[A-Za-z_]\w*", text) and text not in self.source.consts:
                raise loc.error(f"slot {text} is not declared: .slot {text} = number")
            value = evaluate(text, self.source.consts, loc)
        if not 0 <= value < ISA.machine["slots"]:
            raise loc.error(f"slot {value} does not exist: 0..{ISA.machine['slots'] - 1}")
        return value

    def _label(self, text: str, outer: str, loc: Loc) -> int:
        name = outer + text if text.startswith(".") else text
        if name not in self.program.labels:
            raise loc.error(f"label {text} does not exist")
        address = self.program.labels[name]
        if address >= ENTRIES + len(self.source.items):
            raise loc.error(f"label {text} has no instruction")
        return address

    def _units(self, nodes: list[Node]) -> dict[str, Unit]:
        units: dict[str, Unit] = {}
        for node in nodes:
            scope = self.source.files[self.source.items[node.address - ENTRIES].file]
            unit = units.setdefault(node.unit, Unit(node.unit, []))
            if unit.nodes and unit.nodes[-1].address != node.address - 1:
                raise node.loc.error(f"routine {node.unit} exists twice")
            unit.nodes.append(node)
            unit.fixed = {n: r for n, r in scope.regs.items() if r is not None}
            unit.blocks = scope.blocks
            unit.table = self.table
        for name, unit in units.items():
            contract = self.source.contracts.get(name)
            clobbered = contract.names.get("clobber", ()) if contract else ()
            members = [self._members(n) for n in clobbered if n in self.globals]
            # The routine may use X to read any member of a table that it names.
            unit.clobber = frozenset().union(*(m for m in members if len(m) == 1 or not m & unit.named()))
        return units

    def _entries(self) -> None:
        for op, (label, loc) in self.source.entries.items():
            code = ISA.job[op] if op in ISA.job else int(op, 0) if op[0].isdigit() else None
            if code is None or code >= ENTRIES:
                raise loc.error(f"unknown operation {op}: {' '.join(ISA.job)} or a number below {ENTRIES}")
            if code in self.program.entries:
                raise loc.error(f"operation code {code} has two entries")
            self.program.entries[code] = self._label(label, "", loc)
        if (trap := self.program.entries.get(ISA.trap["LENGTH"])) is not None:
            for code in LENGTH_ENTRIES:
                self.program.entries.setdefault(code, trap)
        if "bad_op" in self.program.labels:  # every job that the program does not have
            for code in range(1, ISA.machine["jobs"]):
                self.program.entries.setdefault(code, self.program.labels["bad_op"])

    def _states(self) -> None:
        for name, (secret, loc) in self.source.secret.items():
            self.program.initial_secret[self._location(name, loc)] = secret
        for name, (cls, loc) in self.source.ranges.items():
            location = self._location(name, loc)
            if location >= 64:
                raise loc.error(f"{name} is a slot: ranges belong to registers")
            self.program.ranges[location] = cls
        kept = {self._location(name, loc) for name, loc in self.source.kept.items()}
        self.program.kept = frozenset(kept)

    def _location(self, name: str, loc: Loc) -> int:
        if name in self.globals:
            return self.globals[name]
        if name in self.source.slots:
            return 64 + self.source.slots[name]
        raise loc.error(f"{name} is neither a global register nor a slot")

    def _members(self, name: str) -> frozenset[int]:
        """The numbers of a global register, or of the registers of a global block."""
        block = self.source.global_blocks.get(name)
        return frozenset(range(self.globals[name], self.globals[name] + (block.size if block else 1)))

    def _contracts(self) -> None:
        """Check contracts: a routine with .out or .clobber writes no other global register itself, and all
        names exist.
        """
        for unit, contract in self.source.contracts.items():
            for names in contract.names.values():
                for name in names:
                    if name not in self.globals:
                        raise contract.loc.error(f"{name} in the contract of {unit} is not a global register")
            if not {"out", "clobber"} & set(contract.names):
                continue
            stated = (*contract.names.get("out", ()), *contract.names.get("clobber", ()))
            allowed = frozenset().union(*map(self._members, stated))
            for instr in self.program.instrs.values():
                outside = ({*instr.dests} & self.reserved) - allowed if instr.unit == unit else set()
                if outside:
                    name = self.program.describe(min(outside))
                    raise instr.loc.error(f"{unit} writes {name}, which its .out and .clobber do not name")
