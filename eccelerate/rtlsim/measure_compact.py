"""Cycle counts of the compact engine, measured on the RTL."""

from __future__ import annotations

from eccelerate import isa
from eccelerate.configs.compact_config import CompactConfig
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.rtlsim.probes import Cycles, Progress, probes_of, run_probes
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.trace import field_interval, field_latency, parts_of_ladder

LADDER_LABELS = {"weierstrass": "ladder_step", "montgomery": "ladder_step_x"}
FIELD_JOBS = {"mul": "mod_mul", "add": "mod_add"}
"""Jobs in which a field operation runs with no other in flight."""


def measure_compact(
    single: CompactConfig,
    curve: Curve,
    config: Config | None = None,
    *,
    seed: int = 1,
    progress: Progress = lambda name: None,
) -> Cycles:
    """Cycles of every job of `probes` that the program has, and of the parts of the first one, by name: of an
    engine, or of the cluster `config` of such engines.

    field_mul, field_add: from the acceptance of an operation to its result in the register file, with nothing
        else in flight.
    field_mul_interval: from the acceptance of a product to that of the next operation, in the ladder.
    ladder_step: mean distance of its passes.
    inversion: from entry to return.

    Raises BuildError, MeasureError, JobError.
    """
    jobs = probes_of(single, curve, seed)
    ladder = jobs[0].name
    with RtlTransport(config or single, events=True, seed=seed) as transport:
        engine = Engine(transport)
        engine.load_curve(curve)
        cycles, traces = run_probes(transport, engine, jobs, {ladder, *FIELD_JOBS.values()}, progress)
    codes = {name: form.code for name, form in isa.load().forms.items()}
    for name, job in FIELD_JOBS.items():
        cycles[f"field_{name}"] = field_latency(traces[job], codes[name])
    cycles["field_mul_interval"] = field_interval(traces[ladder], codes["mul"])
    labels = load_program(single).labels
    return cycles | parts_of_ladder(traces[ladder], labels, LADDER_LABELS[curve.kind])
