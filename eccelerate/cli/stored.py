"""The flow's results for configurations: their placed area, and the clock that the store has for them."""

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
    """A placed clock in MHz, as it is claimed. `device` is its name, with everything else that a reader must
    know about it.
    """

    mhz: float
    device: str


def known_device(name: str) -> Device:
    """The device called `name`. Raises UsageError naming the known ones."""
    try:
        return find_device(name)
    except FlowError as error:
        raise UsageError(str(error)) from error


def placed_clock(config: Config, store: Store | None = None) -> Clock | None:
    """The newest placed clock of `config`, on its own device if there is one. None if it was never placed.

    A cluster needs an hour for a seed, so fewer seeds are enough, and its clock says so.
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
    """Place `config` (or map it, for a family without an open placer) and store the result. If `shell` is
    None, the design has the bus side if its figures are claimed with it. Raises FlowError.

    Returns device, speed, lut4, ff, mult, bram, fmax_mhz for each seed, and worst_mhz. A mapped design has no
    seeds, and None for speed and worst_mhz.
    """
    target = known_device(device)
    design = placed_design(config) if shell is None else config_design(config, shell=shell)
    result = place(design, target, seeds, progress) if target.place else synthesise(design, target, progress)
    record = Store().add(result)
    unplaced: dict[str, Any] = {"speed": None, "fmax_mhz": {}, "worst_mhz": None}
    found = {**unplaced, **record, "device": target.name}
    return {key: found[key] for key in AREA_KEYS}
