"""eccel_turbo_terms: both operands of every kind of sum, word by word, of primes of even and odd length."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate.model.solinas import FORMS, Solinas
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (
    "isa/gen/eccel_turbo_isa_pkg.sv",
    "gfp_turbo/gen/eccel_solinas_pkg.sv",
    "gfp_turbo/eccel_turbo_pkg.sv",
    "prim/eccel_inc.sv",
    "gfp_turbo/eccel_turbo_terms.sv",
)
SUM = Struct("gfp_turbo/eccel_turbo_pkg.sv", "sum_t")
KINDS = [
    {"add": 1}, {"sub": 1}, {"add": 1, "canon": 1}, {"take_y": 1, "whole": 1}, {"whole": 1},
    {"load": 1, "whole": 1},
]  # fmt: skip
FIRST = 5  # cycles from issue_i to first_o


@dataclass
class Sum:
    """An operation: cycle of issue_i, operands in the register file, value at the port."""

    issued: int
    op: dict[str, int]
    x: int
    y: int
    port: int


def stream(name: str, patches: Sequence[Patch] = ()) -> None:
    """Sums at full rate and with gaps; words that nobody should use are random."""
    field, number = Solinas(FORMS[name]), list(FORMS).index(name)
    module = Module("gfp_turbo", "eccel_turbo_terms", SOURCES, {"Prime": number}, patches)
    rng, words, mask = random.Random(number), field.words, (1 << field.word_bits) - 1
    total = field.word_bits * words
    sums: list[Sum] = []
    following = 3

    def word(value: int, j: int) -> int:
        return value >> field.word_bits * j & mask

    for now in range(250 * words):
        if now == following:
            x, y, port = (rng.choice((0, (1 << total) - 1, rng.getrandbits(total))) for _ in range(3))
            op = rng.choice(KINDS)
            sums.append(Sum(now, op, x, y, port if "load" in op else 0))
            following = now + words + words % 2 + rng.choice((0, 0, 0, 1, 2, words))
        rdata = [rng.getrandbits(field.word_bits) for _ in range(words)]
        port_word = 0
        for each in sums[-2:]:
            at = now - each.issued
            for j, value in ((at - 2, each.x), (at - 3, each.y)):
                if 0 <= j < words:
                    rdata[j] = word(value, j)
            if 4 <= at < 4 + words:
                port_word = word(each.port, at - 4)
        op_value = SUM.pack(**sums[-1].op) if sums else 0
        issues = bool(sums) and sums[-1].issued == now
        ends = any(each.issued + words == now for each in sums)
        module.clock(issue_i=issues, op_i=op_value, rdata_i=rdata, port_i=port_word, end_i=ends)
        begins = [each for each in sums if each.issued + FIRST == now]
        assert module["first_o"] == bool(begins) and module["pass_o"] == (not begins)
        for each in sums[-2:]:
            j = now - each.issued - FIRST
            x = 0 if "load" in each.op else each.x
            if 0 <= j < words:
                y = field.d if "canon" in each.op else each.y
                taken = y if "take_y" in each.op else x | each.port
                assert (module["x_o"], module["y_o"]) == (word(taken, j), word(y, j))
                assert module["op_o"] == SUM.pack(**each.op)
            elif each is sums[-1] and j >= words:
                op = SUM.unpack(module["op_o"])
                assert not op["add"] and not op["sub"]
                assert module["x_o"] == 0 and ("canon" in each.op or module["y_o"] == 0)
            if 0 <= j + 1 < words:
                assert module["x_soon_o"] == word(x, j + 1)
            if 0 <= j - 1 < words:
                assert module["last_op_o"] == SUM.pack(**each.op)


@pytest.mark.parametrize("name", ["P-224", "P-384"])
def test_words_of_x_and_y_come_together(name: str) -> None:
    stream(name)


def test_a_mutant_with_the_words_of_the_fold_too_early_fails() -> None:
    with pytest.raises(AssertionError):
        stream("P-224", [("eccel_turbo_terms.sv", "int'({odd_q, swap_q})", "int'({even_q, swap_q})")])
