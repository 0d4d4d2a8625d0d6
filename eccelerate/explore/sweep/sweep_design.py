"""The designs that a sweep can measure, by name.

A multiplier and a yardstick have their own names. An engine has the name of a configuration, followed by what
differs from it, each after an underscore: `compact-w32_DigitBits24`, `binary-163-d64_DigitBits16_affine-naf`.
A name says everything about a design, so that records and commands need nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.config import RTL_DIR, Config, ConfigError, find_config, load_configs
from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.configs.study_config import find_variant, variant_yardstick, variants
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.configs.yardstick_config import YARDSTICKS, Yardstick, find_yardstick

Unit = Config | MultiplierConfig | Yardstick

PROGRAMS = {
    ("x-only", "ladder"): "ladder",
    ("affine", "binary"): "affine",
    ("affine", "naf"): "affine-naf",
    ("jacobian", "binary"): "jacobian",
    ("jacobian", "naf"): "jacobian-naf",
    ("lopez-dahab", "binary"): "lopez-dahab",
    ("lopez-dahab", "naf"): "lopez-dahab-naf",
    ("lambda", "frobenius"): "koblitz",
}
"""Coordinates and algorithm of each program of a binary engine, and how the name of a design says it."""
VARIANT = "gf163-"
"""How the name of a variant of the study begins."""
CONSTANT_TIME = ("ladder", "koblitz")
ONE_THREAD = "_t1"
"""How the name of a program ends that is scheduled for an engine with one thread."""
_PARAMETER = re.compile(r"([A-Z]\w*?)(\d+)")


def find_design(kind: str, name: str) -> Unit:
    """The design called `name`. Raises ConfigError."""
    if kind == "multiplier":
        return parse_multiplier(name)
    return find_yardstick_or_variant(name) if kind == "yardstick" else find_engine(name)


def find_yardstick_or_variant(name: str) -> Yardstick:
    """The yardstick or the variant of the study called `name`. Raises ConfigError."""
    if name.startswith(VARIANT):
        return variant_yardstick(find_variant(name))
    return find_yardstick(name)


def known_designs(kind: str) -> list[str]:
    """The names that have a list: configurations of engines, yardsticks, and variants of the study."""
    if kind == "yardstick":
        return [*YARDSTICKS, *variants()]
    return list(load_configs()) if kind == "engine" else []


@cache
def find_engine(name: str) -> Config:
    """The engine called `name`. Raises ConfigError."""
    base, *changes = name.split("_")
    config = find_config(base)
    for change in changes:
        if change in PROGRAMS.values():
            config = with_program(config, change)
        elif found := _PARAMETER.fullmatch(change):
            config = with_parameter(config, found[1], int(found[2]))
        else:
            raise ConfigError(f"{name}: {change!r} is neither a parameter with its value nor a program")
    if config.name != name:
        raise ConfigError(f"no engine {name!r}: did you mean {config.name}?")
    return config


def with_parameter(config: Config, name: str, value: int) -> Config:
    """An engine with another value of a parameter of its module. Raises ConfigError."""
    if config.engines:
        raise ConfigError(f"{config.name} is a cluster and has the parameters of its engines")
    if name not in top_parameters(config.top):
        known = ", ".join(top_parameters(config.top))
        raise ConfigError(f"{config.name} has no parameter {name}; there are: {known}")
    parameters = dict(config.parameters)
    if parameters.get(name) == value:
        return config
    changed = {"parameters": tuple(sorted((parameters | {name: value}).items()))}
    if isinstance(config, TurboConfig) and name == "Threads":
        program = config.program.removesuffix(ONE_THREAD)
        changed["program"] = program + ONE_THREAD if value == 1 else program  # type: ignore[assignment]
    return _named(config, f"{name}{value}", changed)


def with_program(config: Config, program: str) -> Config:
    """A binary engine with another program, one of PROGRAMS.values(). Raises ConfigError."""
    if not isinstance(config, BinaryConfig):
        raise ConfigError(f"{config.name} is no binary engine: only these have several programs")
    name = "binary" if program == "ladder" else f"binary_{program.replace('-', '_')}"
    if name == config.program:
        return config
    koblitz = program == "koblitz"
    changed: dict[str, object] = {"program": name, "variable_time": program not in CONSTANT_TIME}
    changed |= {"koblitz": koblitz, "curve": "" if koblitz != config.koblitz else config.curve}
    return _named(config, program, changed)


def _named(config: Config, change: str, values: Mapping[str, object]) -> Config:
    """A changed engine: the configuration that has these values if there is one, so that a design has one
    name.
    """
    changed = replace(config, name=f"{config.name}_{change}", baseline="", **values)  # type: ignore[arg-type]
    equal = (known for known in load_configs().values() if _hardware(known) == _hardware(changed))
    return next(equal, changed)


def _hardware(config: Config) -> object:
    """What decides the figures of an engine."""
    return (
        config.top,
        config.program,
        config.parameters,
        config.shell_parameters,
        config.curve,
        config.engines,
    )


def base_of(name: str) -> str:
    """The configuration that a design of an engine comes from."""
    return name.partition("_")[0]


@cache
def top_parameters(top: str) -> tuple[str, ...]:
    """The parameters of a module that are numbers, from its header."""
    text = next(RTL_DIR.rglob(f"{top}.sv")).read_text()
    header = text[text.index(f"module {top}") :].partition(");")[0]
    names = re.findall(r"^\s*parameter\s+(?:int|bit|logic\b[^=]*?)\s*(\w+)\s*=", header, re.M)
    return tuple(dict.fromkeys(names))
