"""Every unit of the stored tables computes right products on the RTL of this repository."""

from __future__ import annotations

import pytest

from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.explore.multipliers.multiplier_rows import Row, rows, stale_units
from eccelerate.rtlsim.multiplier_bench import simulate, work_lines

SEEDS = (2, 3, 4)
PRODUCTS = 5000
SAMPLE = (
    "shift-add-32-pipelined",
    "carry-save-64-w64",
    "booth-64-pipelined",
    "broadcast-256-w32-pipelined",
    "comba-256-x16-pipelined",
    "broadcast-192-w32-pipelined-solinas-p-192",
    "comba-192-x16-pipelined-montgomery",
    "karatsuba-64-l1",
    "karatsuba-64-l2-pipelined",
)
"""One unit of each kind."""
SOAK_ONLY = (
    "carry-save-64-w64",
    "broadcast-192-w32-pipelined-solinas-p-192",
    "comba-256-x16-pipelined",
    "karatsuba-64-l1",
)
"""Those of them that only the soak run tests."""


def stored() -> dict[str, list[Row]]:
    """The stored rows of each unit that are not of earlier sources. Pages name the other ones."""
    everything = rows()
    stale = stale_units(everything)
    found: dict[str, list[Row]] = {}
    for row in everything:
        if row not in stale:
            found.setdefault(row.config.name, []).append(row)
    return found


def check(config: MultiplierConfig, found: list[Row], count: int, seed: int) -> None:
    """Run a unit, and compare what it says about itself with its rows."""
    run = simulate(config, work_lines(config, count, seed))
    assert run.products > count
    for row in found:
        assert (row.latency, row.interval) == (run.latency, run.interval), row.device


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name in SOAK_ONLY else []) for name in SAMPLE]
)
def test_a_unit_of_each_kind_multiplies(name: str) -> None:
    check(parse_multiplier(name), stored().get(name, []), 300, 1)


@pytest.mark.soak
def test_every_stored_unit_multiplies() -> None:
    for name, found in sorted(stored().items()):
        for seed in SEEDS:
            check(parse_multiplier(name), found, PRODUCTS, seed)
