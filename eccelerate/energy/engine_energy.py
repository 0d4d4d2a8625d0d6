"""The energy of a scalar multiplication k P of an engine, from a window of a recorded job.

The netlist gets everything from the reset on: the curve is loaded, then the job runs. Of a long job the first
clocks stand for all of it, after a start in which operands are converted. Memories of more than
`cell_mapping.MEMORY_BITS` bits are outside the netlist, and the record says how many bits they have.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from eccelerate.configs.config import Config, ConfigError, find_config, rtl_files
from eccelerate.configs.images import images
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.energy.activity import Window, replay
from eccelerate.energy.cell_mapping import map_cells
from eccelerate.energy.energy_store import GATED, origin
from eccelerate.energy.library import Library
from eccelerate.energy.port_recorder import recording
from eccelerate.energy.power import DEFAULT_MHZ, Wires, estimate
from eccelerate.energy.unit_energy import WORK, figures
from eccelerate.flow.design import Design
from eccelerate.flow.errors import FlowError
from eccelerate.flow.store import Record
from eccelerate.flow.tools import versions
from eccelerate.model import point

WHOLE = 20_000
"""A job of at most so many clocks is counted from its first clock to its last."""
WINDOW = 20_000
START = 0.1
"""Part of a longer job that passes before its window."""
MOST_CLOCKS = 2_000_000


def engine_design(config: Config) -> Design:
    """What is mapped for an engine: without bus shell, and without the start-up test of the entropy port."""
    files = images(config)
    params = dict(config.parameters) | {name: path.name for name, path in files.items()}
    if config.tests_entropy:
        params["StartupWords"] = 0
    return Design(config.name, config.top, rtl_files(config, shell=False), params, list(files.values()))


def measure_engine(
    name: str,
    library: str | Path | Library,
    *,
    clock_mhz: float = DEFAULT_MHZ,
    clock_gates: bool = False,
    seed: int = 1,
    wires: Wires | None = None,
    progress: Callable[[str], None] | None = None,
) -> Record:
    """The record of an engine in a library: of k P on the default curve. Raises ConfigError for a cluster,
    FlowError, BuildError, JobError.
    """
    config = find_config(name)
    if config.engines or config.single is None:
        raise ConfigError(f"{name} is a cluster: measure the energy of one of its engines")
    say = progress or (lambda _: None)
    mapped = map_cells(engine_design(config), library, clock_gates=clock_gates, progress=progress)
    curve = find_curve(config.curve_name)
    chance = random.Random(seed)
    base = point.base_mul(curve, chance.randrange(1, curve.n)) or curve.generator
    scalar = chance.randrange(1, curve.n)
    cells = sum(mapped.cells.values())
    say(f"running {name} on the RTL")
    with recording(config, MOST_CLOCKS, seed) as recorder:
        engine = Engine(recorder.transport, pools=[member for member, _ in config.pools])
        engine.load_curve(curve)
        start = recorder.transport.clocks
        answer = engine.mul(scalar, base)
        cycles = answer.cycles
        if cycles is None or answer.point != point.mul(curve, scalar, base):
            raise FlowError(f"{name}: the job on the RTL gave a wrong point")
        window = Window(start, cycles)
        if cycles > WHOLE:
            window = Window(start + int(START * cycles), min(WINDOW, cycles // 2))
        if (window.first + window.clocks) * cells > 10 * WORK:
            clocks = window.first + window.clocks
            raise FlowError(f"{name}: {cells:,} cells for {clocks:,} clocks would take hours")
        recorder.transport.idle(16)
        recorder.transport.close()
        say(f"counting toggles of {cells:,} cells in {window.first + window.clocks:,} clocks")
        activity = replay(mapped.netlist, recorder.trace, mapped.library, window=window, settle=8)
    energy = estimate(mapped.netlist, activity, mapped.library, clock_mhz, wires=wires)
    share = window.clocks / cycles
    sampled = None if share == 1 else {"clocks": window.clocks, "of": cycles, "from": window.first - start}
    return {
        "unit": name + GATED * clock_gates,
        **figures(mapped, activity, energy, share, clock_mhz),
        "operation": f"k P on {curve.name}",
        "cycles": cycles,
        "interval": cycles,
        "operands": {"seed": seed, "operations": share},
        "sampled": sampled,
        "clock_gates": clock_gates,
        "tools": versions(),
        **origin(engine_design(config).files),
    }
