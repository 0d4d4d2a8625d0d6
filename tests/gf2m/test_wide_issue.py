"""eccel_gf2m_wide_issue, with models of the core and of the register file: operations and ladder steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from eccelerate.timing.gf2m_cycles import WIDE_SQUARES, WideUnit
from tests.gf2m.multiplier import degree
from tests.gf2m.test_multiplier import SMALL
from tests.gf2m.test_unit import program
from tests.gf2m.unit import REGISTERS, Request, execute, timeline
from tests.gf2m.wide import WideCore
from tests.module import Module
from tests.verilated import Patch

SOURCES = (
    "gf2m/eccel_gf2m_pkg.sv",
    *(f"gf2m/eccel_gf2m_wide_{name}.sv" for name in ("pkg", "steps", "issue")),
)
F = SMALL[-1]
EDGES = [i * WIDE_SQUARES + j for i in range(1, 5) for j in (-1, 0, 1)]
"""Numbers of squares around those that one cycle, two, three and four make."""
OPERATION_BITS = 62
MOST_IDLE = 200


class Bench:
    """The module with its core and its register file.

    A word comes two cycles after its address. A value leaves the core one cycle after its command, and can
    be addressed in the next one.
    """

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        self.module = Module("gf2m", "eccel_gf2m_wide_issue", SOURCES, patches=patches)
        self.core = WideCore(F)
        self.file = [0] * REGISTERS
        self._words = [[[0, 0]] * 3] * 2
        self._written: int | None = None

    def clock(self, **inputs: int) -> tuple[int, ...]:
        """One cycle, and what is public of it: ready, idle, all addresses, the register that is written."""
        module, file = self.module, self.file
        module.clock(**inputs)
        reads = [module.array(name) for name in ("a_o", "b_o", "c_o")]
        value, _ = self.core.clock(module["control_o"], *self._words.pop(0))
        self._words.append([[file[register] for register in pair] for pair in reads])
        if self._written is not None:
            file[self._written] = value
        self._written = module["waddr_o"] if module["we_o"] else None
        written = -1 if self._written is None else self._written
        return module["ready_o"], module["idle_o"], *reads[0], *reads[1], *reads[2], written

    def load(self, register: int, value: int) -> None:
        """The port writes a register of the idle unit. The write ends in the cycle after changed_i."""
        assert self.clock(changed_i=1, valid_i=0)[1]
        self.file[register] = value
        self.module.clock(0, changed_i=0)

    def run(self, requests: Sequence[Request], seed: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """The cycles in which requests are accepted, and what is public of every cycle until the unit is
        idle. Inputs that a request does not define are random.
        """
        rng = random.Random(seed)
        left, offered = list(requests), 0
        accepted: list[int] = []
        trace: list[tuple[int, ...]] = []
        while left or len(trace) == accepted[-1] + 1 or not trace[-1][1]:
            now = len(trace)
            valid = bool(left) and now >= offered
            inputs = {
                "operation_i": rng.getrandbits(OPERATION_BITS),
                "take_i": rng.getrandbits(1),
                "step_i": 0,
            }
            if valid:
                inputs |= {"take_i": left[0].take, "step_i": int(left[0].step)}
                inputs |= {} if left[0].step else {"operation_i": left[0].packed()}
            trace.append(self.clock(valid_i=valid, **inputs))
            if valid and trace[-1][0]:
                left.pop(0)
                accepted.append(now)
                offered = now + left[0].gap if left else 0
            assert now < 100 * len(requests) + MOST_IDLE, "the unit hangs"
        return accepted, trace


def requests_of(rng: random.Random, count: int) -> list[Request]:
    """Operations and steps on few registers, also with many squares."""
    many = (replace(each, squares=rng.choice(EDGES)) for each in program(F, rng, count))
    return [each if rng.random() < 0.3 else replace(each, squares=each.squares % 4) for each in many]


def programs(patches: Sequence[Patch] = ()) -> None:
    """Random programs leave what their requests leave one by one, in the cycles of the model. With other
    secret bits, everything public is the same.
    """
    rng, bench = random.Random(1), Bench(patches)
    registers = [rng.getrandbits(degree(F)) for _ in range(REGISTERS)]
    for register, value in enumerate(registers):
        bench.load(register, value)
    for seed in range(25):
        # Before the first operation, the addresses are those of the program before.
        requests = [Request(), *requests_of(rng, 40)]
        other = [replace(each, take=rng.randrange(2)) for each in requests]
        traces = []
        for each in (requests, other):
            for register in (1, 2):  # products do not all become 0
                registers[register] = rng.getrandbits(degree(F))
                bench.load(register, registers[register])
            model = WideUnit()
            accepted, trace = bench.run(each, seed)
            assert accepted == timeline(model, F, each)
            assert len(trace) == model.idle + 1
            execute(F, registers, each, wide=True)
            assert bench.file == registers
            traces.append(trace)
        assert traces[0][1:] == traces[1][1:]


def test_programs_leave_what_their_requests_leave_one_by_one_in_the_cycles_of_the_model() -> None:
    programs()


def rewrite(patches: Sequence[Patch] = ()) -> None:
    """Results are overwritten by the port as soon as the unit is idle, and read by the next operation."""
    bench = Bench(patches)
    for register in range(REGISTERS):
        bench.load(register, register)
    bench.run([Request((3, 3), (5, 5), plain=1, after=2)], 0)
    for register, value in ((1, 7), (2, 9)):
        bench.load(register, value)
    bench.run([Request((1, 1), (-1, -1), (2, 2), after=4)], 0)
    assert bench.file[4] == 7 ^ 9


def test_an_operation_reads_what_the_port_wrote_before_it() -> None:
    rewrite()


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ("if (changed_i || go_step)", "if (go_step)", rewrite),
        ("wait_d = 2'd3;", "wait_d = 2'd2;", programs),
        ("if (go) wait_q <= wait_d;", "if (go) wait_q <= wait_d | 2'(take_i);", programs),
    ],
    ids=["what the port writes is ignored", "an operand is selected too early", "the secret bit costs time"],
)
def test_a_mutant_fails(old: str, new: str, claim: Callable[[Sequence[Patch]], None]) -> None:
    with pytest.raises(AssertionError):
        claim([("eccel_gf2m_wide_issue.sv", old, new)])
