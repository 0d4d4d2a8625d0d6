"""Measures the whole system: provider, library, socket and server of this machine, and the hardware's timing.

The hardware is a paced device: software that answers after the time that the placed engine would take. Its
results are no proof of the engine's function; a run on the RTL model proves that (`rtl_check`).
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from eccelerate.explore.figures import Record, Stores
from eccelerate.explore.software import host, version
from eccelerate.explore.system.async_gain import measure_async_gain
from eccelerate.explore.system.eccel_load import OPERATIONS, Load, LoadPlan, run_load
from eccelerate.explore.system.engine_server import EngineServer, latency_server, paced_server
from eccelerate.explore.system.openssl_conf import OpensslConf
from eccelerate.explore.system.rtl_check import check_on_rtl
from eccelerate.explore.system.subjects import QUICK, SUBJECTS, Hardware, Subject, hardware
from eccelerate.explore.system.targets import IN_FLIGHT, limiting_side
from eccelerate.external.c_software import build_software
from eccelerate.flow.store import commit

Progress = Callable[[str], None]
STRICT = {"fallback": "no", "counters": "none", "blind": "no"}
"""Nothing runs in software. Scalars are not blinded, as in the papers and in `eccel measure`."""
ORDER = ("ecdh", "verify", "sign")
"""Signatures come last: the paced device then prepares nonces, which takes CPU time."""
NONCES, MOST_NONCES = 1.1, 1_000_000
"""Nonces that are prepared, for each that the hardware could use in the measured time, and their limit."""

INSTANT_NONCES = 300_000


def processors() -> tuple[int, set[int]] | None:
    """The processor of the host path, and those of the threads that compute in place of an engine. None if
    there is one processor only.

    The program and the server share a processor: in a virtual machine it takes ten times as much CPU time to
    wake a thread on another one.
    """
    first, *others = sorted(os.sched_getaffinity(0))
    return (first, set(others)) if others else None


@dataclass(frozen=True)
class Effort:
    """How much is measured. seconds: of one measurement; in_flight: numbers of jobs."""

    seconds: float = 0.8
    warmup: float = 0.3
    in_flight: Sequence[int] = (1, 4, 16, 64, 256, 1000)
    subjects: Sequence[Subject] = SUBJECTS
    handshake_seconds: float = 8.0
    repeats: int = 3
    """Of the measurement with IN_FLIGHT jobs, of which the median counts."""


FULL = Effort()
SHORT = Effort(0.3, 0.2, (1, IN_FLIGHT), QUICK, 2.0, 1)


@dataclass
class Bench:
    """What all measurements share: a folder, the provider's file, and where to report progress."""

    folder: Path
    effort: Effort
    tell: Progress
    module: Path = field(init=False)

    def __post_init__(self) -> None:
        self.tell("building the C programs")
        built = build_software("bench", "provider", "null-provider", "serve")
        self.module = built / "provider" / "eccel.so"
        self.null_module = built / "bench" / "null" / "eccel.so"

    def conf(self, name: str, devices: str, module: Path | None = None) -> Path:
        """A configuration of OpenSSL with our provider."""
        conf = OpensslConf(module or self.module, devices, STRICT)
        return conf.write(self.folder / f"{name}.cnf")

    def plan(self, operation: str, group: str, jobs: int = IN_FLIGHT) -> LoadPlan:
        """A measurement of the usual length with our provider."""
        effort = self.effort
        return LoadPlan(operation, group, jobs, seconds=effort.seconds, warmup=effort.warmup)


def measure_system(effort: Effort, folder: Path, tell: Progress, stores: Stores | None = None) -> Record:
    """All measurements as one record; its keys are explained in docs/system.md.

    Raises BuildError, LoadError, CommandError, TransportError, MeasureError.
    """
    stores = stores or Stores()
    bench = Bench(folder, effort, tell)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    record: Record = {"host": host(), "cores": os.cpu_count(), "version": version(), "date": now}
    record |= {"commit": commit(), "quick": effort is not FULL, "seconds": effort.seconds}
    record |= {"load_before": os.getloadavg()[0], "nice": os.getpriority(os.PRIO_PROCESS, 0)}
    one, many = software_rates(bench)
    record |= {"openssl": one, "openssl_all_cores": many}
    record["provider_cpu"] = provider_cpu(bench)
    record["provider_cpu_us"] = record["provider_cpu"]["digest-sign"]
    record["host_cpu"] = host_cpu(bench)
    record["host_cpu_us"] = max(record["host_cpu"].values())
    record |= measure_async_gain(bench.module, folder, effort.handshake_seconds, tell)
    record |= check_on_rtl(bench.module, folder, effort.subjects, tell, many=effort is FULL)
    record["systems"] = [found for each in effort.subjects if (found := paced_rates(bench, each, stores))]
    record |= summary(record["systems"])
    return record


def software_rates(bench: Bench) -> tuple[Record, Record]:
    """Operations a second of stock OpenSSL by curve and operation: on one core, and on all of them."""
    cores = os.cpu_count() or 1
    rates: list[Record] = []
    for threads in (1, cores):
        found: Record = {}
        for subject in bench.effort.subjects:
            if subject.curve_name in found:
                continue
            bench.tell(f"OpenSSL in software on {subject.curve_name}, {threads} of {cores} cores")
            found[subject.curve_name] = {
                operation: round(_software(bench, operation, subject, threads).per_second, 1)
                for operation in OPERATIONS
            }
        rates.append(found)
    return rates[0], rates[1]


def _software(bench: Bench, operation: str, subject: Subject, threads: int) -> Load:
    return run_load(replace(bench.plan(operation, subject.group), threads=threads))


def provider_cpu(bench: Bench) -> Record:
    """CPU time in us of one operation in the provider with a device that computes nothing, by operation, on
    P-256 with IN_FLIGHT jobs: OpenSSL's EVP, the jobs and the load generator are included.
    """
    bench.tell("the provider alone")
    conf = bench.conf("null", "null:", bench.null_module)
    found = {}
    for operation in ("digest-sign", *OPERATIONS):
        plan = replace(bench.plan(operation, "prime256v1"), checked=False)
        found[operation] = round(run_load(plan, conf).cpu_us, 3)
    return found


def host_cpu(bench: Bench) -> Record:
    """CPU time in us of one operation on the whole host path, by operation, on P-256 with IN_FLIGHT jobs:
    program and provider, and the server's event loop, on one processor. The device answers at once; what it
    computes does not count.
    """
    bench.tell("the host path to a device that answers at once")
    with latency_server(0, bench.folder / "instant", prepare=INSTANT_NONCES) as server:
        conf = bench.conf("instant", server.uri)
        found = {}
        for operation in ORDER:
            load = _load(bench, operation, "prime256v1", IN_FLIGHT, server, conf, together=True)
            found[operation] = round(host_us(load), 3)
        return found


def host_us(load: Load) -> float:
    """CPU time of one operation on the host: the program, and the server's event loop."""
    return load.cpu_us + load.watched_main_us


def _load(
    bench: Bench,
    operation: str,
    group: str,
    jobs: int,
    server: EngineServer,
    conf: Path,
    *,
    together: bool = False,
) -> Load:
    """One measurement. together: what computes for the device shares the processor of the host path."""
    places = processors()
    if places:
        server.keep_on(places[0], {places[0]} if together else places[1])
    cpu = places[0] if places else -1
    return run_load(replace(bench.plan(operation, group, jobs), watch=server.pid, cpu=cpu), conf)


def paced_rates(bench: Bench, subject: Subject, stores: Stores) -> Record | None:
    """Rates of a subject by operation and jobs in flight. None if its cycles or its clock are not stored."""
    figures = hardware(subject, stores)
    if figures is None:
        bench.tell(f"{subject.key}: cycles or clock are not stored")
        return None
    effort, folder = bench.effort, bench.folder / f"{subject.config_name}-{subject.curve_name}"
    runs = len(effort.in_flight) + effort.repeats - 1
    wanted = NONCES * figures.rates["sign"] * runs * (effort.seconds + effort.warmup)
    prepare = min(round(wanted), MOST_NONCES)
    bench.tell(f"{subject.key}: the paced device prepares {prepare:,} nonces")
    with paced_server(subject.config, [subject.curve], folder, bench.tell, prepare=prepare) as server:
        conf = bench.conf(folder.name, server.uri)
        before = server.counters()
        points = {operation: _points(bench, subject, operation, server, conf) for operation in ORDER}
        after = server.counters()
    return {
        "config": subject.config_name,
        "curve": subject.curve_name,
        "mhz": figures.mhz,
        "device": figures.device,
        "cycles_of": figures.measured_on,
        "hardware": {name: round(rate, 1) for name, rate in figures.rates.items()},
        "array_busy": figures.array_busy,
        "points": points,
        "late": after["late"] - before["late"],
        "limits": limits(points, figures, subject.config.at_once),
    }


def _points(bench: Bench, subject: Subject, operation: str, server: EngineServer, conf: Path) -> list[Record]:
    points = []
    for jobs in bench.effort.in_flight:
        bench.tell(f"{subject.key}, paced: {operation}, {jobs:,} in flight")
        repeats = bench.effort.repeats if jobs == IN_FLIGHT else 1
        loads = [_load(bench, operation, subject.group, jobs, server, conf) for _ in range(repeats)]
        load = sorted(loads, key=lambda each: each.per_second)[len(loads) // 2]
        points.append(
            {
                "in_flight": jobs,
                "per_second": round(load.per_second, 1),
                "program_us": round(load.cpu_us, 3),
                "server_us": round(load.watched_main_us, 3),
                "p50_us": load.latency_us["p50"],
                "p99_us": load.latency_us["p99"],
            }
        )
    return points


def at(points: Iterable[Record], in_flight: int = IN_FLIGHT) -> Record:
    """The point of a number of jobs in flight."""
    return next(point for point in points if point["in_flight"] == in_flight)


def limits(points: Record, figures: Hardware, at_once: int) -> Record:
    """Which side limits each operation with IN_FLIGHT jobs."""
    return {
        operation: limiting_side(at(measured)["per_second"], figures.rates[operation], at_once)
        for operation, measured in points.items()
    }


def summary(systems: Sequence[Record]) -> Record:
    """Rates, losses and limits with IN_FLIGHT jobs. The loss is the largest one of single engines."""
    rates, engine_limits, losses = {}, {}, {}
    for system in systems:
        single = not system["config"].rpartition("-x")[2].isdigit()
        name = system["curve"] if single else f"{system['curve']} ({system['config']})"
        rates[name] = {op: at(points)["per_second"] for op, points in system["points"].items()}
        engine_limits[name] = system["limits"]
        for operation, rate in rates[name].items():
            losses[f"{operation} on {name}"] = (round(system["hardware"][operation] / rate, 4), single)
    singles = {name: loss for name, (loss, single) in losses.items() if single}
    worst = max(singles, key=lambda name: singles[name])
    turbo = [system for system in systems if system["config"] == "turbo-p256"]
    busy = [at(turbo[0]["points"]["ecdh"])["per_second"] / turbo[0]["hardware"]["ecdh"]] if turbo else []
    return {
        "rates": rates,
        "limits": engine_limits,
        "losses": {name: loss for name, (loss, _) in losses.items()},
        "rate_loss": singles[worst],
        "rate_loss_of": worst,
        "array_busy_ratio": round(median(busy), 4) if busy else None,
    }
