"""Compares a published list of algorithms with our yardsticks and engines by every measure: cells of the
paper's family, area and clock of one device by one flow, energy in standard cells.

A slice of the paper's family holds two LUT4. Its time is its cycles at its clock. Ours has no clock on that
family, for which there is no open placer, so area x time is compared at equal clocks: slices x cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eccelerate.explore.figures import Stores
from eccelerate.explore.marnane.marnane_rows import rows
from eccelerate.explore.published import System
from eccelerate.explore.tables import ABSENT, PlainTable, count, fixed, times

Record = dict[str, Any]


def comparison(
    system: System, progress: Callable[[str], None] | None = None, stores: Stores | None = None
) -> Record:
    """All rows as one JSON object, with the open cores that their authors report."""
    return {
        "published": {key: getattr(system, key) for key in ("name", "title", "source", "tables", "device")},
        "rows": [row.record for row in rows(system, stores or Stores(), progress)],
        "open_cores": [vars(core) for core in system.open_cores],
    }


def with_prices(record: Record, prices: Mapping[str, float]) -> Record:
    """The record with the throughput for the price of each device. Raises ValueError for a device on which
    nothing is placed.
    """
    devices = sorted({row["device"] for row in _placed(record)})
    if unknown := sorted(set(prices) - set(devices)):
        raise ValueError(f"nothing is placed on {', '.join(unknown)}; devices: {', '.join(devices)}")
    priced = [
        row | {"throughput_per_price": row["throughput"] / prices[row["device"]]}
        if row["mhz"] is not None and row["device"] in prices
        else row
        for row in record["rows"]
    ]
    return record | {"rows": priced}


def tables(system: System, record: Record) -> list[PlainTable]:
    """The tables of a comparison, for people."""
    found = [
        paper_table(system, record),
        device_table(record),
        *energy_tables(record),
        open_table(record),
    ]
    if any(row["throughput_per_price"] for row in record["rows"]):
        found.append(price_table(record))
    return found


def better(row: Record) -> dict[str, float]:
    """By which factor a mapped row is better than the paper's: slices, cycles, slices x cycles."""
    paper = row["published"]
    slices, cycles = paper["clbs"] / (row["lut4"] / 2), paper["cycles"] / row["cycles"]
    return {"slices": slices, "cycles": cycles, "product": slices * cycles}


def paper_table(system: System, record: Record) -> PlainTable:
    """Cells of the paper's family, and cycles."""
    table = PlainTable(
        f"Cells of {system.family} (Virtex-E) as Yosys maps them; a slice has two LUT4",
        ["", "slices: paper", "ours", "better", "cycles: paper", "ours", "better", "product better"],
    )
    for row in record["rows"]:
        if row["device"] != system.family or row["published"] is None:
            continue
        paper, ratio = row["published"], better(row)
        table.rows.append(
            [
                row["design"],
                *(count(paper["clbs"]), count(-(-row["lut4"] // 2)), times(ratio["slices"])),
                *(count(paper["cycles"]), count(row["cycles"]), times(ratio["cycles"])),
                times(ratio["product"]),
            ]
        )
    return table


def device_table(record: Record) -> PlainTable:
    """Area, clock and throughput of all designs with a placement."""
    table = PlainTable(
        "Placed by one flow: worst clock of the seeds",
        ["design", "device", "LUT4", "mult", "MHz", "cycles", "Mbit/s", "kbit/s/LUT4", "LUT4 x ms"],
    )
    for row in _placed(record):
        table.rows.append(
            [
                row["design"],
                row["device"],
                count(row["lut4"]),
                count(row["mult"]),
                fixed(row["mhz"], 1),
                count(row["cycles"]),
                significant(row["throughput"]),
                significant(1000 * row["throughput_per_lut4"]),
                significant(row["area_time"]),
            ]
        )
    return table


def energy_tables(record: Record) -> list[PlainTable]:
    """A table for each standard-cell library: area, energy of an operation, energy-power product."""
    found = []
    for library in sorted({library for row in record["rows"] for library in row["energy_pj"]}):
        table = PlainTable(
            f"Standard cells of {library}, before layout",
            ["design", "k gates", "um2", "nJ / operation", "pJ / bit", "nJ x mW"],
        )
        seen = set()
        for row in record["rows"]:
            if library not in row["energy_pj"] or row["design"] in seen:
                continue
            seen.add(row["design"])
            energy = row["energy_pj"][library]
            table.rows.append(
                [
                    row["design"],
                    significant(row["gate_equivalents"][library] / 1000),
                    count(round(row["area_um2"][library])),
                    significant(energy / 1000),
                    significant(energy / row["bits"]),
                    significant(row["energy_power"][library] / 1000),
                ]
            )
        found.append(table)
    return found


def price_table(record: Record) -> PlainTable:
    """Throughput for the user's prices."""
    table = PlainTable("Throughput for the price of the device", ["design", "device", "kbit/s / price unit"])
    for row in _placed(record):
        if row["throughput_per_price"] is not None:
            table.rows.append([row["design"], row["device"], significant(1000 * row["throughput_per_price"])])
    return table


def open_table(record: Record) -> PlainTable:
    """Open cores of the same kind, on the devices of their authors."""
    table = PlainTable(
        "Open cores of the same kind, as their authors report them",
        ["core", "beside", "device", "LUT", "FF", "MHz", "cycles"],
    )
    for core in record["open_cores"]:
        table.rows.append(
            [
                core["name"],
                core["design"],
                core["device"],
                *(count(core[key]) for key in ("lut", "ff", "mhz", "cycles")),
            ]
        )
    return table


def _placed(record: Record) -> list[Record]:
    return [row for row in record["rows"] if row["mhz"] is not None]


def significant(value: float | None) -> str:
    """A number with three significant digits and thousands separators."""
    if value is None:
        return ABSENT
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.2e}"


def notes(record: Record) -> list[str]:
    """What a reader has to know in order to judge the tables."""
    commits = sorted({row["commit"] for row in record["rows"]})
    return [
        "Slices of ours are LUT4 / 2 after mapping. The paper's were placed by the vendor's tools, which may "
        "pack two functions in a slice less tightly.",
        "Mbit/s counts the bits of an operation as the paper does: a block, a modulus, a field element.",
        "LUT4 x ms and Mbit/s are of the placed device and are not compared with the paper's older one.",
        "An engine of ours does more than its yardstick: any job of its packets, secrets kept and cleared, "
        "constant cycles. A turbo-p256 row is one of four jobs at a time.",
        "Energy: toggles of the mapped netlist without wires and glitches (docs/energy.md).",
        f"Commits: {', '.join(commits)}.",
    ]
