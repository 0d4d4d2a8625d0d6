"""Named configurations (configs.toml) and the RTL files that make them up."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from eccelerate.curves import find_curve
from eccelerate.model.binary_fields import generic_degree, polynomials_of
from eccelerate.model.comb import Comb
from eccelerate.model.jobs import POOLS
from eccelerate.model.solinas import FORMS, Form

ROOT = Path(__file__).resolve().parents[2]
CONFIG_FILE = ROOT / "configs.toml"
RTL_DIR = ROOT / "rtl"
SHELL_ROOM, TOP_ROOM = "bus", "top"
ENGINE_ROOMS = {
    "ecp_binary": ("isa", "prim", "gfp", "gf2m", "engine", "engines/binary"),
    "ecp_compact": ("isa", "prim", "gfp", "engine", "engines/compact"),
    "ecp_turbo": ("isa", "prim", "gfp_turbo", "engine", "engines/turbo"),
}
CLUSTER = "cluster"
"""Kind of a configuration with engines of other configurations behind a dispatcher."""
CLUSTER_ROOMS = (
    "isa", "prim", "gfp", "gfp_turbo", "gf2m", "engine",
    "engines/binary", "engines/compact", "engines/turbo", "dispatch",
)  # fmt: skip
"""Rooms that it can need, lowest level first."""
MAX_ENGINES = 16
"""Of a cluster."""
UCODE_WORDS = 2048
"""Default of UcodeDepth: all that the instruction set can address."""


def build_root() -> Path:
    """Folder of everything that is built: `$ECCEL_BUILD`, or `build` in the repository; safe to delete."""
    return Path(os.environ.get("ECCEL_BUILD", ROOT / "build"))


class ConfigError(ValueError):
    """An unknown or malformed configuration; the text says which names exist or what is wrong."""


@dataclass(frozen=True)
class Config:
    """One named engine configuration.

    engine: of ENGINE_ROOMS; top: engine module; shell: the same as a bus peripheral, "" when there is none;
    program: microcode program; parameters: of the top module; shell_parameters: of the bus peripheral alone;
    device: where area and clock are claimed, "" for the usual ones;
    curve: of a binary engine, and of a turbo engine whose program takes any prime of the length of its own,
    the curve on which its figures are claimed;
    base_table: a turbo engine may hold the table of its base point in block RAM;
    variable_time: its program has jobs on public data alone, and their time tells the scalar;
    members: of a cluster the configurations of its engines and how many engines are of each: its pools, in
    the order of their numbers;
    beside: the configuration on whose engine its program stands in for another one, "" for an engine of its
    own; koblitz: its program takes Koblitz curves alone;
    summary: one sentence of cost and benefit.
    """

    name: str
    engine: str
    top: str
    shell: str
    program: str
    summary: str
    parameters: tuple[tuple[str, int], ...]
    shell_parameters: tuple[tuple[str, int], ...] = ()
    device: str = ""
    curve: str = ""
    base_table: bool = True
    variable_time: bool = False
    beside: str = ""
    koblitz: bool = False
    members: tuple[tuple[Config, int], ...] = ()

    @property
    def pools(self) -> tuple[tuple[Config, int], ...]:
        """Configurations of the engines, with how many are of each: itself alone, unless it has members."""
        return self.members or ((self, 1),)

    @property
    def single(self) -> Config | None:
        """The configuration of all its engines; None for a cluster with engines of several."""
        return self.pools[0][0] if len(self.pools) == 1 else None

    @property
    def image_parameters(self) -> tuple[tuple[Config, str, str], ...]:
        """Parameters of the top module that name memory images, pool by pool: whose they are, that of the
        microcode, and that of the base point's table, "" for engines without one.
        """
        suffixes = [str(pool) for pool in range(len(self.pools))] if self.single is None else [""]
        return tuple(
            (member, f"UcodeFile{suffix}", f"CombFile{suffix}" if member.comb else "")
            for (member, _), suffix in zip(self.pools, suffixes, strict=True)
        )

    @property
    def made_of(self) -> str:
        """Its engines pool by pool, such as "2 turbo-p256, 1 compact-w32"; "" unless it has members."""
        return ", ".join(f"{number} {member.name}" for member, number in self.members)

    @property
    def caution(self) -> str:
        """What a user of the configuration must know beside the summary; "" if nothing."""
        return "Not for secrets: variable time, jobs on public data alone." if self.variable_time else ""

    def parameter(self, name: str) -> int:
        """The value of one parameter of the top module. Raises KeyError when the configuration does not set
        it.
        """
        return dict(self.parameters)[name]

    @property
    def digit_bits(self) -> int:
        """Bits of the digit whose reduction constants CURVE_LOAD brings; 0 for an engine that needs none."""
        if self.members:
            return max(member.digit_bits for member, _ in self.members)
        parameters = dict(self.parameters)
        return parameters.get("ScalarDigitBits", parameters.get("DigitBits", 0))

    @property
    def polynomials(self) -> tuple[int, ...]:
        """Reduction polynomials that a binary engine has built in."""
        return polynomials_of(dict(self.parameters).get("Fields", 0))

    @property
    def binary(self) -> bool:
        """Whether it is an engine for curves over GF(2^m)."""
        return self.engine == "ecp_binary"

    @property
    def generic_degree(self) -> int:
        """Of a binary engine that takes any polynomial: the largest degree; else 0."""
        return generic_degree(dict(self.parameters).get("Fields", 0))

    @property
    def prime(self) -> Form | None:
        """The prime of a turbo engine's field unit, None for an engine that has none of its own."""
        number = dict(self.parameters).get("Prime")
        return None if number is None else list(FORMS.values())[number]

    @property
    def curve_name(self) -> str:
        """The curve that is taken when none is named, and on which its figures are claimed; of a cluster that
        of its first pool.
        """
        if self.members:
            return self.members[0][0].curve_name
        if self.polynomials:
            return self.curve or f"B-{max(self.polynomials).bit_length() - 1}"
        return self.curve or ("P-256" if self.prime is None else self.prime.name)

    @property
    def comb(self) -> Comb | None:
        """The base point's table that the engine holds; None without one and for other primes."""
        wanted = self.prime is not None and self.base_table and not self.curve
        return Comb(find_curve(self.curve_name)) if wanted else None

    @property
    def threads(self) -> int:
        """Jobs that an engine runs at once."""
        return dict(self.parameters).get("Threads", 1)

    @property
    def engines(self) -> int:
        """Engines behind a dispatcher; 0 for a single one without."""
        return sum(number for _, number in self.members)

    @property
    def at_once(self) -> int:
        """Jobs that run at once, in all engines."""
        return sum(config.threads * number for config, number in self.pools)

    @property
    def max_words(self) -> int:
        """Widest element, in 32-bit words."""
        if self.members:
            return max(member.max_words for member, _ in self.members)
        return self.parameter("MaxWords") if self.prime is None else -(-self.prime.bits // 32)

    @property
    def ucode_depth(self) -> int:
        """Microcode words the engine holds."""
        return dict(self.parameters).get("UcodeDepth", UCODE_WORDS)

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms under rtl/ the engine is made of, lowest level first."""
        if self.members:
            needed = {room for member, _ in self.members for room in member.rooms} | {"dispatch"}
            return tuple(room for room in CLUSTER_ROOMS if room in needed)
        return ENGINE_ROOMS[self.engine]


def parse_configs(text: str) -> dict[str, Config]:
    """Configurations in the text of a configs.toml. Raises ConfigError."""
    configs: dict[str, Config] = {}
    clusters: dict[str, Config] = {}
    entries = tomllib.loads(text)
    for name, entry in entries.items():
        try:
            if "engines" in entry:
                clusters[name] = _cluster(name, entry)
                continue
            configs[name] = Config(
                name=name,
                engine=entry["engine"],
                top=entry["top"],
                shell=entry.get("shell", ""),
                program=entry["program"],
                summary=entry["summary"],
                parameters=tuple(sorted(entry["parameters"].items())),
                shell_parameters=tuple(sorted(entry.get("shell_parameters", {}).items())),
                device=entry.get("device", ""),
                curve=entry.get("curve", ""),
                base_table=entry.get("base_table", True),
                variable_time=entry.get("variable_time", False),
                beside=entry.get("beside", ""),
                koblitz=entry.get("koblitz", False),
            )
        except (KeyError, TypeError) as error:
            raise ConfigError(f"configs.toml: [{name}] lacks {error}") from error
    for name, config in clusters.items():
        configs[name] = replace(config, members=_members(name, entries[name]["engines"], configs))
    return {name: configs[name] for name in entries}


def _cluster(name: str, entry: dict[str, Any]) -> Config:
    """A cluster without its members, whose configurations may come later. Raises ConfigError, KeyError."""
    if unknown := entry.keys() - {"engines", "device", "summary"}:
        raise ConfigError(f"configs.toml: [{name}] is a cluster and has no {', '.join(sorted(unknown))}")
    top = "eccel_" + re.sub(r"\W", "_", name)
    summary, device = entry["summary"], entry.get("device", "")
    return Config(name, CLUSTER, top, f"{top}_axil", "", summary, (), device=device)


def _members(name: str, engines: object, configs: Mapping[str, Config]) -> tuple[tuple[Config, int], ...]:
    """The pools of a cluster: runs of equal names. Raises ConfigError."""
    if not isinstance(engines, list) or not 1 <= len(engines) <= MAX_ENGINES:
        raise ConfigError(f"configs.toml: [{name}]: engines is a list of 1 to {MAX_ENGINES} configurations")
    for each in engines:
        member = configs.get(each)
        if member is None or member.engines or member.variable_time:
            raise ConfigError(
                f"configs.toml: [{name}]: {each!r} is no configuration of a single engine"
                + (" in constant time" if member is not None and member.variable_time else "")
            )
    pools = [(each, len(list(run))) for each, run in groupby(engines)]
    if len({each for each, _ in pools}) != len(pools):
        raise ConfigError(f"configs.toml: [{name}]: engines of one configuration must stand side by side")
    if len(pools) > POOLS:
        raise ConfigError(f"configs.toml: [{name}]: engines are of {POOLS} configurations at most")
    return tuple((configs[each], number) for each, number in pools)


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


def engine_files(engine: str) -> tuple[Path, ...]:
    """The SystemVerilog files of an engine by its room, as `rtl_files`."""
    return tuple(path for room in ENGINE_ROOMS[engine] for path in _room_files(RTL_DIR / room))


def rtl_files(config: Config, *, shell: bool = False) -> list[Path]:
    """The SystemVerilog files of `config` in compile order: by level, packages first within each room.

    Primitives are the portable ones; the flow puts vendor twins in their place. shell: also the bus shell
    (rtl/bus) and the peripheral that it makes (one file of rtl/top).
    """
    files = [path for room in config.rooms for path in _room_files(RTL_DIR / room)]
    tops = RTL_DIR / TOP_ROOM / "gen"
    if config.members:
        files.append(tops / f"{config.top}.sv")
    if shell:
        files += [*_room_files(RTL_DIR / SHELL_ROOM), tops / f"{config.shell}.sv"]
    return files


def _room_files(folder: Path) -> list[Path]:
    # A folder below is a room of its own, but for what is generated.
    files = (*folder.glob("*.sv"), *folder.glob("gen/*.sv"))
    return sorted(files, key=lambda path: (not path.stem.endswith("_pkg"), path))
