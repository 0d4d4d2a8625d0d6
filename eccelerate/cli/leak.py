"""`eccel leak`: tells whether the activity of an engine depends on a secret, fixed against random."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eccelerate.attacks.leak_case import CASES, MEASURES, find_case
from eccelerate.cli.failures import UsageError
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.energy.library import NAMES
from eccelerate.explore.attack_store import LEAK, AttackStore, attack_record

if TYPE_CHECKING:  # numpy takes long to import, and most commands do not need it
    from eccelerate.attacks.leak_campaign import Result
    from eccelerate.attacks.trace_source import Setup

LEAST_TRACES = 16
"""Fewer traces have no variance in one of the four classes now and then."""
FEW_TRACES = 500
"""Of fewer traces t is not normal: it exceeds the threshold by chance more often than stated."""


def leak_command(
    config: Annotated[str, typer.Argument(help="Configuration, for example compact-w32.")],
    case: Annotated[str, typer.Argument(help=f"Job and input: {', '.join(CASES)}.")],
    traces: Annotated[int, typer.Option(min=LEAST_TRACES, help="Traces of each test.")] = 1000,
    off: Annotated[
        list[str] | None, typer.Option(help=f"Switch a measure off: {', '.join(MEASURES)}.")
    ] = None,
    control: Annotated[
        bool, typer.Option(help="Also test with all measures off, which must find more.")
    ] = True,
    control_traces: Annotated[
        int | None, typer.Option(min=LEAST_TRACES, help="Traces of that control; without it as many.")
    ] = None,
    curve: Annotated[str, typer.Option(help="Curve; without it that of the configuration.")] = "",
    seed: Annotated[int, typer.Option(min=0, help="Seed of operands and entropy.")] = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Write the picture.")] = None,
    gates: Annotated[
        bool, typer.Option("--gates", help="Trace the netlist of library cells instead of the RTL.")
    ] = False,
    library: Annotated[
        str, typer.Option(help=f"Its library: {', '.join(NAMES)}, or a Liberty file.")
    ] = NAMES[0],
    workers: Annotated[int, typer.Option(min=0, help="Models at a time; 0: one for each core.")] = 0,
    store: Annotated[bool, typer.Option("--store", help="Keep the result in results/attacks.jsonl.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Welch's t of orders 1 and 2 on the activity of an engine: one input fixed against drawn."""
    from eccelerate.attacks.leak_campaign import run
    from eccelerate.attacks.leak_chart import picture
    from eccelerate.attacks.trace_source import Setup

    chosen = find_config(config)
    if chosen.single is None or chosen.engines:
        raise UsageError(f"{config} is a cluster: attack one of its engines")
    cells = library if gates else ""
    setup = Setup(
        chosen, find_curve(curve or chosen.curve_name), find_case(case), tuple(off or ()), seed, cells
    )
    every = replace(setup, off=tuple(MEASURES))
    number = workers or len(os.sched_getaffinity(0))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def test(which: Setup, count: int, name: str) -> Result:
            task = progress.add_task(f"{config} {case}{name}", total=count)
            return run(which, count, number, lambda done: progress.update(task, completed=done))

        result = test(setup, traces, "")
        other = test(every, control_traces or traces, ", measures off") if control else None
    if plot is not None:
        plot.write_text(picture(result))
    if as_json:
        print_json(result.record | {"control": other.record if other else None})
    else:
        show(result, other, Console())
    if store:
        named = ("config", "curve", "case", "off")
        found: dict[str, Any] = {name: value for name, value in result.record.items() if name not in named}
        found["control"] = other.record if other else None
        AttackStore().put(attack_record(LEAK, chosen.name, setup.curve.name, case, setup.off, **found))


def show(result: Result, control: Result | None, console: Console) -> None:
    """Print what depends on the input under test."""
    from eccelerate.attacks.leak_campaign import SHOWN

    record = result.record
    console.print(result.setup.case.about)
    if result.setup.cells:
        console.print(f"netlist in cells of {result.setup.cells}: changes of all nets")
    console.print(
        f"{result.traces:,} traces of {record['samples']:,} clocks; threshold {result.threshold:.2f} "
        f"(corrected for the number of samples), in both of two disjoint sets"
    )
    console.print(f"[bold]{result.above:,} samples above it[/bold]; largest t {_all(record['max_t'])}")
    if result.traces < FEW_TRACES:
        console.print(f"Below {FEW_TRACES} traces samples also exceed it by chance.", style="yellow")
    if control is not None:
        console.print(
            f"with all measures off, {control.traces:,} traces: {control.above:,} samples; "
            f"largest t {_all(control.record['max_t'])}"
        )
    if result.places:
        table = Table("routine", "instruction", "order", "samples", "t", "first clock", box=None)
        for column in table.columns[2:]:
            column.justify = "right"
        for place in result.places[:SHOWN]:
            where = place.text if place.address < 0 else f"{place.address:4d}: {place.text}"
            row = (place.routine, where, str(place.order), f"{place.samples:,}", f"{place.t:.1f}")
            table.add_row(*row, f"{place.first:,}")
        console.print(table)
    console.print("The activity of a simulation has no noise, no glitches and no wires.", style="dim")


def _all(values: list[float | None]) -> str:
    return " and ".join("infinite" if t is None else f"{t:.1f}" for t in values) + " (orders 1 and 2)"
