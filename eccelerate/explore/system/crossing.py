"""From how many jobs in flight the hardware does more than software on the same machine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from eccelerate.explore.figures import Record

Point = tuple[float, float]
"""Jobs in flight, and operations a second."""


def crossing(points: Sequence[Point], software: float) -> float | None:
    """The number of jobs in flight from which the rate is above `software` for good, interpolated between
    measured points on logarithmic axes. None if it stays below.
    """
    below = [i for i, (_, rate) in enumerate(points) if rate <= software]
    if not below:
        return points[0][0]
    last = below[-1]
    if last == len(points) - 1:
        return None
    (jobs, rate), (more_jobs, more_rate) = points[last], points[last + 1]
    share = math.log(software / rate) / math.log(more_rate / rate)
    return jobs * (more_jobs / jobs) ** share


def points_of(system: Record, operation: str) -> list[Point]:
    """The measured points of one operation."""
    return [(point["in_flight"], point["per_second"]) for point in system["points"][operation]]


def crossings(record: Record) -> Iterator[str]:
    """A sentence for each engine: from where it does more than software on one core, and on all cores."""
    for system in record["systems"]:
        parts = []
        for name, where in (("openssl", "one core"), ("openssl_all_cores", f"{record['cores']} cores")):
            software = record[name][system["curve"]]
            found = (
                f"{operation} {described(crossing(points_of(system, operation), software[operation]))}"
                for operation in sorted(system["points"])
            )
            parts.append(f"on {where}: {', '.join(found)}")
        yield f"{system['config']} on {system['curve']} does more than OpenSSL {'; '.join(parts)}."


def described(found: float | None) -> str:
    """The crossing for people."""
    if found is None:
        return "never"
    return "from 1 job on" if found <= 1 else f"from {math.ceil(found):,} jobs on"
