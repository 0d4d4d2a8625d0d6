"""Sustained cycles of the turbo engine, and the utilisation of its multipliers."""

from __future__ import annotations

from functools import cache

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.measure_turbo import measure_turbo
from tests.sampled import sampled

CONFIG = "turbo-p256"
TARGETS = {
    CONFIG: 60_000,
    "turbo-p224": 42_000,
    "turbo-p224-t1": 72_000,
    "turbo-p384": 130_000,
    "turbo-p521": 260_000,
}
TARGETS |= {"turbo-generic256": 160_000}
JOBS = ("scalar_mul", "base_mul", "ecdsa_verify")
"""Jobs that the tests measure: the first one on every configuration, and all of them on CONFIG."""


@cache
def measured(name: str) -> dict[str, int | float]:
    config = find_config(name)
    names = JOBS if name == CONFIG else JOBS[:1]
    return measure_turbo(config, find_curve(config.curve_name), names=names, groups=2)


@sampled("name", TARGETS, now=1)
def test_sustained_scalar_multiplication(name: str) -> None:
    assert measured(name)["scalar_mul_sustained"] <= TARGETS[name]


def test_sustained_base_multiplication() -> None:
    assert measured(CONFIG)["base_mul_sustained"] <= 18_000


def test_share_of_clocks_in_which_the_array_works() -> None:
    assert measured(CONFIG)["array_busy"] >= 0.9


def test_sustained_verification() -> None:
    assert measured(CONFIG)["ecdsa_verify_sustained"] <= 75_000
