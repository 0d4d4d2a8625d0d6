"""`eccel measure`: cycles on the RTL, area and clock from the flow."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.run import CurveOption, JsonOption, SeedOption, usable_curve
from eccelerate.cli.stored import area_record
from eccelerate.explore.versions import tool_versions
from eccelerate.flow.store import commit
from eccelerate.sim.config import find_config
from eccelerate.sim.measure import measure_cycles


def measure_command(
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    cycles: Annotated[bool, typer.Option("--cycles", help="Measure cycles (also without --area).")] = False,
    curve: CurveOption = "P-256",
    area: Annotated[
        str | None, typer.Option("--area", metavar="DEVICE", help="Place and route for this device as well.")
    ] = None,
    shell: Annotated[
        bool, typer.Option("--shell/--no-shell", help="Area with or without the bus shell.")
    ] = True,
    as_json: JsonOption = False,
    seed: SeedOption = 1,
) -> None:
    """Measure cycles of every job and of the parts of a scalar multiplication, and the placed area."""
    cfg, domain = find_config(config), usable_curve(curve)
    status = Console(stderr=True)
    record: dict[str, Any] = {"config": cfg.name, "curve": domain.name}
    with status.status("building the model") as line:
        if cycles or area is None:
            record["cycles"] = measure_cycles(
                cfg, domain, seed=seed, progress=lambda name: line.update(f"measuring {name}")
            )
        record |= {"commit": commit(), "tools": tool_versions()}
        if area is not None:
            record["area"] = area_record(cfg, area, shell=shell, progress=line.update)
    if as_json:
        print(json.dumps(record))
    else:
        _print(record)


def _print(record: dict[str, Any]) -> None:
    console = Console()
    for title in ("cycles", "area"):
        if title in record:
            table = Table(title=f"{title}: {record['config']}, {record['curve']}", title_justify="left")
            table.add_column("what")
            table.add_column("value", justify="right")
            for name, value in record[title].items():
                table.add_row(name, _text(value))
            console.print(table)
    console.print(f"commit {record['commit']}; " + ", ".join(f"{k} {v}" for k, v in record["tools"].items()))


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int | float) else str(value)
