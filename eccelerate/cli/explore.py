"""`eccel explore`: measures every point of a space, on all cores or a cluster; resumes where it stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.explore.sweep.space_file import SpaceError, read_space
from eccelerate.explore.sweep.space_points import Expanded, expand
from eccelerate.explore.sweep.sweep_dask import run_cluster
from eccelerate.explore.sweep.sweep_key import point_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_pool import State, cores, run_pool, workers_log
from eccelerate.explore.sweep.sweep_records import ExploreRecords, import_records, keep_results
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore, default_store
from eccelerate.external import CommandError

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="SQLite store; default: explore.sqlite in the build folder."
    ),
]
LOG_LINES = 12
"""Lines of a failure's log that are shown."""


def explore_command(
    space: Annotated[
        Path | None, typer.Argument(metavar="SPACE.toml", help="What to measure: see docs/explore.md.")
    ] = None,
    point: Annotated[
        str | None, typer.Option("--point", metavar="JSON", help="Instead of a space: one point of a record.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Worker processes; default: one for each core.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Measure on this Dask cluster, such as tcp://host:8786."
        ),
    ] = None,
    store: StoreOption = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Measure again what has failed before.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Also write the results to results/explore.jsonl, to be committed.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list the points with their state; measure nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure all points of a space: cycles, mapping, placement, energy of engines, multipliers, yardsticks.

    A point that the store has for the current sources is not measured again, so the command can be stopped
    at any time, also by kill -9, and goes on where it was. The same command in a second terminal helps.
    """
    if (space is None) == (point is None):
        raise UsageError("give a space file, or one point with --point")
    if jobs is not None and cluster is not None:
        raise UsageError("--jobs is for this machine: a cluster has its own workers")
    expanded = _expanded(space) if space else Expanded({point or "": _point(point or "")})
    try:
        opened = SweepStore(store or default_store())
        import_records(opened)
        points = {point_key(each): each for each in expanded.points.values()}
        sweep = opened.plan(points)
        if retry_failed and not dry_run:
            opened.retry_failed(sweep)
        if dry_run:
            _list(opened, sweep, expanded)
            return
        _announce(opened, sweep, expanded)
        states = run_cluster(opened, sweep, cluster) if cluster else run_pool(opened, sweep, jobs or cores())
        _show(states, workers_log(opened.path))
        failures = opened.failures(sweep)
        kept = keep_results(opened, sweep) if keep else None
    except StoreError as error:
        raise CheckError(str(error)) from error
    if as_json:
        print_json(_summary(opened, sweep, expanded, failures))
    else:
        _report(opened, sweep, failures, kept)
    if failures:
        raise typer.Exit(1)


def _expanded(space: Path) -> Expanded:
    try:
        return expand(read_space(space))
    except SpaceError as error:
        raise UsageError(str(error)) from error


def _point(text: str) -> Point:
    try:
        return Point.parse(text)
    except (ValueError, TypeError) as error:
        raise UsageError(f"--point is not the JSON of a point: {error}") from error


def _announce(store: SweepStore, sweep: str, expanded: Expanded) -> None:
    counts = store.counts(sweep)
    text = (
        f"{sum(counts.values())} points: {counts['done']} measured before, {counts['failed']} failed before"
    )
    errors.print(f"{text}; store {store.path}", markup=False)
    if counts["failed"]:
        errors.print("--retry-failed measures again what has failed", style="yellow", markup=False)
    _impossible(expanded)


def _impossible(expanded: Expanded) -> None:
    if expanded.impossible:
        errors.print(f"{len(expanded.impossible)} combinations cannot exist:", style="yellow", markup=False)
        for label, reason in expanded.impossible.items():
            errors.print(f"  {label}: {reason}", style="dim", markup=False)
    if expanded.excluded:
        errors.print(
            f"{expanded.excluded} combinations are excluded by the space file", style="dim", markup=False
        )


def _show(states: Iterator[State], log: Path) -> None:
    """The points as they end, and a bar with the time left."""
    began = time.monotonic()
    bar = Progress(
        TextColumn("measuring"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"),
        console=errors, transient=True, disable=not errors.is_terminal,
    )  # fmt: skip
    try:
        with bar:
            task = bar.add_task("measuring", total=None, left="")
            for state in states:
                ended = state.done + state.failed
                left = "" if state.left_s is None else f"about {duration(state.left_s)} left"
                bar.update(task, completed=ended, total=state.total, left=left)
                spent = f"{duration(time.monotonic() - began)} so far" + (f", {left}" if left else "")
                for number, (label, error) in enumerate(state.finished, ended - len(state.finished) + 1):
                    said = f"failed: {error}" if error else "measured"
                    text = f"{number}/{state.total} {label}: {said}; {spent}"
                    errors.print(text, markup=False, style="red" if error else "")
    except CommandError as error:
        raise CheckError(f"a worker process does not start (log: {log}): {error}") from error
    except KeyboardInterrupt as error:
        raise CheckError("stopped; the same command goes on with the rest") from error


def duration(seconds: float) -> str:
    """A time for a reader."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def _list(store: SweepStore, sweep: str, expanded: Expanded) -> None:
    rows = store.rows(
        "SELECT label, state, error FROM point JOIN sweep USING (key) WHERE id = ? ORDER BY number", [sweep]
    )
    for row in rows:
        print(f"{row['state']:8}{row['label']}" + (f": {row['error']}" if row["error"] else ""))
    _impossible(expanded)


def _summary(
    store: SweepStore, sweep: str, expanded: Expanded, failures: list[dict[str, Any]]
) -> dict[str, object]:
    return {
        "store": str(store.path),
        "sweep": sweep,
        "points": store.counts(sweep),
        "failures": [{name: row[name] for name in ("label", "error", "log")} for row in failures],
        "impossible": expanded.impossible,
        "excluded": expanded.excluded,
    }


def _report(store: SweepStore, sweep: str, failures: list[dict[str, Any]], kept: int | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    counts = store.counts(sweep)
    console.print(
        f"{counts['done']} of {sum(counts.values())} points are measured: {store.path}", markup=False
    )
    if kept is not None:
        console.print(f"{kept} new in {ExploreRecords().path}", markup=False)
    if failures:
        console.print(f"{len(failures)} have failed (--retry-failed measures them again):", style="red")
    for row in failures:
        console.print(f"\n{row['label']}: {row['error']}", style="red", markup=False)
        for line in row["log"].splitlines()[-LOG_LINES:]:
            console.print(f"    {line}", style="dim", markup=False)
