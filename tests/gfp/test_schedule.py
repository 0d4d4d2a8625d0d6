"""eccel_gfp_schedule: every row of a stream of operations, digit by digit, as the cycle model says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from eccelerate.timing.compact_cycles import FieldClock, FieldTiming, is_product
from tests.gfp.model import CARRY, LONG
from tests.gfp.rows import DIGIT, ROW_STAGE
from tests.gfp.unit import CODES, SOURCES
from tests.module import Module, Struct
from tests.verilated import Patch

OP = Struct("gfp/eccel_gfp_pkg.sv", "op_t", keep=2)
KEEP = {"mul": 1, "add": 1, "sub": 2}
"""keep_e: t - m if it is not negative, or t + m after a borrow; else t."""
INDEX_BITS = {16: 6, 32: 5, 64: 4}
PREFETCH_SLOT = 2
Y_DELAY = ROW_STAGE - 3
"""Cycles from the address of a digit of x or a to that of y or t."""
Step = dict[str, int]


@dataclass
class Operation:
    """An operation offered from a cycle on."""

    name: str
    sel: int
    rd: int
    ra: int
    rb: int
    offered: int = 0
    clear: int = 0
    """From this cycle on no operand is still to come."""
    rows: list[int] = field(default_factory=list)
    """Cycles in which its rows begin."""
    prefetches: list[int] = field(default_factory=list)
    """Cycles of prefetch_o for these rows, if it is a product: in the row before, or after the acceptance."""

    @property
    def y(self) -> tuple[int, int]:
        """Whether the operation adds or subtracts y, whether it subtracts."""
        adds = self.name in ("add", "sub", "iadd", "isub", "iaddl", "isubl")
        if self.name in ("cadd", "caddl"):
            adds = bool(self.sel)
        return int(adds), int(self.name in ("sub", "isub", "isubl"))

    @property
    def x(self) -> int:
        """The register of the stream x."""
        return self.rb if self.name == "movx" or (self.name == "csel" and self.sel) else self.ra

    def decoded(self) -> int:
        """op_o."""
        adds, subtracts = self.y
        product = is_product(self.name)
        return OP.pack(
            is_mul=int(product), is_half=int(self.name == "half"),
            y_en=adds, y_neg=subtracts, d_neg=int(product or self.name == "add"),
            keep=KEEP.get("mul" if product else self.name, 0),
            set_carry=int(self.name in CARRY), is_long=int(self.name in LONG),
        )  # fmt: skip


def plan(timing: FieldTiming, operations: Sequence[Operation], rng: random.Random) -> list[int]:
    """When each operation is accepted, by the cycle model; the rows of each one."""
    clock, accepted, now, last, end = FieldClock(timing.digit_bits), [], 8, 0, 0
    for before, each in zip([None, *operations], operations, strict=False):
        each.offered = now
        if before and before.name in LONG:  # eccel_gfp_hazard waits for its last digit
            each.clear = clock.idle + 1
        at = clock.accept(now, timing.cost(each.name), each.rd, each.ra, each.rb)
        lead, row = timing.cost(each.name)[0], timing.row(each.name)
        chained = at < end - 1  # accepted in the last row of the operation before
        base = end if chained else at + lead
        each.rows = [base + i * row for i in range(timing.rows(each.name))]
        each.prefetches = [last + PREFETCH_SLOT if chained else at + 1]
        each.prefetches += [begin + PREFETCH_SLOT for begin in each.rows[:-1]]
        last, end = each.rows[-1], each.rows[-1] + row
        accepted.append(at)
        now = at + rng.choice((2, 2, 2, 3, 9, rng.randrange(2, 60)))
    return accepted


def expected(timing: FieldTiming, each: Operation) -> dict[int, Step]:
    """Outputs of the rows of an operation by cycle; an output that is not listed may have any value."""
    steps: dict[int, Step] = {}
    adds, subtracts = each.y
    product, s = is_product(each.name), timing.length(each.name)

    def place(register: int, digit: int) -> int:
        return register << INDEX_BITS[timing.digit_bits] | digit

    for i, base in enumerate(each.rows):
        for j in range(s + 1):
            inner = product and j < s
            step = steps.setdefault(base + j, {})
            step |= {"active_o": 1, "slot_o": j, "rd_o": each.rd, "op_o": each.decoded()}
            step["digit_o"] = DIGIT.pack(
                valid=1, first=int(not j), top=int(j == s), finish=int(j == s and base == each.rows[-1]),
                product=int(inner or (not product and j > 0)), reduce=int(inner),
                y_en=int(adds and j > 0), t_en=int(inner and i > 0),
                t_top=int(product and j == s and i > 0), y_neg=subtracts,
                d_neg=int(product or each.name == "add"),
            )  # fmt: skip
            if inner:
                step["a_addr_o"] = place(each.ra, j)
                steps.setdefault(base + j + Y_DELAY, {})["t_addr_o"] = j
            elif not product and j > 0:
                step["a_addr_o"] = place(each.x, j - 1)
                steps.setdefault(base + j + Y_DELAY, {})["b_addr_o"] = place(each.rb, j - 1)
        if product:
            step = steps.setdefault(each.prefetches[i], {})
            step |= {"prefetch_o": 1, "first_row_o": int(not i)}
            if each.name == "half":
                step["half_o"] = 1
            else:
                step |= {"b_addr_o": place(each.rb, i)} | ({"half_o": 0} if not i else {})
                steps.setdefault(each.prefetches[i] + 1, {})["b_addr_o"] = place(each.ra, 0)
    return steps


def run(digit_bits: int, words: int, patches: Sequence[Patch] = ()) -> None:
    """A random stream of operations. No result is an operand: only long operations delay others."""
    timing, rng = FieldTiming(digit_bits, words), random.Random(words)
    parameters = {"DigitBits": digit_bits, "IndexBits": INDEX_BITS[digit_bits]}
    module = Module("gfp", "eccel_gfp_schedule", SOURCES, parameters, patches)
    names = ["mul", "mul", "half", *CODES]
    operations = [
        Operation(
            rng.choice(names), rng.getrandbits(1), rng.randrange(32, 64), rng.randrange(32), rng.randrange(32)
        )
        for _ in range(60)
    ]
    accepted = plan(timing, operations, rng)
    steps: dict[int, Step] = {}
    for each in operations:
        for now, step in expected(timing, each).items():
            steps[now] = steps.get(now, {}) | step
    module.clock(words_i=words, rst_ni=0)
    module.clock(8, rst_ni=1)
    following = 0
    for now in range(max(steps) + 1):
        each = operations[min(following, len(operations) - 1)]
        offers = following < len(operations) and now >= each.offered
        module.clock(
            valid_i=offers, clear_i=now >= each.clear,
            op_i=CODES[each.name], sel_i=each.sel, rd_i=each.rd, ra_i=each.ra, rb_i=each.rb,
        )  # fmt: skip
        step = steps.get(now, {})
        assert {name: module[name] for name in step} == step, f"cycle {now}"
        assert "active_o" in step or not DIGIT.unpack(module["digit_o"])["valid"]
        assert module["accept_o"] == (offers and now == accepted[following])
        if module["accept_o"]:
            following += 1
    assert following == len(operations)


@pytest.mark.parametrize(("digit_bits", "words"), [(16, 6), (32, 8), (32, 17), (64, 6), (64, 17)])
def test_rows_and_addresses_are_those_of_the_contract(digit_bits: int, words: int) -> None:
    run(digit_bits, words)


def test_a_mutant_that_adds_t_in_the_first_row_fails() -> None:
    with pytest.raises(AssertionError):
        run(32, 8, [("eccel_gfp_schedule.sv", "digit_o.reduce && !first_row_q", "digit_o.reduce")])
