"""`eccel run --batch`: runs many jobs of one operation in a stream, with results as they come and figures at
the end."""

from __future__ import annotations

import csv
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from eccelerate.cli.batch_file import BatchFile
from eccelerate.cli.stored import Clock
from eccelerate.cli.values import op_name
from eccelerate.configs.config import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine, JobResult
from eccelerate.driver.cluster import Counters, all_counters
from eccelerate.driver.operands import result_names
from eccelerate.explore import software
from eccelerate.explore.tables import count, fixed
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.rtl import RtlTransport

BAD_LINE = "BAD_LINE"


@dataclass(frozen=True)
class Batch:
    """The outcome of the jobs of a file.

    answers: (index among the valid lines, JobResult) in the order of completion.
    seconds: time of the simulation.
    busy: fraction of the clocks in which each engine of a cluster had a job.
    """

    file: BatchFile
    answers: Sequence[tuple[int, JobResult]]
    seconds: float
    busy: Sequence[float] = ()

    @property
    def errors(self) -> Counter[str]:
        """How often each status without a result occurred, invalid lines included."""
        failed = Counter(
            result.status_name
            for _, result in self.answers
            if result.status not in (Status.OK, Status.INFINITY)
        )
        return failed + Counter({BAD_LINE: len(self.file.bad)})

    @property
    def cycles(self) -> int | None:
        """Cycles from the first word of the first job to the last word of the last answer. None without
        RTL.
        """
        ends = [result.cycles for _, result in self.answers if result.cycles is not None]
        return max(ends) if ends else None

    @property
    def cycles_per_job(self) -> float | None:
        """Cycles per job over all jobs, from the idle engine to the end of the last job."""
        return None if self.cycles is None else self.cycles / len(self.answers)


def run_batch(engine: Engine, config: Config, op: Op, flags: int, file: BatchFile) -> Batch:
    """Run the valid lines, with a progress bar on a terminal. Raises TransportError."""
    jobs = [line.operands for line in file.good]
    curves = [line.curve for line in file.good if line.curve]
    transport, began = engine.transport, time.monotonic()
    counts = config.engines > 0 and isinstance(transport, RtlTransport)
    before = all_counters(transport) if counts else []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task(f"{op_name(op)} on {config.name}", total=len(jobs))
        answers = engine.submit_many(
            op, jobs, flags, lambda done: bar.update(task, completed=done), curves=curves
        )
    after = all_counters(transport) if counts else []
    return Batch(
        file, answers, time.monotonic() - began, [share(*pair) for pair in zip(before, after, strict=True)]
    )


def share(before: Counters, after: Counters) -> float:
    """The fraction of the clocks between two readings in which an engine had a job."""
    clocks = after.clocks - before.clocks
    return (after.busy - before.busy) / clocks if clocks else 0.0


def records(batch: Batch, op: Op) -> Iterable[dict[str, Any]]:
    """A record for every line: first the invalid lines, then the answers in the order of completion."""
    for line in batch.file.bad:
        yield {"line": line.number, "id": line.id, "status": BAD_LINE, "error": line.error}
    lines = batch.file.good
    for index, result in batch.answers:
        line = lines[index]
        results = {name: f"{v:#x}" for name, v in zip(result_names(op), result.values, strict=False)}
        curve = {"curve": line.curve.name} if line.curve and len(batch.file.curves) > 1 else {}
        head = {"line": line.number, "id": line.id, **curve, "status": result.status_name}
        yield {**head, **results, "cycles": result.cycles}


def write_results(batch: Batch, op: Op, out: TextIO) -> None:
    """The records, in the format of the file of jobs."""
    if batch.file.is_json:
        for record in records(batch, op):
            out.write(
                json.dumps({key: value for key, value in record.items() if value not in ("", None)}) + "\n"
            )
        return
    curve = ["curve"] if len(batch.file.curves) > 1 else []
    names = ["line", "id", *curve, "status", *result_names(op), "cycles", "error"]
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(records(batch, op))


def figures(batch: Batch, config: Config, op: Op, clock: Clock | None) -> dict[str, Any]:
    """Jobs, errors, cycles, cycles of a job, operations per second at the placed clock and by OpenSSL; None
    if a figure does not exist. If there are several curves, also the jobs and the operations per second of
    each curve in the same stream.
    """
    per_job, curves = batch.cycles_per_job, batch.file.curves
    shares = {"curves": {c.name: _of_curve(batch, c, op, clock) for c in curves}} if len(curves) > 1 else {}
    return {
        "config": config.name,
        "curve": ", ".join(curve.name for curve in curves),
        "op": op_name(op),
        "jobs": len(batch.answers),
        "errors": dict(batch.errors),
        "cycles": batch.cycles,
        "cycles_per_op": None if per_job is None else round(per_job, 1),
        "mhz": clock.mhz if clock else None,
        "device": clock.device if clock else None,
        "ops_per_second": None if per_job is None or clock is None else round(clock.mhz * 1e6 / per_job),
        "openssl_ops_per_second": software.speed(op, curves[0]) if len(curves) == 1 else None,
        "engine_busy": [round(share, 3) for share in batch.busy],
        "engines": [member.name for member, number in config.pools for _ in range(number)],
        "simulation_seconds": round(batch.seconds, 1),
        **shares,
    }


def _of_curve(batch: Batch, curve: Curve, op: Op, clock: Clock | None) -> dict[str, Any]:
    """Figures of the jobs on one curve in a stream with several curves. The rate refers to the whole
    stream.
    """
    lines = batch.file.good
    mine = [result for index, result in batch.answers if lines[index].curve == curve]
    failed = Counter(
        result.status_name for result in mine if result.status not in (Status.OK, Status.INFINITY)
    )
    ends = [result.cycles for result in mine if result.cycles is not None]
    rate = None if clock is None or not batch.cycles else round(clock.mhz * 1e6 * len(mine) / batch.cycles)
    return {
        "jobs": len(mine),
        "errors": dict(failed),
        "last_answer_cycle": max(ends) if ends else None,
        "ops_per_second": rate,
        "openssl_ops_per_second": software.speed(op, curve),
    }


def print_figures(found: dict[str, Any], console: Console) -> None:
    """The figures as a table, with the reason if one is missing."""
    table = Table(title=f"{found['op']} on {found['config']}, {found['curve']}", title_justify="left")
    table.add_column("what", min_width=34)
    table.add_column("value", justify="right")
    table.add_row("jobs", count(found["jobs"]))
    errors = ", ".join(f"{status} {number}" for status, number in found["errors"].items())
    table.add_row("errors", errors or "0", style="red" if errors else "")
    table.add_row("cycles, start and end included", count(found["cycles"]))
    table.add_row("cycles per operation", fixed(found["cycles_per_op"]))
    curves = found.get("curves", {})
    for name, own in curves.items():
        rate = "" if own["ops_per_second"] is None else f", {count(own['ops_per_second'])} a second"
        jobs = f"{own['jobs']}, {count(own['last_answer_cycle'])}{rate}"
        table.add_row(f"{name}: jobs, clock of the last", jobs)
    if found["engine_busy"]:
        busy: dict[str, list[str]] = {}
        for name, share in zip(found["engines"], found["engine_busy"], strict=True):
            busy.setdefault(name, []).append(f"{share:.0%}")
        for name, shares in busy.items():
            table.add_row("engines busy" if len(busy) == 1 else f"{name} busy", " ".join(shares))
    if found["device"]:
        at = f"operations per second at {found['mhz']:.1f} MHz ({found['device']})"
        table.add_row(at, count(found["ops_per_second"]))
    else:
        table.add_row("operations per second", "no placed clock")
    for name, own in curves.items():
        table.add_row(f"openssl speed here, one core, {name}", count(own["openssl_ops_per_second"]))
    if not curves:
        table.add_row("openssl speed here, one core", count(found["openssl_ops_per_second"]))
    table.add_row("seconds of simulation", fixed(found["simulation_seconds"]))
    console.print(table)
    if not found["device"]:
        name = found["config"]
        hint = f"no placed clock of {name} is stored: eccel measure {name} --area DEVICE"
        console.print(hint, style="dim", markup=False, soft_wrap=True)


def open_out(path: Path) -> TextIO:
    """The file for the results; its folder is created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w")
