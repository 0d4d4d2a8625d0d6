"""Register allocation of routine temporaries: liveness over the control flow, interference, greedy colouring.

A temporary belongs to one routine. Callees are allocated first; a temporary that is live across a call stays
out of every register the callee or anything below it uses. A jump to another routine is a tail call: no
temporary may be live there. Global registers are given to temporaries only in a routine whose contract
clobbers them and that does not name them.

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

    def written(self) -> tuple[Var | int, ...]:
        """Registers that it overwrites."""
        if not self.form.writes:
            return ()
        rd = self.regs["rd"]
        if not self.form.pair:
            return (rd,)
        return (rd, rd + 1 if isinstance(rd, int) else (rd[0], rd[1] + 1))

    def defines(self) -> set[Var]:
        """The temporaries among them."""
        return {v for v in self.written() if not isinstance(v, int)}


@dataclass
class Unit:
    """A routine: its nodes in order and its declared names."""

    name: str
    nodes: list[Node]
    fixed: dict[str, int] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    clobber: frozenset[int] = frozenset()
    """Global registers that its contract lets it overwrite."""

    @property
    def addresses(self) -> range:
        """Addresses of the routine."""
        return range(self.nodes[0].address, self.nodes[-1].address + 1)

    def named(self) -> frozenset[int]:
        """Registers that its instructions name themselves."""
        return frozenset(
            r for n in self.nodes for r in (*n.regs.values(), *n.written()) if isinstance(r, int)
        )

    def written(self) -> frozenset[int]:
        """Registers that it names and overwrites."""
        return frozenset(r for n in self.nodes for r in n.written() if isinstance(r, int))

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
                new = node.uses() | (out - node.defines())
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
    # Callers need what a routine leaves alone. First choice: what its own callees overwrite, then what its
    # contract gives, then what any routine uses already.
    taken: set[int] = set()
    changed: dict[str, frozenset[int]] = {}  # with the global registers it writes
    for name in _callees_first(below):
        calls = {
            n.address: changed[owner[n.target]]
            for n in units[name].nodes
            if n.form.mnemonic == "call" and n.target is not None
        }
        unit = units[name]
        lent = unit.clobber - unit.named()
        free = [n for n in range(limit) if n not in reserved - lent]
        spoilt = frozenset().union(*calls.values())
        free.sort(key=lambda n: (n not in spoilt, n not in lent, n not in taken, -n))
        colours = _colour(unit, free, calls, outside)
        result.registers[name] = colours
        own = frozenset(colours.values())
        result.clobbers[name] = own.union(*(result.clobbers[b] for b in below[name]))
        changed[name] = (own | unit.written()).union(*(changed[b] for b in below[name]))
        taken |= own - reserved
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
    unit: Unit, free: list[int], calls: dict[int, frozenset[int]], outside: set[int]
) -> dict[Var, int]:
    """Numbers for the temporaries of one routine, those that stand first in `free` before others."""
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
        order |= dict.fromkeys(sorted((*node.uses(), *node.noted_after, *node.defines())))
    colours: dict[Var, int] = {}
    allowed = frozenset(free)

    def fits(var: Var, number: int) -> bool:
        clash = any(colours.get(other) == number for other in near.get(var, ()))
        return number in allowed and number not in banned.get(var, ()) and not clash

    def fail(name: str) -> AsmError:
        return unit.nodes[0].loc.error(
            f"routine {unit.name}: no register for {name}: {len(free)} of them less the global ones are not "
            "enough for what is live together (or its fixed place is taken)"
        )

    for var in order:
        if var[0] in unit.fixed:
            if not fits(var, unit.fixed[var[0]]):
                raise fail(var[0])
            colours[var] = unit.fixed[var[0]]
    for name in sorted({v[0] for v in order if v[1] >= 0}, key=lambda n: -unit.blocks[n].size):
        block = unit.blocks[name]
        members = [v for v in order if v[0] == name]
        bases = range(0, max(free), block.align) if block.base is None else [block.base]
        base = next((b for b in bases if all(fits(v, b + v[1]) for v in members)), None)
        if base is None:
            raise fail(name)
        colours |= {v: base + v[1] for v in members}
    closed = {v: len(banned.get(v, set()) & allowed) for v in order}
    for var in _smallest_last({v: n for v, n in closed.items() if v not in colours}, near):
        number = next((n for n in free if fits(var, n)), None)
        if number is None:
            raise fail(var[0])
        colours[var] = number
    return colours


def _smallest_last(closed: dict[Var, int], near: dict[Var, set[Var]]) -> list[Var]:
    """An order in which greedy colouring needs few colours: who has the fewest neighbours left goes last
    (Matula, Beck 1983), registers that are closed to it counted in."""
    left, taken_out = dict(closed), []
    while left:
        least = min(left, key=lambda v: left[v] + len(near.get(v, set()) & left.keys()))
        del left[least]
        taken_out.append(least)
    return taken_out[::-1]


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
        for var in node.defines():
            meet(var, after[node.address])
        for var in after[node.address] if node.address in calls else ():
            banned.setdefault(var, set()).update(calls[node.address])
    return near, banned
