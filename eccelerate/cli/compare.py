"""`eccel compare`: compares a published system with the configurations that answer it, in one set of
tables.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import UsageError
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.explore.comparison import Comparison, compare, with_prices
from eccelerate.explore.tables import GroupedTable, PlainTable
from eccelerate.flow import device as find_device

WIDEST = 500
"""Columns within which each table is measured."""
PriceOption = Annotated[
    list[str] | None,
    typer.Option("--price", metavar="DEVICE=AMOUNT", help="Price of a device, for throughput per price."),
]


def parse_price(text: str) -> tuple[str, float]:
    """Device and price. Raises UsageError, and FlowError with the known devices."""
    device, separator, amount = text.partition("=")
    try:
        price = float(amount)
    except ValueError:
        price = 0.0
    if not device or not separator or not 0 < price < float("inf"):
        raise UsageError(f"--price {text}: give a device and a positive number, such as ecp5-85f-6=30")
    find_device(device)
    return device, price


def compare_command(
    name: Annotated[str, typer.Argument(help="Published system, for example vliegen2010.")],
    price: PriceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print our figures next to the published table; what is not stored yet is measured first."""
    prices = dict(parse_price(text) for text in price or [])
    with Console(stderr=True).status("reading the stores") as line:
        comparison = compare(name, line.update)
    if prices:
        try:
            comparison = with_prices(comparison, prices)
        except ValueError as error:
            raise UsageError(f"--price: {error}") from error
    if as_json:
        print_json(comparison.record)
    else:
        show(comparison, Console())


def show(comparison: Comparison, console: Console) -> None:
    """Print a comparison for people."""
    system = comparison.system
    console.print(f"[bold]{system.title}[/bold]: {system.source}", highlight=False)
    console.print(f"{system.tables}\n", style="dim", highlight=False)
    width = console.width
    for table in comparison.tables:
        shown = rendered(table) if isinstance(table, GroupedTable) else plain(table)
        # In a narrower terminal its lines wrap there: otherwise figures would be cut.
        console.width = max(width, Console(width=WIDEST).measure(shown).maximum)
        console.print(shown)
        console.width = width
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


def plain(table: PlainTable) -> Table:
    """The table as a terminal shows it."""
    shown = Table(
        title=table.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for i, name in enumerate(table.columns):
        shown.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    return shown
