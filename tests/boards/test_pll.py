"""Settings of PLLs are within the limits of the data sheets, and the best that these allow."""

from __future__ import annotations

from fractions import Fraction

import pytest

from eccelerate.configs.board_table import Clock, load_boards
from eccelerate.flow.errors import FlowError
from eccelerate.flow.pll import PLLS, choose, settings

INPUTS = sorted({(board.pll, board.in_khz) for board in load_boards().values()})


@pytest.mark.parametrize(("kind", "in_khz"), INPUTS)
def test_settings_are_within_the_limits(kind: str, in_khz: int) -> None:
    limits, found = PLLS[kind], list(settings(PLLS[kind], in_khz))
    assert len(found) > 100
    for clock in found:
        phase = Fraction(in_khz, clock.in_div)
        vco, out = phase * clock.vco_mul, phase * clock.vco_mul / clock.out_div
        for value, (low, high) in ((phase, limits.phase), (vco, limits.vco), (out, limits.out)):
            assert low <= value <= high, clock
        assert clock.in_div in limits.in_div and clock.out_div in limits.out_div
        assert clock.vco_mul in limits.vco_mul


@pytest.mark.parametrize(("kind", "in_khz"), INPUTS)
@pytest.mark.parametrize("target_mhz", [20, 37.3, 100, 141.9])
def test_no_setting_is_closer_to_the_target(kind: str, in_khz: int, target_mhz: float) -> None:
    found = choose(PLLS[kind], in_khz, 1000 * target_mhz)
    others = [clock.khz for clock in settings(PLLS[kind], in_khz) if clock.khz <= 1000 * target_mhz]
    assert found.khz == max(others)


def test_known_settings() -> None:
    """Those that icepll prints for 48 MHz from 12 MHz, and ecppll's output frequency for 25 MHz."""
    assert choose(PLLS["ice40"], 12_000, 48_000) == Clock(12_000, 1, 64, 16)
    assert choose(PLLS["ecp5"], 25_000, 100_000).khz == 100_000
    assert choose(PLLS["xilinx7"], 100_000, 100_000).khz == 100_000


def test_a_clock_out_of_reach_is_an_error() -> None:
    with pytest.raises(FlowError, match="lowest is 16"):
        choose(PLLS["ice40"], 12_000, 10_000)
