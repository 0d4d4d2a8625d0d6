"""The figures that `eccel demo` ends with."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table

from eccelerate.configs.config import Config, find_config
from eccelerate.curves import Curve
from eccelerate.explore.figures import stored_figures
from eccelerate.explore.published import find_system
from eccelerate.explore.tables import count, fixed

SYSTEM = "vliegen2010"


def cycles_table(config: Config, curve: Curve, cycles: dict[str, int], placed: dict[str, Any]) -> Table:
    """Cycles of the jobs that have just run, and milliseconds at the clock that was just placed."""
    table = Table(title=f"{curve.name} on {config.name}", title_justify="left", title_style="bold")
    table.add_column("job")
    table.add_column("cycles", justify="right")
    table.add_column(f"ms at {placed['mhz']:.2f} MHz", justify="right")
    for name, clocks in cycles.items():
        table.add_row(name, count(clocks), fixed(clocks / placed["mhz"] / 1000, 3))
    return table


def figures_table(config: Config, curve: Curve, cycles: int, placed: dict[str, Any]) -> Table:
    """The published engines, the engine just placed, and the related ones that the store has. It needs 80
    columns.
    """
    system = find_system(SYSTEM)
    table = Table(
        title=f"{system.field_bits}-bit scalar multiplication, with bus side; paper: {system.title}",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("engine", no_wrap=True)
    table.add_column("device", no_wrap=True)
    for name in ("area", "mult", "RAM", "MHz", "cycles", "ms"):
        table.add_column(name, justify="right", no_wrap=True)
    for variant in system.variants:
        table.add_row(
            f"paper {variant.name}", "XC2VP30", f"{count(variant.slices)} slices",
            count(variant.mult), count(variant.bram), fixed(variant.mhz),
            count(variant.cycles["scalar_mul"]), fixed(variant.ms),
        )  # fmt: skip
    table.add_section()
    for variant in system.variants:
        if variant.config == config.name:
            row, clock, clocks = placed, placed["mhz"], cycles
        else:
            other = stored_figures(find_config(variant.config), curve)
            if other.placed is None or other.cycles is None:
                continue
            row, clock, clocks = (
                other.placed,
                other.placed["worst_mhz"],
                other.cycles["cycles"]["scalar_mul"],
            )
        table.add_row(
            variant.config, row["device"], f"{count(row['lut4'])} LUT4", count(row["mult"]),
            count(row["bram"]), fixed(clock), count(clocks), fixed(clocks / clock / 1000),
            style="cyan" if variant.config == config.name else "",
        )  # fmt: skip
    return table


def figures_notes(config: Config, seed: int) -> list[str]:
    """What a reader of the table has to know."""
    system = find_system(SYSTEM)
    return [
        f"{config.name}: placed just now, seed {seed}. Other rows of ours: results/, worst of three seeds.",
        f"A slice of {system.device} holds two LUT4. The devices are years apart:",
        f"compare cycles here, and cells of one family with `eccel compare {SYSTEM}`.",
    ]
