"""`eccel pick`: the engine for a budget, from the stored results."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.explore import StoreOption
from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.curves import find_curve
from eccelerate.explore.sweep.sweep_current import mark_current
from eccelerate.explore.sweep.sweep_energy import LIBRARIES
from eccelerate.explore.sweep.sweep_import import GATED
from eccelerate.explore.sweep.sweep_pick import COSTS, OF_LIBRARY, Answer, NothingFitsError, Question, pick
from eccelerate.explore.sweep.sweep_records import import_records
from eccelerate.explore.sweep.sweep_rows import origins, rows
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore, default_store
from eccelerate.explore.tables import count, fixed
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_device

SHOWN = 10
"""Rows of the table."""


class Aim(StrEnum):
    """What decides among the designs that keep the budget."""

    TIME = "time"
    RATE = "rate"
    AREA = "area"
    AREA_TIME = "area-time"
    ENERGY = "energy"
    ENERGY_POWER = "energy-power"


def pick_command(
    curve: Annotated[str, typer.Option("--curve", help="Curve of the scalar multiplication.")],
    device: Annotated[str, typer.Option("--device", help="Device of area and clock.")],
    minimise: Annotated[
        Aim, typer.Option("--minimise", help="What decides; rate: the most operations a second.")
    ] = Aim.AREA_TIME,
    max_luts: Annotated[int | None, typer.Option("--max-luts", min=0, help="At most this many LUT4.")] = None,
    max_mult: Annotated[
        int | None, typer.Option("--max-mult", min=0, help="At most this many multiplier blocks.")
    ] = None,
    max_bram: Annotated[
        int | None, typer.Option("--max-bram", min=0, help="At most this many block RAMs.")
    ] = None,
    library: Annotated[
        str,
        typer.Option(
            "--library",
            help=f"Standard cells of the energy: {', '.join(LIBRARIES)}, also with {GATED} added.",
        ),
    ] = LIBRARIES[0],
    variable_time: Annotated[
        bool, typer.Option("--variable-time", help="Also programs in variable time, for public scalars only.")
    ] = False,
    current: Annotated[
        bool, typer.Option("--current", help="Only results of the RTL and the tools that are here.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pick the engine for a curve, a device and a budget from the stored results.

    Says why, and what it did not look at. The stored results are those under results/ and those of
    `eccel explore`.
    """
    try:
        unit_device(device)
    except FlowError as error:
        raise UsageError(str(error)) from error
    if library.removesuffix(GATED) not in LIBRARIES:
        raise UsageError(f"no library {library!r}; there are: {', '.join(LIBRARIES)}")
    question = Question(
        curve=find_curve(curve).name,
        device=device,
        minimise=str(minimise),
        max_luts=max_luts,
        max_mult=max_mult,
        max_bram=max_bram,
        library=library if minimise in OF_LIBRARY else "",
        variable_time=variable_time,
        stale=not current,
    )
    try:
        opened = SweepStore(store or default_store())
        import_records(opened)
        mark_current(opened)
        answer = pick(opened, rows(opened), question)
    except (StoreError, NothingFitsError) as error:
        raise CheckError(str(error)) from error
    if as_json:
        print_json(_json(opened, answer))
    else:
        _print(opened, answer)


def _json(store: SweepStore, answer: Answer) -> dict[str, object]:
    known = origins(store)
    chosen = answer.chosen
    return {
        "question": answer.question.text,
        "chosen": {key: value for key, value in chosen.items() if key != "origins"},
        "why": answer.why,
        "kept": [
            {"design": row["design"], answer.question.column: row[answer.question.column]}
            for row in answer.kept
        ],
        "notes": answer.notes,
        "origins": [
            {"measure": each.measure, "commit": each.commit, "date": each.date, "command": each.command}
            for each in (known[key] for key in chosen["origins"])
        ],
    }


def _print(store: SweepStore, answer: Answer) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{answer.question.text}:", markup=False)
    console.print(answer.why, markup=False, style="bold")
    table = Table(title_justify="left")
    table.add_column("design")
    for column in ("LUT4", "mult", "MHz", "cycles", "us", COSTS[answer.question.minimise][1]):
        table.add_column(column, justify="right")
    for row in answer.kept[:SHOWN]:
        figures = (count(row["lut4"]), count(row["mult"]), fixed(row["mhz"], 1), count(row["cycles"]))
        cost = f"{row[answer.question.column]:,.4g}"
        table.add_row(row["design"], *figures, fixed(row["time_us"], 1), cost)
    console.print(table)
    for note in answer.notes:
        console.print(note, markup=False)
    known = origins(store)
    for key in answer.chosen["origins"]:
        each = known[key]
        console.print(f"{each.measure}: commit {each.commit}, {each.command}", style="dim", markup=False)
