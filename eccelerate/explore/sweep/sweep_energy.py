"""The measure `energy`: what it needs of `eccelerate.energy`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from eccelerate.configs.config import ConfigError
from eccelerate.explore.sweep.sweep_design import Unit
from eccelerate.explore.sweep.sweep_point import Point

LIBRARIES = ("sg13g2", "sky130")
ABSENT = "energy is not part of this version: leave it out of `measure`"


def can_measure_energy() -> bool:
    """Whether this version has the estimator."""
    return find_spec("eccelerate.energy") is not None


def energy_key(unit: Unit, point: Point) -> object:
    """What decides an energy besides RTL and tools. Raises ConfigError."""
    del unit, point
    raise ConfigError(ABSENT)


def measure_energy(unit: Unit, point: Point) -> dict[str, Any]:
    """The figures of an energy. Raises ConfigError."""
    del unit, point
    raise ConfigError(ABSENT)
