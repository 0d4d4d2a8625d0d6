"""`eccel report`: writes the figures of README.md and of the pages under docs/ from the stores, and the HTML
page of all results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eccelerate.cli.explore import StoreOption
from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.configs.config import build_root
from eccelerate.explore.figures import Stores
from eccelerate.explore.html.report_page import page
from eccelerate.explore.pages import contents, selection
from eccelerate.explore.sweep.sweep_current import mark_current
from eccelerate.explore.sweep.sweep_records import import_records
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore, default_store


def report_command(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a page differs.")] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure and place first what is not stored (hours).")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Where the HTML page goes; default: build/report.html."),
    ] = None,
    only_html: Annotated[
        bool, typer.Option("--only-html", help="Write the HTML page and nothing else.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Write the figures of README.md and of the pages under docs/ from the stored results, and an HTML page.

    The HTML page shows every result, also those of `eccel explore`, with plots, filters and the origin of
    each point. It needs no network.
    """
    if only_html and (check or measure):
        raise UsageError("--only-html writes one file: leave out --check and --measure")
    if not only_html:
        _pages(check=check, measure=measure)
    if not check:
        _html(html or build_root() / "report.html", store or default_store())


def _pages(*, check: bool, measure: bool) -> None:
    stores = Stores()
    if measure:
        selection.measure_missing(stores, lambda text: errors.print(text, style="dim", markup=False))
    if other := selection.of_other_sources(stores):
        errors.print(f"of other sources than those here (--measure): {', '.join(other)}", markup=False)
    differing = contents.differing(stores)
    for name, text in differing.items():
        if not check:
            name.write_text(text)
        print(f"{name.name} differs from the stores: eccel report" if check else f"{name.name} written")
    if check and differing:
        raise typer.Exit(1)


def _html(path: Path, store: Path) -> None:
    try:
        opened = SweepStore(store)
        import_records(opened)
        mark_current(opened)
        text = page(opened)
    except StoreError as error:
        raise CheckError(str(error)) from error
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(f"{path} written")
