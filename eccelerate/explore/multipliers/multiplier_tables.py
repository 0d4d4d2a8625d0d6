"""Tables of multipliers as text: the family, and the published rows beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.explore.multipliers.multiplier_family import CLAIMED_ON
from eccelerate.explore.multipliers.multiplier_rows import Row, fronts
from eccelerate.explore.multipliers.published_units import SLICE_LUTS, published_table
from eccelerate.explore.tables import count, fixed
from eccelerate.flow.multiplier_store import VIRTEX2

COLUMNS = (
    "unit", "on", "LUT4", "FF", "mult", "MHz", "ns", "latency", "interval", "M/s", "LUT4 x us",
    "per clock and mult", "front", "paper",
)  # fmt: skip


def cells(row: Row, best: set[tuple[str, str]]) -> list[str]:
    """A row as text, in the order of COLUMNS. A mapped unit has no clock."""
    rate = None if row.per_second is None else row.per_second / 1e6
    share = row.per_clock_and_mult
    return [
        row.config.name,
        row.device,
        count(row.lut4),
        count(row.ff),
        count(row.mult),
        fixed(row.mhz, 1),
        fixed(None if row.mhz is None else 1000 / row.mhz, 1),
        count(row.latency),
        count(row.interval),
        fixed(rate, 1 if rate and rate >= 10 else 2),
        fixed(row.area_time, 2),
        "-" if share is None else f"1/{row.interval * row.mult:,}",
        "*" if (row.config.name, row.device) in best else "",
        "" if row.published is None else row.published.label,
    ]


def table(found: Iterable[Row]) -> list[list[str]]:
    """All rows as text."""
    found = list(found)
    best = fronts(found)
    return [cells(row, best) for row in found]


PAPER_COLUMNS = (
    "row", "published unit", "slices", "mult", "ns", "our unit", "LUT4 / 2", "max(LUT4, FF) / 2", "mult",
    "ns on ECP5", "interval",
)  # fmt: skip


def paper_table(found: Sequence[Row], *, only_stored: bool = False) -> list[list[str]]:
    """Each published row beside ours: the unit without registers inside and the one with them, mapped for the
    paper's family; their clock period is that of the placement on ECP5. With `only_stored`, units without a
    row are left out.
    """
    stored = {(row.config.name, row.device): row for row in found}
    lines = []
    for paper in published_table().rows:
        theirs = [paper.label, paper.method, count(paper.slices), count(paper.mult), fixed(paper.delay_ns, 1)]
        for name in paper.units:
            for config in _both(name):
                mapped = stored.get((config.name, VIRTEX2))
                placed = stored.get((config.name, CLAIMED_ON))
                if only_stored and mapped is None and placed is None:
                    continue
                lines.append(theirs + _ours(config, mapped, placed))
                theirs = [""] * len(theirs)
    return lines


def _both(name: str) -> list[MultiplierConfig]:
    return [parse_multiplier(name), parse_multiplier(f"{name}-pipelined")]


def _ours(config: MultiplierConfig, mapped: Row | None, placed: Row | None) -> list[str]:
    if mapped is None:
        area = ["-", "-", "-"]
    else:
        slices = (mapped.lut4, max(mapped.lut4, mapped.ff))
        area = [*(count(-(-each // SLICE_LUTS)) for each in slices), count(mapped.mult)]
    mhz = None if placed is None else placed.mhz
    interval = mapped or placed
    period = fixed(None if mhz is None else 1000 / mhz, 1)
    return [config.name, *area, period, count(None if interval is None else interval.interval)]
