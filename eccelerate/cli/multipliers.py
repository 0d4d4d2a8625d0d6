"""`eccel multipliers`: the family of multipliers in numbers, the one for a budget, and a folder with RTL."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.explore.multipliers import multiplier_tables as tables
from eccelerate.explore.multipliers.multiplier_chart import picture
from eccelerate.explore.multipliers.multiplier_family import CLAIMED_ON, DEVICES, WIDTHS, Wanted, family
from eccelerate.explore.multipliers.multiplier_measure import expected_seconds, sweep
from eccelerate.explore.multipliers.multiplier_pick import Budget, Choice, NothingFitsError, pick
from eccelerate.explore.multipliers.multiplier_rows import Row, missing, rows, stale_units
from eccelerate.explore.multipliers.published_units import published_table
from eccelerate.explore.tables import aligned
from eccelerate.flow.multiplier_bundle import write_unit
from eccelerate.flow.multiplier_store import MultiplierStore, unit_device


class Kind(StrEnum):
    """The kinds of the family."""

    SHIFT_ADD = "shift-add"
    CARRY_SAVE = "carry-save"
    BOOTH = "booth"
    KARATSUBA = "karatsuba"
    BROADCAST = "broadcast"
    COMBA = "comba"


class Reduction(StrEnum):
    """Plain and modular products."""

    NONE = "none"
    MONTGOMERY = "montgomery"
    SOLINAS = "solinas"


class Cost(StrEnum):
    """What can be minimised."""

    LUT4 = "lut4"
    MULT = "mult"
    TIME = "time"
    AREA_TIME = "area-time"


multipliers = typer.Typer(help="The family of multipliers: figures, the one for a budget, and its RTL.")

BitsOption = Annotated[int | None, typer.Option("--bits", min=1, help="Only this width.")]
DeviceOption = Annotated[
    str | None, typer.Option("--device", help=f"Only this device: {', '.join(DEVICES)}.")
]
ReductionOption = Annotated[Reduction | None, typer.Option("--reduction", help="Only this reduction.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="New or empty folder for the RTL.")]


@multipliers.callback(invoke_without_command=True)
def multipliers_command(
    context: typer.Context,
    bits: BitsOption = None,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    device: DeviceOption = None,
    reduction: ReductionOption = None,
    as_json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Write the picture of these rows.")
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="First simulate, map and place the rows that are not stored (hours); it can be stopped at"
            " any time and goes on where it was.",
        ),
    ] = False,
    map_only: Annotated[
        bool,
        typer.Option("--map-only", help="With --measure: do not place. A later --measure without it does."),
    ] = False,
    units: Annotated[
        str | None, typer.Option("--units", help="Only units whose name contains this text.")
    ] = None,
) -> None:
    """Print the stored figures of the family: area, clock, latency, throughput, and the paper's rows.

    A row is placed (ECP5, Nexus, iCE40) or mapped (xc2v, and units too large for their device). `front` marks
    the units that no other one of the same width, device and reduction equals or beats in LUT4, blocks and
    time for a product all at once. `ns` is the clock period; a product takes `latency` of them.
    """
    if context.invoked_subcommand is not None:
        return
    _known(device)
    if map_only and not measure:
        raise UsageError("--map-only is for --measure")

    def asked(config_bits: int, name: str, config_kind: str, config_reduction: str, on: str) -> bool:
        return (
            bits in (None, config_bits)
            and kind in (None, config_kind)
            and reduction in (None, config_reduction)
            and device in (None, on)
            and (units is None or units in name)
        )

    def wanted(each: Wanted) -> bool:
        config = each.config
        return asked(config.bits, config.name, config.kind, config.reduction, each.device)

    def keep(row: Row) -> bool:
        return wanted(Wanted(row.config, row.device))

    if measure:
        _measure([each for each in missing(map_only=map_only) if wanted(each)], map_only)
    found = rows(keep=keep)
    if plot is not None:
        plot.write_text(picture(found, _title(bits, device)))
        errors.print(f"{plot} written", markup=False)
    if as_json:
        print_json({"rows": [row.json() for row in found]})
    else:
        _print(found, sum(map(wanted, family())))


@multipliers.command("pick")
def pick_command(
    bits: Annotated[int, typer.Option("--bits", min=1, help="Width of the operands.")],
    max_mult: Annotated[
        int | None, typer.Option("--max-mult", min=0, help="At most this many multiplier blocks.")
    ] = None,
    per_cycle: Annotated[
        int | None,
        typer.Option("--per-cycle", min=1, metavar="N", help="One product in at most N cycles (8: every 8)."),
    ] = None,
    max_luts: Annotated[int | None, typer.Option("--max-luts", min=0, help="At most this many LUT4.")] = None,
    device: Annotated[str, typer.Option("--device", help="Device of the figures.")] = CLAIMED_ON,
    reduction: Annotated[Reduction, typer.Option("--reduction", help="Plain or modular.")] = Reduction.NONE,
    minimise: Annotated[
        Cost, typer.Option("--minimise", help="What decides among the units that keep the budget.")
    ] = Cost.LUT4,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pick the unit for a budget from the stored figures; says why, and what it did not look at."""
    _known(device)
    budget = Budget(bits, device, str(reduction), max_mult, max_luts, per_cycle, str(minimise))
    try:
        choice = pick(rows(), budget)
    except NothingFitsError as error:
        raise CheckError(str(error)) from error
    if as_json:
        print_json(
            {
                "chosen": choice.chosen.json(),
                "why": choice.why,
                "front": [row.json() for row in choice.front],
                "notes": choice.notes,
            }
        )
    else:
        _print_choice(choice)
    if out is not None:
        _build(choice.chosen.config.name, device, out)


@multipliers.command("build")
def build_command(
    name: Annotated[str, typer.Argument(help="Unit, such as karatsuba-256-l4-pipelined.")],
    out: Annotated[Path, typer.Option("--out", help="New or empty folder.")],
    device: Annotated[str, typer.Option("--device", help="Device whose primitives are taken.")] = CLAIMED_ON,
) -> None:
    """Write RTL, test bench, file lists, core file and checksums of a unit; any width and option will do."""
    _known(device)
    _build(name, device, out)


def _build(name: str, device: str, out: Path) -> None:
    config = parse_multiplier(name)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not an empty folder: give a new one")
    record = MultiplierStore().latest(config=config.name, device=device)
    files = write_unit(config, unit_device(device), out, record)
    errors.print(f"{len(files)} files in {out}: `make` there runs the bench", style="green", markup=False)


def _known(device: str | None) -> None:
    if device is not None and device not in DEVICES:
        raise UsageError(f"no device {device!r} for multipliers; there are: {', '.join(DEVICES)}")


def _title(bits: int | None, device: str | None) -> str:
    width = f"{bits}-bit multipliers" if bits else f"multipliers of {WIDTHS[0]} to {WIDTHS[-1]} bits"
    return f"{width}, placed on {device or 'their devices'}, logarithmic axes"


def _measure(wanted: list[Wanted], map_only: bool) -> None:
    store = MultiplierStore()
    left, began = expected_seconds(wanted, store), time.monotonic()
    errors.print(f"{len(wanted)} rows to measure, about {_duration(left)}", markup=False)
    for number, done in enumerate(sweep(wanted, store, map_only=map_only), 1):
        config, on = done.wanted.config, done.wanted.device
        if done.record is None:
            said = f"failed: {done.problem}"
        else:
            clock = done.record["worst_mhz"]
            said = f"{done.record['lut4']:,} LUT4, {done.record['mult']} mult"
            said += f", {clock:.1f} MHz" if clock else ", mapped"
        spent = _duration(time.monotonic() - began)
        said += f"; {spent} so far, {_duration(done.left_s)} left"
        row = f"{number}/{len(wanted)} {config.name} on {on}: {said}"
        errors.print(row, markup=False, style="red" if done.record is None else "")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


def _print(found: list[Row], wanted: int) -> None:
    if not found:
        print(f"No row is stored of the {wanted} that you ask for: eccel multipliers --measure")
        return
    print(aligned(tables.COLUMNS, tables.table(found)))
    paper = published_table()
    if lines := tables.paper_table(found, only_stored=True):
        print(f"\n{paper.title}, {paper.device}; ours mapped for the same family (xc2v):\n")
        print(aligned(tables.PAPER_COLUMNS, lines))
    print(f"\n{len(found)} of {wanted} rows are stored (the rest: --measure).")
    if old := stale_units(found):
        names = ", ".join(f"{row.config.name} on {row.device}" for row in old[:5])
        more = f" and {len(old) - 5} more" if len(old) > 5 else ""
        print(f"Of earlier sources: {names}{more}.")


def _print_choice(choice: Choice) -> None:
    print(f"Budget: {choice.budget.text}.")
    print(choice.why)
    for note in choice.notes:
        print(note)
    print("\nPareto front of the units that keep the budget:\n")
    print(aligned(tables.COLUMNS, tables.table(choice.front)))
