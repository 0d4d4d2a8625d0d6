"""Cuts of a computation: what each device holds, what travels over which link, and what it costs.

The host is at the end of a link of device 0. Jobs come one after the other, in groups of as many as are
computed at once. A group takes `period` cycles, the time of the resource that is busy for longest; the last
result of the first group comes after `latency` cycles. So n groups take latency + (n - 1) * period.
docs/partition.md derives the formulas, and the simulated systems are within 5 % of them (tests/partition).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from eccelerate.explore.partition.link_spec import Lane, LinkSpec, words_of
from eccelerate.explore.partition.partition_units import Area, Unit

LINK_AREA = {"lut4": 2050, "ff": 750}
"""Cells of an end of a link of 64 bits, as mapped on ECP5; they grow with the width of the word."""
RAM_BITS = 18_432
FEED, DRAIN, SUM, QUEUE = 1, 1, 3, 6
"""Latencies of the blocks of rtl/link, in cycles."""
HOST = "host"


@dataclass(frozen=True)
class Job:
    """What is asked for: operation, bits, the device clock in MHz, and the link."""

    op: str
    bits: int
    device: str
    mhz: float
    link: LinkSpec

    @property
    def width(self) -> int:
        """Bits of a word of the link."""
        return self.link.width

    @property
    def words(self) -> int:
        """Words of an operand."""
        return -(-self.bits // self.width)

    @property
    def words_in(self) -> int:
        """Words of a job on its way from the host."""
        return max(2, {"mul": 2, "montmul": 2, "add": 6, "scalar": 3}[self.op] * self.words)

    @property
    def words_out(self) -> int:
        """Words of a result on its way to the host."""
        if self.op == "mul":
            return words_of(2 * self.bits, self.width)
        return max(2, {"montmul": 1, "add": 3, "scalar": 2}[self.op] * self.words)

    @property
    def half(self) -> int:
        """Bits of the lower half of an operand."""
        return -(-self.bits // 2)


@dataclass(frozen=True)
class Wire:
    """A link between two ends, with the packets of a group: words of each, there and back."""

    ends: tuple[str, str]
    there: tuple[int, ...]
    back: tuple[int, ...]


@dataclass(frozen=True)
class Placed:
    """What a device holds."""

    name: str
    holds: tuple[str, ...]
    area: Area
    excess: str

    @property
    def fits(self) -> bool:
        """Whether it has room for all."""
        return not self.excess


@dataclass(frozen=True)
class Cut:
    """A cut with its cost. `busy` are the cycles of each resource for a group, the longest first."""

    name: str
    title: str
    job: Job
    unit: Unit
    lane: Lane
    group: int
    wires: tuple[Wire, ...]
    devices: tuple[Placed, ...]
    busy: Mapping[str, Fraction]
    latency: Fraction
    compute_latency: Fraction
    details: Mapping[str, int] = field(default_factory=dict)

    @property
    def period(self) -> Fraction:
        """Cycles of a group when the system is full."""
        return max(self.busy.values())

    @property
    def interval(self) -> float:
        """Cycles of a job when the system is full."""
        return float(self.period / self.group)

    @property
    def limit(self) -> str:
        """The resource that limits the rate."""
        return max(self.busy, key=lambda name: self.busy[name])

    @property
    def fits(self) -> bool:
        """Whether every device has room."""
        return all(device.fits for device in self.devices)

    @property
    def per_second(self) -> float:
        """Jobs in a second."""
        return self.job.mhz * 1e6 / self.interval

    @property
    def link_share(self) -> float:
        """Cycles of the first group that are lost to links, of its latency."""
        return float(self.latency - self.compute_latency)

    @property
    def rate_loss(self) -> float:
        """Cycles of each job that are lost to links when the system is full."""
        compute = max(busy for name, busy in self.busy.items() if not name.startswith("link"))
        return float(max(Fraction(0), self.period - compute) / self.group)

    def cycles(self, jobs: int) -> float:
        """Predicted cycles of a number of jobs, from the first word of the first to the last of the last."""
        groups = -(-jobs // self.group)
        return float(self.latency + (groups - 1) * self.period)


def link_area(lane: Lane) -> Area:
    """An end of a link: logic in proportion to the word, and two buffers in block RAM."""
    width = lane.spec.width
    blocks = 2 * -(-width * 512 // RAM_BITS) * max(1, -(-lane.slots * lane.slot_words // 512))
    return Area(LINK_AREA["lut4"] * (width + 40) // 104, LINK_AREA["ff"] * (width + 40) // 104, 0, blocks)


def placed(job: Job, name: str, lane: Lane, links: int, parts: Sequence[tuple[str, Area]]) -> Placed:
    """A device with its links and other parts."""
    area = Area()
    for _ in range(links):
        area += link_area(lane)
    for _, each in parts:
        area += each
    holds = (*(text for text, _ in parts), f"{links} link{'s' * (links > 1)}")
    return Placed(name, holds, area, area.excess(job.device))


def registers(bits: int) -> Area:
    """Shift registers and adders between words and wide values."""
    return Area(bits // 2, bits)


def replicate(job: Job, unit: Unit, devices: int) -> Cut:
    """Whole units on all devices; device 0 hands jobs out in turn, and keeps its share."""
    n_in, n_out, w = job.words_in, job.words_out, job.width
    lane = Lane.between(job.link, job.mhz, max(n_in, n_out))
    far = devices - 1
    serve = FEED + unit.latency + DRAIN - 1 + n_out
    host_in, host_out = lane.busy(n_in), lane.busy(n_out)
    busy = {
        "unit": Fraction(max(unit.interval, n_in)),
        "link host in": devices * host_in,
        "link host out": devices * host_out,
    }
    compute = Fraction(n_in - 1 + serve)
    latency = n_in - 1 + (devices - 1) * max(host_in, Fraction(n_in)) + lane.passage(n_in) + serve
    latency += lane.passage(n_out)
    compute += (devices - 1) * n_in
    if far:
        latency += lane.passage(n_in) + lane.passage(n_out)
    station = (unit.name, unit.area + registers((n_in + n_out) * w))
    names = [f"device{i}" for i in range(devices)]
    queue = ("queue", Area(120, 150, 0, 2 * -(-w // 36))) if far else ("", Area())
    home = placed(job, names[0], lane, devices, [station, queue] if far else [station])
    others = [placed(job, name, lane, 1, [station]) for name in names[1:]]
    wires = [Wire((HOST, names[0]), (n_in,) * devices, (n_out,) * devices)]
    wires += [Wire((names[0], name), (n_in,), (n_out,)) for name in names[1:]]
    name, title = (
        ("one", "one device does all")
        if not far
        else (f"replicate-{devices}", f"whole units on {devices} devices")
    )
    return Cut(name, title, job, unit, lane, devices, tuple(wires), (home, *others), busy, latency, compute)


def karatsuba(job: Job, unit: Unit) -> Cut:
    """Three devices with a half-size product each: a0 b0 (device 0), (a0 + a1)(b0 + b1), a1 b1."""
    w, n_in, n_out = job.width, job.words_in, job.words_out
    half = words_of(job.half + 1, w)
    sent, back = 2 * half, words_of(2 * (job.half + 1), w)
    lane = Lane.between(job.link, job.mhz, max(n_in, n_out))
    serve = FEED + unit.latency + back
    busy = {
        "unit": Fraction(max(unit.interval, sent)),
        "sums": Fraction(max(n_in, sent, back, n_out)),
        "link host in": lane.busy(n_in),
        "link host out": lane.busy(n_out),
        "link in": lane.busy(sent),
        "link out": lane.busy(back),
    }
    compute = Fraction(n_in - 1 + FEED + SUM - 1 + sent + serve + FEED + SUM - 1 + n_out)
    latency = compute + lane.passage(n_in) + lane.passage(sent) + lane.passage(back) + lane.passage(n_out)
    station = (unit.name, unit.area + registers((sent + back) * w))
    names = [f"device{i}" for i in range(3)]
    around = ("sums", registers((n_in + 3 * sent + 3 * back + 4 * n_out) * w))
    queue = ("queue", Area(120, 150, 0, 2 * -(-w // 36)))
    home = placed(job, names[0], lane, 3, [station, around, queue])
    others = [placed(job, name, lane, 1, [station]) for name in names[1:]]
    wires = [Wire((HOST, names[0]), (n_in,), (n_out,))]
    wires += [Wire((names[0], name), (sent,), (back,)) for name in names[1:]]
    return Cut(
        "karatsuba", "three half-size products on 3 devices", job, unit, lane, 1, tuple(wires),
        (home, *others), busy, latency, compute, {"half": half, "sent": sent, "back": back},
    )  # fmt: skip


def halves(job: Job, unit: Unit) -> Cut:
    """Two devices: a times the lower half of b on device 0, a times the upper half on device 1; each does two
    half-size products one after the other.
    """
    w, n_in, n_out = job.width, job.words_in, job.words_out
    half = words_of(job.half, w)
    sent, back = 3 * half, words_of(3 * job.half, w)
    lane = Lane.between(job.link, job.mhz, max(n_in, n_out))
    serve = FEED + unit.interval + unit.latency + SUM - 1 + back
    busy = {
        "unit": Fraction(max(2 * unit.interval, sent)),
        "sums": Fraction(max(n_in, sent, back, n_out)),
        "link host in": lane.busy(n_in),
        "link host out": lane.busy(n_out),
        "link in": lane.busy(sent),
        "link out": lane.busy(back),
    }
    compute = Fraction(n_in - 1 + FEED + DRAIN - 1 + sent + serve + FEED + SUM - 1 + n_out)
    latency = compute + lane.passage(n_in) + lane.passage(sent) + lane.passage(back) + lane.passage(n_out)
    station = (unit.name, unit.area + registers((sent + 3 * back) * w))
    around = ("sums", registers((n_in + 2 * sent + 2 * back + 2 * n_out) * w))
    queue = ("queue", Area(120, 150, 0, 2 * -(-w // 36)))
    home = placed(job, "device0", lane, 2, [station, around, queue])
    other = placed(job, "device1", lane, 1, [station])
    wires = (Wire((HOST, "device0"), (n_in,), (n_out,)), Wire(("device0", "device1"), (sent,), (back,)))
    return Cut(
        "halves", "a times each half of b on 2 devices", job, unit, lane, 1, wires, (home, other), busy,
        latency, compute, {"half": half, "sent": sent, "back": back},
    )  # fmt: skip


def products(job: Job, unit: Unit) -> Cut:
    """The three products of a Montgomery multiplication on three devices in a ring: t = a b on device 0, m =
    t p' mod R on device 1, the upper half of m p on device 2; device 0 adds the upper half of t.
    """
    w, n_in, n_out = job.width, job.words_in, job.words_out
    part, total = words_of(job.bits, w), words_of(job.bits + 1, w)
    lane = Lane.between(job.link, job.mhz, max(n_in, total))
    busy = {
        "unit": Fraction(max(unit.interval, n_in)),
        "sums": Fraction(total),
        "link host in": lane.busy(n_in),
        "link host out": lane.busy(n_out),
        "link ring": lane.busy(part),
    }
    step = FEED + unit.latency + DRAIN - 1 + part
    compute = Fraction(n_in - 1 + 3 * step + FEED + SUM - 1 + total + FEED + DRAIN - 1 + n_out)
    latency = compute + lane.passage(n_in) + 3 * lane.passage(part) + lane.passage(n_out)
    station = (unit.name, unit.area + registers((n_in + part) * w))
    around = ("sums", registers((2 * total + 6 * total + 2 * total + n_out) * w))
    queue = ("queue", Area(120, 150, 0, 2 * -(-w // 36)))
    home = placed(job, "device0", lane, 3, [station, around, queue])
    others = [placed(job, f"device{i}", lane, 2, [station]) for i in (1, 2)]
    wires = (
        Wire((HOST, "device0"), (n_in,), (n_out,)),
        Wire(("device0", "device1"), (part,), ()),
        Wire(("device1", "device2"), (part,), ()),
        Wire(("device2", "device0"), (part,), ()),
    )
    return Cut(
        "products", "the three products of a Montgomery multiplication on 3 devices", job, unit, lane, 1,
        wires, (home, *others), busy, latency, compute, {"part": part, "total": total},
    )  # fmt: skip


Units = Callable[[int, str], list[Unit]]


def best(make: Callable[[Unit], Cut], units: Sequence[Unit]) -> Cut | None:
    """The cut with the unit of the highest rate that fits; among equals with the fewest multipliers. If none
    fits, the one that comes nearest. None if there is no unit at all.
    """
    cuts = [make(unit) for unit in units]
    fitting = [cut for cut in cuts if cut.fits]
    if fitting:
        return min(
            fitting, key=lambda cut: (cut.interval, cut.unit.area.mult, cut.latency, cut.unit.area.lut4)
        )
    return min(cuts, key=lambda cut: (cut.unit.area.mult, cut.unit.area.lut4), default=None)


def plain_cuts(job: Job, devices: int, units: Units) -> Iterator[Cut | None]:
    """Cuts of a product."""
    whole = units(job.bits, job.device)
    for k in range(1, devices + 1):
        yield best(lambda unit, k=k: replicate(job, unit, k), whole)  # type: ignore[misc]
    if devices >= 2 and job.bits >= 8:
        yield best(lambda unit: halves(job, unit), units(job.half, job.device))
    if devices >= 3 and job.bits >= 8:
        yield best(lambda unit: karatsuba(job, unit), units(job.half + 1, job.device))


def montgomery_cuts(job: Job, devices: int, whole: Units, plain: Units) -> Iterator[Cut | None]:
    """Cuts of a Montgomery product."""
    units = whole(job.bits, job.device)
    for k in range(1, devices + 1):
        yield best(lambda unit, k=k: replicate(job, unit, k), units)  # type: ignore[misc]
    if devices >= 3:
        yield best(lambda unit: products(job, unit), plain(job.bits, job.device))
