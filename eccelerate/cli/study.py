"""`eccel study`: what coordinates, algorithm, digit size and multipliers cost for k P over GF(2^163)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from eccelerate.cli.failures import UsageError, errors
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.configs.study_config import variant_name, variants
from eccelerate.explore.study import study_tables as tables
from eccelerate.explore.study.study_chart import pictures
from eccelerate.explore.study.study_measure import measure_all
from eccelerate.explore.study.study_plan import missing, stale
from eccelerate.explore.study.study_rows import StudyRow, published_study, study_rows
from eccelerate.explore.study.study_store import PARTS, StudyStore
from eccelerate.explore.tables import aligned

StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Records; default: results/study.jsonl.")
]


def study_command(
    units: Annotated[
        str | None, typer.Option("--units", help="Only variants whose name contains this text.")
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="First measure what is not stored (hours); it can be stopped at any time and goes on where"
            " it was.",
        ),
    ] = False,
    parts: Annotated[
        str | None,
        typer.Option("--parts", metavar="LIST", help=f"With --measure: only these of {', '.join(PARTS)}."),
    ] = None,
    as_json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="DIR", help="Write the diagrams as SVG to this folder.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Print the stored figures of a multiplication of a point over GF(2^163): cycles, area, energy, products.

    A variant is coordinates and algorithm, digit size, 1 to 3 multipliers, with or without the divider. Time
    and power are those at 80 MHz, the clock of the paper. Energy and power are those of the cell library
    sg13g2 with clock gates, before layout.
    """
    chosen = [name for name in variants() if units is None or units in name]
    if not chosen:
        raise UsageError(f"no variant contains {units!r}; there are {len(variants())}: {_some()}")
    if parts is not None and not measure:
        raise UsageError("--parts is for --measure")
    records = StudyStore() if store is None else StudyStore(store)
    if measure:
        _measure(records, set(chosen), _parts(parts))
    found = study_rows(records, lambda row: row.name in chosen)
    if plot is not None:
        plot.mkdir(parents=True, exist_ok=True)
        for name, text in pictures(found).items():
            (plot / name).write_text(text)
            errors.print(f"{plot / name} written", markup=False)
    if as_json:
        print_json({"rows": [row.json() for row in found]})
    else:
        _print(found, len(chosen), records)


def _some() -> str:
    return ", ".join(list(variants())[:2]) + ", ..."


def _parts(text: str | None) -> set[str]:
    asked = set(PARTS) if text is None else {part.strip() for part in text.split(",")}
    if unknown := sorted(asked - set(PARTS)):
        raise UsageError(f"no part {unknown[0]!r}; there are: {', '.join(PARTS)}")
    return asked


def _measure(records: StudyStore, chosen: set[str], parts: set[str]) -> None:
    wanted = [
        (image, part) for image, part in missing(records) if variant_name(image) in chosen and part in parts
    ]
    errors.print(f"{len(wanted)} figures to measure", markup=False)
    began = time.monotonic()
    for number, step in enumerate(measure_all(wanted, records), 1):
        said = f"failed: {step.problem}" if step.record is None else f"{step.record['seconds']:.0f} s"
        left = (time.monotonic() - began) / number * step.left / 60
        row = f"{number}/{len(wanted)} {step.name} {step.part}: {said}; about {left:.0f} min left"
        errors.print(row, markup=False, style="red" if step.record is None else "")


def _print(found: list[StudyRow], wanted: int, records: StudyStore) -> None:
    if not found:
        print(f"Nothing is stored of the {wanted} variants that you ask for: eccel study --measure")
        return
    print(aligned(tables.COLUMNS, [tables.line(row) for row in found]))
    print(f"\n{published_study().source}; its power has 92 mW of quiescent power in it:\n")
    columns = ("variant", "whose", "us", "LUT4", "LUT4 x s", "mW", "uJ")
    print(aligned(columns, [[cell.strip("`") for cell in line] for line in tables.paper_lines(found)]))
    print(f"\n{len(found)} of {wanted} variants have stored figures (the rest: --measure).")
    if old := stale(records):
        print(f"Of earlier sources: {', '.join(old[:5])}{' and more' if len(old) > 5 else ''}.")
