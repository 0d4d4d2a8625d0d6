"""The measure `energy`: what `eccelerate.energy` says of a design in a library of standard cells."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from eccelerate import energy
from eccelerate.configs.config import Config, ConfigError, load_configs
from eccelerate.configs.images import load_program
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.energy.engine_energy import measure_engine
from eccelerate.energy.library import NAMES
from eccelerate.energy.unit_energy import measure_unit
from eccelerate.energy.unit_operands import multiplier_yardstick
from eccelerate.explore.sweep.sweep_design import Unit
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.flow.tools import code, digest

LIBRARIES = NAMES
ROOM = Path(energy.__file__).parent


def require_energy(unit: Unit, curve: str) -> None:
    """Raises ConfigError for an engine whose energy cannot be measured: a cluster, an engine with changed
    options, and a curve that is not its own.
    """
    if not isinstance(unit, Config):
        return
    if unit.engines:
        raise ConfigError(f"{unit.name} is a cluster: measure the energy of its engines")
    if unit.name not in load_configs():
        raise ConfigError(f"{unit.name}: energy is measured of the configurations of configs.toml only")
    if curve != unit.curve_name:
        raise ConfigError(
            f"{unit.name}: energy is measured on its own curve {unit.curve_name}, not on {curve}"
        )


def energy_key(unit: Unit, point: Point) -> object:
    """What decides an energy besides RTL and tools."""
    words = load_program(unit).words if isinstance(unit, Config) else []
    parameters = unit.parameters if isinstance(unit, Config) else dict(unit.params)
    return parameters, words, _sources(point.library)


@cache
def _sources(library: str) -> str:
    """The estimator and the table of a library."""
    programs = [code(path.read_text()) for path in sorted(ROOM.glob("*.py"))]
    return digest(programs, (ROOM / "libraries" / f"{library}.json").read_text())


def measure_energy(unit: Unit, point: Point) -> dict[str, Any]:
    """The figures of an energy. Raises FlowError, BuildError, YardstickError, JobError."""
    if isinstance(unit, Config):
        return {**measure_engine(unit.name, point.library), "operation": "scalar_mul"}
    if isinstance(unit, MultiplierConfig):
        return {**measure_unit(multiplier_yardstick(unit), point.library), "operation": "product"}
    return dict(measure_unit(unit, point.library))
