"""`eccel report`: writes the figures of README.md and of the pages under docs/ from the stores."""

from __future__ import annotations

from typing import Annotated

import typer

from eccelerate.cli.failures import errors
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages import contents, selection


def report_command(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a page differs.")] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure and place first what is not stored (hours).")
    ] = False,
) -> None:
    """Write the figures of README.md and of the pages under docs/ from the stored results."""
    stores = Stores()
    if measure:
        selection.measure_missing(stores, lambda text: errors.print(text, style="dim", markup=False))
    if other := selection.of_other_sources(stores):
        errors.print(f"of other sources than those here (--measure): {', '.join(other)}", markup=False)
    differing = contents.differing(stores)
    for page, text in differing.items():
        if not check:
            page.write_text(text)
        print(f"{page.name} differs from the stores: eccel report" if check else f"{page.name} written")
    if check and differing:
        raise typer.Exit(1)
