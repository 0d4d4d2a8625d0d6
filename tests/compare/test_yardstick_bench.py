"""The bench of rtl/compare gives results and cycles, and reports a unit that gives none or too many.

The unit is a multiplier of rtl/mul, which has the same interface.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.config import ConfigError
from eccelerate.configs.yardstick_config import Yardstick, find_yardstick, width_of
from eccelerate.rtlsim import yardstick_bench
from eccelerate.rtlsim.yardstick_bench import YardstickError

BITS = 40
UNIT = Yardstick(
    name="test-shift-add",
    title="multiplier",
    top="eccel_mul_shift_add",
    bits="Bits",
    operation="a product",
    operands=(("a_i", "Bits"), ("b_i", "Bits")),
    results=(("p_o", "2*Bits"), ("latency_o", 16), ("interval_o", 16)),
    params={"Bits": BITS},
)
PAIRS = [(3, 5), (0, (1 << BITS) - 1), ((1 << BITS) - 1, (1 << BITS) - 1), (0x123456789A, 0xFEDCBA9876)]
VECTORS = [{"a_i": a, "b_i": b} for a, b in PAIRS]


@pytest.mark.parametrize("gaps", [False, True])
def test_results_and_cycles(gaps: bool) -> None:
    done = yardstick_bench.run(UNIT, VECTORS, gaps=gaps)
    assert [result["p_o"] for result in done.results] == [a * b for a, b in PAIRS]
    assert set(done.cycles) == {done.results[0]["latency_o"]} == {BITS + 1}
    interval = done.results[0]["interval_o"]
    assert len(done.intervals) == len(PAIRS) - 1
    assert gaps or set(done.intervals) == {interval}
    assert min(done.intervals) >= interval


def test_a_mutant_gives_other_results() -> None:
    mutant = ("eccel_mul_shift_add", "{sum, low_q[Bits-1:1]}", "{sum, low_q[Bits-2:0]}")
    done = yardstick_bench.run(UNIT, VECTORS, mutant=mutant)
    assert [result["p_o"] for result in done.results] != [a * b for a, b in PAIRS]


def test_a_text_that_is_not_there_is_no_mutant() -> None:
    with pytest.raises(ValueError, match="0 times in eccel_mul_shift_add"):
        yardstick_bench.run(UNIT, VECTORS, mutant=("eccel_mul_shift_add", "nowhere", ""))


def test_a_unit_without_result_is_reported() -> None:
    open_port = ".valid_o()\n  );\n  assign valid_o = "
    for value, message in (("1'b0", "within 1000 cycles"), ("1'b1", "valid_o is high without an operation")):
        mutant = ("eccel_mul_shift_add", ".valid_o\n  );", f"{open_port}{value};")
        with pytest.raises(YardstickError, match=message):
            yardstick_bench.run(UNIT, VECTORS[:1], limit=1000, mutant=mutant)


def test_a_unit_that_a_reset_does_not_stop_gives_other_results() -> None:
    mutant = ("eccel_mul_shift_add", ".rst_i,", ".rst_i(1'b0),")
    done = yardstick_bench.run(UNIT, VECTORS, gaps=True, mutant=mutant)
    assert [result["p_o"] for result in done.results] != [a * b for a, b in PAIRS]


def test_the_port_trace_has_every_clock(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    done = yardstick_bench.run(UNIT, VECTORS[:2], record=trace)
    first, *lines = trace.read_text().splitlines()
    ports = json.loads(first)
    assert ports["inputs"] == [["rst_i", 1], ["valid_i", 1], ["a_i", BITS], ["b_i", BITS]]
    assert ports["outputs"][2] == ["p_o", 2 * BITS]
    clocks = [[int(word, 16) for word in line.split()] for line in lines]
    accepted = [n for n, (i, o) in enumerate(clocks) if i >> (2 * BITS) == 1 and o >> (2 * BITS + 33) == 1]
    assert [
        (clocks[n][0] >> BITS & (1 << BITS) - 1, clocks[n][0] & (1 << BITS) - 1) for n in accepted
    ] == PAIRS[:2]
    results = [n for n, (_, o) in enumerate(clocks) if o >> (2 * BITS + 32) & 1]
    assert [n - m for m, n in zip(accepted, results, strict=True)] == list(done.cycles)
    assert [clocks[n][1] >> 32 & (1 << 2 * BITS) - 1 for n in results] == [a * b for a, b in PAIRS[:2]]


def test_operands_that_do_not_fit_are_errors() -> None:
    with pytest.raises(ValueError, match="a_i has 40 bits"):
        yardstick_bench.run(UNIT, [{"a_i": 1 << BITS, "b_i": 0}])
    with pytest.raises(ValueError, match="operands a_i, b_i, not a_i"):
        yardstick_bench.run(UNIT, [{"a_i": 1}])
    with pytest.raises(ValueError, match="no vectors"):
        yardstick_bench.run(UNIT, [])


def test_widths_and_names_are_checked() -> None:
    params = {"Bits": 8}
    assert [width_of(bits, params) for bits in (7, "Bits", "2*Bits+1", "Bits-1")] == [7, 8, 17, 7]
    assert replace(UNIT, params=params).ports["p_o"] == ("output", 16)
    with pytest.raises(ConfigError, match="there are: Bits"):
        width_of("2*Word", params)
    with pytest.raises(ConfigError, match="no yardstick 'des'"):
        find_yardstick("des")
