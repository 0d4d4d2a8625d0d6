"""The clocks of every job that an engine has, with the flags that change its time, measured on the RTL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status, operand_names
from eccelerate.rtlsim.probes import MeasureError, Probe, probes
from eccelerate.rtlsim.rtl import RtlTransport

ROUNDS = 3
"""Length of a stream in multiples of the jobs that an engine runs at once; the first one does not count."""
EXCLUSIVE = {Op.KEYGEN, Op.KEY_LOAD, Op.CURVE_LOAD, Op.ZEROISE, Op.SELF_TEST}
"""Jobs that are a group of their own."""


@dataclass(frozen=True)
class JobClocks:
    """Status of a job, its clocks alone in an engine, and those of a group in a stream of groups.

    A group is as many jobs as the engine runs at once. Transfers count in the stream.
    """

    status: int
    alone: int
    group: int


Measured = dict[tuple[int, int], JobClocks]
"""By operation and flags."""
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
    """Status and clocks of the jobs of the engine of `config`, by operation and flags.

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
        clocks = loaded.cycles or 0
        found[int(Op.CURVE_LOAD), 0] = JobClocks(int(Status.OK), clocks, clocks)
        for probe in variants(jobs, ops | {Op.ZEROISE}):
            flags = int(probe.flags)
            progress(probe.name + ("" if not flags else f" ({Flag(flags).name})"))
            result = engine.submit(probe.op, probe.operands, flags)
            if result.cycles is None or (result.status != Status.OK and not flags):
                raise MeasureError(f"{config.name}: {probe.name} ends with {result.status_name}")
            group = result.cycles
            if result.status == Status.OK:
                group = group_clocks(transport, engine, probe, config.threads)
            found[int(probe.op), flags] = JobClocks(result.status, result.cycles, group)
    for flags in (0, int(Flag.BLIND)):  # a difference takes as long as a sum
        if (int(Op.MOD_ADD), flags) in found and Op.MOD_SUB in ops:
            found[int(Op.MOD_SUB), flags] = found[int(Op.MOD_ADD), flags]
    return found


def group_clocks(transport: RtlTransport, engine: Engine, probe: Probe, threads: int) -> int:
    """Clocks from the end of a group to that of the next, in a stream of this job. Raises MeasureError."""
    at_once = 1 if probe.op in EXCLUSIVE else threads
    packets = [
        Request(int(probe.op), engine.curve_id, tag, int(probe.flags), engine.width, probe.operands).words()
        for tag in range(ROUNDS * at_once)
    ]
    replies = transport.stream(packets)
    if any(reply.words[0] & 0xFF != Status.OK for reply in replies):
        raise MeasureError(f"{probe.name} in a stream does not end well")
    ends = [reply.cycles or 0 for reply in replies]
    return round((ends[-1] - ends[at_once - 1]) / (ROUNDS - 1))
