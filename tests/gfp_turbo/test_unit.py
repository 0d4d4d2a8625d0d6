"""eccel_gfp_turbo does what its header says: results, flags, hazards, clocks, the port. Mutants are
noticed.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest

from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.model.turbo import PRODUCTS, UNARY
from tests.gfp_turbo.unit import CODES, REGISTERS, Step, Trace, TurboUnit
from tests.gfp_turbo.values import operand_pairs, representatives
from tests.sampled import sampled
from tests.verilated import Patch

MODULAR = ("mul", "mull", "mulh", "mulw", "add", "sub", "addsub", "canon")  # operands below 2^n
INTEGER = ("mov", "csel", "iadd", "isub", "cadd")  # operands are any words; caddc has a test of its own
UNITS = [("P-256", 4), ("P-256", 1), ("P-256", 2), ("P-224", 4), ("secp256k1", 8), ("P-521", 1)]
UNITS += [("P-256 Karatsuba", 4), ("P-256 Karatsuba", 1)]


@cache
def unit(name: str, threads: int) -> TurboUnit:
    """One unit for all tests: each test writes the registers that it reads."""
    form, _, kind = name.partition(" ")
    return TurboUnit(Solinas(FORMS[form], karatsuba=kind == "Karatsuba"), threads)


def fill(u: TurboUnit, rng: random.Random, registers: range, bits: int) -> None:
    for t in range(u.threads):
        for r in registers:
            u.write(t, r, rng.getrandbits(bits))


def selects(u: TurboUnit, rng: random.Random) -> list[int]:
    return [rng.getrandbits(1) for _ in range(u.threads)]


def run(u: TurboUnit, program: list[Step], registers: range) -> Trace:
    """Run a program. Results, flags and every clock have to be those of the models."""
    trace = u.run(program)
    u.expect(program)
    found = [[u.read(t, r) for r in registers] for t in range(u.threads)]
    assert found == [[u.registers[t][r] for r in registers] for t in range(u.threads)]
    for flags, want in zip(u.flags(), (u.zero, u.carry), strict=True):
        assert all(w is None or flag == w for flag, w in zip(flags, want, strict=True))
    assert trace == u.predict(program)
    return trace


def step(op: str, rd: int, ra: int, rb: int, select: list[int], at: int = 0) -> Step:
    """An instruction. The rd of mulw becomes that of a pair, and mov gets the rb that distinguishes it from
    take.
    """
    return Step(op, rd & ~1 if op == "mulw" else rd, ra, 0 if op == "mov" else rb, select, at)


def hazards(rng: random.Random, u: TurboUnit, count: int, operations: tuple[str, ...]) -> list[Step]:
    """Instructions on so few registers that each one depends on several of those before it."""
    registers, gap, at, program = range(rng.choice([2, 3, 5, 8])), rng.choice([0, 0, 5, 40]), 0, []
    for _ in range(count):
        rd, ra, rb = (rng.choice(registers) for _ in range(3))
        program.append(step(rng.choice(operations), rd, ra, rb, selects(u, rng), at))
        at += rng.randrange(gap + 1)
    return program


@sampled(("name", "threads"), UNITS, now=4)
def test_operations_on_edge_values(name: str, threads: int) -> None:
    u, rng = unit(name, threads), random.Random(1)
    pairs = operand_pairs(u.field, rng, 16 * threads)
    p = u.field.p
    edges = [v for v in representatives(u.field) if v in (0, 1, p - 1, p, 2**u.field.bits - 1)]
    pairs += [(a, b) for a in edges for b in edges]
    while pairs:
        for t in range(threads):
            a, b = pairs.pop() if pairs else (0, 0)
            u.write(t, 1, a)
            u.write(t, 2, b)
        for op in MODULAR:
            run(u, [step(op, 4, 1, 2, selects(u, rng))], range(1, 6))


@pytest.mark.parametrize(("name", "threads"), UNITS)
def test_integer_operations_take_all_words(name: str, threads: int) -> None:
    u, rng = unit(name, threads), random.Random(2)
    bits = 32 * u.field.words
    values = [0, 1, 2**bits - 1, 2**bits - 2, 2 ** (bits - 1), 2**u.field.bits - 1, u.field.p]
    values += [rng.getrandbits(bits) for _ in range(5)]
    for _ in range(12):
        for t in range(threads):
            for r in range(4):
                u.write(t, r, rng.choice(values))
        for op in INTEGER:
            run(u, [step(op, 4, 1, 2, selects(u, rng))], range(5))
        # Two words of 32 W bits: the carry of the lower one goes into the upper one.
        run(u, [Step("iadd", 5, 0, 1), Step("iadd", 6, 2, 3), Step("caddc", 6, 6, 5)], range(7))


@pytest.mark.parametrize(("name", "threads"), UNITS)
def test_programs_full_of_hazards(name: str, threads: int) -> None:
    u = unit(name, threads)
    kinds: list[tuple[str, ...]] = [("mul", "add", "sub", "csel"), ("add", "sub"), ("mul",)]
    kinds += [("mulw",), ("mulw", "add"), (*MODULAR, "mov", "csel")]
    for seed in range(60):
        rng = random.Random(seed)
        fill(u, rng, range(8), u.field.bits)
        run(u, hazards(rng, u, 60, rng.choice(kinds)), range(8))


def test_registers_are_many_and_apart() -> None:
    u, rng = unit("P-256", 4), random.Random(3)
    fill(u, rng, range(REGISTERS), 256)
    program = [
        step(rng.choice(MODULAR), *(rng.randrange(REGISTERS) for _ in range(3)), selects(u, rng))
        for _ in range(300)
    ]
    run(u, program, range(REGISTERS))


# ------------------------------------------------------------------ clocks


def steps(trace: Trace, registers: range) -> set[int]:
    """Clocks between one result in these registers and the next."""
    clocks = [clock for clock, _, rd in trace.events if rd in registers]
    return {b - a for a, b in pairwise(clocks)}


@pytest.mark.parametrize(("name", "threads"), UNITS)
def test_products_follow_without_gaps(name: str, threads: int) -> None:
    """Independent products start every 2 W clocks, whatever sums run in parallel."""
    u, rng = unit(name, threads), random.Random(4)
    fill(u, rng, range(16), u.field.bits)
    products = [Step("mul", i % 8, 8 + i % 3, 12 + i % 4) for i in range(12)]
    trace = run(u, products, range(16))
    assert steps(trace, range(8)) == {2 * u.field.words}

    mixed = [s for i, p in enumerate(products) for s in (p, Step("add", 20 + i % 4, 24, 25))]
    trace = run(u, mixed, range(16))
    assert steps(trace, range(8)) == {2 * u.field.words}


@pytest.mark.parametrize("name", ["P-256", "P-224", "P-256 Karatsuba"])
def test_four_threads_hide_the_latency_of_a_product(name: str) -> None:
    u, rng = unit(name, 4), random.Random(5)
    fill(u, rng, range(2), u.field.bits)
    trace = run(u, [Step("mul", 1, 1, 0)] * 10, range(2))
    assert steps(trace, range(2)) == {2 * u.field.words}


@pytest.mark.parametrize(("name", "threads"), [unit for unit in UNITS if unit[1] == 1])
def test_latencies_of_dependent_operations(name: str, threads: int) -> None:
    """The header's formulas, measured on chains of one thread."""
    u, rng = unit(name, threads), random.Random(6)
    fill(u, rng, range(2), u.field.bits)
    words, last = u.field.words, u.field.stages[-1].position
    later = 6 if u.field.karatsuba else 0
    for op, latency in {"mul": 4 * words + 15 + last + later, "add": words + 11}.items():
        trace = run(u, [Step(op, 1, 1, 0)] * 6, range(2))
        assert steps(trace, range(2)) == {latency}
        assert trace.events[0][0] == 5 + latency  # offered in clock 0


@pytest.mark.parametrize(("name", "threads"), [("P-256", 4), ("P-256", 1)])
def test_clocks_do_not_depend_on_data(name: str, threads: int) -> None:
    u, rng = unit(name, threads), random.Random(7)
    operations = (*MODULAR, "mov", "csel")
    program = hazards(rng, u, 100, operations)
    traces = []
    for values in ("zeros", "ones", "random", "random"):
        for t in range(threads):
            for r in range(8):
                u.write(t, r, {"zeros": 0, "ones": 2**256 - 1}.get(values, rng.getrandbits(256)))
        for step in program:
            step.select = selects(u, rng)
        traces.append(run(u, program, range(8)))
    assert all(trace == traces[0] for trace in traces)


# ------------------------------------------------------------------ port


@pytest.mark.parametrize(("name", "threads"), UNITS)
def test_port_leaves_flags_and_other_registers(name: str, threads: int) -> None:
    u, rng = unit(name, threads), random.Random(8)
    fill(u, rng, range(6), u.field.bits)
    run(u, [Step("isub", 4, 0, 1), Step("csel", 5, 2, 3, selects(u, rng))], range(6))
    clocks = {u.write(t, r, rng.getrandbits(32 * u.field.words)) for t in range(threads) for r in (1, 3)}
    assert clocks == {u.field.words * 2 + 14}  # until idle_o
    run(u, [Step("mul", 5, 0, 2)], range(6))  # the flags are as before, and all registers as written


# ------------------------------------------------------------------ mutants

ISSUE, FLIGHT, SLOT = "eccel_turbo_issue.sv", "eccel_turbo_flight.sv", "eccel_turbo_slot.sv"
TOP = "eccel_gfp_turbo.sv"
MUTANTS: dict[str, Patch] = {
    "result overtakes a former one": (FLIGHT, "same_a_q[e] || same_d_q[e] ||", "same_a_q[e] ||"),
    "operand overwritten by a sum": (ISSUE, "(mul_a_q || mul_b_q)", "mul_a_q"),
    "operand overwritten by a product": (ISSUE, "(sum_a_q || sum_b_q)", "sum_b_q"),
    "a thread early": (SLOT, "(hit_q & ~done_q) == '0", "(hit_q & ~{Entries{|done_q}}) == '0"),
    "two results written at once": (ISSUE, "&& !clash_i", ""),
    "a sum in the way of a product": (ISSUE, "!(mul_ok && !mul_far_q)", "!mul_go"),
    "a result a clock early": (TOP, "mul_at_q[MulFirst-2] && !", "mul_at_q[MulFirst-3] && !"),
    "second result to the first register": (TOP, "mul_waddr | AddrBits'(mul_second_q)", "mul_waddr"),
    "done with the first of two": (TOP, "-2] && !mul_part)", "-2] && !mul_part_q)"),
    "neighbour not compared": (FLIGHT, "overlap(rd_q[e], ra_i, pair_q[e])", "overlap(rd_q[e], ra_i, 1'b0)"),
    "secret bit of another thread": (ISSUE, "sum_sel_q[sum_thread]", "sum_sel_q[0]"),
}  # fmt: skip


FACTORS, WORDS = "eccel_karatsuba_factors.sv", "eccel_karatsuba_words.sv"
KARATSUBA_MUTANTS: dict[str, Patch] = {
    "the second time with an upper part": (WORDS, "if (second_q) high_upper_q <= '0;", ""),
    "upper digits too early": (FACTORS, "far_b_q[index_q[2]]", "far_b_q[index_q[1]]"),
}


@sampled("name", [*MUTANTS, *KARATSUBA_MUTANTS], now=2)
def test_mutants_are_noticed(name: str) -> None:
    patch = (MUTANTS | KARATSUBA_MUTANTS)[name]
    u = TurboUnit(Solinas(FORMS["P-256"], karatsuba=name in KARATSUBA_MUTANTS), 2, [patch])
    with pytest.raises(AssertionError):
        for seed in range(40):
            rng = random.Random(seed)
            fill(u, rng, range(8), 256)
            run(u, hazards(rng, u, 60, ("mul", "mulw", "add", "csel", "addsub", "mov")), range(8))


def test_every_operation_of_the_instruction_set_is_tried() -> None:
    # `take` is a move whose operand comes from outside. Only the sequencer distinguishes mulx and movx.
    assert {*MODULAR, *INTEGER, "caddc"} == set(CODES) - {"take", "mulx", "movx"}
    assert {*PRODUCTS, *UNARY} <= set(CODES)
