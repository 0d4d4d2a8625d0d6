"""List scheduler of the study core: one instruction in a cycle, products on several multipliers.

A product is read from its multiplier, or from a register after an instruction has copied it there. A
multiplier keeps a product until it begins to sum up the next one. The core has no interlocks, so a schedule
is right for one latency only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from eccelerate.ucode.study.study_text import Block, FormulaError, Op

TRIALS = 30
"""Schedules that are tried for a block, with different priorities."""
Arg = int | str
Source = tuple[str, int | str]
"""("value", number of a value), ("mult", number of a multiplier), ("div", 0), or ("const", text)."""


@dataclass(frozen=True)
class Timing:
    """The core: number of multipliers, digits of an operand, and degree of the field."""

    multipliers: int
    digits: int
    degree: int

    @property
    def latency(self) -> int:
        """From the instruction that starts a product to the first one that reads it."""
        return self.digits + 2

    @property
    def interval(self) -> int:
        """Least distance of two products on one multiplier."""
        return self.digits

    @property
    def hold(self) -> int:
        """How long the product before can be read after a start."""
        return 2

    @property
    def division(self) -> int:
        """From the instruction that starts a division to the only one that can read its quotient."""
        return 2 * self.degree + 1


@dataclass(frozen=True)
class Issue:
    """An operation in a cycle. `a` is its first operand, `b` the value in a register that is the second one,
    `write` the value that it makes in a register, `unit` the multiplier that it starts. The kind "quotient"
    fetches a quotient.
    """

    cycle: int
    kind: str
    a: Source
    b: int | None = None
    write: int | None = None
    unit: int | None = None
    count: int = 1


@dataclass(frozen=True)
class Schedule:
    """The issues of a block in their order. `cycles`: its length. `final`: value in the register of each name
    that it assigns. `entry` is that of the block.
    """

    name: str
    issues: tuple[Issue, ...]
    cycles: int
    entry: Mapping[str, int]
    final: Mapping[str, int]


class _BlockedError(Exception):
    """The schedule got stuck: product `copy` has to be copied, or the names `late` assigned by copies."""

    def __init__(self, copy: int | None, late: frozenset[str]) -> None:
        super().__init__()
        self.copy, self.late = copy, late


@dataclass
class _Trial:
    block: Block
    timing: Timing
    priority: dict[int, float]
    copied: set[int]
    patient: bool
    cycle: int = 0
    issues: list[Issue] = field(default_factory=list)
    ready: dict[int, int] = field(default_factory=dict)
    unit_of: dict[int, tuple[int, int]] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)  # the newest product of each multiplier
    deadline: dict[int, int] = field(default_factory=dict)
    reserved: dict[int, Issue] = field(default_factory=dict)
    dividing: int = 0

    def __post_init__(self) -> None:
        self.waiting = {op.number: op for op in self.block.ops}
        self.products = {op.number for op in self.block.ops if op.kind == "mul"}
        self.uncopied = set(self.copied)
        self.uses: dict[int, int] = {}
        for op in self.block.ops:
            for arg in {arg for arg in op.args if isinstance(arg, int)}:
                self.uses[arg] = self.uses.get(arg, 0) + 1
        self.ready = dict.fromkeys(self.block.entry.values(), 0)
        self.homes = {
            value: self.block.entry[name]
            for name, value in self.block.final.items()
            if name in self.block.entry
        }

    # ---- reading

    def _direct(self, value: Arg) -> Source | None:
        """The source of a first operand that is in no register."""
        if isinstance(value, str):
            return "const", value
        if value in self.unit_of:
            unit, start = self.unit_of[value]
            if start + self.timing.latency <= self.cycle <= self.deadline.get(value, self.cycle):
                return "mult", unit
        return None

    def _register(self, value: Arg) -> bool:
        return isinstance(value, int) and self.ready.get(value, self.cycle + 1) <= self.cycle

    def _operands(self, op: Op) -> tuple[Source, int | None] | None:
        """Where the operands of an operation come from in this cycle; None if they are not there."""
        orders = [op.args]
        if len(op.args) == 2 and op.kind != "div":
            orders.append((op.args[1], op.args[0]))
        for args in orders:
            a = self._direct(args[0])
            if a is None and self._register(args[0]):
                a = "value", args[0]
            if a is None:
                continue
            if len(args) == 1:
                return a, None
            if self._register(args[1]):
                assert isinstance(args[1], int)
                return a, args[1]
        return None

    # ---- what can be issued

    def _home_is_free(self, value: int, op: Op | None) -> bool:
        """Nothing else reads the old value of the register that gets `value`."""
        home = self.homes.get(value)
        own = 1 if op is not None and home in op.args else 0
        return home is None or self.uses.get(home, 0) <= own

    def _unit(self) -> int | None:
        """A multiplier that can start; of several the one whose newest product is least needed."""
        free = []
        for unit in range(self.timing.multipliers):
            product = self.last.get(unit)
            if product is None:
                return unit
            start = self.unit_of[product][1]
            pending = self._pending(product)
            if self.cycle < start + self.timing.interval or (pending and self.patient):
                continue
            if pending and product in self.deadline:
                continue
            free.append((pending, start, unit))
        return min(free)[2] if free else None

    def _pending(self, product: int) -> bool:
        """Whether something still has to read a product from its multiplier."""
        if product in self.copied:
            return product in self.uncopied
        return self.uses.get(product, 0) > 0

    def _candidates(self) -> Iterator[tuple[float, Issue, Op | None]]:
        for product in self.uncopied:
            source = self._direct(product)
            if source is not None and self._home_is_free(product, None):
                # Before an operation that could take the only cycle in which the product is there.
                rank = self._urgency(product) + 0.5
                yield rank, Issue(self.cycle, "copy", source, None, product), None
        for op in self.waiting.values():
            operands = self._operands(op)
            if operands is None:
                continue
            a, b = operands
            if op.kind == "mul":
                unit = self._unit()
                if unit is not None:
                    yield self.priority[op.number], Issue(self.cycle, "mul", a, b, None, unit), op
                continue
            if op.kind == "div":
                due = self.cycle + self.timing.division
                free = self.cycle >= self.dividing and due not in self.reserved
                if free and self._home_is_free(op.number, op):
                    yield self.priority[op.number], Issue(self.cycle, "div", a, b), op
                continue
            slots = range(self.cycle, self.cycle + op.slots)
            if self._home_is_free(op.number, op) and not any(slot in self.reserved for slot in slots):
                rank = max([self.priority[op.number], *(self._urgency(arg) for arg in op.args)])
                yield rank, Issue(self.cycle, op.kind, a, b, op.number, None, op.count), op

    def _urgency(self, value: Arg) -> float:
        """Reading a product whose time runs out comes first."""
        if isinstance(value, int) and self.deadline.get(value, -1) >= self.cycle:
            return 1e6 - self.deadline[value]
        return self.priority.get(value, 0) if isinstance(value, int) else 0

    # ---- one cycle after the other

    def run(self) -> tuple[list[Issue], int]:
        """The issues and the length. Raises _BlockedError."""
        busy_until = -1
        while self.waiting or self.uncopied or self.reserved:
            for product, end in self.deadline.items():
                if end < self.cycle and self._pending(product):
                    raise _BlockedError(product, frozenset())
            if self.cycle in self.reserved:
                issue = self.reserved.pop(self.cycle)
                assert issue.write is not None
                self.ready[issue.write] = self.cycle + 1
                self.issues.append(issue)
                busy_until = self.cycle
                self.cycle += 1
                continue
            best = max(self._candidates(), key=lambda item: item[0], default=None)
            if best is None:
                self._skip()
                continue
            self._issue(best[1], best[2])
            busy_until = self.cycle + best[1].count - 1
            self.cycle = busy_until + 1
        return self.issues, busy_until + 1

    def _issue(self, issue: Issue, op: Op | None) -> None:
        self.issues.append(issue)
        if op is None:
            assert issue.write is not None
            self.uncopied.discard(issue.write)
            self.ready[issue.write] = self.cycle + 1
            return
        del self.waiting[op.number]
        for arg in {arg for arg in op.args if isinstance(arg, int)}:
            self.uses[arg] -= 1
        if op.kind == "mul":
            assert issue.unit is not None
            before = self.last.get(issue.unit)
            if before is not None:
                self.deadline[before] = self.cycle + self.timing.hold
            self.last[issue.unit] = op.number
            self.unit_of[op.number] = issue.unit, self.cycle
        elif op.kind == "div":
            due = self.cycle + self.timing.division
            self.reserved[due] = Issue(due, "quotient", ("div", 0), None, op.number)
            self.dividing = due + 1
        else:
            self.ready[op.number] = self.cycle + op.slots

    def _skip(self) -> None:
        """To the next cycle in which something becomes ready."""
        events = [time for time in self.ready.values() if time > self.cycle]
        events += [start + self.timing.latency for _, start in self.unit_of.values()]
        events += [self.unit_of[p][1] + self.timing.interval for p in self.last.values()]
        events += [*self.reserved, *(time + 1 for time in self.reserved), self.dividing]
        later = [time for time in events if time > self.cycle]
        if not later:
            late = {name for name, value in self.block.final.items() if value in self.homes}
            stuck = {
                name
                for name in late
                if self.block.final[name] in self.waiting or self.block.final[name] in self.uncopied
            }
            held = [product for product in self.unit_of if self._pending(product)]
            raise _BlockedError(min(held, default=None), frozenset(stuck))
        self.cycle = min(later)


def schedule(block: Block, timing: Timing, trials: int = TRIALS) -> Schedule:
    """The shortest schedule of a block that some trials find. The same arguments give the same schedule.
    Raises FormulaError if there is none.
    """
    best: Schedule | None = None
    for trial in range(trials):
        dice = random.Random(trial)
        found = _attempt(block, timing, dice, noise=0.0 if trial < 2 else 0.5, patient=trial % 2 == 1)
        if found is not None and (best is None or _cost(found) < _cost(best)):
            best = found
    if best is None:
        raise FormulaError(f"{block.name} has no schedule with {timing}")
    return best


def _cost(found: Schedule) -> tuple[int, int]:
    return found.cycles, len(found.issues)


def _attempt(
    block: Block, timing: Timing, dice: random.Random, *, noise: float, patient: bool
) -> Schedule | None:
    copied, late = _copies(block, dice), frozenset[str]()
    for _ in range(4 * len(block.ops) + 4):
        whole = _with_copies(block, late)
        priority = {
            number: path * (1 + noise * dice.random()) for number, path in _paths(whole, timing).items()
        }
        try:
            issues, cycles = _Trial(whole, timing, priority, set(copied), patient).run()
        except _BlockedError as blocked:
            if blocked.copy is not None and blocked.copy not in copied:
                copied.add(blocked.copy)
            elif blocked.late - late:
                late |= {dice.choice(sorted(blocked.late - late))}
            else:
                return None
        else:
            return Schedule(block.name, tuple(issues), cycles, block.entry, whole.final)
    return None


def _copies(block: Block, dice: random.Random) -> set[int]:
    """Products that have to be copied to a register: those of final values, and of two that one operation
    reads one.
    """
    products = {op.number for op in block.ops if op.kind == "mul"}
    copied = products & set(block.final.values())
    for op in block.ops:
        args = [arg for arg in op.args if isinstance(arg, int)]
        if op.kind == "div" and len(op.args) == 2 and op.args[1] in products:
            copied.add(int(op.args[1]))
        elif len(op.args) == 2 and not set(args) & copied:
            first, second = op.args
            direct = [arg for arg in args if arg in products]
            if len(direct) == 2 or (direct and (isinstance(first, str) or isinstance(second, str))):
                copied.add(dice.choice(direct))
    return copied


def _with_copies(block: Block, late: frozenset[str]) -> Block:
    """The block with a copy as the last assignment of the names `late`."""
    ops, final = list(block.ops), dict(block.final)
    number = max([op.number for op in block.ops], default=len(block.entry)) + 1
    for name in sorted(late):
        ops.append(Op(number, "copy", (final[name],), name))
        final[name] = number
        number += 1
    return replace(block, ops=tuple(ops), final=final)


def _paths(block: Block, timing: Timing) -> dict[int, float]:
    """The longest way from the start of each operation to the end of the block, in cycles."""
    costs = {"mul": timing.latency, "div": timing.division + 1}
    paths: dict[int, float] = {}
    for op in reversed(block.ops):
        after = [paths[user.number] for user in block.ops if op.number in user.args and user.number in paths]
        paths[op.number] = costs.get(op.kind, op.slots) + max(after, default=0)
    return paths
