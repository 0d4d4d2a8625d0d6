"""The named configurations of configs.toml, and the RTL files that make them up."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.cluster_config import read_cluster
from eccelerate.configs.compact_config import CompactConfig
from eccelerate.configs.kind import ROOT, RTL_DIR, Config, ConfigError, build_root
from eccelerate.configs.turbo_config import TurboConfig

__all__ = [
    "CONFIG_FILE",
    "ROOT",
    "RTL_DIR",
    "Config",
    "ConfigError",
    "build_root",
    "find_config",
    "load_configs",
    "parse_configs",
    "rtl_files",
]

CONFIG_FILE = ROOT / "configs.toml"
SHELL_ROOM, TOP_ROOM = "bus", "top"
OTHER_PRIMITIVES = ("eccel_pll.sv", "eccel_add_invert.sv", "eccel_mul18_signed.sv")
"""Primitives that no engine has: those of boards (`configs/board_table.py`) and of the multiplier family."""
ENGINE_KINDS = (CompactConfig, TurboConfig, BinaryConfig)
HEDGED = "_hedged"
"""How the name of a program ends that binds its nonces to key and hash."""
KINDS: dict[str, type[Config]] = {kind.engine: kind for kind in ENGINE_KINDS}
"""The kind for each value of the key `engine`. An entry with the key `engines` is a cluster."""


def parse_configs(text: str) -> dict[str, Config]:
    """Configurations in the text of a configs.toml. Raises ConfigError."""
    entries = tomllib.loads(text)
    try:
        single = {n: _read(n, entry) for n, entry in entries.items() if "engines" not in entry}
        clusters = {n: read_cluster(n, entry, single) for n, entry in entries.items() if "engines" in entry}
    except (KeyError, TypeError) as error:
        raise ConfigError(f"configs.toml: an entry lacks {error}") from error
    return {name: clusters.get(name) or single[name] for name in entries}


def _read(name: str, entry: Mapping[str, object]) -> Config:
    """The configuration of one entry. Raises ConfigError."""
    kind = KINDS.get(str(entry.get("engine")))
    if kind is None:
        raise ConfigError(f"configs.toml: [{name}] lacks engine: one of {', '.join(KINDS)}")
    known = {field.name for field in fields(kind)} - {"name"}
    given = {key: value for key, value in entry.items() if key != "engine"}
    if missing := {"top", "program", "summary", "parameters"} - given.keys():
        raise ConfigError(f"configs.toml: [{name}] lacks {', '.join(sorted(missing))}")
    if unknown := given.keys() - known:
        raise ConfigError(
            f"configs.toml: [{name}] is of {kind.engine} and has no {', '.join(sorted(unknown))}"
        )
    tables = {key: tuple(sorted(value.items())) for key, value in given.items() if isinstance(value, dict)}
    values: dict[str, object] = {"name": name, **given, **tables}
    config = kind(**values)  # type: ignore[arg-type]
    if config.hedged != config.program.endswith(HEDGED):
        raise ConfigError(f"configs.toml: [{name}]: Hedged = 1 and a program *{HEDGED} belong together")
    return config


@cache
def load_configs() -> dict[str, Config]:
    """All configurations of the repository, by name."""
    return parse_configs(CONFIG_FILE.read_text())


def find_config(name: str) -> Config:
    """The configuration called `name`. Raises ConfigError naming the closest ones."""
    configs = load_configs()
    if name in configs:
        return configs[name]
    close = difflib.get_close_matches(name, configs, n=3, cutoff=0.4) or list(configs)
    raise ConfigError(
        f"no configuration {name!r}: did you mean {', '.join(close)}? (`eccel list configs` shows all)"
    )


def rtl_files(config: Config, *, shell: bool = False) -> list[Path]:
    """The SystemVerilog files of `config` in the order of compilation: by level, and packages first in each
    room.

    Primitives are the portable ones, which the flow replaces by vendor twins. With `shell`, the bus shell
    (rtl/bus) and the peripheral that it makes (one file of rtl/top) are included.
    """
    files = [path for room in config.rooms for path in _room_files(RTL_DIR / room)]
    files = [path for path in files if path.name not in OTHER_PRIMITIVES]
    tops = RTL_DIR / TOP_ROOM / "gen"
    if config.engines:
        files.append(tops / f"{config.top}.sv")
    if shell:
        files += [*_room_files(RTL_DIR / SHELL_ROOM), tops / f"{config.shell}.sv"]
    return files


def _room_files(folder: Path) -> list[Path]:
    # A folder in a room is a room of its own, except for the folder of generated files.
    files = (*folder.glob("*.sv"), *folder.glob("gen/*.sv"))
    return sorted(files, key=lambda path: (not path.stem.endswith("_pkg"), path))
