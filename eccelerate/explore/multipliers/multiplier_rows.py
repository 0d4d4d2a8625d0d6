"""Stored figures as rows: what follows from area, clock and interval, and which rows no other row beats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eccelerate.configs.config import ConfigError
from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.explore.multipliers.multiplier_family import Wanted, family, table_order
from eccelerate.explore.multipliers.published_units import PublishedUnit, published_row
from eccelerate.flow.multiplier_store import MultiplierStore, is_current_unit, unit_device
from eccelerate.flow.store import Record


@dataclass(frozen=True)
class Row:
    """A unit on a device with its record."""

    config: MultiplierConfig
    record: Record

    @property
    def device(self) -> str:
        """Where it was placed or mapped."""
        return str(self.record["device"])

    @property
    def lut4(self) -> int:
        """LUT4 as placed, or as mapped."""
        return int(self.record["lut4"])

    @property
    def ff(self) -> int:
        """Flip-flops in the fabric."""
        return int(self.record["ff"])

    @property
    def mult(self) -> int:
        """Multiplier blocks."""
        return int(self.record["mult"])

    @property
    def latency(self) -> int:
        """Cycles from operands to product, as simulated."""
        return int(self.record["simulated"]["latency"])

    @property
    def interval(self) -> int:
        """Cycles from one product to the next, as simulated."""
        return int(self.record["simulated"]["interval"])

    @property
    def mhz(self) -> float | None:
        """The clock of the slowest seed, but not above the limit of the device's multiplier blocks. None if
        the unit is only mapped.
        """
        worst: float | None = self.record["worst_mhz"]
        limit = unit_device(self.device).mult_mhz
        return min(worst, limit) if worst and limit and self.mult else worst

    @property
    def ns(self) -> float | None:
        """Nanoseconds from one product to the next."""
        return None if self.mhz is None else 1000 * self.interval / self.mhz

    @property
    def per_second(self) -> float | None:
        """Products in a second."""
        return None if self.mhz is None else 1e6 * self.mhz / self.interval

    @property
    def area_time(self) -> float | None:
        """LUT4 times microseconds for a product. Multiplier blocks are not in it."""
        return None if self.ns is None else self.lut4 * self.ns / 1000

    @property
    def per_clock_and_mult(self) -> float | None:
        """Products in a clock and multiplier block. None without such blocks."""
        return 1 / (self.interval * self.mult) if self.mult else None

    @property
    def published(self) -> PublishedUnit | None:
        """The published row that the unit answers."""
        return published_row(self.config) if self.config.reduction == "none" else None

    def json(self) -> dict[str, Any]:
        """The row of `eccel multipliers --json`."""
        config, paper = self.config, self.published
        return {
            "name": config.name,
            "bits": config.bits,
            "kind": config.kind,
            "reduction": config.reduction,
            "prime": config.prime,
            "levels": config.levels,
            "word": config.word,
            "lanes": config.lanes,
            "pipelined": config.pipelined,
            "device": self.device,
            "lut4": self.lut4,
            "ff": self.ff,
            "mult": self.mult,
            "mhz": self.mhz,
            "seeds": len(self.record["fmax_mhz"]),
            "latency": self.latency,
            "interval": self.interval,
            "per_second": None if self.per_second is None else round(self.per_second),
            "area_time": None if self.area_time is None else round(self.area_time, 3),
            "per_clock_and_mult": self.per_clock_and_mult,
            "simulated": self.record["simulated"]["products"],
            "commit": self.record["commit"],
            "published": None if paper is None else paper.json(),
        }


def rows(store: MultiplierStore | None = None, keep: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    """The stored rows of the family in the order of the tables: by width, kind, option and device. A record
    of a unit that is no longer in the family is left out.
    """
    place = {wanted: number for number, wanted in enumerate(table_order())}
    found = []
    for record in store or MultiplierStore():
        try:
            row = Row(parse_multiplier(record["config"]), record)
        except ConfigError:
            continue
        if Wanted(row.config, row.device) in place and keep(row):
            found.append(row)
    return sorted(found, key=lambda row: place[Wanted(row.config, row.device)])


def missing(store: MultiplierStore | None = None, *, map_only: bool = False) -> list[Wanted]:
    """Rows of the family that are not stored for the current sources, the most important first; unless
    `map_only`, also those that are only mapped although they fit a device with a placer.
    """
    stored = {row_key(record): record for record in store or MultiplierStore()}
    return [
        each
        for each in family()
        if (found := stored.get((each.config.name, each.device))) is None
        or not is_current_unit(found, each.config)
        or (not map_only and to_be_placed(found))
    ]


def to_be_placed(record: Record) -> bool:
    """Whether a record is of a mapping that could be placed."""
    placer = unit_device(record["device"]).place
    return bool(placer) and record["flow"] == "map" and not record.get("too_large")


def row_key(record: Record) -> tuple[object, object]:
    """Name and device of a record."""
    return record["config"], record["device"]


def stale_units(found: Iterable[Row]) -> list[Row]:
    """Those rows whose figures are of other sources than the current ones."""
    return [row for row in found if not is_current_unit(row.record, row.config)]


Cost = Callable[[Row], float | None]

COSTS: Mapping[str, Cost] = {
    "lut4": lambda row: row.lut4,
    "mult": lambda row: row.mult,
    "time": lambda row: row.ns,
    "area-time": lambda row: row.area_time,
}
"""What can be minimised. A row without a clock has no time."""


def cost(row: Row, what: str) -> float:
    """A cost of COSTS. Time without a clock counts in cycles, which compares rows of one device."""
    value = COSTS[what](row)
    if value is not None:
        return value
    return row.interval * (row.lut4 if what == "area-time" else 1.0)


def front(found: Iterable[Row]) -> list[Row]:
    """The Pareto front: the rows that no other one equals or beats in LUT4, multiplier blocks and time for a
    product all at once. The rows have to be of one width, device and reduction, and all with a clock or all
    without.
    """
    each = [(row, tuple(cost(row, what) for what in ("lut4", "mult", "time"))) for row in found]
    return [row for row, own in each if not any(_beats(other, own) for _, other in each)]


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def fronts(found: Iterable[Row]) -> set[tuple[str, str]]:
    """Name and device of every row that is on the front of its width, device and reduction."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in found:
        modulus = row.config.prime or row.config.reduction
        groups.setdefault((row.config.bits, row.device, modulus, row.mhz is None), []).append(row)
    return {(row.config.name, row.device) for group in groups.values() for row in front(group)}
