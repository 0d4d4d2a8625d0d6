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
POINT_UNITS = (1, 2, 4)
"""Modular multipliers of a point addition."""


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
    """A unit: its module with parameters, its timing in cycles, and its area. source: `placed` if the area is
    a stored figure, else `estimated`. bits: of an operand. stable: its constant inputs.
    """

    name: str
    latency: int
    interval: int
    area: Area
    source: str
    top: str = ""
    params: tuple[tuple[str, int], ...] = ()
    bits: int = 0
    stable: tuple[str, ...] = ()
    result: str = "p_o"


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
    return _units(list(_options(bits)), device)


def montgomery_units(bits: int, device: str) -> list[Unit]:
    """Units for a Montgomery product: a multiplier for each of the three products, or one for all."""
    return _units(_montgomery(bits), device)


def _montgomery(bits: int) -> list[MultiplierConfig]:
    return [
        replace(each, reduction="montgomery", multipliers=multipliers)
        for each in _options(bits)
        if each.kind in ("karatsuba", "broadcast", "comba")
        for multipliers in (1, 3)
    ]


def _point_latency(config: MultiplierConfig, units: int) -> str:
    """Latency of an addition by algorithm 4, as an expression of the RTL packages."""
    latency, interval = _expressions(config)
    params = config.params
    names = ("Kind", "Bits", "Levels", "Word", "Lanes")
    plain = ", ".join(str(params[name]) for name in names) + f", 1'b{params['Pipelined']}"
    mul = f"eccel_mul_pkg::latency({plain}), eccel_mul_pkg::interval({plain})"
    busy = f"eccel_modmul_pkg::busy({mul}, {params['Reduction']}, {config.multipliers})"
    adder = f"eccel_adder_pkg::mod_add_latency({config.bits}, 1'b{params['Pipelined']})"
    return f"eccel_point_pkg::latency(4, {units}, {latency}, {interval}, {busy}, {adder})"


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
            unit = Unit(config.name, latency, interval, area, source, config.top)
            params = tuple(config.params.items())
            found.append(
                replace(unit, params=params, bits=config.bits, stable=config.stable, result=config.result)
            )
    return found


def point_units(bits: int, device: str) -> list[Unit]:
    """Units for a complete point addition on a curve with a = -3: Montgomery multipliers of every kind, up to
    four of them.
    """
    chosen = [
        (config, units)
        for config in _montgomery(bits)
        if config.kind != "comba" or config.lanes > 1
        for units in POINT_UNITS
    ]
    texts = [_point_latency(config, units) for config, units in chosen]
    values = rtl_constants(texts, ("eccel_mul_pkg", "eccel_modmul_pkg", "eccel_point_pkg", "eccel_fixed_pkg"))
    intervals = rtl_constants(
        [_expressions(config)[1] for config, _ in chosen], ("eccel_mul_pkg", "eccel_modmul_pkg")
    )
    found = []
    for (config, units), text in zip(chosen, texts, strict=True):
        if intervals[_expressions(config)[1]] <= 0:
            continue
        area, _ = area_of(config, device)
        total = Area(9 * bits, 12 * bits, 0, 2 * -(-bits // 36))  # sums, memories, operands
        for _ in range(units):
            total += area
        names = ("Kind", "Bits", "Levels", "Word", "Lanes", "Pipelined", "Reduction")
        params = [(name, config.params[name]) for name in names]
        params += [("Passes", config.multipliers), ("Units", units), ("Algorithm", 4)]
        stable = ("a_i", "b_i", "modulus_i", "inverse_i")
        name = f"point-{config.name}" + (f"-x{units}" if units > 1 else "")
        found.append(
            Unit(
                name, values[text], values[text] + 1, total, "estimated", "eccel_point_add", tuple(params),
                bits, stable,
            )
        )  # fmt: skip
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
