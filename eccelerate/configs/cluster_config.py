"""Clusters of engines of other configurations behind a dispatcher."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import groupby, pairwise
from typing import ClassVar

from eccelerate.configs.kind import Config, ConfigError
from eccelerate.curves import Curve
from eccelerate.model.jobs import POOLS

MAX_ENGINES = 16


@dataclass(frozen=True)
class ClusterConfig(Config):
    """Engines behind one dispatcher.

    `members` are their configurations with the number of engines of each: the pools, in the order of their
    numbers.
    """

    members: tuple[tuple[Config, int], ...] = ()

    engine: ClassVar[str] = "cluster"
    tests_entropy: ClassVar[bool] = True

    @property
    def rooms(self) -> tuple[str, ...]:
        """See `Config`."""
        order = TopologicalSorter[str]()
        for member, _ in self.members:
            for below, above in pairwise((*member.rooms, "dispatch")):
                order.add(above, below)
        return tuple(order.static_order())

    @property
    def max_words(self) -> int:
        """See `Config`."""
        return max(member.max_words for member, _ in self.members)

    @property
    def digit_bits(self) -> int:
        """See `Config`. This is the largest value of its engines."""
        return max(member.digit_bits for member, _ in self.members)

    @property
    def field_digit_bits(self) -> int:
        """See `Config`."""
        return max(member.field_digit_bits for member, _ in self.members)

    @property
    def curve_name(self) -> str:
        """See `Config`. This is the curve of its first pool."""
        return self.members[0][0].curve_name

    @property
    def pools(self) -> tuple[tuple[Config, int], ...]:
        """See `Config`."""
        return self.members

    @property
    def engines(self) -> int:
        """See `Config`."""
        return sum(number for _, number in self.members)

    def lacks(self, curve: Curve) -> str:
        """See `Config`. The text has the reason for each pool."""
        reasons = [member.lacks(curve) for member, _ in self.members]
        return "; ".join(reasons) if all(reasons) else ""

    @property
    def image_parameters(self) -> tuple[tuple[Config, str, str], ...]:
        """See `Config`."""
        suffixes = [str(pool) for pool in range(len(self.members))] if self.single is None else [""]
        return tuple(
            (member, f"UcodeFile{suffix}", f"CombFile{suffix}" if member.comb else "")
            for (member, _), suffix in zip(self.members, suffixes, strict=True)
        )

    @property
    def made_of(self) -> str:
        """See `Config`."""
        return ", ".join(f"{number} {member.name}" for member, number in self.members)


def read_cluster(name: str, entry: Mapping[str, object], configs: Mapping[str, Config]) -> ClusterConfig:
    """The cluster that an entry of configs.toml describes. `configs` are those of single engines. Raises
    ConfigError, KeyError.
    """
    if unknown := entry.keys() - {"engines", "device", "summary"}:
        raise ConfigError(f"configs.toml: [{name}] is a cluster and has no {', '.join(sorted(unknown))}")
    top = "eccel_" + re.sub(r"\W", "_", name)
    return ClusterConfig(
        name=name,
        top=top,
        shell=f"{top}_axil",
        program="",
        summary=str(entry["summary"]),
        device=str(entry.get("device", "")),
        members=_members(name, entry["engines"], configs),
    )


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
        raise ConfigError(f"configs.toml: [{name}]: list the engines of one configuration in a row")
    if len(pools) > POOLS:
        raise ConfigError(f"configs.toml: [{name}]: engines are of {POOLS} configurations at most")
    return tuple((configs[each], number) for each, number in pools)
