"""A unit of rtl/modmul as a Python object: streams of operands in, results with their cycles out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from eccelerate.configs.rtl_reach import reached_files
from eccelerate.timing.multiplier_timing import MultiplierTiming
from tests.module import Module
from tests.verilated import Patch

KINDS: dict[str, tuple[int, dict[str, int]]] = {
    "shift-add": (0, {}),
    "carry-save": (1, {"Word": 4}),
    "booth": (2, {}),
    "karatsuba": (3, {"Levels": 1}),
    "broadcast": (4, {"Word": 4}),
    "comba": (5, {"Lanes": 2}),
}
"""Number and own parameters of each kind of multiplier, for 16 bits."""


def module(top: str, parameters: Mapping[str, int | str], patches: Sequence[Patch] = ()) -> Module:
    """The module `top` with all that it needs, after a reset if it has one."""
    files = reached_files(top)
    unit = Module("modmul", top, files, parameters, patches)
    if "rst_i" in files[-1].read_text():
        unit.clock(4, rst_i=1).clock(rst_i=0)
        unit.clocks = 0
    return unit


def stream(unit: Module, latency: int, output: str, **inputs: Sequence[int]) -> list[int]:
    """Results of a unit that takes operands in every cycle and has no handshake."""
    count = len(next(iter(inputs.values())))
    found = []
    for now in range(count + latency):
        unit.clock(**{name: values[min(now, count - 1)] for name, values in inputs.items()})
        if now >= latency:
            found.append(unit[output])
    return found


def timing(unit: Module) -> MultiplierTiming:
    """What the unit says of itself."""
    unit.clock(valid_i=0)
    return MultiplierTiming(unit["latency_o"], unit["interval_o"])


def products(
    unit: Module, pairs: Sequence[tuple[int, int]], gaps: Sequence[int] = (0,), **constants: int
) -> list[int]:
    """Results of products that are offered one after the other; gaps: idle cycles before each of them.

    Checks the handshake: products are taken at most every interval_o cycles, and in a stream without gaps
    exactly so; each result comes latency_o cycles after its operands were taken. valid_o is high in no other
    cycle.
    """
    unit.clock(valid_i=0, **constants)
    latency, interval = unit["latency_o"], unit["interval_o"]
    due: list[int] = []
    found: list[int] = []
    at, last, idle, most = 0, -interval, gaps[0], max(gaps)
    for _ in range((len(pairs) + 4) * (latency + 2 * interval + most)):
        offered = at < len(pairs) and idle <= 0
        a, b = pairs[min(at, len(pairs) - 1)]
        unit.clock(valid_i=int(offered), a_i=a, b_i=b)
        now = unit.clocks
        assert unit["valid_o"] == int(bool(due) and due[0] == now), "valid_o at the wrong time"
        if unit["valid_o"]:
            found.append(unit["r_o"])
            due.pop(0)
        if offered and unit["ready_o"]:
            assert now - last >= interval, "ready_o before the interval has passed"
            assert most or at < 1 or now - last == interval, "a stream loses cycles"
            last, at = now, at + 1
            due.append(now + latency)
            idle = gaps[at % len(gaps)]
        else:
            idle -= 1
        if at == len(pairs) and not due:
            return found
    raise AssertionError("the unit does not answer")


def residues(m: int, rng: random.Random, count: int) -> list[tuple[int, int]]:
    """Pairs below m: edges, random values, and pairs with a product near 0 modulo m in both directions."""
    edges = [v for v in (0, 1, 2, m // 2, m - 2, m - 1) if 0 <= v < m]
    found = [(rng.choice(edges), rng.choice(edges)) for _ in range(count // 3)]
    while len(found) < count:
        a, b = rng.randrange(1, m), rng.randrange(m)
        kind = rng.randrange(3)
        if kind == 0:  # a b = small or -small
            try:
                b = rng.randrange(-4, 5) * pow(a, -1, m) % m
            except ValueError:
                b = m - 1
        elif kind == 1:  # a product with many zeros at the end
            shift = rng.randrange(m.bit_length())
            a, b = a >> shift << shift, b >> shift << shift
        found.append((a, b))
    rng.shuffle(found)
    return found
