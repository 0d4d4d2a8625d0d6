"""One row for each design and device: yardsticks, and engines of ours, by every measure.

A measure that nothing has been measured for is None. Energy comes from the records of `eccel energy`, all
other figures from the flow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from eccelerate.configs.config import find_config
from eccelerate.configs.yardstick_config import YARDSTICKS, Yardstick, find_yardstick
from eccelerate.curves import find_curve
from eccelerate.energy.energy_store import EnergyStore
from eccelerate.explore.figures import Figures, Stores, stored_figures
from eccelerate.explore.marnane.yardstick_measure import measure_yardstick
from eccelerate.explore.published import Algorithm, System
from eccelerate.flow.multiplier_store import VIRTEX_E, is_current_unit
from eccelerate.flow.store import Record

PLACED = "ecp5-85f-6"
VARIANTS = ("rsa-1024-l2r",)
DEVICES = (VIRTEX_E, PLACED)
ENGINES = (
    ("compact-w16", "scalar_mul"),
    ("compact-w32", "scalar_mul"),
    ("compact-w64", "scalar_mul"),
    ("turbo-p256-t1", "scalar_mul"),
    ("turbo-p256", "scalar_mul_sustained"),
    ("binary-163-d64", "scalar_mul"),
    ("binary-233-d64", "scalar_mul"),
)
"""Our engines beside the yardsticks, with the figure that is an operation of each: k P."""


@dataclass(frozen=True)
class Row:
    """One design on one device.

    operation: what is done once; bits: what it processes. cycles: of one operation. mhz: worst of the seeds,
    None where the device is for mapping only. standard_cells: the record of `EnergyStore` for each library.
    published: the row of the paper.
    """

    design: str
    device: str
    operation: str
    bits: int
    lut4: int
    ff: int
    mult: int
    mhz: float | None
    cycles: int | float
    commit: str
    standard_cells: Mapping[str, Record] = field(default_factory=dict)
    published: Algorithm | None = None

    @property
    def us(self) -> float | None:
        """Microseconds of an operation."""
        return None if self.mhz is None else self.cycles / self.mhz

    @property
    def throughput(self) -> float | None:
        """Mbit/s."""
        return None if self.us is None else self.bits / self.us

    @property
    def area_time(self) -> float | None:
        """LUT4 times milliseconds."""
        return None if self.us is None else self.lut4 * self.us / 1000

    @property
    def record(self) -> dict[str, Any]:
        """The row as JSON. area_time is in LUT4 times milliseconds, energy_power in pJ times mW."""
        rate, area = self.throughput, self.lut4
        paper, libraries = self.published, self.standard_cells
        return {
            "design": self.design,
            "device": self.device,
            "operation": self.operation,
            "bits": self.bits,
            "lut4": area,
            "ff": self.ff,
            "mult": self.mult,
            "mhz": self.mhz,
            "cycles": self.cycles,
            "throughput": rate,
            "throughput_per_lut4": None if rate is None else rate / area,
            "throughput_per_price": None,
            "area_time": self.area_time,
            **{
                key: {library: each[key] for library, each in libraries.items()}
                for key in ("energy_pj", "area_um2", "gate_equivalents", "delay_ps")
            },
            "energy_power": {
                library: each["energy_pj"] * each["total_w"] * 1000 for library, each in libraries.items()
            },
            "commit": self.commit,
            "published": None
            if paper is None
            else {"clbs": paper.clbs, "mhz": paper.mhz, "mbps": paper.mbps, "cycles": paper.cycles},
        }


def rows(
    system: System,
    stores: Stores,
    progress: Callable[[str], None] | None = None,
    *,
    measure: bool = True,
) -> list[Row]:
    """All rows. A yardstick that is not stored for the current sources is measured first, which takes minutes
    for each; without `measure` its row is that of the store, whatever its sources were. An engine without
    figures has no row.
    """
    found = []
    for name in names(system):
        unit = find_yardstick(name)
        for device in DEVICES:
            record = stores.yardsticks.latest(config=name, device=device)
            if measure and (record is None or not is_current_unit(record, unit)):
                record = stores.yardsticks.put(measure_yardstick(unit, device, progress))
            if record is not None:
                paper = next((each for each in system.algorithms if each.name == name), None)
                found.append(_yardstick_row(unit, record, paper, stores.energy))
    for name, figure in ENGINES:
        config = find_config(name)
        each = stored_figures(config, find_curve(config.curve_name), stores)
        found += _engine_rows(each, figure, stores.energy)
    return found


def names(system: System) -> list[str]:
    """The yardsticks: those of the paper, and variants of the same algorithms that it only describes."""
    printed = {paper.name for paper in system.algorithms}
    return [name for name in YARDSTICKS if name in printed or name in VARIANTS]


def stale(system: System, stores: Stores) -> list[str]:
    """Yardsticks and devices whose record is missing or of other sources."""
    found = []
    for name in names(system):
        for device in DEVICES:
            record = stores.yardsticks.latest(config=name, device=device)
            if record is None or not is_current_unit(record, find_yardstick(name)):
                found.append(f"{name} on {device}")
    return found


def _yardstick_row(unit: Yardstick, record: Record, paper: Algorithm | None, energy: EnergyStore) -> Row:
    return Row(
        unit.name,
        record["device"],
        unit.operation,
        unit.processed_bits,
        record["lut4"],
        record["ff"],
        record["mult"],
        record["worst_mhz"],
        record["simulated"]["cycles"],
        record["commit"],
        _energy(unit.name, energy),
        paper,
    )


def _engine_rows(each: Figures, figure: str, energy: EnergyStore) -> list[Row]:
    cycles, placed = each.count(figure), each.placed
    if cycles is None or placed is None:
        return []
    name, device = each.config.name, placed["device"]
    return [
        Row(
            name,
            device,
            f"k P on {each.config.curve_name}",
            find_curve(each.config.curve_name).p_bits,
            placed["lut4"],
            placed["ff"],
            placed["mult"],
            each.mhz,
            cycles,
            placed["commit"],
            _energy(name, energy),
        )
    ]


def _energy(name: str, store: EnergyStore) -> dict[str, Record]:
    """The record of a design for each standard-cell library."""
    return {record["library"]: record for record in store.query(unit=name)}
