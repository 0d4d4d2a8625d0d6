"""A published system compared with the configurations that answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from eccelerate.explore import compare_algorithms, compare_area_time, compare_rates, compare_throughput
from eccelerate.explore.figures import Stores
from eccelerate.explore.published import System, find_system
from eccelerate.explore.tables import GroupedTable, PlainTable


@dataclass(frozen=True)
class Comparison:
    """Both sides of a comparison.

    record: the comparison as one JSON object.
    tables: tables for people, each of which fits 100 columns.
    notes: what a reader has to know in order to judge the tables.
    """

    system: System
    record: dict[str, Any]
    tables: Sequence[GroupedTable | PlainTable]
    notes: list[str]


def compare(
    name: str, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> Comparison:
    """The comparison with the published system `name`. Figures that the stores lack are measured first.

    Raises UnknownSystemError, and the errors of the measurements.
    """
    system = find_system(name)
    return from_record(system, _page(system).comparison(system, progress, stores))


def with_prices(found: Comparison, prices: Mapping[str, float]) -> Comparison:
    """The comparison with throughput for the price of devices, in any currency. Raises ValueError if it has
    no figure for one of them.
    """
    if not found.system.algorithms:
        raise ValueError(f"{found.system.name} has no throughput to compare by price; marnane has")
    return from_record(found.system, compare_algorithms.with_prices(found.record, prices))


def from_record(system: System, record: dict[str, Any]) -> Comparison:
    """The comparison that a record holds."""
    page = _page(system)
    return Comparison(system, record, page.tables(system, record), page.notes(record))


def _page(system: System) -> ModuleType:
    """The module that compares our figures with systems of this kind."""
    if system.algorithms:
        return compare_algorithms
    if system.variants:
        return compare_area_time
    return compare_rates if system.curves else compare_throughput
