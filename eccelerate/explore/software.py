"""OpenSSL, the baseline of the engines: `openssl speed` on one core of this machine. The rates that the pages
show are kept in ``results/software.jsonl``.
"""

from __future__ import annotations

import datetime
import platform
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from eccelerate import external
from eccelerate.curves import Curve
from eccelerate.flow.store import Record, RecordFile
from eccelerate.flow.tools import ROOT
from eccelerate.model.jobs import Op

SECONDS = 1
"""Time for which each operation runs."""
JOBS = {
    Op.MUL: "scalar_mul",
    Op.ECDH: "ecdh",
    Op.ECDSA_SIGN: "ecdsa_sign",
    Op.ECDSA_VERIFY: "ecdsa_verify",
}
"""Jobs that OpenSSL also measures, and the names of their cycles. Its ECDH multiplies any point."""
NAMES = (
    {f"P-{bits}": f"p{bits}" for bits in (192, 224, 256, 384, 521)}
    | {f"{kind}-{bits}": f"{kind.lower()}{bits}" for kind in "BK" for bits in (163, 233, 283, 409, 571)}
    | {f"brainpoolP{bits}{kind}": f"brp{bits}{kind}" for bits in (256, 384, 512) for kind in ("r1", "t1")}
)
"""Names of curves in `openssl speed`, by their names in the catalogue."""


@dataclass(frozen=True)
class SoftwareStore(RecordFile):
    """Records with curve, rates (operations per second for each job), version, host and date."""

    path: Path = ROOT / "results" / "software.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """The curve."""
        return (record["curve"],)


def version() -> str | None:
    """Name and version of the `openssl` command. None if it is missing."""
    if not external.is_installed("openssl"):
        return None
    done = external.run(["openssl", "version"], timeout=60)
    return " ".join(done.text.split()[:2]) or None


def host() -> str:
    """The processor of this machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def speed(op: Op, curve: Curve) -> int | None:
    """Operations per second of one kind of job, measured now. None if OpenSSL does not measure it."""
    job = JOBS.get(op, "")
    return measured(curve, [job]).get(job)


def measured(curve: Curve, jobs: Collection[str] = tuple(JOBS.values())) -> dict[str, int]:
    """Operations per second for each job on one core, measured now. Empty without the command, and for curves
    that it lacks.
    """
    name = NAMES.get(curve.name)
    wanted = {"ecdsa" if job.startswith("ecdsa") else "ecdh" for job in jobs if job in JOBS.values()}
    if name is None or not wanted or not external.is_installed("openssl"):
        return {}
    command = ["openssl", "speed", "-mr", "-seconds", str(SECONDS), *(kind + name for kind in sorted(wanted))]
    done = external.run(command, timeout=60)
    found: dict[str, int] = {}
    for kind, _, _, *rates in (line.split(":") for line in done.text.splitlines() if line.startswith("+F")):
        if kind == "+F4":
            found |= {"ecdsa_sign": round(float(rates[0])), "ecdsa_verify": round(float(rates[1]))}
        elif kind == "+F5":
            found |= {"scalar_mul": round(float(rates[0])), "ecdh": round(float(rates[0]))}
    return {job: found[job] for job in jobs if job in found}


def software_here(curve: Curve, progress: Callable[[str], None] | None = None) -> Record | None:
    """The rates of a curve on this machine, measured now, as a record. None if OpenSSL does not measure the
    curve.
    """
    if progress:
        progress(f"openssl speed on {curve.name}")
    rates = measured(curve)
    if not rates:
        return None
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    here = {"curve": curve.name, "version": version(), "host": host()}
    return {**here, "rates": rates, "seconds": SECONDS, "date": now}


def software_of(curve: Curve, store: SoftwareStore) -> Record | None:
    """The record of a curve that the pages show: the stored one, of whatever machine, or one measured and
    stored now.
    """
    if found := store.latest(curve=curve.name):
        return found
    record = software_here(curve)
    return None if record is None else store.put(record)


def origin(record: Record) -> str:
    """The origin of a record's rates, for people: "OpenSSL 3.0.19, one core of ..."."""
    return f"{record['version']}, one core of {record['host']}"
