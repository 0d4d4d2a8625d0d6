"""`eccel fault`: flips bits of an engine during a job, or skips instructions, and tells what came of it."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eccelerate.attacks.fault_campaign import Campaign, Summary, run
from eccelerate.attacks.measures import MEASURES, require_known
from eccelerate.attacks.victim_job import JOBS, find_job
from eccelerate.cli.failures import UsageError
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.state_layout import Place

PLACES = {place.name.lower(): place for place in Place}


def fault_command(
    config: Annotated[str, typer.Argument(help="Configuration, for example compact-w32.")],
    job: Annotated[str, typer.Argument(help=f"Job: {', '.join(JOBS)}.")],
    flips: Annotated[int, typer.Option(min=0, help="Random bits to flip in each place.")] = 200,
    where: Annotated[str, typer.Option(help=f"Places, separated by commas: {', '.join(PLACES)}.")] = "state",
    skip_each: Annotated[bool, typer.Option(help="Also skip each instruction once.")] = False,
    curve: Annotated[str, typer.Option(help="Curve; without it that of the configuration.")] = "",
    off: Annotated[str, typer.Option(help=f"Measures to leave out: {', '.join(MEASURES)}.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of operands and faults.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Trials at a time; 0: one for each core.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Flip bits of an engine's RTL during a job; it can be stopped at any time and goes on where it was."""
    chosen = find_config(config)
    if chosen.single is None or chosen.engines:
        raise UsageError(f"{config} is a cluster: attack one of its engines")
    campaign = Campaign(
        chosen,
        find_curve(curve or chosen.curve_name),
        find_job(job),
        flips,
        parse_places(where),
        skip_each,
        seed,
        require_known([name for name in off.split(",") if name]),
    )
    summary = Summary()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(f"{config} {job}", total=None)
        for trial, left in run(campaign, workers or len(os.sched_getaffinity(0))):
            summary.add(trial)
            total = summary.counts.total() + left
            wrong = summary.record["wrong_ok"]
            progress.update(
                task, total=total, completed=total - left, description=f"{config} {job}, {wrong} wrong"
            )
    if as_json:
        print_json(summary.record)
    else:
        show(summary, Console())


def parse_places(text: str) -> tuple[Place, ...]:
    """The places of a list. Raises UsageError."""
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in PLACES]
    if unknown:
        raise UsageError(f"--where {text}: there is no place {unknown[0]!r}; places: {', '.join(PLACES)}")
    return tuple(PLACES[name] for name in names)


def show(summary: Summary, console: Console) -> None:
    """Print outcomes, and the faults that nothing noticed."""
    record = summary.record
    table = Table("outcome", "trials", "share", box=None, padding=(0, 3, 0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
    for key, text in (
        ("correct", "right result"),
        ("detected", "refused with a status"),
        ("wrong_ok", "wrong result with status OK"),
        ("hang", "no answer"),
        ("next_wrong", "next job wrong with status OK"),
        ("next_hang", "next job without answer"),
    ):
        share = record[key] / record["flips"] if record["flips"] else 0.0
        table.add_row(text, f"{record[key]:,}", f"{share:.1%}")
    console.print(table)
    for each in record["where"]:
        console.print(f"{each['fault']}: {each['outcome'].lower()}, next {each['next'].lower()}", style="dim")
