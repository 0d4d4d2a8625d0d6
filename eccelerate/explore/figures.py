"""The figures of one configuration: cycles, mapped cells of the bare engine, placed area and clock.

Each figure comes from a store, with commit, tools, device and seeds. `figures` measures figures that are
missing or were measured on other sources; `stored_figures` only reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eccelerate.configs.config import ROOT, Config
from eccelerate.curves import Curve
from eccelerate.energy.energy_store import EnergyStore
from eccelerate.explore.attack_store import AttackStore
from eccelerate.explore.cycle_records import CycleStore, cycles_of, is_current
from eccelerate.explore.designs import config_design, design_name
from eccelerate.explore.marnane.yardstick_store import YardstickStore
from eccelerate.explore.software import SoftwareStore
from eccelerate.explore.study.study_store import StudyStore
from eccelerate.explore.system.system_store import SystemStore
from eccelerate.flow import Design, Device, Store, device, place, synthesise
from eccelerate.flow.multiplier_store import MultiplierStore
from eccelerate.flow.pnr import DEFAULT_SEEDS
from eccelerate.flow.store import netlist_key

Record = dict[str, Any]
Progress = Callable[[str], None]

PLACE_DEVICE = "ecp5-25f-6"
LARGE_DEVICE = "ecp5-85f-6"
"""The device for 64-bit digits, which need 42 multipliers: a 25F has only 28."""
MIN_SEEDS = 3
"""A clock is the worst of at least this many seeds."""


@dataclass(frozen=True)
class Stores:
    """The places where records are kept."""

    flow: Store = field(default_factory=Store)
    cycles: CycleStore = field(default_factory=CycleStore)
    software: SoftwareStore = field(default_factory=SoftwareStore)
    system: SystemStore = field(default_factory=SystemStore)
    campaigns: Path = ROOT / "results" / "soak.json"
    """The summary of the last whole run of the long campaigns."""
    multipliers: MultiplierStore = field(default_factory=MultiplierStore)
    yardsticks: YardstickStore = field(default_factory=YardstickStore)
    energy: EnergyStore = field(default_factory=EnergyStore)
    study: StudyStore = field(default_factory=StudyStore)
    attacks: AttackStore = field(default_factory=AttackStore)

    @classmethod
    def at(cls, folder: Path) -> Stores:
        """All stores in one folder."""
        return cls(
            Store(folder / "flow.jsonl"),
            CycleStore(folder / "cycles.jsonl"),
            SoftwareStore(folder / "software.jsonl"),
            SystemStore(folder / "system.jsonl"),
            folder / "soak.json",
            MultiplierStore(folder / "multipliers.jsonl"),
            YardstickStore(folder / "yardsticks.jsonl"),
            EnergyStore(folder / "energy.jsonl"),
            StudyStore(folder / "study.jsonl"),
            AttackStore(folder / "attacks.jsonl"),
        )


def claimed_mhz(placed: Record) -> float:
    """The clock of a placement: that of the worst seed, but not above the limit of the device's
    multipliers.
    """
    worst: float = placed["worst_mhz"]
    limit = device(placed["device"]).mult_mhz
    return min(worst, limit) if limit else worst


@dataclass(frozen=True)
class Figures:
    """Records of one configuration; None where the store has none.

    cycles: see `cycle_records`.
    cells: the mapping without the shell.
    placed: the placement, see `Config`, or the mapping for a device without an open placer.
    software: OpenSSL on the same curve.
    """

    config: Config
    cycles: Record | None
    cells: Record | None
    placed: Record | None
    software: Record | None = None

    def count(self, name: str) -> int | float | None:
        """Cycles of one operation."""
        return None if self.cycles is None else self.cycles["cycles"].get(name)

    def ms(self, name: str) -> float | None:
        """Milliseconds of one operation at the placed clock of the worst seed."""
        count = self.count(name)
        return None if count is None or self.mhz is None else count / self.mhz / 1000

    @property
    def mhz(self) -> float | None:
        """The clock that is claimed. None without a placement."""
        return None if self.placed is None or "worst_mhz" not in self.placed else claimed_mhz(self.placed)

    def records(self) -> tuple[Record, Record, Record]:
        """Cycles, cells and placement. Raises ValueError if one is missing."""
        if self.cycles is None or self.cells is None or self.placed is None:
            raise ValueError(f"{self.config.name}: figures are incomplete; measure them first")
        return self.cycles, self.cells, self.placed


def stored_figures(config: Config, curve: Curve, stores: Stores | None = None) -> Figures:
    """The newest records of `config`, whatever sources they were measured on."""
    stores = stores or Stores()
    mapped = device(map_device(config))
    return Figures(
        config,
        stores.cycles.latest(config=config.name, curve=curve.name),
        stores.flow.latest(kind="map", config=design_name(config, shell=False), device=mapped.family),
        latest_area(config, stores.flow),
        stores.software.latest(curve=curve.name),
    )


def figures(
    config: Config,
    curve: Curve,
    progress: Progress | None = None,
    stores: Stores | None = None,
) -> Figures:
    """The figures for the current sources. What the stores lack is measured, mapped or placed, and stored.

    Raises BuildError, MeasureError, JobError, FlowError.
    """
    stores = stores or Stores()
    found = stored_figures(config, curve, stores)
    core, whole = config_design(config, shell=False), placed_design(config)
    target, mapped = device(place_device(config)), device(map_device(config))
    cells, placed = found.cells, found.placed
    if cells is None or cells["netlist"] != netlist_key(core, mapped.rules):
        cells = stores.flow.add(synthesise(core, mapped, progress))
    if placed is None or placed["netlist"] != netlist_key(whole, target.rules):
        done = place(whole, target, DEFAULT_SEEDS, progress) if target.place else None
        placed = stores.flow.add(done or synthesise(whole, target, progress))
    return Figures(config, cycles_of(config, curve, progress, stores.cycles), cells, placed)


def stale(found: Figures, curve: Curve) -> list[str]:
    """Names of the records that were made with other sources than the current ones."""
    core, whole = config_design(found.config, shell=False), placed_design(found.config)
    mapped = device(map_device(found.config))
    checks = {
        "cycles": found.cycles is None or is_current(found.cycles, found.config, curve),
        "cells": found.cells is None or found.cells["netlist"] == netlist_key(core, mapped.rules),
        "placed": found.placed is None
        or found.placed["netlist"] == netlist_key(whole, device(place_device(found.config)).rules),
    }
    return [f"{found.config.name}: {name}" for name, current in checks.items() if not current]


def place_device(config: Config) -> str:
    """The device on which the clock of `config` is claimed."""
    return config.device or (PLACE_DEVICE if config.digit_bits < 64 else LARGE_DEVICE)


def map_device(config: Config) -> str:
    """The family in which the cells of `config` are counted."""
    return config.map_device


def placed_with_shell(config: Config) -> bool:
    """Whether the placed design has the bus side. Engines without a claim, such as clusters, are placed
    without it.
    """
    return config.placed_with_shell


def placed_design(config: Config) -> Design:
    """The design that is placed, with or without the bus side. Raises FlowError."""
    return config_design(config, shell=placed_with_shell(config))


def latest_area(config: Config, store: Store) -> Record | None:
    """The newest placement on the device of `config`, or the mapping for a device without an open placer. A
    placement over fewer than MIN_SEEDS seeds counts if there is no other; tables name its seeds.
    """
    target = device(place_device(config))
    if target.place:
        return latest_placement(config, target.name, store) or latest_placement(
            config, target.name, store, seeds=1
        )
    name = design_name(config, shell=placed_with_shell(config))
    return store.latest(kind="map", config=name, device=target.family)


def latest_placement(
    config: Config, target: str | None, store: Store | None = None, seeds: int = MIN_SEEDS
) -> Record | None:
    """The newest placement of `config` as it is claimed, over at least `seeds` seeds. None if there is none.
    If `target` is None, any device counts.
    """
    where = {} if target is None else {"device": target}
    name = design_name(config, shell=placed_with_shell(config))
    rows = (store or Store()).query(kind="place", config=name, **where)
    return next((row for row in reversed(rows) if len(row["fmax_mhz"]) >= seeds), None)


def is_current_placement(placed: Record, config: Config) -> bool:
    """Whether a placement of `config` was made of the current sources."""
    return bool(placed["netlist"] == netlist_key(placed_design(config), device(placed["device"]).rules))


def cluster_figures(config: Config, curve: Curve, stores: Stores | None = None) -> Figures | None:
    """The figures of a cluster: cycles, and the placement with any number of seeds, because each takes most
    of an hour. There are no cells. None unless both are stored for the current sources.
    """
    stores = stores or Stores()
    cycles = stores.cycles.latest(config=config.name, curve=curve.name)
    placed = latest_placement(config, None, stores.flow, seeds=1)
    if placed is None or not is_current_placement(placed, config):
        return None
    if not is_current(cycles, config, curve):
        return None
    return Figures(config, cycles, None, placed, stores.software.latest(curve=curve.name))


def place_seed(config: Config, target: Device, seed: int, progress: Progress | None = None) -> Record:
    """One placement with one seed, from the build cache if it is there. It is not stored, because one seed is
    no claim. Returns lut4, ff, mult, bram, mhz, seed, device.
    """
    result = place(placed_design(config), target, (seed,), progress)
    return {**result.placed, "mhz": result.fmax_mhz[seed], "seed": seed, "device": target.name}
