"""The multipliers of eccel_mul give the product of every pair at small widths, in the cycle that the model
says, and a fault in each of them is noticed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.multiplier_config import KINDS
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.rtlsim.multiplier_bench import ProductError, Simulated
from eccelerate.timing import multiplier_timing as timing
from eccelerate.timing.multiplier_timing import MultiplierTiming
from tests.mul.unit import every_pair, exhaust, faulty, run
from tests.repo import linters
from tests.sampled import sampled

BOTH = pytest.mark.parametrize("pipelined", [False, True], ids=["plain", "pipelined"])


def same(found: Simulated, expected: MultiplierTiming) -> bool:
    return (found.latency, found.interval) == (expected.latency, expected.interval)


@BOTH
@pytest.mark.parametrize(("bits", "segment"), [(2, 1), (5, 2), (8, 3)])
def test_shift_add(bits: int, segment: int, pipelined: bool) -> None:
    found = exhaust("eccel_mul_shift_add", Bits=bits, Segment=segment, Pipelined=pipelined)
    assert same(found, timing.shift_add(bits, pipelined, segment))


@BOTH
@sampled(("bits", "word", "segment"), [(8, 1, 2), (8, 2, 1), (7, 3, 1), (5, 4, 2), (8, 8, 3)], now=3)
def test_carry_save(bits: int, word: int, segment: int, pipelined: bool) -> None:
    found = exhaust("eccel_mul_carry_save", Bits=bits, Word=word, Segment=segment, Pipelined=pipelined)
    assert same(found, timing.carry_save(bits, word, pipelined, segment))


@BOTH
@pytest.mark.parametrize(("bits", "segment"), [(4, 1), (5, 2), (8, 2)])
def test_booth(bits: int, segment: int, pipelined: bool) -> None:
    found = exhaust("eccel_mul_booth", Bits=bits, Segment=segment, Pipelined=pipelined)
    assert same(found, timing.booth(bits, pipelined, segment))


@BOTH
@sampled(("bits", "word"), [(8, 1), (8, 2), (7, 3), (8, 4), (7, 6), (5, 5)], now=3)
def test_broadcast(bits: int, word: int, pipelined: bool) -> None:
    found = exhaust("eccel_mul_broadcast", Bits=bits, Word=word, Pipelined=pipelined)
    assert same(found, timing.broadcast(bits, word, pipelined))


@BOTH
@sampled(
    ("bits", "digit", "lanes"),
    [(8, 1, 1), (8, 1, 2), (8, 1, 3), (8, 1, 8), (8, 2, 2), (7, 3, 2), (8, 4, 1)],
    now=4,
)
def test_comba(bits: int, digit: int, lanes: int, pipelined: bool) -> None:
    found = exhaust("eccel_mul_comba", Bits=bits, Digit=digit, Lanes=lanes, Pipelined=pipelined)
    assert same(found, timing.comba(bits, lanes, pipelined, digit))


SMALL = {
    "eccel_mul_shift_add": {"Bits": 6, "Segment": 2},
    "eccel_mul_carry_save": {"Bits": 6, "Word": 3, "Segment": 1},
    "eccel_mul_booth": {"Bits": 6, "Segment": 2},
    "eccel_mul_broadcast": {"Bits": 6, "Word": 2},
    "eccel_mul_comba": {"Bits": 7, "Digit": 1, "Lanes": 2},
}
# Top, whether it is pipelined, and the fault: file, text, replacement.
MUTANTS = [
    ("eccel_mul_shift_add", 0, ("eccel_mul_shift_add", "acc_q <= '0", "acc_q <= acc_q & Bits'(1)")),
    ("eccel_mul_shift_add", 1, ("eccel_mul_rows", "| (c[i] & row)", "")),
    ("eccel_mul_shift_add", 1, ("eccel_mul_resolve", ".c_i  (carry_q[i])", ".c_i  (i == 0 && carry_q[i])")),
    ("eccel_mul_carry_save", 0, ("eccel_mul_carry_save", "s_q <= '0", "s_q <= Bits'(s[0])")),
    ("eccel_mul_carry_save", 1, ("eccel_mul_row_pipe", "word[i+1]    <= word[i]", "word[i+1] <= b_i")),
    ("eccel_mul_carry_save", 1, ("eccel_mul_carry_save", "carry_q && !first_at[Rows+2]", "carry_q")),
    ("eccel_mul_booth", 0, ("eccel_mul_booth", "below_q <= !start && b_q[1]", "below_q <= b_q[1]")),
    ("eccel_mul_booth", 1, ("eccel_mul_booth", "correct_q   <= row_negative_q", "correct_q <= 1'b0")),
    ("eccel_mul_booth", 1, ("eccel_mul_booth", "RowBits'(1) << (Bits + 1)", "'0")),
    ("eccel_mul_broadcast", 0, ("eccel_mul_lane", "carry_q <= low[Width]", "carry_q <= 1'b0")),
    ("eccel_mul_broadcast", 1, ("eccel_mul_array", "begin_q[Sum-1] && i > 0", "begin_q[Sum] && i > 0")),
    ("eccel_mul_broadcast", 1, ("eccel_mul_array_words", "last_carry_q : ", "'0 : ")),
    (
        "eccel_mul_broadcast",
        0,
        ("eccel_mul_select", "gated_q[i] <= '0", "gated_q[i] <= gated_q[i] & Width'(1)"),
    ),
    ("eccel_mul_comba", 0, ("eccel_mul_array_words", ".add_i(again_i)", ".add_i(1'b0)")),
    ("eccel_mul_comba", 1, ("eccel_mul_array", "again <= !begin_first_q[Sum]", "again <= 1'b1")),
    ("eccel_mul_comba", 1, ("eccel_mul_word", "high_o <= piped[WidthA+Width-1:Width]", "high_o <= '0")),
    ("eccel_mul_comba", 0, ("eccel_mul_pace", "CountBits'(Interval - 1)", "CountBits'(Interval - 2)")),
]


@sampled(("top", "pipelined", "patch"), MUTANTS, ids=lambda v: v[0] if type(v) is tuple else str(v), now=3)
def test_a_fault_is_noticed(top: str, pipelined: int, patch: tuple[str, str, str], tmp_path: Path) -> None:
    params = {**SMALL[top], "Pipelined": pipelined}
    if patch[0] == "eccel_mul_word":  # a digit of one bit has no upper half
        params |= {"Bits": 6, "Digit": 2}
    with pytest.raises(ProductError):
        run(faulty(tmp_path, patch, top, **params), every_pair(params["Bits"]))


def test_a_package_with_another_latency_is_noticed(tmp_path: Path) -> None:
    patch = ("eccel_mul_pkg", "steps + 5 +", "steps + 4 +")
    with pytest.raises(ProductError):
        run(faulty(tmp_path, patch, "eccel_mul_booth", Bits=6, Segment=2, Pipelined=1), every_pair(6))


@pytest.mark.parametrize(
    ("kind", "params", "says"),
    [
        ("carry-save", {"Bits": 65, "Word": 65}, "at most 64 bits"),
        ("carry-save", {"Bits": 32, "Word": 33}, "1 to Bits"),
        ("booth", {"Bits": 3}, "at least 4"),
        ("broadcast", {"Bits": 64, "Word": 37}, "1 to 36"),
        ("broadcast", {"Bits": 16, "Word": 17}, "at most Bits"),
        ("comba", {"Bits": 64, "Lanes": 0}, "at least 1"),
        (None, {"Bits": 64, "Kind": 6}, "Kind is 0 to 5"),
    ],
)
def test_what_cannot_be_built_is_an_error_of_elaboration(
    kind: str | None, params: dict[str, int], says: str
) -> None:
    own = {} if kind is None else {"Kind": KINDS.index(kind)}
    assert says in linters.slang("eccel_mul", reached_files("eccel_mul"), params | own)
