"""Cycle counts of the turbo engine, measured on the RTL: for a single job, and in a stream of jobs."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from eccelerate import isa
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.configs.turbo_config import TurboConfig
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Op, Status
from eccelerate.model.solinas import Solinas
from eccelerate.rtlsim.probes import Cycles, MeasureError, Progress
from eccelerate.rtlsim.rtl import EventKind, RtlTransport

GROUPS = 4
"""Groups of a stream, at least two; it is measured from the end of the first one to the end of the last."""
PRODUCTS = {isa.load("turbo").forms[name].code for name in ("mul", "mulx", "mull", "mulh", "mulw")}


def operands(curve: Curve, seed: int, count: int) -> dict[str, tuple[Op, list[tuple[int, ...]]]]:
    """Jobs of each kind, drawn from `seed`: name -> operation, operands of `count` jobs."""
    rng = random.Random(seed)
    points: list[tuple[int, int]] = []
    while len(points) < count:
        p = point.base_mul(curve, rng.randrange(1, curve.n))
        if p is not None:
            points.append(p)
    scalars = [rng.randrange(1, curve.n) for _ in range(count)]
    signing = [(*(rng.randrange(1, curve.n) for _ in range(2)), k) for k in scalars]
    verifying: list[tuple[int, ...]] = []
    for e, d, k in signing:
        signature, public = ecdsa.sign(curve, d, e, k), point.base_mul(curve, d)
        if signature is None or public is None:
            raise MeasureError(f"no signature with the nonce {k}: another seed is needed")
        verifying.append((e, *signature, *public))
    return {
        "scalar_mul": (Op.MUL, [(k, *p) for k, p in zip(scalars, points, strict=True)]),
        "base_mul": (Op.BASE_MUL, [(k,) for k in scalars]),
        "ecdh": (Op.ECDH, [(*p, k) for k, p in zip(scalars, points, strict=True)]),
        "ecdsa_sign": (Op.ECDSA_SIGN, list(signing)),
        "ecdsa_verify": (Op.ECDSA_VERIFY, verifying),
        "point_add": (Op.POINT_ADD, [(*p, *curve.generator) for p in points]),
        "on_curve": (Op.ON_CURVE, list(points)),
    }


def measure_turbo(
    single: TurboConfig,
    curve: Curve,
    config: Config | None = None,
    *,
    names: Collection[str] = (),
    seed: int = 1,
    groups: int = GROUPS,
    progress: Progress = lambda name: None,
) -> Cycles:
    """Cycles by name, of an engine, or of the cluster `config` of such engines.

    Measures all jobs that the program has, or only those in `names`.
    scalar_mul, ...: a single job, from its last request word to its first response word;
    scalar_mul_sustained, ...: a job in a stream that keeps all threads busy, transfers included;
    array_busy: the fraction of clocks in which the multipliers accept a digit, in a stream of k P. For a
    cluster, the figures are those of one engine.

    Raises BuildError, MeasureError, JobError.
    """
    config = config or single
    cycles: Cycles = {}
    program = load_program(config)
    with RtlTransport(config, events=True, seed=seed) as transport:
        engine = Engine(transport)
        engine.load_curve(curve)
        transport.record_events(False)
        for name, (op, jobs) in operands(curve, seed, groups * config.at_once).items():
            if op not in program.jobs or (names and name not in names):
                continue
            progress(name)
            job = engine.submit(op, jobs[0]).check()
            if job.cycles is None:
                raise MeasureError("the transport counts no cycles")
            cycles[name] = job.cycles
            progress(f"{name}, sustained")
            start = transport.clocks
            transport.record_events(name == "scalar_mul")
            ends = _stream(transport, engine, op, jobs)
            first, last = ends[config.at_once - 1], ends[-1]
            cycles[f"{name}_sustained"] = round((last - first) / (len(jobs) - config.at_once), 1)
            if name == "scalar_mul":
                events = transport.take_events()
                issued = sum(
                    e.kind == EventKind.FIELD_ISSUE
                    and e.value in PRODUCTS
                    and first <= e.cycle - start < last
                    for e in events
                )
                busy = issued * single.threads * Solinas(single.prime).multiply_interval / (last - first)
                cycles["array_busy"] = round(busy, 3)
    return cycles


def _stream(transport: RtlTransport, engine: Engine, op: Op, jobs: Sequence[tuple[int, ...]]) -> list[int]:
    """Clock at which each response ended, in the order of completion. Raises MeasureError if a job fails."""
    packets = [
        Request(int(op), engine.curve_id, tag, 0, engine.width, values).words()
        for tag, values in enumerate(jobs)
    ]
    replies = transport.stream(packets)
    for reply in replies:
        response = decode_response(reply.words, engine.width)
        if response.status not in (Status.OK, Status.INFINITY):
            raise MeasureError(f"{op.name} in a stream ends with status {response.status}")
    return [reply.cycles or 0 for reply in replies]
