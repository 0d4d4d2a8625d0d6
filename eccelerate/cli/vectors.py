"""`eccel vectors`: published test vectors on an engine."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eccelerate.cli.errors import EXIT_FAILURE, UsageError
from eccelerate.configs.config import find_config
from eccelerate.rtlsim.backend import open_engine
from eccelerate.vectors import Case, Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.files import find_file

CHUNK = 25
SHOWN_FAILURES = 20


class Family(StrEnum):
    """Sets of packaged files that can stand for file names."""

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
    """Run Wycheproof JSON and NIST response files; exit 1 if any vector fails."""
    if iss and golden:
        raise UsageError("--iss and --golden exclude each other")
    cfg = find_config(config)
    if cfg.variable_time:
        raise UsageError(f"{cfg.name} has no job of the vectors' kinds, ECDH and ECDSA: {cfg.caution}")
    backend = "iss" if iss else "golden" if golden else "rtl"
    paths = [
        path
        for name in files
        for path in (packaged_files(name) if name in list(Family) else [find_file(name)])
    ]
    chosen = [_chosen(path, sample, seed) for path in paths]
    console = Console()
    reports = [Report(path.name) for path in paths]
    chunks = [
        (number, start, cases[start : start + CHUNK])
        for number, cases in enumerate(chosen)
        for start in range(0, len(cases), CHUNK)
    ]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("vectors", total=sum(map(len, chosen)))
        if jobs == 1:
            engine = open_engine(cfg, backend, seed=seed)
            for number, _, cases in chunks:
                progress.update(task, description=paths[number].name)
                for outcome in run_cases(engine, cases):
                    reports[number].add(outcome)
                    progress.advance(task)
        else:
            with ProcessPoolExecutor(jobs, initializer=_open, initargs=(cfg.name, backend, seed)) as pool:
                work = {
                    pool.submit(_chunk, str(paths[number]), sample, seed, start): (number, len(cases))
                    for number, start, cases in chunks
                }
                for done in as_completed(work):
                    number, size = work[done]
                    reports[number].merge(done.result())
                    progress.advance(task, size)
    for report in reports:
        console.print(_table(report))
    _print_totals(console, reports, backend)
    if not all(report.ok or _only_skipped(report) for report in reports):
        raise typer.Exit(EXIT_FAILURE)


def _chosen(path: Path, sample: int | None, seed: int) -> Sequence[Case]:
    cases = load_cases(path)
    return cases if sample is None else sample_cases(cases, sample, seed)


_worker: dict[str, object] = {}


def _open(config: str, backend: str, seed: int) -> None:
    """One engine per process, opened once."""
    _worker["engine"] = open_engine(find_config(config), backend, seed=seed)


def _chunk(path: str, sample: int | None, seed: int, start: int) -> Report:
    """Cases hold functions and do not travel between processes: each reads the file again, once."""
    key = f"cases {path}"
    if key not in _worker:
        _worker[key] = _chosen(Path(path), sample, seed)
    cases = _worker[key]
    return Report(path).extend(run_cases(_worker["engine"], cases[start : start + CHUNK]))  # type: ignore[index, arg-type]


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


def _print_totals(console: Console, reports: Sequence[Report], backend: str) -> None:
    totals = [report.total for report in reports]
    passed, failed, skipped, on_engine = (
        sum(getattr(total, name) for total in totals) for name in ("passed", "failed", "skipped", "on_engine")
    )
    failures = [f"{total.name}: {text}" for total in totals for text in total.failures]
    for text in failures[:SHOWN_FAILURES]:
        console.print(text, style="red", markup=False)
    if len(failures) > SHOWN_FAILURES:
        console.print(f"... and {len(failures) - SHOWN_FAILURES} more failures")
    console.print(
        f"{passed} passed ({on_engine} ran on the {backend} engine, the host decided the rest), "
        f"{failed} failed, {skipped} skipped",
        style="red" if failed else "green",
    )


def _only_skipped(report: Report) -> bool:
    total = report.total
    return total.failed == 0 and total.skipped > 0
