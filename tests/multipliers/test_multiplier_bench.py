"""The bench of a multiplier passes a correct unit, and notices every way in which one can be wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.model.multiplier_operands import corners, operand_pairs
from eccelerate.rtlsim.multiplier_bench import ProductError, Simulated, UnitSource, simulate_unit
from tests.sampled import sampled

SAMPLE = Path(__file__).with_name("eccel_mul_sample.sv")
SHIFT = "Latency'({valid_q, valid_i && ready_o})"


def lines(bits: int) -> list[str]:
    return [f"mul {a:x} {b:x} {a * b:x}" for a, b in operand_pairs(bits, 20)]


def sample(bits: int, path: Path = SAMPLE, **options: int) -> UnitSource:
    params = {"Bits": bits, **options}
    return UnitSource(f"sample-{bits}", "eccel_mul_sample", (path,), tuple(params.items()))


@pytest.mark.parametrize(("bits", "latency", "interval"), [(8, 1, 1), (16, 5, 3), (33, 2, 9), (100, 12, 1)])
def test_a_correct_unit_passes_at_any_width(bits: int, latency: int, interval: int) -> None:
    work = lines(bits)
    found = simulate_unit(sample(bits, Latency=latency, Interval=interval), work)
    assert found == Simulated(len(work), latency, interval)


@sampled(
    ("old", "new", "says"),
    [
        ("* (2 * Bits)'(b_i)", "* (2 * Bits)'(b_i & ~Bits'(4))", "is .*, not"),
        ("p_q[0]  <=", "p_q[0]  <= (2 * Bits)'(a_i == '1) ^", "is .*, not"),
        (SHIFT, SHIFT.replace("valid_i && ready_o", "valid_i"), "without a product"),
        (SHIFT, SHIFT.replace("valid_i && ready_o", "valid_i && ready_o && !a_i[0]"), "late"),
        (
            "assign valid_o    = valid_q[Latency-1]",
            "assign valid_o = valid_q[Latency-2]",
            "without a product",
        ),
        ("count_q <= Interval - 1", "count_q <= Interval - 2", "high too early"),
        ("count_q <= Interval - 1", "count_q <= Interval", "low too long"),
        ("      valid_q <= '0;\n", "", "without a product"),
        ("assign ready_o    = count_q == 0", "assign ready_o = 1'b0", "low too long"),
        ("latency_o  = 16'(Latency)", "latency_o = 16'(Latency + 1)", "without a product"),
        ("interval_o = 16'(Interval)", "interval_o = 16'd0", "is 0"),
    ],
    now=3,
)
def test_a_wrong_unit_is_noticed(old: str, new: str, says: str, tmp_path: Path) -> None:
    text = SAMPLE.read_text()
    assert old in text
    mutant = tmp_path / SAMPLE.name
    mutant.write_text(text.replace(old, new))
    with pytest.raises(ProductError, match=says):
        simulate_unit(sample(16, mutant), lines(16))


SLOTTED = ("count_q == 0", "count_q == 0 && (phase_q == 0 || valid_q == 0)")
PHASE = ("  always_ff @(posedge clk_i) begin", "  int phase_q;\n  always_ff @(posedge clk_i) begin")
STEP = (
    "    if (rst_i) begin",
    "    phase_q <= (valid_i && ready_o) ? 1 : (phase_q + 1) % Interval;\n    if (rst_i) begin",
)


def test_a_unit_with_slots_may_wait_for_one_but_not_in_a_stream(tmp_path: Path) -> None:
    text = SAMPLE.read_text()
    for old, new in (SLOTTED, PHASE, STEP):
        assert old in text
        text = text.replace(old, new, 1)
    unit = tmp_path / SAMPLE.name
    unit.write_text(text)
    slotted = replace(sample(16, unit, Latency=11), slots=True)
    assert simulate_unit(slotted, lines(16)).interval == 3
    with pytest.raises(ProductError, match="low too long"):
        simulate_unit(replace(slotted, slots=False), lines(16))
    lazy = tmp_path / "lazy" / SAMPLE.name
    lazy.parent.mkdir()
    lazy.write_text(SAMPLE.read_text().replace("count_q <= Interval - 1", "count_q <= Interval"))
    with pytest.raises(ProductError, match="low too long"):  # it loses a clock in a stream
        simulate_unit(replace(sample(16, lazy), slots=True), lines(16))


def test_work_without_products_is_no_success() -> None:
    with pytest.raises(ProductError, match="no products"):
        simulate_unit(sample(16), [])
    with pytest.raises(ProductError, match="not a line of work"):
        simulate_unit(sample(16), ["mul 1 2"])


@pytest.mark.parametrize("bits", [16, 64, 521])
def test_corners_reach_both_ends_and_the_limits_of_halves(bits: int) -> None:
    found = set(corners(bits))
    full, half = (1 << bits) - 1, -(-bits // 2)
    assert {0, 1, full, full - 1, (1 << half) - 1, full >> half << half} <= found
    assert all(0 <= value <= full for value in found)
    # Two halves whose sum needs one bit more than a half, which is what the middle product of Karatsuba has.
    assert any((value >> half) + (value & (1 << half) - 1) >= 1 << half for value in found)
