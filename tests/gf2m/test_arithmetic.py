"""eccel_gf2m_arithmetic: the same promises in a build of named fields and in one for any polynomial."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate.configs.config import RTL_DIR
from eccelerate.curves import gf2m
from tests.gf2m.multiplier import degree, generic_mask, product_cycles, table
from tests.gf2m.test_multiplier import SMALL
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = sorted(
    (f"gf2m/{path.name}" for path in (RTL_DIR / "gf2m").glob("*.sv")),
    key=lambda name: (not name.endswith("_pkg.sv"), name),
)
FROM = Struct("gf2m/eccel_gf2m_pkg.sv", "from_t")
WIDTH, DIGIT_BITS, LEAST_INTERVAL = 8, 3, 3
IRREDUCIBLE = [f for m in range(2, WIDTH + 1) for f in range(1 << m, 2 << m) if gf2m.is_irreducible(f)]


@dataclass
class Operation:
    """(a * b + c)^(2^squares), and the cycles of its start_i and addend_o."""

    a: int
    b: int
    c: int
    squares: int
    started: int
    addend: int = 0


def interval(f: int, *, generic: bool) -> int:
    """Cycles of a product."""
    return product_cycles(f, DIGIT_BITS) if generic else -(-degree(f) // DIGIT_BITS)


def check(f: int, module: Module, rng: random.Random, *, generic: bool, count: int) -> None:
    """A stream of operations at full rate and with gaps, in one field."""
    m, core_interval = degree(f), interval(f, generic=generic)
    lowest = WIDTH - m if generic else 0  # the place of coefficient 0 in a register
    setting = {"degree_i": m, "low_i": (f ^ 1 << m) << lowest} if generic else {"field_i": SMALL.index(f)}
    module.clock(6, **setting, start_i=0, a_from_i=0, b_from_i=0, c_from_i=0, many_i=0)
    assert module["interval_o"] == max(LEAST_INTERVAL, core_interval)
    operations: list[Operation] = []
    adding = finishing = 0
    following, now, least, comes = 0, 0, 0, False
    zero_from, zero = -1, 0
    while finishing < count:
        words = {name: [rng.getrandbits(m) << lowest for _ in range(2)] for name in "abc"}
        inputs = {"start_i": 0, "a_from_i": 0, "b_from_i": 0, "c_from_i": 0, "squares_i": 0, "many_i": 0}
        if now == following and len(operations) < count:
            sides = [rng.choice(("lower", "upper")), rng.choice(("lower", "upper", "one"))]
            a, b = words["a"][sides[0] == "upper"], words["b"][sides[1] == "upper"]
            b = 1 << lowest if sides[1] == "one" else b
            froms = [FROM.pack(**{side: 1}) for side in sides]
            inputs |= {"start_i": 1, "a_from_i": froms[0], "b_from_i": froms[1]}
            squares = 0 if generic else rng.randrange(4)
            operations.append(Operation(a >> lowest, b >> lowest, 0, squares, now))
            least = max(LEAST_INTERVAL, core_interval, squares)
            following = now + least + rng.choice((0, 0, 0, 1, rng.randrange(9)))
        if comes:
            each, side = operations[adding], rng.choice(("lower", "upper", None))
            each.c = 0 if side is None else words["c"][side == "upper"] >> lowest
            inputs |= {"c_from_i": FROM.pack(**({side: 1} if side else {}))}
            inputs |= {"squares_i": each.squares, "many_i": int(each.squares > 1)}
        module.clock(**inputs, a_i=words["a"], b_i=words["b"], c_i=words["c"])
        assert module["addend_o"] == comes
        if comes:
            each = operations[adding]
            assert now == each.started + core_interval + (5 if generic else 2)
            assert module["product_o"] == gf2m.mul(each.a, each.b, f) << lowest
            each.addend, adding, zero_from = now, adding + 1, -1
        if module["after_valid_o"]:
            each = operations[finishing]
            assert now == each.addend + (2 if generic else 1 + max(1, each.squares))
            finishing += 1
        if module["after_soon_o"]:
            each = operations[finishing]
            value = gf2m.mul(each.a, each.b, f) ^ each.c
            for _ in range(each.squares):
                value = gf2m.square(value, f)
            assert module["whole_o"] == value << lowest
            zero, zero_from = int(not value), each.addend + 3
        if 0 <= zero_from <= now and not module["addend_o"]:
            assert module["zero_o"] == zero
        comes, now = bool(module["addend_next_o"]), now + 1


def run(*, generic: bool, patches: Sequence[Patch] = ()) -> None:
    mask = generic_mask(WIDTH) if generic else sum(1 << table().index(f) for f in SMALL)
    parameters = {"Fields": f"26'h{mask:x}", "DigitBits": DIGIT_BITS}
    module = Module("gf2m", "eccel_gf2m_arithmetic", SOURCES, parameters, patches)
    rng = random.Random(mask)
    for f in IRREDUCIBLE[::3] if generic else SMALL:
        check(f, module, rng, generic=generic, count=60 if generic else 400)


@pytest.mark.parametrize("generic", [False, True], ids=["named fields", "any polynomial"])
def test_operations_and_their_interval(generic: bool) -> None:
    run(generic=generic)


def test_a_mutant_with_a_shorter_interval_fails() -> None:
    with pytest.raises(AssertionError):
        run(generic=False, patches=[("eccel_gf2m_arithmetic.sv", "LeastInterval = 3", "LeastInterval = 2")])
