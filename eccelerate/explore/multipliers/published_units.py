"""The published multipliers as data (``buell2003.toml``), and which of ours answer them."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from eccelerate.configs.multiplier_config import MultiplierConfig

FILE = Path(__file__).with_name("buell2003.toml")
SLICE_LUTS = 2
"""LUT4 of a slice of Virtex-II."""


@dataclass(frozen=True)
class PublishedUnit:
    """A row of the table as printed.

    label: A to G as in the paper; other rows have none there, and are called by method and width.
    units: the names of our units, without registers inside, that compute the same in the same way.
    """

    label: str
    method: str
    slices: int
    delay_ns: float
    units: tuple[str, ...]
    mult: int = 0

    @property
    def luts(self) -> int:
        """LUT4 of the slices."""
        return SLICE_LUTS * self.slices

    def json(self) -> dict[str, Any]:
        """What the row says, without our side."""
        return {key: value for key, value in asdict(self).items() if key != "units"}


@dataclass(frozen=True)
class PublishedTable:
    """The table with its source."""

    title: str
    source: str
    table: str
    device: str
    family: str
    rows: tuple[PublishedUnit, ...]


@cache
def published_table() -> PublishedTable:
    """The published multipliers."""
    table = tomllib.loads(FILE.read_text())
    rows = tuple(PublishedUnit(**{**row, "units": tuple(row["units"])}) for row in table.pop("row"))
    return PublishedTable(rows=rows, **table)


def published_row(config: MultiplierConfig) -> PublishedUnit | None:
    """The published row that a unit answers, with registers inside or without. If there are several, the last
    one, which has a letter. None if there is none.
    """
    name = replace(config, pipelined=False).name
    found = [row for row in published_table().rows if name in row.units]
    return found[-1] if found else None
