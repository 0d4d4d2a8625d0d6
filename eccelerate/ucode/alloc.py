"""Register allocation of routine temporaries: liveness over the control flow, interference, greedy colouring.

A temporary belongs to one routine. Callees are allocated first. A temporary that is live across a call gets
no register that the callee, or a routine that the callee reaches, overwrites. A jump to another routine is a
tail call, and no temporary may be live there. A global register can hold a temporary only in a routine whose
contract clobbers the register and whose instructions do not name it.

After Appel, Modern Compiler Implementation, chapters 10 and 11, but without spilling: too many live values
are an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from eccelerate.isa import Form
from eccelerate.ucode.source import AsmError, Block, Loc

# A temporary: (name, index in its block or -1).
Var = tuple[str, int]


@dataclass
class Node:
    """An instruction as the allocator sees it. A register operand is a `Var`, or an int if its number is
    fixed.
    """

    address: int
    form: Form
    regs: dict[str, Var | int]
    target: int | None
    loc: Loc
    unit: str
    group: tuple[Var, ...] = ()
    """Members of a block that an indexed operand can select."""
    noted_before: frozenset[Var] = frozenset()
    noted_after: frozenset[Var] = frozenset()
    """Temporaries that checker directives before and after it name: they still need their registers."""
    fields: dict[str, int] = field(default_factory=dict)
    """Bit fields that are not registers."""
    size: int = 16
    """Number of registers that an indexed operand may select."""
    origin: int = 0
    """Address of the instruction in the order of the source."""
    annotated: bool = False
    """A checker directive is before or after it."""

    def uses(self) -> set[Var]:
        """The temporaries that must hold their value when the instruction starts."""
        read = {v for n in self.form.reads if not isinstance(v := self.regs[n], int)}
        return read | set(self.group) | self.noted_before

    def written(self) -> tuple[Var | int, ...]:
        """The registers that the instruction overwrites."""
        if not self.form.writes:
            return self.form.also_writes
        rd = self.regs["rd"]
        if not self.form.pair:
            return (rd,)
        return (rd, rd + 1 if isinstance(rd, int) else (rd[0], rd[1] + 1))

    def defines(self) -> set[Var]:
        """The temporaries that the instruction overwrites."""
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
    table: frozenset[int] = frozenset()
    """Global registers that are members of a block."""

    @property
    def addresses(self) -> range:
        """Addresses of the routine."""
        return range(self.nodes[0].address, self.nodes[-1].address + 1)

    def named(self) -> frozenset[int]:
        """The registers that the instructions name by number."""
        return frozenset(
            r for n in self.nodes for r in (*n.regs.values(), *n.written()) if isinstance(r, int)
        )

    def written(self) -> frozenset[int]:
        """The registers that the instructions name by number and overwrite."""
        return frozenset(r for n in self.nodes for r in n.written() if isinstance(r, int))

    def successors(self, node: Node) -> list[Node]:
        """The next instructions inside the routine. A call continues with the instruction after it."""
        found = []
        if node.form.falls_through:
            found.append(self.nodes[node.address + 1 - self.nodes[0].address])
        if node.target is not None and node.form.mnemonic != "call" and node.target in self.addresses:
            found.append(self.nodes[node.target - self.nodes[0].address])
        return found

    def live(self) -> tuple[dict[int, set[Var]], dict[int, set[Var]]]:
        """The temporaries that are live before and after each address, by backward dataflow to the fixed
        point.
        """
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
    """The allocation. `registers` gives the number of each temporary for each routine. `clobbers` has all
    numbers that the temporaries of a routine, and of all routines that it reaches, use.
    """

    registers: dict[str, dict[Var, int]] = field(default_factory=dict)
    clobbers: dict[str, frozenset[int]] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    """The routines, each in the order for which registers were allocated."""


SPARE = (0, 4, 5, 6)  # numbers of registers that scheduled routines leave to their callers, tried in turn

# The orders of a routine, best first. Each comes with the number of instructions for which a register rests
# after the last use of its value.
Orders = Callable[[Unit], Iterator[tuple[Unit, int]]]


def _as_written(unit: Unit) -> Iterator[tuple[Unit, int]]:
    yield unit, 0


def allocate(
    units: dict[str, Unit],
    reserved: frozenset[int],
    entries: set[int],
    limit: int,
    orders: Orders = _as_written,
) -> Result:
    """Allocate the temporaries of all routines to the numbers below `limit` that are not `reserved`.
    `entries` are the targets of the jump table.

    With `orders`, which may use any number of registers, routines leave some registers to their callers if
    the callers would not have enough otherwise. AsmError if the registers are not enough.
    """
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
    returning = _returning([node for unit in units.values() for node in unit.nodes])
    *some, last = (0,) if orders is _as_written else SPARE
    for spare in some:
        try:
            return _Allocation(units, below, owner, outside, reserved, limit, orders, spare, returning).run()
        except AsmError:
            continue
    return _Allocation(units, below, owner, outside, reserved, limit, orders, last, returning).run()


@dataclass
class _Allocation:
    """One run over all routines. A routine uses `spare` of the registers only if it must."""

    units: dict[str, Unit]
    below: dict[str, set[str]]
    owner: dict[int, str]
    outside: set[int]
    reserved: frozenset[int]
    limit: int
    orders: Orders
    spare: int
    returning: frozenset[int]

    def run(self) -> Result:
        """Allocate every routine. AsmError if the registers are not enough for one of them."""
        result = Result()
        # Callers need the registers that a routine leaves alone. So it first uses those that its own callees
        # overwrite, then those that its contract clobbers, then those that another routine uses already.
        taken: set[int] = set()
        changed: dict[str, frozenset[int]] = {}  # by each routine, global registers included
        for name in _callees_first(self.below):
            unit, below = self.units[name], self.below[name]
            calls = {
                n.address: changed[self.owner[n.target]]
                for n in unit.nodes
                if n.form.mnemonic == "call" and n.target is not None
            }
            lent = unit.clobber - unit.named()
            free = [n for n in range(self.limit) if n not in self.reserved - lent]
            spoilt = frozenset().union(*calls.values())
            free.sort(key=lambda n: (n not in spoilt, n not in lent, n not in taken, -n))
            ordered, colours = self._fit(unit, free, calls)
            result.units[name] = ordered
            result.registers[name] = colours
            own = frozenset(colours.values())
            reached = {self.owner[n.target] for n in self._returning(unit) if n.target is not None} & below
            result.clobbers[name] = own.union(*(result.clobbers[b] for b in reached))
            changed[name] = (own | unit.written()).union(*(changed[b] for b in reached))
            taken |= own - self.reserved
        return result

    def _returning(self, unit: Unit) -> list[Node]:
        """The instructions of a routine after which its caller may continue. What only leads to the end of
        the job spoils no register of a caller.
        """
        return [n for n in unit.nodes if n.address in self.returning]

    def _fit(
        self, unit: Unit, free: list[int], calls: dict[int, frozenset[int]]
    ) -> tuple[Unit, dict[Var, int]]:
        """Colour the first order of a routine for which its registers are enough."""
        # The registers that the fewest routines name as the fixed place of a temporary.
        fixed = [n for u in self.units.values() for n in u.fixed.values()]
        open_to_all = set(range(self.limit)) - self.reserved
        kept = sorted(open_to_all, key=lambda n: (fixed.count(n), n))[: self.spare]
        for ordered, rest in self.orders(unit):
            try:
                most = [n for n in free if n not in kept]
                return ordered, _colour(ordered, most, calls, self.outside, rest)
            except AsmError as error:
                last_error = error
        if not kept:
            raise last_error
        least = sorted(free, key=lambda n: n in kept)
        return unit, _colour(unit, least, calls, self.outside, 0, kept)


def _returning(nodes: list[Node]) -> frozenset[int]:
    """The addresses from which a path leads to a `ret`. A call counts as returning."""
    before: dict[int, list[int]] = {}
    for node in nodes:
        following = [node.address + 1] if node.form.falls_through else []
        if node.target is not None and node.form.mnemonic != "call":
            following.append(node.target)
        for address in following:
            before.setdefault(address, []).append(node.address)
    found: set[int] = set()
    todo = [n.address for n in nodes if n.form.mnemonic == "ret"]
    while todo:
        address = todo.pop()
        if address not in found:
            found.add(address)
            todo += before.get(address, ())
    return frozenset(found)


def _callees_first(below: dict[str, set[str]]) -> list[str]:
    """The routines, each one after all that it reaches. AsmError if they form a cycle."""
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
    unit: Unit,
    free: list[int],
    calls: dict[int, frozenset[int]],
    outside: set[int],
    rest: int,
    spared: Collection[int] = (),
) -> dict[Var, int]:
    """Numbers for the temporaries of one routine. Earlier members of `free` are preferred.

    A value keeps its register for `rest` instructions after its last use. `spared` are members of `free` that
    blocks should avoid.
    """
    before, after = unit.live()
    for node in unit.nodes:
        if node.address in outside or node is unit.nodes[0]:
            unset = sorted(v[0] for v in before[node.address] if v[0] not in unit.blocks)
            if unset:
                raise node.loc.error(
                    f"{', '.join(unset)} may be read before it is written in routine {unit.name}: "
                    "write it first, or pass it in a .global_reg"
                )
    near, banned = _interference(unit, before, after, calls, rest)
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
    for name in sorted({v[0] for v in order if v[1] >= 0}, key=lambda n: (-unit.blocks[n].size, n)):
        block = unit.blocks[name]
        members = [v for v in order if v[0] == name]
        bases = range(0, max(free), block.align) if block.base is None else [block.base]
        # The place with the fewest members of `spared`, and of these the lowest.
        fitting = [b for b in bases if all(fits(v, b + v[1]) for v in members)]
        base = min(fitting, key=lambda b: sum(b + v[1] in spared for v in members), default=None)
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
    """An order for which greedy colouring needs few colours: the temporary with the fewest remaining
    neighbours goes last (Matula, Beck 1983). Registers that it may not use count as neighbours.
    """
    left, taken_out = dict(closed), []
    while left:
        least = min(left, key=lambda v: left[v] + len(near.get(v, set()) & left.keys()))
        del left[least]
        taken_out.append(least)
    return taken_out[::-1]


def _interference(
    unit: Unit,
    before: dict[int, set[Var]],
    after: dict[int, set[Var]],
    calls: dict[int, frozenset[int]],
    rest: int,
) -> tuple[dict[Var, set[Var]], dict[Var, set[int]]]:
    """The pairs that need different registers, and the registers that a temporary may not use because a
    callee overwrites them.
    """
    near: dict[Var, set[Var]] = {}
    banned: dict[Var, set[int]] = {}

    def meet(var: Var, others: set[Var]) -> None:
        for other in others - {var}:
            near.setdefault(var, set()).add(other)
            near.setdefault(other, set()).add(var)

    # A block member that X may select before it is written counts as set at the start of the routine.
    start = before[unit.nodes[0].address]
    for var in start:
        meet(var, start)
    for index, node in enumerate(unit.nodes):
        for var in node.defines():
            meet(var, after[node.address])
            for earlier in unit.nodes[max(0, index - rest) : index]:
                meet(var, before[earlier.address])
        for var in after[node.address] if node.address in calls else ():
            banned.setdefault(var, set()).update(calls[node.address])
    return near, banned
