"""Configurations in the flow: the design of a configuration, its placed area, the clock the store has for
it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eccelerate.cli.errors import UsageError
from eccelerate.flow import Design, Device, FlowError, Store, place, synthesise
from eccelerate.flow import device as find_device
from eccelerate.sim.config import Config, rtl_files
from eccelerate.sim.program import load_program

PREFERRED_DEVICE = "ecp5-25f-6"
AREA_KEYS = ("device", "speed", "lut4", "ff", "mult", "bram", "fmax_mhz", "worst_mhz")


@dataclass(frozen=True)
class Clock:
    """A placed clock: worst seed, in MHz."""

    mhz: float
    device: str


def known_device(name: str) -> Device:
    """The device called `name`. Raises UsageError naming the known ones."""
    try:
        return find_device(name)
    except FlowError as error:
        raise UsageError(str(error)) from error


def config_design(config: Config, *, shell: bool = True) -> Design:
    """What the flow builds for `config`: with the bus shell under the configuration's name, or the bare
    engine.
    """
    image = load_program(config).hex
    return Design(
        name=config.name if shell else f"{config.name}-core",
        top=config.shell if shell else config.top,
        files=rtl_files(config, shell=shell),
        params={**dict(config.parameters), "UcodeFile": image.name},
        data=[image],
    )


def placed_clock(config: str, store: Store | None = None) -> Clock | None:
    """The newest placed clock of `config`, on the preferred device if there is one; None when never
    placed.
    """
    store = store or Store()
    record = store.latest(kind="place", config=config, device=PREFERRED_DEVICE) or store.latest(
        kind="place", config=config
    )
    return None if record is None else Clock(record["worst_mhz"], record["device"])


def area_record(
    config: Config, device: str, *, shell: bool = True, progress: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Place (or, for families without an open placer, map) `config` and store the result. Raises FlowError.

    Returns device, speed, lut4, ff, mult, bram, fmax_mhz by seed and worst_mhz; without clocks when only
    mapped.
    """
    target, design = known_device(device), config_design(config, shell=shell)
    result = (
        place(design, target, progress=progress) if target.place else synthesise(design, target, progress)
    )
    record = Store().add(result)
    return {key: record[key] for key in AREA_KEYS if key in record} | {"device": target.name}
