"""Latency of the point addition in rtl/point, in cycles: the function of eccel_point_pkg."""

from __future__ import annotations

from eccelerate.model.complete_addition import INPUTS, program
from eccelerate.timing.modmul_timing import mod_add, passes
from eccelerate.timing.multiplier_timing import MultiplierTiming


def point_add_latency(
    algorithm: int,
    units: int,
    mul: MultiplierTiming,
    product: MultiplierTiming,
    bits: int,
    *,
    pipelined: bool,
    three_passes: bool,
) -> int:
    """Cycles of an addition, with `units` modular multipliers of the timing `product` over multipliers of
    the timing `mul`. three_passes: each makes the products of Montgomery's method with one multiplier.

    Steps issue in order, one in a cycle at most. A product then waits for the first multiplier that is
    ready, and no other product issues meanwhile.
    """
    busy = passes(mul).busy if three_passes else 0
    add = mod_add(bits, pipelined)
    there: dict[tuple[int, int], int] = {}
    taken: list[int | None] = [None] * units
    now, free_from, done = len(INPUTS), 0, 0

    def is_ready(unit: int, cycle: int) -> bool:
        last = taken[unit]
        if last is None:
            return True
        if cycle - last < busy:
            return (cycle - last) % product.interval == 0
        return cycle - last >= product.interval

    for step in program(algorithm):
        now = max(now + 1, there.get(step.left, 0), there.get(step.right, 0))
        if step.kind == "*":
            now = max(now, free_from)
            free_from = now + 1
            while not (ready := [unit for unit in range(units) if is_ready(unit, free_from)]):
                free_from += 1
            taken[ready[0]] = free_from
            there[0, step.target] = free_from + product.latency + 1
        else:
            done = now + add + 2
            if step.output is None:
                there[1, step.target] = done
    return done
