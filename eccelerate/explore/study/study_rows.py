"""The rows of the study: a variant with its stored figures, and what follows from them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.configs.study_config import variant_name, variants
from eccelerate.explore.study.study_measure import CLOCK_MHZ
from eccelerate.explore.study.study_store import CYCLES, DEVICES, LIBRARY, PLACED, StudyStore
from eccelerate.flow.store import Record
from eccelerate.ucode.study.study_files import Image

XILINX, LATTICE = DEVICES


@dataclass(frozen=True)
class StudyRow:
    """A variant with its record of each part that is stored. Times are those at the clock of the paper,
    CLOCK_MHZ; None where a part is missing.
    """

    image: Image
    parts: Mapping[str, Record]

    @property
    def name(self) -> str:
        """The name of the variant."""
        return variant_name(self.image)

    def _figure(self, part: str, name: str) -> Any:
        return self.parts[part].get(name) if part in self.parts else None

    @property
    def cycles(self) -> float | None:
        """Cycles of an operation, the mean of several."""
        return self._figure(CYCLES, "cycles")

    @property
    def us(self) -> float | None:
        """Microseconds of an operation."""
        return None if self.cycles is None else self.cycles / CLOCK_MHZ

    @property
    def lut4(self) -> int | None:
        """LUT4 on Virtex-II, whose cells are those of the paper's device."""
        return self._figure(XILINX, "lut4")

    @property
    def lut4_ecp5(self) -> int | None:
        """LUT4 on ECP5, mapped."""
        return self._figure(LATTICE, "lut4")

    @property
    def mhz(self) -> float | None:
        """The clock of the slowest seed on ECP5."""
        return self._figure(PLACED, "worst_mhz")

    @property
    def gate_equivalents(self) -> float | None:
        """Area in the library."""
        return self._figure(LIBRARY, "gate_equivalents")

    @property
    def energy_uj(self) -> float | None:
        """Microjoules of an operation in the library."""
        energy = self._figure(LIBRARY, "energy_pj")
        return None if energy is None else energy / 1e6

    @property
    def clock_share(self) -> float | None:
        """The part of the energy that the clock takes, from 0 to 1."""
        return self._figure(LIBRARY, "clock_share")

    @property
    def power_mw(self) -> float | None:
        """Milliwatts in the library at the clock of the paper."""
        power = self._figure(LIBRARY, "power_w")
        return None if power is None else power * 1e3

    @property
    def energy_power(self) -> float | None:
        """Energy times power, in uJ mW."""
        if self.energy_uj is None or self.power_mw is None:
            return None
        return self.energy_uj * self.power_mw

    @property
    def area_time(self) -> float | None:
        """LUT4 on Virtex-II times seconds, as the paper counts it."""
        return None if self.us is None or self.lut4 is None else self.lut4 * self.us / 1e6

    def json(self) -> Record:
        """Everything as one JSON object."""
        return {
            "variant": self.name,
            "kind": self.image.kind,
            "digit_bits": self.image.digit_bits,
            "multipliers": self.image.multipliers,
            "divider": self.image.divider,
            "cycles": self.cycles,
            "us": self.us,
            "lut4": self.lut4,
            "lut4_ecp5": self.lut4_ecp5,
            "mhz_ecp5": self.mhz,
            "gate_equivalents": self.gate_equivalents,
            "area_um2": self._figure(LIBRARY, "area_um2"),
            "energy_uj": self.energy_uj,
            "power_mw": self.power_mw,
            "clock_share": self.clock_share,
            "energy_power": self.energy_power,
            "area_time": self.area_time,
        }


def study_rows(store: StudyStore, keep: Callable[[StudyRow], bool] = lambda row: True) -> list[StudyRow]:
    """A row for each variant with a record, in the order of `variants`."""
    parts: dict[str, dict[str, Record]] = {}
    for record in store:
        parts.setdefault(record["config"], {})[record["part"]] = record
    found = [StudyRow(image, parts[name]) for name, image in variants().items() if name in parts]
    return [row for row in found if keep(row)]


@dataclass(frozen=True)
class PublishedRow:
    """A row of the paper. Its power and energy have the quiescent power of its device in them."""

    variant: str
    title: str
    us: float
    power_mw: float
    energy_mj: float
    note: str
    lut4: int | None = None
    area_time: float | None = None


@dataclass(frozen=True)
class PublishedStudy:
    """The figures of the paper, and the power of its device without any clock."""

    source: str
    quiescent_mw: float
    rows: tuple[PublishedRow, ...]


def published_study() -> PublishedStudy:
    """The file marnane_study.toml."""
    table = tomllib.loads(Path(__file__).with_name("marnane_study.toml").read_text())
    rows = tuple(PublishedRow(**row) for row in table["row"])
    return PublishedStudy(table["source"], table["quiescent_mw"], rows)
