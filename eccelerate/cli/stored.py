"""Configurations in the flow: their placed area, and the clock the store has for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eccelerate.cli.failures import UsageError
from eccelerate.configs.config import Config
from eccelerate.explore.designs import config_design
from eccelerate.explore.figures import MIN_SEEDS, claimed_mhz, latest_placement, place_device, placed_design
from eccelerate.flow import Device, FlowError, Store, place, synthesise
from eccelerate.flow import device as find_device
from eccelerate.flow.pnr import DEFAULT_SEEDS

AREA_KEYS = ("device", "speed", "lut4", "ff", "mult", "bram", "fmax_mhz", "worst_mhz")


@dataclass(frozen=True)
class Clock:
    """A placed clock in MHz, as it is claimed; device: its name, and what else is to be known of it."""

    mhz: float
    device: str


def known_device(name: str) -> Device:
    """The device called `name`. Raises UsageError naming the known ones."""
    try:
        return find_device(name)
    except FlowError as error:
        raise UsageError(str(error)) from error


def placed_clock(config: Config, store: Store | None = None) -> Clock | None:
    """The newest placed clock of `config`, on its own device if there is one; None when never placed.

    A cluster takes an hour for a seed: fewer of them count, and its clock says so.
    """
    record = latest_placement(config, place_device(config), store) or latest_placement(config, None, store)
    if record is None and config.engines:
        record = latest_placement(config, None, store, seeds=1)
    if record is None:
        return None
    seeds = len(record["fmax_mhz"])
    note = "" if seeds >= MIN_SEEDS else f", {seeds} seed{'s' * (seeds > 1)}"
    return Clock(claimed_mhz(record), record["device"] + note)


def area_record(
    config: Config,
    device: str,
    *,
    shell: bool | None = None,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Place (or, for families without an open placer, map) `config` and store the result; `shell` None: with
    the bus side if its figures are claimed with it. Raises FlowError.

    Returns device, speed, lut4, ff, mult, bram, fmax_mhz by seed and worst_mhz; when only mapped, no seeds
    and None for speed and worst_mhz.
    """
    target = known_device(device)
    design = placed_design(config) if shell is None else config_design(config, shell=shell)
    result = place(design, target, seeds, progress) if target.place else synthesise(design, target, progress)
    record = Store().add(result)
    unplaced: dict[str, Any] = {"speed": None, "fmax_mhz": {}, "worst_mhz": None}
    found = {**unplaced, **record, "device": target.name}
    return {key: found[key] for key in AREA_KEYS}
