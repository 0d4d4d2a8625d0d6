"""`eccel compare`: compares a published system with the configurations that answer it, in one set of
tables.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from eccelerate.cli.run import JsonOption, print_json
from eccelerate.explore.comparison import Comparison, compare
from eccelerate.explore.tables import GroupedTable


def compare_command(
    name: Annotated[str, typer.Argument(help="Published system, for example vliegen2010.")],
    as_json: JsonOption = False,
) -> None:
    """Print our figures next to the published table; what is not stored yet is measured first."""
    with Console(stderr=True).status("reading the stores") as line:
        comparison = compare(name, line.update)
    if as_json:
        print_json(comparison.record)
    else:
        show(comparison, Console())


def show(comparison: Comparison, console: Console) -> None:
    """Print a comparison for people."""
    system = comparison.system
    console.print(f"[bold]{system.title}[/bold]: {system.source}", highlight=False)
    console.print(f"{system.tables}\n", style="dim", highlight=False)
    for table in comparison.tables:
        console.print(rendered(table))
        console.print()
    for text in comparison.notes:
        console.print(text, style="dim", highlight=False)


def rendered(grouped: GroupedTable) -> Table:
    """The table as a terminal shows it. Three groups need 98 columns."""
    table = Table(
        title=grouped.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    table.add_column(grouped.first, min_width=25, no_wrap=True)
    for name in grouped.groups:
        table.add_column(f"{name} paper", justify="right", no_wrap=True, min_width=9)
        table.add_column("ours", justify="right", no_wrap=True, min_width=7, style="cyan")
        table.add_column("", justify="right", no_wrap=True, min_width=5)
    for label, cells in grouped.rows:
        table.add_row(label, *[text for cell in cells for text in cell])
    return table
