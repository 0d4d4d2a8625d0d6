"""Sustained cycles of the turbo engine, and how busy its multipliers are."""

from __future__ import annotations

import pytest

from eccelerate.curves import find_curve
from eccelerate.sim.config import find_config
from eccelerate.sim.measure_turbo import measure_turbo

TARGETS = {"turbo-p256": 60_000, "turbo-p224": 48_000, "turbo-p384": 130_000, "turbo-p521": 260_000}
TARGETS |= {"turbo-generic256": 185_000}


@pytest.mark.parametrize("name", TARGETS)
def test_sustained_scalar_multiplication(name: str) -> None:
    config = find_config(name)
    cycles = measure_turbo(config, find_curve(config.curve_name))
    assert cycles["scalar_mul_sustained"] <= TARGETS[name]
    if name == "turbo-p256":
        assert cycles["base_mul_sustained"] <= 18_000
        assert cycles["array_busy"] >= 0.9
