"""The clocks of every job that an engine has, with the flags that change its time, measured on the RTL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag, Op, Status, operand_names
from eccelerate.rtlsim.probes import MeasureError, Probe, probes
from eccelerate.rtlsim.rtl import RtlTransport

Measured = dict[tuple[int, int], tuple[int, int]]
"""(operation, flags) -> (status, clocks)."""
TIMED = Flag.RANDOM | Flag.BLIND
"""The flags that change the time of a job."""
BLINDED = {Op.MUL, Op.BASE_MUL, Op.ECDH, Op.ECDSA_SIGN, Op.KEYGEN}
DRAWN = {Op.ECDSA_SIGN, Op.KEYGEN}
"""Jobs that can draw a scalar."""


def variants(jobs: list[Probe], ops: set[Op]) -> Iterator[Probe]:
    """Each job without flags, and with every useful combination of TIMED."""
    for job in jobs:
        given = dict(zip(operand_names(job.op), job.operands, strict=True))
        for flags in (Flag.NONE, Flag.BLIND, Flag.RANDOM, Flag.RANDOM | Flag.BLIND):
            useful = (job.op in BLINDED or not flags & Flag.BLIND) and (
                job.op in DRAWN or not flags & Flag.RANDOM
            )
            if useful and job.op in ops:
                operands = tuple(given[name] for name in operand_names(job.op, flags))
                yield Probe(job.name, job.op, operands, flags)


def measure_jobs(
    config: Config, curve: Curve, *, seed: int = 1, progress: Callable[[str], None] = lambda name: None
) -> Measured:
    """Status and clocks by (operation, flags), each for a job that is alone in the engine of `config`.

    CURVE_LOAD is among them. An engine may refuse a job with flags, but not without. Raises BuildError,
    MeasureError, JobError.
    """
    ops = {op for op in Op if op in load_program(config).jobs}
    jobs = [probe for probe in probes(curve, seed) if not probe.flags]
    key = next((probe.operands for probe in jobs if probe.op == Op.KEYGEN), ())
    jobs += [Probe("key_load", Op.KEY_LOAD, key)] if key else []
    jobs += [Probe("self_test", Op.SELF_TEST, ()), Probe("zeroise", Op.ZEROISE, ())]
    found: Measured = {}
    with RtlTransport(config, seed=seed) as transport:
        engine = Engine(transport, pools=[config])
        loaded = engine.load_curve(curve)
        found[int(Op.CURVE_LOAD), 0] = (int(Status.OK), loaded.cycles or 0)
        for probe in variants(jobs, ops | {Op.ZEROISE}):
            flags = int(probe.flags)
            progress(probe.name + ("" if not flags else f" ({Flag(flags).name})"))
            result = engine.submit(probe.op, probe.operands, flags)
            if result.cycles is None or (result.status != Status.OK and not flags):
                raise MeasureError(f"{config.name}: {probe.name} ends with {result.status_name}")
            found[int(probe.op), flags] = (result.status, result.cycles)
    for flags in (0, int(Flag.BLIND)):  # a difference takes as long as a sum
        if (int(Op.MOD_ADD), flags) in found and Op.MOD_SUB in ops:
            found[int(Op.MOD_SUB), flags] = found[int(Op.MOD_ADD), flags]
    return found
