"""What to move to the devices: one product, one Montgomery product, one point addition, or the whole scalar
multiplication (Buell, Davis, Quan 2003)?

Each granularity is counted in scalar multiplications a second that a host can serve if it computes the rest
in no time: the best case of a fine granularity. A scalar multiplication by double and add has bits - 1
doublings and bits / 2 additions, each of 14 Montgomery products of three products, as the paper counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eccelerate.explore.partition.link_spec import Lane, LinkSpec, PartitionError
from eccelerate.explore.partition.partition_cuts import Job, link_area
from eccelerate.explore.partition.partition_engines import how_many
from eccelerate.explore.partition.partition_plan import choose, cuts_of
from eccelerate.explore.partition.partition_units import montgomery_units, product_units

PRODUCTS_OF_MONTGOMERY, PRODUCTS_OF_ADDITION = 3, 14
BANDWIDTHS = tuple(10 ** (i / 8 - 2) for i in range(8 * 5 + 1))
"""Gbit/s in one direction, from 0.01 to 1000."""
COLOURS = {
    "multiply": "#4477aa", "Montgomery multiply": "#cc6677", "point addition": "#228833",
    "scalar multiplication": "#aa3377",
}  # fmt: skip


@dataclass(frozen=True)
class OffloadLine:
    """A granularity: its name, operations of it in a scalar multiplication, bits to and from the devices of
    one, and operations a second that the devices can compute.
    """

    name: str
    count: float
    bits_in: int
    bits_out: int
    compute: float

    def rate(self, gbit_s: float) -> float:
        """Scalar multiplications a second over a full-duplex link."""
        link = gbit_s * 1e9 / max(self.bits_in, self.bits_out)
        return min(link, self.compute) / self.count

    @property
    def knee(self) -> float:
        """The bandwidth in Gbit/s from which the devices limit the rate."""
        return self.compute * max(self.bits_in, self.bits_out) / 1e9

    @property
    def top(self) -> float:
        """Scalar multiplications a second over a link without limit."""
        return self.compute / self.count


def additions(bits: int) -> float:
    """Point additions and doublings of a scalar multiplication."""
    return bits - 1 + bits / 2


def _compute(job: Job, devices: int) -> float:
    """Operations a second of the devices over a link without limit: the units that give the most, as many as
    fit beside a link.
    """
    if job.op == "scalar":
        cut = choose(cuts_of(job, devices))
        return job.mhz * 1e6 * cut.group / float(cut.busy["unit"])
    units = (product_units if job.op == "mul" else montgomery_units)(job.bits, job.device)
    spare = link_area(Lane.between(job.link, job.mhz, job.words_in))
    best = max(how_many(unit.area, job.device, spare) / unit.interval for unit in units)
    return job.mhz * 1e6 * devices * best


def offload_lines(bits: int, devices: int, link: LinkSpec, device: str, mhz: float) -> list[OffloadLine]:
    """The granularities. Of a point addition, the devices compute its Montgomery products one after the other
    in a unit that is kept full. The whole scalar multiplication is missing where no engine has the width.
    """
    adds = additions(bits)
    job = Job("mul", bits, device, mhz, link)
    montgomery = _compute(replace(job, op="montmul"), devices)
    lines = [
        OffloadLine(
            "multiply", adds * PRODUCTS_OF_ADDITION * PRODUCTS_OF_MONTGOMERY, 2 * bits, 2 * bits,
            _compute(job, devices),
        ),
        OffloadLine("Montgomery multiply", adds * PRODUCTS_OF_ADDITION, 2 * bits, bits, montgomery),
        OffloadLine("point addition", adds, 6 * bits, 3 * bits, montgomery / PRODUCTS_OF_ADDITION),
    ]  # fmt: skip
    try:
        scalar = _compute(replace(job, op="scalar"), devices)
    except PartitionError:
        return lines
    return [*lines, OffloadLine("scalar multiplication", 1, 3 * bits + 64, 2 * bits + 64, scalar)]


def crossing(one: OffloadLine, other: OffloadLine) -> float | None:
    """The bandwidth in Gbit/s from which `one` is faster than `other`; None if it never is, 0 if it always
    is.
    """
    if one.top <= other.top:
        return None
    slope = [line.rate(1e-6) / 1e-6 for line in (one, other)]
    if slope[0] >= slope[1]:
        return 0.0
    return other.top / slope[0]


def crossings(lines: Sequence[OffloadLine]) -> list[str]:
    """The answer in sentences: where each granularity stops being limited by the link, and where a finer one
    overtakes a coarser one.
    """
    found = [
        f"{line.name}: the link limits up to {line.knee:.3g} Gbit/s, then the devices: {line.top:,.0f} scalar"
        " multiplications a second"
        for line in lines
    ]
    for i, fine in enumerate(lines):
        for coarse in lines[i + 1 :]:
            at = crossing(fine, coarse)
            if at is None:
                found.append(f"{fine.name} never overtakes {coarse.name}")
            else:
                found.append(f"{fine.name} overtakes {coarse.name} at {at:.3g} Gbit/s")
    return found
