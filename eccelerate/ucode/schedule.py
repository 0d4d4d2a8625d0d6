"""Orders field operations so that the turbo engine's field unit waits as little as possible.

The order matters most for an engine with one thread. There, the time of a program is that of chains of
dependent operations, and all other operations fit into the gaps of these chains. Each straight-line block of
a routine is scheduled by itself: a run of instructions without a label, a branch, a call, or anything that
waits for an idle field unit or carries a checker directive.

Within a block every result becomes a separate value: registers that are written again later in the block
become temporaries, except members of tables. Only true dependences remain, on registers and on the flags B,
C, P, X. The last operation that sets Z stays the last one that does. The order is then, if possible,

- one that `eccelerate.ucode.orders` has found for exactly this block by a long search (simulated annealing)
  and stored next to the manifest;
- otherwise the best of some list schedules. These choose operations one by one, by the time when they could
  issue and by the length of the chain that depends on them, with several weights of the two.

Both use the exact `TurboTimeline` to compare orders. A block that a loop repeats is compared by its period.
The result is the same in every run.

After Landskov, Davidson, Shriver, Mallett 1980 (list scheduling by critical path).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.timing.turbo_cycles import TurboTiming
from eccelerate.ucode.alloc import Node, Unit
from eccelerate.ucode.basic_blocks import PAIR, Block, gap, movable, renamed, runs
from eccelerate.ucode.manifest import read_manifest
from eccelerate.ucode.search import REGISTERS, Search
from eccelerate.ucode.source import AsmError
from eccelerate.ucode.source import Block as RegisterBlock

WORTHWHILE = 8  # a block with at least this many products is worth a long search
ONCE = 10  # a block outside loops gets this fraction of the evaluations: one in ten
LIMITS = (24, 20, 16, 12, 8)  # limits of values alive, tried in turn if registers are not enough


@dataclass(frozen=True)
class Found:
    """An order of a block: where the block begins, the clocks that it takes (one iteration, if a loop repeats
    it), the order itself, and whether the block is worth a long search.
    """

    place: str
    clocks: int
    order: tuple[int, ...]
    worthwhile: bool


class Scheduler:
    """Orders the blocks of routines for the field unit of `timing`.

    known: stored orders, by the digest of their block.
    evaluations: length of a search for better orders; 0 for no search.
    routines: the routines that are ordered; None for all.
    alive: the largest number of values of a block that may wait for their last use. With fewer, a register
        can rest longer before it is written again.
    """

    def __init__(
        self,
        timing: TurboTiming,
        known: dict[str, tuple[int, ...]] | None = None,
        evaluations: int = 0,
        routines: Sequence[str] | None = None,
        alive: int = REGISTERS,
    ) -> None:
        self.timing = timing
        self.known = known or {}
        self.evaluations = evaluations
        self.routines = routines
        self.alive = alive
        self._used: dict[str, dict[str, Found]] = {}  # by routine, then by digest
        self._searched: dict[tuple[str, int], tuple[int, ...]] = {}

    @property
    def found(self) -> dict[str, Found]:
        """The orders that were used, by the digest of their block."""
        return {digest: each for blocks in self._used.values() for digest, each in blocks.items()}

    def orders(self, unit: Unit, starts: frozenset[int]) -> Iterator[tuple[Unit, int]]:
        """The routine in orders that need fewer and fewer registers, and at last as it is written. Each order
        comes with the number of instructions for which a register should rest between two values.

        `starts` are the addresses with a label.
        """
        if self.routines is not None and unit.name not in self.routines:
            yield unit, 0
            return
        fewer = (most for most in LIMITS if most < self.alive)
        for most, rests in ((self.alive, (8, 4, 2, 1, 0)), *((m, (4, 2, 1, 0)) for m in fewer)):
            ordered = self._order(unit, starts, most)
            for rest in rests:
                yield ordered, rest
        self._used[unit.name] = {}
        yield unit, 0

    def _order(self, unit: Unit, starts: frozenset[int], most: int) -> Unit:
        nodes: list[Node] = []
        used = self._used[unit.name] = {}
        for run in runs(unit, starts):
            if len(run) > 2 and movable(run[0]):
                block = Block(renamed(unit, run, self.timing.threads), gap(unit, run))
                search = Search(self.timing, block, most)
                if not any(search.product):
                    nodes += [step.node for step in block.steps]
                    continue
                digest = search.digest()
                worthwhile = search.product.count(True) >= WORTHWHILE
                order = self.known.get(digest)
                if order is None or most < self.alive or not block.allows(order):
                    order = self._searched.get((digest, most)) or self._search(search, worthwhile)
                    self._searched[digest, most] = order
                place = f"{unit.name}, {run[0].loc.file}:{run[0].loc.line}"
                used[digest] = Found(place, search.cost(order)[0], order, worthwhile)
                nodes += [block.steps[i].node for i in order]
            else:
                nodes += run
        first = unit.nodes[0].address
        pairs = {rd[0] for n in nodes if n.form.pair and not isinstance(rd := n.regs["rd"], int)}
        return replace(
            unit,
            nodes=[replace(n, address=first + i) for i, n in enumerate(nodes)],
            blocks={name: RegisterBlock(PAIR, PAIR, None) for name in pairs} | unit.blocks,
        )

    def _search(self, search: Search, worthwhile: bool) -> tuple[int, ...]:
        order = search.run()
        if self.evaluations and worthwhile:
            share = ONCE if search.block.gap is None else 1
            order = search.improve(order, self.evaluations // share)
        return tuple(order)


def make_scheduler(manifest: Path, evaluations: int = 0) -> Scheduler | None:
    """The scheduler that a manifest asks for.

    Its table `schedule` has `prime`, and optionally `orders` (a file), `threads` (1 by default), and
    `routines` and `alive` (see `Scheduler`). AsmError if it is malformed.
    """
    data = read_manifest(manifest)
    schedule = data.get("schedule")
    if schedule is None:
        return None
    if (
        data.get("unit") != "turbo"
        or schedule.get("prime") not in FORMS
        or set(schedule) - {"prime", "threads", "orders", "routines", "alive"}
    ):
        raise AsmError(
            f"{manifest}: write schedule = {{ prime = .., orders = .. }}, prime: {', '.join(FORMS)}"
        )
    file = manifest.parent / schedule.get("orders", "")
    known = tomllib.loads(file.read_text()) if file.is_file() else {}
    orders = {digest: tuple(found["order"]) for digest, found in known.items()}
    timing = TurboTiming(Solinas(FORMS[schedule["prime"]]), schedule.get("threads", 1))
    chosen = {name: schedule[name] for name in ("routines", "alive") if name in schedule}
    return Scheduler(timing, orders, evaluations, **chosen)
