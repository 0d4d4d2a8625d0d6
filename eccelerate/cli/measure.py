"""`eccel measure`: cycles on the RTL, area and clock from the flow."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import UsageError, errors
from eccelerate.cli.run import CurveOption, JsonOption, SeedOption, print_json, usable_curve
from eccelerate.cli.stored import Clock, area_record, known_device, placed_clock
from eccelerate.configs.config import find_config
from eccelerate.curves import load_catalogue
from eccelerate.explore.cycle_records import SEED, CycleStore, keep, measured
from eccelerate.explore.software import JOBS, origin, software_here
from eccelerate.explore.tables import count, fixed
from eccelerate.explore.versions import tool_versions
from eccelerate.flow.pnr import DEFAULT_SEEDS
from eccelerate.flow.store import commit
from eccelerate.rtlsim.measure_cluster import measure_cluster

AREA_NAMES = {"lut4": "LUT4", "ff": "flip-flops", "mult": "multipliers", "bram": "block RAMs"}


def measure_command(
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    cycles: Annotated[bool, typer.Option("--cycles", help="Measure cycles (also without --area).")] = False,
    curve: CurveOption = None,
    area: Annotated[
        str | None, typer.Option("--area", metavar="DEVICE", help="Place and route for this device as well.")
    ] = None,
    shell: Annotated[
        bool | None,
        typer.Option(
            "--shell/--no-shell",
            help="Area with or without the bus shell; default: as its figures are claimed.",
            show_default=False,
        ),
    ] = None,
    placements: Annotated[
        int,
        typer.Option("--placements", min=1, help="With --area: number of seeds; the slowest counts."),
    ] = len(DEFAULT_SEEDS),
    as_json: JsonOption = False,
    seed: SeedOption = SEED,
) -> None:
    """Measure cycles of every job and part of it on the RTL, and the placed area; kept in results/.

    Also shows the rates at the placed clock, if one is stored, and the rates of OpenSSL on this machine.

    For a cluster of several configurations it measures scalar multiplications by each pool, alone and all
    together; these figures are shown, but not stored.
    """
    cfg = find_config(config)
    if cfg.caution:
        errors.print(f"{cfg.name}: {cfg.caution}", style="yellow", markup=False)
    if cfg.single is None and curve is not None:
        raise UsageError(f"{cfg.name} is measured with the curve of each of its pools: leave out --curve")
    domain = usable_curve(curve, cfg)
    if area is not None:
        known_device(area)  # before minutes of measuring
    status = Console(stderr=True)
    record: dict[str, Any] = {"config": cfg.name} | ({} if cfg.single is None else {"curve": domain.name})
    with status.status("building the model") as line:
        if cfg.single is None and (cycles or area is None):
            record["pools"] = [asdict(r) for r in measure_cluster(cfg, seed=seed, progress=line.update)]
        elif cycles or area is None:
            record["cycles"] = measured(cfg, domain, seed=seed, progress=line.update)
            if seed == SEED and domain.name in load_catalogue() and not (curve or "").endswith(".toml"):
                keep(cfg, domain, record["cycles"], CycleStore())
            record["openssl"] = software_here(domain, line.update)
        record |= {"commit": commit(), "tools": tool_versions()}
        if area is not None:
            seeds = range(1, placements + 1)
            record["area"] = area_record(cfg, area, shell=shell, seeds=seeds, progress=line.update)
    if as_json:
        print_json(record)
    else:
        _print(record)


def _print(record: dict[str, Any]) -> None:
    console = Console(highlight=False)
    if "cycles" in record:
        clock = placed_clock(find_config(record["config"]))
        console.print(_cycles(record, clock))
        if clock is not None:
            console.print(f"a second: at {clock.mhz:.1f} MHz ({clock.device})", style="dim")
        if record["openssl"]:
            console.print(f"openssl speed: {origin(record['openssl'])}", style="dim")
    if "pools" in record:
        console.print(_pools(record, placed_clock(find_config(record["config"]))))
    if "area" in record:
        area = record["area"]
        title = f"Area: {record['config']}, {area['device']}"
        table = _table(title, "what", "value")
        for name, text in AREA_NAMES.items():
            table.add_row(text, count(area[name]))
        for seed, mhz in area["fmax_mhz"].items():
            table.add_row(f"MHz, seed {seed}", fixed(mhz))
        if area["fmax_mhz"]:
            table.add_row("MHz, worst seed", fixed(area["worst_mhz"]))
        console.print(table)
    tools = ", ".join(f"{name} {version}" for name, version in record["tools"].items())
    console.print(f"commit {record['commit']}; {tools}", style="dim")


def _cycles(record: dict[str, Any], clock: Clock | None) -> Table:
    """Cycles by job and part. Jobs that OpenSSL has too have rates, ours at the placed clock if stored."""
    title = f"Cycles on the RTL: {record['config']}, {record['curve']}"
    table = _table(title, "job or part", "cycles")
    theirs = record["openssl"]["rates"] if record["openssl"] else {}
    if clock is not None:
        table.add_column("a second", justify="right")
    if theirs:
        table.add_column("openssl speed", justify="right")
    for name, value in record["cycles"].items():
        job = name.removesuffix("_sustained")
        rates = []
        if clock is not None:
            rates.append(count(round(clock.mhz * 1e6 / value)) if job in JOBS.values() else "")
        if theirs:
            rates.append(count(theirs[job]) if job in theirs else "")
        table.add_row(name, count(value), *rates)
    return table


def _pools(record: dict[str, Any], clock: Clock | None) -> Table:
    """The rates of a cluster's pools; per second if a placed clock is stored."""
    mhz, what = 1.0, "for each MHz"
    if clock is not None:
        mhz, what = clock.mhz, f"at {clock.mhz:.1f} MHz ({clock.device})"
    title = f"k P on the RTL, one after the other in a stream: {record['config']}"
    table = Table(title=title, title_justify="left")
    table.add_column("pool")
    for column in ("curve", "clocks, alone", "clocks, all at once", f"a second {what}, all at once"):
        table.add_column(column, justify="right")
    for pool in record["pools"]:
        name, rate = f"{pool['engines']} {pool['config']}", mhz * 1e6 / pool["mixed"]
        each = (count(round(pool["alone"])), count(round(pool["mixed"])), count(round(rate)))
        table.add_row(name, pool["curve"], *each)
    return table


def _table(title: str, left: str, right: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(left, min_width=30)
    table.add_column(right, justify="right", min_width=12)
    return table
