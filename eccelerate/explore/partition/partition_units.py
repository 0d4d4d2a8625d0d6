"""The arithmetic units that a device may hold, with latency, interval and area.

Latency and interval come from the packages of the RTL. The area is that of the newest stored figure of the
unit (`results/multipliers.jsonl`), or an estimate by the rules below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from eccelerate.configs.config import ConfigError
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.explore.multipliers.multiplier_family import blocks
from eccelerate.explore.partition.link_spec import PartitionError
from eccelerate.explore.partition.rtl_constants import rtl_constants
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import CAPACITY, MultiplierStore

ROOM: dict[str, dict[str, int]] = {
    **{
        name: {**room, "bram": bram}
        for (name, room), bram in zip(CAPACITY.items(), (208, 84, 30), strict=True)
    },
    "ecp5-85f-8": {"lut4": 83_640, "mult": 156, "bram": 208},
    "ecp5-25f-6": {"lut4": 24_288, "mult": 28, "bram": 56},
    "ecp5-25f-8": {"lut4": 24_288, "mult": 28, "bram": 56},
    "lifcl-40-9": {"lut4": 32_256, "mult": 56, "bram": 84},
}
"""LUT4, multiplier blocks and block RAMs of the devices on which a computation can be placed."""
FILL = 0.85
"""Share of the LUT4 of a device that a plan uses, so that it can be routed."""
LANES = (1, 4, 8, 16, 32)
WORDS = (16, 18, 32, 34, 36)
LEVELS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Area:
    """Cells of a part of a device."""

    lut4: int = 0
    ff: int = 0
    mult: int = 0
    bram: int = 0

    def __add__(self, other: Area) -> Area:
        return Area(
            self.lut4 + other.lut4, self.ff + other.ff, self.mult + other.mult, self.bram + other.bram
        )

    def excess(self, name: str) -> str:
        """What there is more of than a device has, as text; "" if all fits."""
        room = ROOM[name]
        limits = {"lut4": int(FILL * room["lut4"]), "mult": room["mult"], "bram": room["bram"]}
        full = [
            f"{getattr(self, kind):,} {kind} of {limit:,}"
            for kind, limit in limits.items()
            if getattr(self, kind) > limit
        ]
        return ", ".join(full)


@dataclass(frozen=True)
class Unit:
    """A unit. source: `placed` or `mapped` if its area is a stored figure, else `estimated`."""

    config: MultiplierConfig
    latency: int
    interval: int
    area: Area
    source: str

    @property
    def name(self) -> str:
        """Name of the configuration."""
        return self.config.name


def require_device(name: str) -> None:
    """Raises PartitionError, with the known names, if a computation cannot be placed on the device."""
    try:
        find_device(name)
    except FlowError as error:
        raise PartitionError(str(error)) from error
    if name not in ROOM:
        raise PartitionError(f"the size of {name} is not known; use one of {', '.join(ROOM)}")


def product_units(bits: int, device: str) -> list[Unit]:
    """Units for a product of two numbers."""
    return _units([each for each in _options(bits)], device)


def montgomery_units(bits: int, device: str) -> list[Unit]:
    """Units for a Montgomery product: a multiplier for each of the three products, or one for all."""
    configs = [
        replace(each, reduction="montgomery", multipliers=multipliers)
        for each in _options(bits)
        if each.kind in ("karatsuba", "broadcast", "comba")
        for multipliers in (1, 3)
    ]
    return _units(configs, device)


def _options(bits: int) -> Iterator[MultiplierConfig]:
    wanted: list[tuple[str, str, Sequence[int]]] = [
        ("karatsuba", "levels", LEVELS),
        ("broadcast", "word", WORDS),
        ("comba", "lanes", LANES),
    ]
    for kind, option, values in wanted:
        for value in values:
            try:
                yield MultiplierConfig(bits, kind, pipelined=True, **{option: value})  # type: ignore[arg-type]
            except ConfigError:
                continue  # not for this width
    yield MultiplierConfig(bits, "shift-add", pipelined=True)


def _units(configs: Sequence[MultiplierConfig], device: str) -> list[Unit]:
    values = rtl_constants(
        [text for config in configs for text in _expressions(config)], ("eccel_mul_pkg", "eccel_modmul_pkg")
    )
    found = []
    for config in configs:
        latency, interval = (values[text] for text in _expressions(config))
        if interval > 0:
            area, source = area_of(config, device)
            found.append(Unit(config, latency, interval, area, source))
    return found


def _expressions(config: MultiplierConfig) -> tuple[str, str]:
    """Latency and interval as expressions of the RTL packages."""
    params = config.params if config.reduction != "none" else config.selector_params
    names = ("Kind", "Bits", "Levels", "Word", "Lanes")
    plain = ", ".join(str(params[name]) for name in names) + f", 1'b{params['Pipelined']}"
    latency, interval = (f"eccel_mul_pkg::{name}({plain})" for name in ("latency", "interval"))
    if config.reduction == "none":
        return latency, interval
    reduction, multipliers = params["Reduction"], params["Multipliers"]
    rest = f"{multipliers}, 0, {config.bits}, 1'b{params['Pipelined']}"
    return (
        f"eccel_modmul_pkg::latency({latency}, {interval}, {reduction}, {params['Prime']}, {rest})",
        f"eccel_modmul_pkg::interval({latency}, {interval}, {reduction}, {multipliers})",
    )


@cache
def _stored() -> dict[tuple[str, str], Area]:
    return {
        (record["config"], record["device"]): Area(*(record[key] for key in ("lut4", "ff", "mult", "bram")))
        for record in MultiplierStore()
    }


def area_of(config: MultiplierConfig, device: str) -> tuple[Area, str]:
    """The stored area of a unit on a device or on another speed grade of it, or an estimate; and which."""
    for name in (device, f"{device.rpartition('-')[0]}-6", device.removesuffix("-9"), "ecp5-85f-6"):
        if (config.name, name) in _stored():
            return _stored()[config.name, name], "placed"
    return estimate(config, 16 if device == "up5k" else 18), "estimated"


def estimate(config: MultiplierConfig, block_bits: int) -> Area:
    """Area by rule of thumb, for a unit that has not been placed: 5 LUT4 for each bit and 16 for each block
    of a broadcast or Comba array; 24 for each bit and 10 % more for each level of divide and conquer; 4 for
    each bit of a shift-add unit; 12 for each bit of a Montgomery product besides its multipliers.
    """
    bits, mult = config.bits, blocks(config, block_bits)
    if config.kind == "karatsuba":
        plain = Area(int(24 * bits * (1 + config.levels / 10)), 60 * bits, mult)
    elif config.kind == "shift-add":
        plain = Area(4 * bits, 6 * bits, 0)
    else:
        plain = Area(5 * bits + 16 * mult, 20 * bits, mult)
    if config.reduction == "none":
        return plain
    total = Area(12 * bits, 16 * bits)
    for _ in range(config.multipliers):
        total += plain
    return total
