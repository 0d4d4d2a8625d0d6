"""The multipliers of eccel_mul at the widths of the tables, with operands that push carries to their limits;
latency and interval agree in the unit, in eccel_mul_pkg and in the timing model.
"""

from __future__ import annotations

import pytest

from eccelerate.timing.multiplier_timing import comba_lanes, multiplier_timing
from tests.mul.unit import full_width

WIDTHS = (32, 64, 128, 192, 224, 256, 377, 384, 521, 1024)
ALWAYS = (521,)
"""Widths that are tested at every change, with the first option of each kind. The long campaigns test all.
Small units: test_units.py.
"""
OPTIONS: dict[str, tuple[dict[str, int], ...]] = {
    "shift-add": ({},),
    "carry-save": ({"word": 8},),
    "booth": ({},),
    "broadcast": ({"word": 32}, {"word": 17}, {"word": 18}),
    "comba": ({"lanes": 4}, {"lanes": 7}, {"lanes": 64}),
}
FIRST_OPTIONS = [options[0] for options in OPTIONS.values()]


def units() -> list[object]:
    found = [
        (bits, kind, option, pipelined)
        for bits in WIDTHS
        for kind, options in OPTIONS.items()
        for option in options
        for pipelined in (False, True)
    ]
    found += [
        (bits, "carry-save", {"word": bits}, pipelined) for bits in (32, 64) for pipelined in (False, True)
    ]
    found += [(bits, "broadcast", {"word": 36}, True) for bits in (377, 521)]
    found += [(521, "broadcast", {"word": 34}, True), (32, "comba", {"lanes": 1}, False)]
    return [
        pytest.param(
            *unit,
            id="-".join([unit[1], *map(str, (unit[0], *unit[2].values())), *["pipelined"] * unit[3]]),
            marks=() if unit[0] in ALWAYS and unit[2] in FIRST_OPTIONS else pytest.mark.soak,
        )
        for unit in found
    ]


@pytest.mark.parametrize(("bits", "kind", "option", "pipelined"), units())
def test_full_width(bits: int, kind: str, option: dict[str, int], pipelined: bool) -> None:
    params = {name.capitalize(): value for name, value in option.items()}
    found = full_width(kind, bits, Pipelined=pipelined, **params)
    expected = multiplier_timing(kind, bits, pipelined=pipelined, **option)
    assert (found.latency, found.interval) == (expected.latency, expected.interval)


def test_intervals_of_the_tables() -> None:
    assert multiplier_timing("shift-add", 256).interval == 256
    assert multiplier_timing("carry-save", 256, word=8).interval == 32
    assert multiplier_timing("carry-save", 64, word=64).interval == 1
    assert multiplier_timing("booth", 256).interval == 129
    assert multiplier_timing("broadcast", 256, word=32).interval == 8
    assert multiplier_timing("broadcast", 521, word=36).interval == 15
    assert [multiplier_timing("comba", 256, lanes=lanes).interval for lanes in (1, 4, 8, 16)] == [
        256,
        64,
        32,
        16,
    ]


def test_comba_has_no_more_blocks_than_its_interval_needs() -> None:
    assert [comba_lanes(256, lanes) for lanes in (1, 5, 7, 8, 15, 16, 99)] == [1, 4, 6, 8, 8, 16, 16]


def test_a_kind_that_does_not_exist_has_no_timing() -> None:
    with pytest.raises(ValueError, match="wallace"):
        multiplier_timing("wallace", 32)
