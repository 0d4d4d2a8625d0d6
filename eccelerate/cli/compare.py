"""`eccel compare`: compares a published system with the configurations that answer it, in one set of
tables.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli.failures import UsageError
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.explore.comparison import Comparison, compare, with_prices
from eccelerate.explore.tables import GroupedTable, aligned
from eccelerate.flow import device as find_device

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
    """Print a comparison for people. In a terminal that is too narrow, it wraps the lines of a table."""
    system = comparison.system
    console.print(f"[bold]{system.title}[/bold]: {system.source}", highlight=False)
    console.print(f"{system.tables}\n", style="dim", highlight=False)
    for table in comparison.tables:
        flat, gap = (table.flat(), 1) if isinstance(table, GroupedTable) else (table, 2)
        console.print(flat.title, style="bold", highlight=False, markup=False)
        text = aligned(flat.columns, flat.rows, left=1, gap=gap)
        console.print(f"{text}\n", soft_wrap=True, highlight=False, markup=False)
    for text in comparison.notes:
        console.print(text, style="dim", highlight=False)
