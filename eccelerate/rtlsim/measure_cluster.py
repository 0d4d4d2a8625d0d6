"""Rates of a cluster of several configurations, measured on the RTL: each pool alone, and all together."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eccelerate.configs.config import Config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model import point
from eccelerate.model.jobs import IDS, Op, Status, curve_load_operands
from eccelerate.rtlsim.probes import MeasureError
from eccelerate.rtlsim.rtl import RtlTransport

ROUNDS = 4
"""Length of a stream in multiples of the jobs that a pool runs at once; the first one does not count."""
TAGS = 1 << 16


@dataclass(frozen=True)
class PoolRate:
    """Clocks for each scalar multiplication by all engines of a pool, transfers included.

    alone: in a stream for this pool only.
    mixed: in one stream with jobs for all pools. Each pool gets so many that all would take equally long
        alone.
    jobs: number of this pool's jobs in that stream.
    """

    config: str
    engines: int
    curve: str
    alone: float
    mixed: float
    jobs: int


def measure_cluster(
    config: Config, *, seed: int = 1, progress: Callable[[str], None] = lambda name: None
) -> list[PoolRate]:
    """The rate of every pool, each on the curve of its configuration. Raises BuildError, MeasureError."""
    rng = random.Random(seed)
    curves = [find_curve(member.curve_name) for member, _ in config.pools]
    with RtlTransport(config, seed=seed) as transport:
        alone: list[float] = []
        for number, (member, engines) in enumerate(config.pools):
            progress(f"{member.name} alone, {curves[number].name}")
            load = _request(number, Op.CURVE_LOAD, 0, curves[number], curve_load_operands(curves[number]))
            _ends(transport, [(number, load)], curves)
            at_once = member.threads * engines
            jobs = _jobs(number, curves[number], ROUNDS * at_once, rng)
            alone.append(_rate([end for _, end in _ends(transport, jobs, curves)], at_once))
        progress("all at once")
        clocks = max(
            ROUNDS * rate * member.threads * engines
            for rate, (member, engines) in zip(alone, config.pools, strict=True)
        )
        counts = [round(clocks / rate) for rate in alone]
        mixed = [
            ((i + 0.5) / count, job)
            for number, count in enumerate(counts)
            for i, job in enumerate(_jobs(number, curves[number], count, rng))
        ]
        ends_of: list[list[int]] = [[] for _ in counts]
        for number, end in _ends(transport, [job for _, job in sorted(mixed)], curves):
            ends_of[number].append(end)
    return [
        PoolRate(
            config=member.name,
            engines=engines,
            curve=curve.name,
            alone=round(rate, 1),
            mixed=round(_rate(ends, member.threads * engines), 1),
            jobs=len(ends),
        )
        for (member, engines), curve, rate, ends in zip(config.pools, curves, alone, ends_of, strict=True)
    ]


def _rate(ends: Sequence[int], at_once: int) -> float:
    """Clocks for each job, counted from the end of the first `at_once` jobs."""
    return (ends[-1] - ends[at_once - 1]) / (len(ends) - at_once)


def _request(pool: int, op: Op, tag: int, curve: Curve, operands: Sequence[int]) -> list[int]:
    return Request(op, IDS * pool + 1, tag, 0, curve.element_words, tuple(operands)).words()


def _jobs(pool: int, curve: Curve, count: int, rng: random.Random) -> list[tuple[int, list[int]]]:
    """Scalar multiplications for a pool, each with the number of the pool and the packet."""
    jobs = []
    for _ in range(count):
        place = point.base_mul(curve, rng.randrange(1, curve.n)) or curve.generator
        jobs.append((pool, _request(pool, Op.MUL, 0, curve, (rng.randrange(1, curve.n), *place))))
    return jobs


def _ends(
    transport: RtlTransport, jobs: Sequence[tuple[int, list[int]]], curves: Sequence[Curve]
) -> list[tuple[int, int]]:
    """Pool of each response, and the clock at which it ended, in order of completion. Raises MeasureError."""
    if len(jobs) > TAGS:
        raise MeasureError(f"{len(jobs)} jobs in a stream: the pools differ too much in speed")
    packets = [[words[0] | tag << 16, *words[1:]] for tag, (_, words) in enumerate(jobs)]
    ends = []
    for reply in transport.stream(packets):
        pool = jobs[reply.words[0] >> 16][0]
        response = decode_response(reply.words, curves[pool].element_words)
        if response.status != Status.OK:
            raise MeasureError(f"a job of pool {pool} ends with status {response.status}")
        ends.append((pool, reply.cycles or 0))
    return ends
