"""The jobs whose cycles are measured, and their run on the RTL."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, montgomery, point
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.rtl import Event, RtlTransport

Cycles = dict[str, int | float]
"""Figures by the name of a job, or of a part of a job."""
Progress = Callable[[str], None]


class MeasureError(RuntimeError):
    """The trace does not contain what should be measured."""


@dataclass(frozen=True)
class Probe:
    """One job whose cycles are reported as `name`."""

    name: str
    op: Op
    operands: tuple[int, ...]
    flags: int = 0


def probes(curve: Curve, seed: int = 1) -> list[Probe]:
    """The jobs measured on `curve`, with operands drawn from `seed`; the first one is the scalar
    multiplication.
    """
    rng = random.Random(seed)
    a, b = rng.randrange(1, curve.field_size), rng.randrange(1, curve.field_size)
    field = [
        Probe("mod_mul", Op.MOD_MUL, (a, b)),
        Probe("mod_add", Op.MOD_ADD, (a, b)),
        Probe("mod_inv", Op.MOD_INV, (a,)),
        Probe("mod_exp", Op.MOD_EXP, (a, curve.field_size - 2)),
    ]
    if curve.kind == "montgomery":
        k = montgomery.clamp(curve, rng.randbytes((curve.p_bits + 7) // 8))
        return [Probe("x_ladder", Op.X_LADDER, (k, curve.gx)), *field]
    d, k, e = rng.randrange(1, curve.n), rng.randrange(1, curve.n), rng.randrange(1 << curve.n.bit_length())
    public = point.base_mul(curve, d)
    signature = ecdsa.sign(curve, d, e, k)
    if public is None or signature is None:
        raise MeasureError(f"seed {seed} gives no key or signature on {curve.name}: use another seed")
    return [
        Probe("scalar_mul", Op.MUL, (k, *public)),
        Probe("scalar_mul_blinded", Op.MUL, (k, *public), Flag.BLIND),
        Probe("base_mul", Op.BASE_MUL, (k,)),
        Probe("double_mul", Op.DOUBLE_MUL, (e % curve.n, k, *public)),
        Probe("ecdh", Op.ECDH, (*public, d)),
        Probe("ecdsa_sign", Op.ECDSA_SIGN, (e, d, k)),
        Probe("ecdsa_verify", Op.ECDSA_VERIFY, (e, *signature, *public)),
        Probe("keygen", Op.KEYGEN, (d,)),
        Probe("point_add", Op.POINT_ADD, (*public, *curve.generator)),
        Probe("on_curve", Op.ON_CURVE, public),
        *field,
    ]


def probes_of(config: Config, curve: Curve, seed: int) -> list[Probe]:
    """The `probes` that the program of `config` has."""
    jobs = load_program(config).jobs
    return [probe for probe in probes(curve, seed) if probe.op in jobs]


def run_probes(
    transport: RtlTransport,
    engine: Engine,
    jobs: Sequence[Probe],
    traced: Collection[str],
    progress: Progress,
) -> tuple[Cycles, dict[str, list[Event]]]:
    """Cycles of each job, and the events of those whose names are in `traced`. Raises MeasureError,
    JobError.
    """
    cycles: Cycles = {}
    traces: dict[str, list[Event]] = {}
    for probe in jobs:
        progress(probe.name)
        transport.record_events(probe.name in traced)
        job = engine.submit(probe.op, probe.operands, probe.flags).check()
        if job.cycles is None:
            raise MeasureError("the transport counts no cycles")
        cycles[probe.name] = job.cycles
        traces[probe.name] = transport.take_events()
    return cycles, traces
