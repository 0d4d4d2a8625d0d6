"""Plans a computation on several devices: all cuts with their cost, the best one, and its simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from eccelerate.explore.partition.link_spec import LinkSpec, PartitionError
from eccelerate.explore.partition.partition_cuts import Cut, Job, best, montgomery_cuts, plain_cuts, replicate
from eccelerate.explore.partition.partition_engines import engine_cuts
from eccelerate.explore.partition.partition_run import Outcome, require_curve, simulate
from eccelerate.explore.partition.partition_units import (
    montgomery_units,
    point_units,
    product_units,
    require_device,
)

OPS = ("mul", "montmul", "add", "scalar")
MAX_DEVICES = 16
MIN_BITS, MAX_BITS = 16, 1024
GROUPS = 24
"""Groups of jobs that are predicted and simulated."""
TOLERANCE = 0.02
"""Cuts whose rates differ by less are equally fast: the one with fewer devices is better."""
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """All cuts, the chosen one, and the jobs that are counted. outcome: of the simulation, if any."""

    job: Job
    cuts: tuple[Cut, ...]
    chosen: Cut
    jobs: int
    outcome: Outcome | None = None

    @property
    def predicted_cycles(self) -> int:
        """Cycles of all jobs on the chosen cut."""
        return round(self.chosen.cycles(self.jobs))

    @property
    def error(self) -> float | None:
        """The prediction against the simulation: 0.01 is 1 % too long."""
        return self.predicted_cycles / self.outcome.cycles - 1 if self.outcome else None

    @property
    def record(self) -> dict[str, Any]:
        """The object of `--json`."""
        lane = self.chosen.lane
        return {
            "op": self.job.op,
            "bits": self.job.bits,
            "device": self.job.device,
            "clock_mhz": self.job.mhz,
            "link": {
                "text": self.job.link.text,
                "words_per_clock": round(float(lane.ratio), 4),
                "latency_clocks": lane.latency,
            },
            "cuts": [cut_record(cut) for cut in self.cuts],
            "chosen": self.chosen.name,
            "jobs": self.jobs,
            "predicted_cycles": self.predicted_cycles,
            "simulated_cycles": self.outcome.cycles if self.outcome else None,
            "error": round(self.error, 4) if self.error is not None else None,
        }


def cut_record(cut: Cut) -> dict[str, Any]:
    """A cut as JSON. Cycles are those of the device clock."""
    return {
        "name": cut.name,
        "title": cut.title,
        "unit": cut.unit.name,
        "area": cut.unit.source,
        "fits": cut.fits,
        "devices": [
            {
                "name": device.name,
                "holds": list(device.holds),
                "lut4": device.area.lut4,
                "ff": device.area.ff,
                "mult": device.area.mult,
                "bram": device.area.bram,
                "fits": device.fits,
                "excess": device.excess,
            }
            for device in cut.devices
        ],
        "links": [
            {"ends": list(wire.ends), "words": [sum(wire.there), sum(wire.back)]} for wire in cut.wires
        ],
        "group": cut.group,
        "interval": round(cut.interval, 3),
        "latency": round(float(cut.latency), 1),
        "link_cycles": {"interval": round(cut.rate_loss, 3), "latency": round(cut.link_share, 1)},
        "limit": cut.limit,
        "per_second": round(cut.per_second),
    }


def request(op: str, bits: int, devices: int, link: str, device: str, mhz: float) -> Job:
    """A checked request. Raises PartitionError that says what to change."""
    if op not in OPS:
        raise PartitionError(f"no operation {op!r}; there are: {', '.join(OPS)}")
    if not 1 <= devices <= MAX_DEVICES:
        raise PartitionError(f"--devices is 1 to {MAX_DEVICES}, not {devices}")
    if not MIN_BITS <= bits <= MAX_BITS:
        raise PartitionError(f"--bits is {MIN_BITS} to {MAX_BITS}, not {bits}")
    if not 1 <= mhz <= 1000:
        raise PartitionError(f"--clock is 1 to 1000 MHz, not {mhz:g}")
    require_device(device)
    return Job(op, bits, device, mhz, LinkSpec.parse(link))


def cuts_of(job: Job, devices: int) -> list[Cut]:
    """All cuts of a job on up to that many devices."""
    if job.op == "mul":
        found = list(plain_cuts(job, devices, product_units))
    elif job.op == "montmul":
        found = list(montgomery_cuts(job, devices, montgomery_units, product_units))
    elif job.op == "add":
        require_curve(job.bits)
        units = point_units(job.bits, job.device)
        found = [best(lambda unit, k=k: replicate(job, unit, k), units) for k in range(1, devices + 1)]  # type: ignore[misc]
    else:
        found = list(engine_cuts(job, devices))
    return [cut for cut in found if cut is not None]


def choose(cuts: list[Cut]) -> Cut:
    """The fastest cut that fits; of those within TOLERANCE the one with the fewest devices, then with the
    shortest latency. Raises PartitionError if none fits.
    """
    fitting = [cut for cut in cuts if cut.fits]
    if not fitting:
        nearest = "; ".join(f"{cut.name} needs {cut.devices[0].excess or 'more'}" for cut in cuts[:2])
        raise PartitionError(f"no cut fits: {nearest}. Use a larger --device, or fewer --bits")
    fastest = min(cut.interval for cut in fitting)
    near = [cut for cut in fitting if cut.interval <= fastest * (1 + TOLERANCE)]
    return min(near, key=lambda cut: (len(cut.devices), cut.latency))


def plan(job: Job, devices: int, cut: str | None = None, jobs: int | None = None) -> Plan:
    """The cuts of a job, with the best one, or the one called `cut`. Raises PartitionError."""
    cuts = cuts_of(job, devices)
    if cut is None:
        chosen = choose(cuts)
    else:
        named = [each for each in cuts if each.name == cut]
        if not named:
            raise PartitionError(f"no cut {cut!r} here; there are: {', '.join(each.name for each in cuts)}")
        chosen = named[0]
    count = GROUPS * chosen.group if jobs is None else -(-jobs // chosen.group) * chosen.group
    return Plan(job, tuple(cuts), chosen, count)


def simulated(found: Plan, progress: Progress | None = None) -> Plan:
    """The plan with the simulation of the chosen cut; results are checked. Raises BuildError,
    PartitionRunError.
    """
    return replace(found, outcome=simulate(found.chosen, found.jobs, progress=progress))
