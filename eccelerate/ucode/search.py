"""Search for the order of a block in which the turbo engine's field unit waits least. See `schedule`."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence

from eccelerate import isa
from eccelerate.timing.turbo_cycles import Instruction, TurboTimeline, TurboTiming
from eccelerate.ucode.basic_blocks import INSTRUCTION, Block, Place, is_new

TRIALS = 40  # number of list schedules of a block
ROUNDS = 3  # simulated iterations of a loop; the last one gives the period
AHEAD = 48  # an operation on a long chain may be preferred to one that could issue so many clocks earlier
HOT, COLD = 3.0, 0.4  # first and last temperature of the long search, in clocks
REGISTERS = isa.load("turbo").machine["registers"]


class Search:
    """A search for good orders of one block, in which at most `most` values are alive."""

    def __init__(self, timing: TurboTiming, block: Block, most: int) -> None:
        self.timing, self.block, self.most = timing, block, most
        places: dict[Place, int] = {}  # register numbers for the timing model; a pair has consecutive ones
        for step in block.steps:
            for result in step.results if step.node.form.pair else ():
                places.setdefault(result, len(places))
        self.timed: list[tuple[str, int, int, int] | None] = []  # None for an instruction of the sequencer
        for step in block.steps:
            if not step.node.form.is_field:
                self.timed.append(None)
                continue
            regs = step.node.regs
            rd, ra, rb = (places.setdefault(regs.get(f, 0), len(places)) for f in ("rd", "ra", "rb"))
            self.timed.append((step.name, rd, ra, rb))
        self.product = [t is not None and Instruction(*t).is_product for t in self.timed]
        self.latency = [0 if t is None else timing.latency(Instruction(*t)) for t in self.timed]
        self.interval = (timing.sum_interval, timing.product_interval)
        self.length = [  # clocks that each step adds to a chain
            max(latency, timing.threads * self.interval[product]) if latency else 0
            for latency, product in zip(self.latency, self.product, strict=True)
        ]
        self.incoming = block.incoming()
        self.height = self._heights()
        self.after: list[list[int]] = [[] for _ in block.steps]
        self.users = [0] * len(block.steps)  # number of steps of the block that read the result
        for i, early in enumerate(block.before):
            for e in early:
                self.after[e].append(i)
        for i in range(len(block.steps)):
            for e in block.operands[i]:
                self.users[e] += 1
        final = {p: i for p, i in block.final.items() if p in block.steps[i].results}
        # With one thread a good order matters more than saving registers.
        self.stays = {i for p, i in final.items() if timing.threads == 1 or not is_new(p)}

    def digest(self) -> str:
        """Digest of everything that an order depends on."""
        block = self.block
        text = repr(
            (self.timed, [sorted(b) for b in block.before], block.gap, [s.cycles for s in block.steps])
        )
        clocks: tuple[int, ...] = (self.timing.product_latency, self.timing.sum_latency, *self.interval)
        if self.timing.threads > 1:
            clocks = (*clocks, self.timing.threads)
        return hashlib.sha256(f"{text} {clocks}".encode()).hexdigest()[:16]

    def run(self) -> Sequence[int]:
        """The best of some list schedules."""
        count = len(self.block.steps)
        best = list(range(count))
        cost, ready = self.cost(best)
        rng = random.Random(count)
        aim: tuple[float, float, list[float]] = (0.2, 16.0, [1.0] * count)
        for trial in range(TRIALS):
            share, ahead, weights = aim
            if trial:
                spread = rng.choice((0.0, 0.02, 0.1, 0.3))
                share *= rng.choice((0.5, 0.8, 1.0, 1.0, 1.25, 2.0))
                ahead = min(AHEAD, max(1.0, ahead * rng.choice((0.5, 1.0, 1.0, 2.0))))
                few = rng.random() < 0.5
                weights = [
                    w * (1 + rng.gauss(0, spread)) if not few or rng.random() < 0.1 else w for w in weights
                ]
            order = self._list((share, ahead, weights), ready)
            now, ready_now = self.cost(order)
            if now <= cost:
                best, cost, ready, aim = order, now, ready_now, (share, ahead, weights)
        return best

    def improve(self, order: Sequence[int], evaluations: int) -> Sequence[int]:
        """Simulated annealing, starting from an order. A step may move past others, but not past those that
        it depends on.
        """
        rng = random.Random(len(order))
        now = best = list(order)
        cost = least = self.cost(now)[0]
        for trial in range(evaluations):
            heat = HOT + (COLD - HOT) * trial / evaluations
            moved = list(now)
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                old = rng.randrange(len(moved))
                step = moved[old]
                low = max((moved.index(b) + 1 for b in self.block.before[step]), default=0)
                high = min((moved.index(a) - 1 for a in self.after[step]), default=len(moved) - 1)
                far = rng.random() < 0.2
                new = rng.randint(low, high) if far else old + rng.choice((-1, 1)) * rng.randint(1, 8)
                moved.insert(max(low, min(high, new)), moved.pop(old))
            if moved == now or not self.block.allows(moved):
                continue
            price = self.cost(moved)[0]
            if price > cost and rng.random() >= math.exp((cost - price) / heat):
                continue
            if self.most >= REGISTERS or self._alive(moved) <= self.most:
                now, cost = moved, price
                if cost < least:
                    best, least = now, cost
        return best

    def _alive(self, order: Sequence[int]) -> int:
        """The largest number of values of the block that wait for their last use at the same time."""
        users, alive, most = list(self.users), 0, 0
        for i in order:
            for e in self.block.operands[i]:
                users[e] -= 1
                alive -= users[e] == 0 and self._passes(e)
            alive += users[i] > 0 and self._passes(i)
            most = max(most, alive)
        return most

    def _passes(self, step: int) -> bool:
        """Whether the result of a step is a value that is no longer needed after its block."""
        return self.latency[step] > 0 and step not in self.stays

    def _heights(self) -> list[float]:
        """For each step, the clocks of the longest chain that begins with it, including the next two
        iterations of a loop.
        """
        block, exposed = self.block, dict[Place, float]()
        height: list[float] = []
        for _ in range(1 if block.gap is None else 3):
            height = [0.0] * len(block.steps)
            for place, i in block.final.items():
                height[i] = max(height[i], exposed.get(place, 0.0))
            for i in reversed(range(len(block.steps))):
                height[i] += self.length[i]
                for e in block.operands[i]:
                    height[e] = max(height[e], height[i])
            exposed = {p: max(height[i] for i in readers) for p, readers in self.incoming.items()}
        return height

    def cost(self, order: Sequence[int]) -> tuple[int, dict[Place, int]]:
        """The clocks of an order (for a loop, those of one iteration), and when the values of the iteration
        before are ready, counted from the start of the iteration.
        """
        timeline, now = TurboTimeline(self.timing), 0
        gap = self.block.gap
        begins: list[int] = []
        last: list[Instruction | None] = []
        for _ in range(1 if gap is None else ROUNDS):
            begins.append(now)
            last = [None] * len(order)
            for i in order:
                timed = self.timed[i]
                if timed is None:
                    now += self.block.steps[i].cycles
                else:
                    last[i] = instruction = Instruction(*timed, offered=now)
                    now = timeline.accept(instruction) + INSTRUCTION
            now += gap or 0
        if gap is None:
            return timeline.drain(), {}
        timeline.drain()
        ready = {}
        for place in self.incoming:
            writer = last[self.block.final[place]] if place in self.block.final else None
            if writer is not None:
                ready[place] = writer.issued[-1] + self.timing.latency(writer) - now
        return now - begins[-1], ready

    def _list(self, aim: tuple[float, float, list[float]], ready: dict[Place, int]) -> list[int]:
        """Choose steps one by one: the one with the earliest issue, unless a longer chain depends on one that
        can issue soon after it.
        """
        share, ahead, weights = aim
        block, count = self.block, len(self.block.steps)
        left = [len(early) for early in block.before]
        users = list(self.users)
        there = [0] * count  # clock from which the operands of each step can be read
        for place, readers in self.incoming.items():
            for i in readers:
                there[i] = max(there[i], ready.get(place, 0))
        bonus = [share * h * w for h, w in zip(self.height, weights, strict=True)]
        free = [i for i in range(count) if not left[i]]
        order: list[int] = []
        now = buffer_free = alive = 0
        slot_free, next_issue = [0, 0], [0, 0]
        reader: int | None = None  # the step that reads the C that was set last
        while free:
            times: list[tuple[int, int]] = []
            offered = max(now, buffer_free)
            for i in free:
                if reader is not None and i != reader and i in block.carries:
                    continue
                if self.timed[i] is None:
                    times.append((offered, i))
                    continue
                kind = self.product[i]
                at = max(max(offered + 3, slot_free[kind]) + 2, next_issue[kind], there[i])
                times.append((at, i))
            if alive >= self.most:
                # Prefer steps after which a value is no longer needed.
                ending = [t for t in times if any(users[e] == 1 for e in block.operands[t[1]])]
                times = ending or times
            limit = min(times)[0] + ahead
            at, i = min((t for t in times if t[0] <= limit), key=lambda t: (t[0] - bonus[t[1]], t[1]))
            free.remove(i)
            order.append(i)
            if i in block.carries:
                reader = block.reader.get(i)
            for late in self.after[i]:
                left[late] -= 1
                if not left[late]:
                    free.append(late)
            for e in block.operands[i]:
                users[e] -= 1
                alive -= users[e] == 0 and self._passes(e)
            if self.timed[i] is None:
                now = offered + block.steps[i].cycles
                continue
            alive += users[i] > 0 and self._passes(i)
            kind = self.product[i]
            buffer_free = max(offered + 3, slot_free[kind]) + 1
            last = at + (self.timing.threads - 1) * self.interval[kind]
            slot_free[kind] = last + 2
            next_issue[kind] = last + self.interval[kind]
            now = offered + INSTRUCTION
            for late in self.after[i]:
                if i in block.operands[late]:
                    there[late] = max(there[late], at + self.latency[i])
        return order
