"""Makes the figures of multipliers: simulates a unit, maps it, places it if it fits, and stores the record.

A unit that fails its simulation has no record, so every row of the tables is of a unit whose products are
right.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from statistics import mean

from eccelerate.configs.config import ConfigError
from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.explore.multipliers.multiplier_family import Wanted, seeds_of
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import (
    MultiplierStore,
    map_figures,
    map_unit,
    overflow,
    place_figures,
    unit_device,
    unit_record,
)
from eccelerate.flow.store import Record
from eccelerate.rtlsim.multiplier_bench import ProductError, simulate
from eccelerate.rtlsim.verilate import BuildError

Progress = Callable[[str], None]
PROBLEM = 200
"""Characters of an error that a sweep shows."""
FIRST_GUESS_S = 60.0
"""Time of a row before any is stored."""


def measure_unit(
    config: MultiplierConfig, name: str, progress: Progress | None = None, *, map_only: bool = False
) -> Record:
    """The record of a unit on the device `name`, which is not stored. With `map_only` it is not placed.
    Raises FlowError, BuildError, ProductError.
    """
    began = time.monotonic()
    if progress:
        progress(f"simulating {config.name}")
    simulated = simulate(config)
    target = unit_device(name)
    mapped = map_unit(config, target, progress)
    full = overflow(mapped, target) if target.place else ""
    if target.place and not full and not map_only:
        figures = place_figures(config, target, seeds_of(config), progress)
    else:
        figures = map_figures(mapped) | {"too_large": full}
    return unit_record(config, target, figures, asdict(simulated), time.monotonic() - began)


@dataclass(frozen=True)
class Done:
    """A step of a sweep: the row, its record or why there is none, and the seconds that the rest may take."""

    wanted: Wanted
    record: Record | None
    problem: str
    left_s: float


def sweep(
    wanted: Iterable[Wanted],
    store: MultiplierStore,
    progress: Progress | None = None,
    *,
    map_only: bool = False,
) -> Iterator[Done]:
    """Measure row after row, and store each record at once, so that a sweep can be ended at any time and goes
    on where it was. A row that fails does not end it.
    """
    left = list(wanted)
    while left:
        each = left.pop(0)
        problem, record = "", None
        try:
            record = store.put(measure_unit(each.config, each.device, progress, map_only=map_only))
        except (FlowError, BuildError, ProductError, ConfigError) as error:
            problem = " ".join(str(error).split())[:PROBLEM]
        yield Done(each, record, problem, expected_seconds(left, store))


def expected_seconds(wanted: Iterable[Wanted], store: MultiplierStore) -> float:
    """How long rows will take: for each, what the stored rows of its device took for a bit of operand."""
    rates: dict[str, list[float]] = {}
    for record in store:
        bits = parse_multiplier(record["config"]).bits
        rates.setdefault(record["device"], []).append(record["seconds"] / bits)
    guess = {device: mean(each) for device, each in rates.items()}
    return sum(guess.get(w.device, FIRST_GUESS_S / 256) * w.config.bits for w in wanted)
