"""Whole scalar multiplications on devices: the existing engines behind links.

Cycles are those of `results/cycles.jsonl`, measured on the RTL; areas are those of `results/flow.jsonl`. A
device holds as many engines as fit. A job packet has a header of two words of 32 bits and three operands, its
result a header and two (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from eccelerate.configs.config import Config, load_configs
from eccelerate.explore.cycle_records import CycleStore
from eccelerate.explore.figures import latest_placement
from eccelerate.explore.partition.link_spec import Lane, PartitionError, words_of
from eccelerate.explore.partition.partition_cuts import HOST, Cut, Job, Wire, placed
from eccelerate.explore.partition.partition_units import FILL, ROOM, Area, Unit

HEADER_BITS = 64
"""Of a job packet and of its result."""


@dataclass(frozen=True)
class EngineUnit:
    """An engine with its curve: cycles of a job alone and in a stream, and area of one engine."""

    config: Config
    curve: str
    alone: int
    sustained: float
    area: Area


def engines(bits: int) -> list[EngineUnit]:
    """The engines with measured cycles and a placed area for a prime curve of that size."""
    configs, found = load_configs(), []
    for record in CycleStore():
        config, cycles = configs.get(record["config"]), record["cycles"]
        if config is None or config.engines or "scalar_mul" not in cycles:
            continue
        if record["curve"] != f"P-{bits}" or "hedged" in config.name:
            continue
        area = _area(config)
        if area is not None:
            sustained = cycles.get("scalar_mul_sustained") or cycles["scalar_mul"]
            found.append(EngineUnit(config, record["curve"], cycles["scalar_mul"], sustained, area))
    return found


def _area(config: Config) -> Area | None:
    newest = latest_placement(config, "ecp5-85f-6") or latest_placement(config, None)
    if newest is None:
        return None
    return Area(*(newest[key] for key in ("lut4", "ff", "mult", "bram")))


def engine_cuts(job: Job, devices: int) -> Iterator[Cut]:
    """One device, two devices, ..: each with the engines that give the highest rate. Raises PartitionError if
    no engine computes scalar multiplications of that size.
    """
    units = engines(job.bits)
    if not units:
        raise PartitionError(
            f"no engine with measured cycles has a prime curve of {job.bits} bits:"
            " --bits 224, 256, 384 or 521"
        )
    for k in range(1, devices + 1):
        yield min((_cut(job, unit, k) for unit in units), key=lambda cut: (not cut.fits, cut.interval))


def how_many(area: Area, device: str, spare: Area) -> int:
    """How many units of an area fit on a device beside what is there already."""
    room, most = ROOM[device], 64
    for kind, limit in (("lut4", int(FILL * room["lut4"])), ("mult", room["mult"]), ("bram", room["bram"])):
        each = getattr(area, kind)
        if each:
            most = min(most, (limit - getattr(spare, kind)) // each)
    return max(0, most)


def _cut(job: Job, unit: EngineUnit, devices: int) -> Cut:
    n_in = words_of(HEADER_BITS + 3 * job.bits, job.width)
    n_out = words_of(HEADER_BITS + 2 * job.bits, job.width)
    lane = Lane.between(job.link, job.mhz, n_in)
    links = placed(job, "links", lane, devices, []).area
    count = max(1, how_many(unit.area, job.device, links))
    group = devices * count
    busy = {
        "unit": Fraction(unit.sustained).limit_denominator(100),
        "link host in": group * lane.busy(n_in),
        "link host out": group * lane.busy(n_out),
    }
    compute = Fraction(unit.alone + n_in + n_out)
    hops = 1 + (devices > 1)
    latency = compute + hops * (lane.passage(n_in) + lane.passage(n_out)) + (group - 1) * lane.busy(n_in)
    total = Area()
    for _ in range(count):
        total += unit.area
    parts = [(f"{count} x {unit.config.name}", total)]
    names = [f"device{i}" for i in range(devices)]
    homes = [placed(job, name, lane, devices if i == 0 else 1, parts) for i, name in enumerate(names)]
    wires = [Wire((HOST, names[0]), (n_in,) * group, (n_out,) * group)]
    wires += [Wire((names[0], name), (n_in,) * count, (n_out,) * count) for name in names[1:]]
    title = f"{count} engines on {'each of ' * (devices > 1)}{devices} device{'s' * (devices > 1)}"
    stand_in = Unit(unit.config.name, unit.alone, round(unit.sustained), total, "placed")
    name = "one" if devices == 1 else f"replicate-{devices}"
    return Cut(name, title, job, stand_in, lane, group, tuple(wires), tuple(homes), busy, latency, compute)
