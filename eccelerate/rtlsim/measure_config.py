"""Cycle counts of a configuration, measured on the RTL: whole jobs, and parts of them."""

from __future__ import annotations

from functools import singledispatch

from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.rtlsim.measure_binary import measure_binary
from eccelerate.rtlsim.measure_compact import measure_compact
from eccelerate.rtlsim.measure_turbo import measure_turbo
from eccelerate.rtlsim.probes import Cycles, MeasureError, Progress

REVISION = 1
"""Raise it when a figure comes to mean something else: stored counts are then of another measurement."""


def measure_cycles(
    config: Config, curve: Curve, *, seed: int = 1, progress: Progress = lambda name: None
) -> Cycles:
    """Cycles by name, as the measurement of the kind of its engines explains them; operands from `seed`.

    Raises BuildError, MeasureError, JobError.
    """
    return _measure(config.single or config, curve, config, seed=seed, progress=progress)


@singledispatch
def _measure(single: Config, curve: Curve, config: Config, *, seed: int, progress: Progress) -> Cycles:
    if config.single is None:
        raise MeasureError(
            f"the engines of {config.name} are of several kinds: they are measured pool by pool"
        )
    raise MeasureError(f"{config.name}: eccelerate/rtlsim/measure.py knows no kind {single.engine}")


_measure.register(measure_compact)
_measure.register(measure_turbo)
_measure.register(measure_binary)
