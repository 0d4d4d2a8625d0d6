"""Register allocation of routine temporaries: liveness over the control flow, interference, greedy colouring.

A temporary belongs to one routine. Callees are allocated first; a temporary that is live across a call stays
out of every register the callee or anything below it uses. A jump to another routine is a tail call: no
temporary may be live there. Global registers are never given to temporaries.

After Appel, Modern Compiler Implementation, chapters 10 and 11 (without spilling: too many live values is an
error).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from eccelerate.ucode.isa import Form
from eccelerate.ucode.source import AsmError, Block, Loc

# A temporary: (name, index in its block or -1).
Var = tuple[str, int]


@dataclass
class Node:
    """An instruction as the allocator sees it. Register operands: a `Var`, or an int when fixed for all."""

    address: int
    form: Form
    regs: dict[str, Var | int]
    target: int | None
    loc: Loc
    unit: str
    group: tuple[Var, ...] = ()
    """Block members that an indexed operand can reach."""
    noted_before: frozenset[Var] = frozenset()
    noted_after: frozenset[Var] = frozenset()
    """Temporaries that checker directives before and after name: still in their register there."""

    def uses(self) -> set[Var]:
        """Temporaries that must hold their value when the instruction starts."""
        read = {v for n in self.form.reads if not isinstance(v := self.regs[n], int)}
        return read | set(self.group) | self.noted_before

    def defines(self) -> Var | None:
        """The temporary it overwrites."""
        value = self.regs["rd"] if self.form.writes else None
        return None if isinstance(value, int) else value


@dataclass
class Unit:
    """A routine: its nodes in order and its declared names."""

    name: str
    nodes: list[Node]
    fixed: dict[str, int] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)

    @property
    def addresses(self) -> range:
        """Addresses of the routine."""
        return range(self.nodes[0].address, self.nodes[-1].address + 1)

    def successors(self, node: Node) -> list[Node]:
        """Next instructions inside the routine; control comes back from a call."""
        found = []
        if node.form.falls_through:
            found.append(self.nodes[node.address + 1 - self.nodes[0].address])
        if node.target is not None and node.form.mnemonic != "call" and node.target in self.addresses:
            found.append(self.nodes[node.target - self.nodes[0].address])
        return found

    def live(self) -> tuple[dict[int, set[Var]], dict[int, set[Var]]]:
        """Temporaries live before and after each address (backward dataflow to the fixed point)."""
        before: dict[int, set[Var]] = {n.address: set() for n in self.nodes}
        after: dict[int, set[Var]] = {n.address: set() for n in self.nodes}
        changed = True
        while changed:
            changed = False
            for node in reversed(self.nodes):
                out = set(node.noted_after).union(*(before[s.address] for s in self.successors(node)))
                new = node.uses() | (out - {node.defines()})
                changed |= new != before[node.address] or out != after[node.address]
                before[node.address], after[node.address] = new, out
        return before, after


@dataclass
class Result:
    """Registers of every routine: temporary -> number, and everything used at or below the routine."""

    registers: dict[str, dict[Var, int]] = field(default_factory=dict)
    clobbers: dict[str, frozenset[int]] = field(default_factory=dict)


def allocate(units: dict[str, Unit], reserved: frozenset[int], entries: set[int], limit: int) -> Result:
    """Allocate all routines, numbers < `limit` less `reserved`; `entries`: jump-table targets."""
    owner = {n.address: u.name for u in units.values() for n in u.nodes}
    outside = set(entries)
    below: dict[str, set[str]] = {name: set() for name in units}
    for unit in units.values():
        for node in unit.nodes:
            if node.target is None:
                continue
            if node.form.mnemonic == "call" and owner[node.target] == unit.name:
                raise node.loc.error(f"a call inside routine {unit.name}: give the callee its own .routine")
            if owner[node.target] != unit.name:
                outside.add(node.target)
                below[unit.name].add(owner[node.target])
    result = Result()
    for name in _callees_first(below):
        inner = frozenset().union(*(result.clobbers[b] for b in below[name]))
        calls = {
            n.address: result.clobbers[owner[n.target]]
            for n in units[name].nodes
            if n.form.mnemonic == "call" and n.target is not None
        }
        colours = _colour(units[name], reserved, calls, outside, limit)
        result.registers[name] = colours
        result.clobbers[name] = inner | frozenset(colours.values())
    return result


def _callees_first(below: dict[str, set[str]]) -> list[str]:
    """Routines ordered so that everything reached from one stands before it; AsmError on a circle."""
    order: list[str] = []
    path: list[str] = []

    def visit(name: str) -> None:
        if name in path:
            circle = " -> ".join([*path[path.index(name) :], name])
            raise AsmError(
                f"routines call or jump in a circle: {circle}; make them one .routine or break the circle"
            )
        if name in order:
            return
        path.append(name)
        for callee in sorted(below[name]):
            visit(callee)
        order.append(path.pop())

    for name in below:
        visit(name)
    return order


def _colour(
    unit: Unit, reserved: frozenset[int], calls: dict[int, frozenset[int]], outside: set[int], limit: int
) -> dict[Var, int]:
    before, after = unit.live()
    for node in unit.nodes:
        if node.address in outside or node is unit.nodes[0]:
            unset = sorted(v[0] for v in before[node.address] if v[0] not in unit.blocks)
            if unset:
                raise node.loc.error(
                    f"{', '.join(unset)} may be read before it is written in routine {unit.name}: "
                    "write it first, or pass it in a .global_reg"
                )
    near, banned = _interference(unit, before, after, calls)
    order: dict[Var, None] = {}
    for node in unit.nodes:
        order |= dict.fromkeys(
            sorted(v for v in (*node.uses(), *node.noted_after, node.defines()) if v is not None)
        )
    colours: dict[Var, int] = {}

    def fits(var: Var, number: int) -> bool:
        clash = any(colours.get(other) == number for other in near.get(var, ()))
        return number < limit and number not in reserved and number not in banned.get(var, ()) and not clash

    def fail(name: str) -> AsmError:
        return unit.nodes[0].loc.error(
            f"routine {unit.name}: no register for {name}: registers 0..{limit - 1} less {len(reserved)} "
            "global ones are not enough for what is live together (or its fixed place is taken)"
        )

    for var in order:
        if var[0] in unit.fixed:
            if not fits(var, unit.fixed[var[0]]):
                raise fail(var[0])
            colours[var] = unit.fixed[var[0]]
    for name in sorted({v[0] for v in order if v[1] >= 0}, key=lambda n: -unit.blocks[n].size):
        block = unit.blocks[name]
        members = [v for v in order if v[0] == name]
        bases = range(0, limit - block.size + 1, block.align) if block.base is None else [block.base]
        base = next((b for b in bases if all(fits(v, b + v[1]) for v in members)), None)
        if base is None:
            raise fail(name)
        colours |= {v: base + v[1] for v in members}
    for var in order:
        if var not in colours:
            number = next((n for n in range(limit) if fits(var, n)), None)
            if number is None:
                raise fail(var[0])
            colours[var] = number
    return colours


def _interference(
    unit: Unit, before: dict[int, set[Var]], after: dict[int, set[Var]], calls: dict[int, frozenset[int]]
) -> tuple[dict[Var, set[Var]], dict[Var, set[int]]]:
    """Pairs that need different registers, and registers a temporary may not use because a callee does."""
    near: dict[Var, set[Var]] = {}
    banned: dict[Var, set[int]] = {}

    def meet(var: Var, others: set[Var]) -> None:
        for other in others - {var}:
            near.setdefault(var, set()).add(other)
            near.setdefault(other, set()).add(var)

    # Block members read through X before they are written count as set at the start of the routine.
    start = before[unit.nodes[0].address]
    for var in start:
        meet(var, start)
    for node in unit.nodes:
        defined = node.defines()
        if defined is not None:
            meet(defined, after[node.address])
        for var in after[node.address] if node.address in calls else ():
            banned.setdefault(var, set()).update(calls[node.address])
    return near, banned
