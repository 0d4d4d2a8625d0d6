"""The targets of the whole system: each with the figure that was measured, and the side that limits it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eccelerate.explore.figures import Record

PROVIDER_US = 5.0
HOST_US = 25.0
RATE_LOSS = 1.15
RATES_163 = {"ecdh": 30_000, "sign": 9_000, "verify": 7_500}
ASYNC_GAIN = 7.0
ARRAY_BUSY = 0.90
IN_FLIGHT = 64
"""Jobs in flight, for which the targets hold."""


@dataclass(frozen=True)
class Verdict:
    """A target and what was measured. `goal` is text such as "at most 5 us". limit: which side limits."""

    what: str
    goal: str
    figure: str
    met: bool
    limit: str = ""

    @property
    def word(self) -> str:
        """met, or MISSED."""
        return "met" if self.met else "MISSED"


def limiting_side(rate: float, hardware: float, at_once: int) -> str:
    """Which side limits a rate with IN_FLIGHT jobs: the engine, if the application gets nearly all of it;
    else the number of jobs, if there are fewer than two for each of the `at_once` that the hardware runs;
    else the host.
    """
    if rate >= 0.95 * hardware:
        return "engine"
    return "jobs in flight" if 2 * at_once > IN_FLIGHT else "host"


def verdicts(record: Record) -> Iterator[Verdict]:
    """All targets for a record of `eccel bench system`."""
    yield at_most("CPU of the provider for one signature", record["provider_cpu_us"], PROVIDER_US, "us")
    yield at_most(
        "CPU of the host for one operation, device that answers at once", record["host_cpu_us"], HOST_US, "us"
    )
    worst = record["rate_loss_of"]
    yield at_most(
        f"hardware rate / application rate of one engine, the worst: {worst}",
        record["rate_loss"],
        RATE_LOSS,
        "x",
    )
    for curve in ("B-163", "K-163"):
        for operation, goal in RATES_163.items():
            rate = record["rates"].get(curve, {}).get(operation)
            if rate is not None:
                limit = record["limits"][curve][operation]
                text = f"{operation} a second on {curve}"
                yield Verdict(text, f"at least {goal:,}", f"{rate:,.0f}", rate >= goal, limit)
    if record.get("async_gain") is None:
        reason = record.get("async_note", "not measured")
        yield Verdict(
            "asynchronous against synchronous HAProxy", f"at least {ASYNC_GAIN:.0f} x", reason, False
        )
    else:
        yield at_least("asynchronous against synchronous HAProxy", record["async_gain"], ASYNC_GAIN)
    yield at_least("array busy, against `eccel measure`", record["array_busy_ratio"], ARRAY_BUSY)


def at_most(what: str, value: float, goal: float, unit: str) -> Verdict:
    """A figure that must not exceed its goal."""
    return Verdict(what, f"at most {goal:g} {unit}", f"{value:.2f} {unit}", value <= goal)


def at_least(what: str, value: float, goal: float) -> Verdict:
    """A ratio that must reach its goal."""
    return Verdict(what, f"at least {goal:g} x", f"{value:.2f} x", value >= goal)
