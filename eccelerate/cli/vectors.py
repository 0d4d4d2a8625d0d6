"""`eccel vectors`: published test vectors on an engine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eccelerate.cli.failures import EXIT_FAILURE, UsageError
from eccelerate.configs.config import Config, find_config
from eccelerate.rtlsim.backend import open_engine
from eccelerate.vectors import (
    Case,
    Report,
    load_cases,
    mark_skipped,
    packaged_files,
    run_cases,
    sample_cases,
)
from eccelerate.vectors.files import find_file
from eccelerate.vectors.runner import BATCH
from eccelerate.vectors.summary import GroupReport

SHOWN_FAILURES = 20


class Family(StrEnum):
    """Sets of packaged files that can be named in place of a file."""

    WYCHEPROOF = "wycheproof"
    XDH = "xdh"
    NIST = "nist"


def vectors_command(
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    files: Annotated[
        list[str],
        typer.Argument(
            help="Vector files, names of packaged ones, or wycheproof, xdh, nist for all of a family."
        ),
    ],
    iss: Annotated[
        bool, typer.Option("--iss", help="Instruction-set simulator instead of the RTL model.")
    ] = False,
    golden: Annotated[
        bool, typer.Option("--golden", help="Golden model: checks the vectors' own reader.")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, help="About this many of each file, every flag and group covered."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to run in.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sample and of the entropy port.")] = 1,
) -> None:
    """Run Wycheproof JSON and NIST response files. Exit 1 if a vector fails, or if none of a file, or of a
    family, reaches the engine.
    """
    if iss and golden:
        raise UsageError("--iss and --golden exclude each other")
    cfg = find_config(config)
    if cfg.variable_time:
        raise UsageError(f"{cfg.name} has no job of the vectors' kinds, ECDH and ECDSA: {cfg.caution}")
    backend = "iss" if iss else "golden" if golden else "rtl"
    asked = {name: packaged_files(name) if name in list(Family) else [find_file(name)] for name in files}
    paths = list(dict.fromkeys(path for group in asked.values() for path in group))
    chosen = {path: _chosen(path, cfg, sample, seed) for path in paths}
    reports = {path: Report(path.name) for path in paths}
    chunks = [(path, start) for path in paths for start in range(0, len(chosen[path]), BATCH)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("vectors", total=sum(map(len, chosen.values())))
        if jobs == 1:
            engine = open_engine(cfg, backend, seed=seed)
            for path, cases in chosen.items():
                progress.update(task, description=path.name)
                for outcome in run_cases(engine, cases):
                    reports[path].add(outcome)
                    progress.advance(task)
        else:
            # A fork would also have the models and pipes of this process.
            context = multiprocessing.get_context("forkserver")
            arguments = (cfg.name, backend, seed)
            with ProcessPoolExecutor(jobs, context, initializer=_open, initargs=arguments) as pool:
                work = {pool.submit(_chunk, *chunk, sample, seed): chunk for chunk in chunks}
                for done in as_completed(work):
                    path, start = work[done]
                    reports[path].merge(done.result())
                    progress.advance(task, len(chosen[path][start : start + BATCH]))
    console = Console(highlight=False)
    for report in reports.values():
        console.print(_table(report))
    wanted = {name: _total(name, [reports[path] for path in group]) for name, group in asked.items()}
    _print_summary(console, reports.values(), wanted)
    if not all(total.ok for total in wanted.values()):
        raise typer.Exit(EXIT_FAILURE)


def _chosen(path: Path, config: Config, sample: int | None, seed: int) -> Sequence[Case]:
    cases = mark_skipped(load_cases(path), config.lacks)
    return cases if sample is None else sample_cases(cases, sample, seed)


_worker: dict[str | Path, Any] = {}


def _open(config: str, backend: str, seed: int) -> None:
    """One engine per process, opened once."""
    _worker["config"] = find_config(config)
    _worker["engine"] = open_engine(_worker["config"], backend, seed=seed)


def _chunk(path: Path, start: int, sample: int | None, seed: int) -> Report:
    """Run a part of a file. Cases hold functions and cannot be sent to another process, so each process reads
    the file again, once.
    """
    if path not in _worker:
        _worker[path] = _chosen(path, _worker["config"], sample, seed)
    return Report(path.name).extend(run_cases(_worker["engine"], _worker[path][start : start + BATCH]))


def _table(report: Report) -> Table:
    table = Table(title=report.file, title_justify="left")
    for column in ("group", "pass", "fail", "skip", "on engine", "cycles", "reason"):
        table.add_column(column, justify="left" if column in ("group", "reason") else "right")
    for group in report.groups.values():
        reasons = [f"{count} x {reason}" for reason, count in group.skip_reasons.items()] + group.failures[:1]
        table.add_row(
            group.name,
            str(group.passed),
            f"[red]{group.failed}[/red]" if group.failed else "0",
            str(group.skipped),
            str(group.on_engine),
            f"{group.cycles:,}" if group.cycles else "",
            "; ".join(reasons).replace("[", r"\["),
        )
    return table


def _total(name: str, reports: Sequence[Report]) -> GroupReport:
    """The counts of everything that the user asked for by one name."""
    total = GroupReport(name)
    for report in reports:
        total.merge(report.total, f"{report.file}: ")
    return total


def _print_summary(console: Console, reports: Iterable[Report], wanted: Mapping[str, GroupReport]) -> None:
    """A line for each file, one for each family, and the failures."""
    failures = [f"{report.file}: {text}" for report in reports for text in report.total.failures]
    for text in failures[:SHOWN_FAILURES]:
        console.print(text, style="red", markup=False)
    if len(failures) > SHOWN_FAILURES:
        console.print(f"... and {len(failures) - SHOWN_FAILURES} more failures")
    lines = [report.total for report in reports]
    lines += [total for name, total in wanted.items() if name in list(Family)]
    for total in lines:
        style = "red" if total.failed else "green" if total.ok else "yellow"
        console.print(f"{total.name}: {total.summary}", style=style, markup=False, soft_wrap=True)
