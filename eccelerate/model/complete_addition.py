"""Complete point addition: the formulas of Renes, Costello and Batina (2016) as programs of rtl/point.

A point is (X : Y : Z), infinity is (0 : 1 : 0). The formulas give the right sum for every pair of points of
a curve of odd order: also for equal and opposite points, and for infinity. Algorithm 1 is for any a,
algorithm 4 for a = -3.

:func:`program` puts the steps in an order and gives every value a place. Products live in one memory, sums
and operands in the other one, 16 places each. `eccel generate point` writes the package of rtl/point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

INPUTS = ("X1", "Y1", "Z1", "X2", "Y2", "Z2", "a", "b")
"""In the order of their places. Algorithm 1: b is 3 b of the curve. Algorithm 4: a is not used."""
OUTPUTS = ("X3", "Y3", "Z3")
PLACES = 16
PRODUCT, SUM = 0, 1
"""The memories."""
GUESS = {"*": 36, "+": 10, "-": 10}
GUESS_INTERVAL = 3
"""Cycles of an operation, and of a multiplier between two, from which the order of the steps follows."""
PACKAGE = "rtl/point/gen/eccel_point_program_pkg.sv"
COMMAND = "eccel generate point"

STEPS = {
    1: """t0 = X1 * X2; t1 = Y1 * Y2; t2 = Z1 * Z2; t3 = X1 + Y1; t4 = X2 + Y2; t3 = t3 * t4; t4 = t0 + t1
    t3 = t3 - t4; t4 = X1 + Z1; t5 = X2 + Z2; t4 = t4 * t5; t5 = t0 + t2; t4 = t4 - t5; t5 = Y1 + Z1
    X3 = Y2 + Z2; t5 = t5 * X3; X3 = t1 + t2; t5 = t5 - X3; Z3 = a * t4; X3 = b * t2; Z3 = X3 + Z3
    X3 = t1 - Z3; Z3 = t1 + Z3; Y3 = X3 * Z3; t1 = t0 + t0; t1 = t1 + t0; t2 = a * t2; t4 = b * t4
    t1 = t1 + t2; t2 = t0 - t2; t2 = a * t2; t4 = t4 + t2; t0 = t1 * t4; Y3 = Y3 + t0; t0 = t5 * t4
    X3 = t3 * X3; X3 = X3 - t0; t0 = t3 * t1; Z3 = t5 * Z3; Z3 = Z3 + t0""",
    4: """t0 = X1 * X2; t1 = Y1 * Y2; t2 = Z1 * Z2; t3 = X1 + Y1; t4 = X2 + Y2; t3 = t3 * t4; t4 = t0 + t1
    t3 = t3 - t4; t4 = Y1 + Z1; X3 = Y2 + Z2; t4 = t4 * X3; X3 = t1 + t2; t4 = t4 - X3; X3 = X1 + Z1
    Y3 = X2 + Z2; X3 = X3 * Y3; Y3 = t0 + t2; Y3 = X3 - Y3; Z3 = b * t2; X3 = Y3 - Z3; Z3 = X3 + X3
    X3 = X3 + Z3; Z3 = t1 - X3; X3 = t1 + X3; Y3 = b * Y3; t1 = t2 + t2; t2 = t1 + t2; Y3 = Y3 - t2
    Y3 = Y3 - t0; t1 = Y3 + Y3; Y3 = t1 + Y3; t1 = t0 + t0; t0 = t1 + t0; t0 = t0 - t2; t1 = t4 * Y3
    t2 = t0 * Y3; Y3 = X3 * Z3; Y3 = Y3 + t2; X3 = t3 * X3; X3 = X3 - t1; Z3 = t4 * Z3; t1 = t3 * t0
    Z3 = Z3 + t1""",
}
"""The steps of each algorithm, with the names of the paper."""


@dataclass(frozen=True)
class Step:
    """target = left kind right; kind is *, + or -. Values are numbers: those of INPUTS first."""

    kind: str
    target: int
    left: int
    right: int
    output: str | None = None


@dataclass(frozen=True)
class Instruction:
    """A step with places: (memory, place) of its operands; place of its result, in the memory of its kind."""

    kind: str
    target: int
    left: tuple[int, int]
    right: tuple[int, int]
    output: str | None


@cache
def steps(algorithm: int) -> tuple[Step, ...]:
    """The steps in the order of the paper, in which every value has a number of its own."""
    names = {name: i for i, name in enumerate(INPUTS)}
    found: list[Step] = []
    for text in STEPS[algorithm].replace("\n", ";").split(";"):
        target, _, left, kind, right = text.split()
        found.append(Step(kind, len(INPUTS) + len(found), names[left], names[right]))
        names[target] = found[-1].target
    outputs = {names[name]: name for name in OUTPUTS}
    return tuple(Step(s.kind, s.target, s.left, s.right, outputs.get(s.target)) for s in found)


def add(algorithm: int, values: Mapping[str, int], p: int) -> tuple[int, int, int]:
    """X3, Y3, Z3 modulo p; `values` has INPUTS, of which algorithm 4 does not use a."""
    known = [values.get(name, 0) for name in INPUTS]
    found = {}
    for step in steps(algorithm):
        left, right = known[step.left], known[step.right]
        known.append({"*": left * right, "+": left + right, "-": left - right}[step.kind] % p)
        if step.output:
            found[step.output] = known[-1]
    return found["X3"], found["Y3"], found["Z3"]


@cache
def ordered(algorithm: int) -> tuple[Step, ...]:
    """The steps in the order of issue: first the one with the longest way to go, of those that can go."""
    todo = list(steps(algorithm))
    ahead = {s.target: GUESS[s.kind] for s in todo}
    for s in reversed(todo):
        users = [ahead[u.target] for u in todo if s.target in (u.left, u.right)]
        ahead[s.target] += max(users, default=0)
    ready = dict.fromkeys(range(len(INPUTS)), 0)
    found: list[Step] = []
    now = multiplier = 0
    while todo:
        can = [s for s in todo if all(ready.get(v, now + 1) <= now for v in (s.left, s.right))]
        can = [s for s in can if s.kind != "*" or multiplier <= now]
        if can:
            best = max(can, key=lambda s: ahead[s.target])
            todo.remove(best)
            found.append(best)
            ready[best.target] = now + GUESS[best.kind]
            if best.kind == "*":
                multiplier = now + GUESS_INTERVAL
        now += 1
    return tuple(found)


@cache
def program(algorithm: int) -> tuple[Instruction, ...]:
    """The program. A place is used again once the last step that reads it has been issued."""
    order = ordered(algorithm)
    last = {v: i for i, s in enumerate(order) for v in (s.left, s.right)}
    where = {v: (SUM, v) for v in range(len(INPUTS))}
    free = {PRODUCT: list(range(PLACES)), SUM: list(range(len(INPUTS), PLACES))}
    free[SUM] += [v for v in where if v not in last]
    found = []
    for i, s in enumerate(order):
        left, right = where[s.left], where[s.right]
        for v in {s.left, s.right}:
            if last[v] == i:
                memory, place = where[v]
                free[memory].append(place)
        memory = PRODUCT if s.kind == "*" else SUM
        place = 0
        if s.output is None:
            place = free[memory].pop(0)
            where[s.target] = memory, place
        found.append(Instruction(s.kind, place, left, right, s.output))
    assert found[-1].output, "the last step has to be a result"
    return tuple(found)


def _word(i: Instruction) -> str:
    output = OUTPUTS.index(i.output) + 1 if i.output else 0
    fields = {
        "product": f"1'b{int(i.kind == '*')}", "sub": f"1'b{int(i.kind == '-')}", "target": f"4'd{i.target}",
        "left_sum": f"1'b{i.left[0]}", "left": f"4'd{i.left[1]}",
        "right_sum": f"1'b{i.right[0]}", "right": f"4'd{i.right[1]}", "result": f"2'd{output}",
    }  # fmt: skip
    return ", ".join(f"{name}: {value}" for name, value in fields.items())


def _cases(algorithm: int) -> Sequence[str]:
    lines = []
    for index, instruction in enumerate(program(algorithm)):
        first, last = _word(instruction).split(" left_sum", 1)
        lines += [f"      {index}: return step_t'{{{first}", f"          left_sum{last}}};"]
    return lines


def package() -> str:
    """The text of the package."""
    counts = {algorithm: len(program(algorithm)) for algorithm in STEPS}
    lines = [
        f"// Generated by `{COMMAND}`. Do not edit.",
        "//",
        "// Programs of eccel_point_add: algorithms 1 and 4 of Renes, Costello, Batina 2016. Source:",
        "// eccelerate/model/complete_addition.py.",
        "",
        "package eccel_point_program_pkg;",
        "",
        "  // left * right, left - right with sub, else left + right. Operands are in the memory of sums",
        "  // or in that of products; the result goes to the memory of its kind. result: 1, 2, 3 for X3,",
        "  // Y3, Z3, which goes to no memory.",
        "  typedef struct packed {",
        "    logic product;",
        "    logic sub;",
        "    logic [3:0] target;",
        "    logic left_sum;",
        "    logic [3:0] left;",
        "    logic right_sum;",
        "    logic [3:0] right;",
        "    logic [1:0] result;",
        "  } step_t;",
        "",
        "  function automatic int step_count(int algorithm);",
        f"    return algorithm == 4 ? {counts[4]} : {counts[1]};",
        "  endfunction",
        "",
    ]
    for algorithm in STEPS:
        lines += [
            f"  function automatic step_t step_{algorithm}(int number);",
            "    case (number)",
            *_cases(algorithm),
            "      default: return '0;",
            "    endcase",
            "  endfunction",
            "",
        ]
    lines += [
        "  function automatic step_t step(int algorithm, int number);",
        "    return algorithm == 4 ? step_4(number) : step_1(number);",
        "  endfunction",
        "",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def outputs() -> dict[str, str]:
    """Generated files: the content by path relative to the repository root."""
    return {PACKAGE: package()}
