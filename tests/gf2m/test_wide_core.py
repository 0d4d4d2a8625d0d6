"""eccel_gf2m_wide_core against its model: random commands in every cycle, in every field of a build."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.gf2m.multiplier import degree, table
from tests.gf2m.test_multiplier import SMALL
from tests.gf2m.wide import CONTROL, MOST_SQUARES, WRITE, A, B, C, WideCore
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (
    "gf2m/eccel_gf2m_pkg.sv",
    "gf2m/eccel_gf2m_wide_pkg.sv",
    *(
        f"gf2m/eccel_gf2m_{name}.sv"
        for name in ("split", "join", "product", "digit_product", "reduce", "residue", "zero", "wide_core")
    ),
)
FLAGS = [name for name in CONTROL.fields if name.endswith("_we")]


def one_of(struct: Struct, rng: random.Random) -> int:
    """A choice with at most one bit."""
    return struct.pack(**dict.fromkeys(rng.sample(struct.fields, rng.choice((0, 1, 1, 1))), 1))


def command(rng: random.Random) -> int:
    """Random commands of one cycle."""
    fields = {name: int(rng.random() < 0.4) for name in FLAGS}
    count = rng.choice((0, *(1 << i for i in range(MOST_SQUARES))))
    choices = {name: one_of(struct, rng) for name, struct in (("a", A), ("b", B), ("c", C), ("write", WRITE))}
    return CONTROL.pack(**fields, **choices, after_count=count, load=int(rng.random() < 0.1))


def run(fields: Sequence[int], cycles: int, patches: Sequence[Patch] = ()) -> None:
    """Random commands to the core, field by field."""
    fields = sorted(fields, key=table().index)
    mask = sum(1 << table().index(f) for f in fields)
    module = Module("gf2m", "eccel_gf2m_wide_core", SOURCES, {"Fields": f"26'h{mask:x}"}, patches)
    rng = random.Random(mask)
    clear = CONTROL.pack(load=1, result_we=1, after_we=1)
    for index, f in enumerate(fields):
        m, model = degree(f), WideCore(f)
        edges = (0, 1, (1 << m) - 1, 1 << m - 1)
        # Registers are undefined at first: three products of 0, then each register gets one.
        settling = [clear, clear, clear, clear | CONTROL.pack(sum_we=1), clear, clear, clear]
        for now, told in enumerate([*settling, *(command(rng) for _ in range(cycles))]):
            words = [[0, 0]] * 3
            if now >= len(settling):
                words = [
                    [rng.choice(edges) if rng.random() < 0.3 else rng.getrandbits(m) for _ in range(2)]
                    for _ in range(3)
                ]
            module.clock(select_i=1 << index, control_i=told, a_i=words[0], b_i=words[1], c_i=words[2])
            expected = model.clock(told, *words)
            assert now < len(settling) or (module["value_o"], module["zero_o"]) == expected


def test_commands_do_what_the_model_does_in_small_fields() -> None:
    run(SMALL, 1500)


def test_a_mutant_that_squares_xd_once_fails() -> None:
    with pytest.raises(AssertionError):
        run(SMALL, 1500, [("eccel_gf2m_wide_core.sv", "a_i[1] : squares[2]", "a_i[1] : squares[1]")])
