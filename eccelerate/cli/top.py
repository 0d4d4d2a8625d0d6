"""`eccel top`: what a server does, live."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from eccelerate.cli.failures import CheckError
from eccelerate.driver import TransportError
from eccelerate.driver.server_link import LinkStatus, ServerLink
from eccelerate.external import serve_program

RATES = {
    "ecdsa_sign": "signatures",
    "ecdsa_verify": "verifications",
    "ecdh": "ECDH",
    "key": "keys set",
    "other": "other jobs",
    "jobs": "all jobs",
    "failed": "refused or failed",
    "curve_loads": "curves loaded",
}
"""Counters whose rates are shown, with their names for people."""

Counters = dict[str, int]


def top_command(
    uri: Annotated[
        str | None,
        typer.Argument(help="unix:PATH or tcp:HOST:PORT; default: where `eccel serve` listens."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.05, max=60, help="Time over which rates are counted.")
    ] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Show one table and end.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object in each line; with --once one.")
    ] = False,
) -> None:
    """Show rates, use, queues and failures of a server; Ctrl-C ends it."""
    place = uri or serve_program.default_uri()
    console = Console(highlight=False)
    try:
        with ServerLink(place, timeout=10) as link:
            status = link.status()
            if not status.is_server:
                raise CheckError(f"{place} is a device, not a server: it has no counters")
            if as_json:
                for record in _records(link, status, seconds):
                    print(json.dumps(record), flush=True)
                    if once:
                        return
            elif once:
                console.print(view(place, next(_records(link, status, seconds))))
            else:
                _live(console, place, link, status, seconds)
    except TransportError as error:
        raise CheckError(str(error)) from error
    except KeyboardInterrupt:
        return


def _live(console: Console, place: str, link: ServerLink, status: LinkStatus, seconds: float) -> None:
    with Live(console=console, auto_refresh=False, transient=False) as live:
        for record in _records(link, status, seconds):
            live.update(view(place, record), refresh=True)


def _records(link: ServerLink, status: LinkStatus, seconds: float) -> Any:
    """A record for each interval, for ever."""
    before, began = link.counters(), time.monotonic()
    while True:
        time.sleep(seconds)
        after, now = link.counters(), time.monotonic()
        yield record_of(status, before, after, now - began)
        before, began = after, now


def record_of(status: LinkStatus, before: Counters, after: Counters, seconds: float) -> dict[str, Any]:
    """What happened between two looks at the counters."""
    clocks = after["clocks"] - before["clocks"]
    busy = after["busy_clocks"] - before["busy_clocks"]
    return {
        "name": status.name,
        "paced": status.is_paced,
        "clock_khz": status.clock_khz,
        "seconds": round(seconds, 3),
        "rates": {name: round((after[name] - before[name]) / seconds, 1) for name in RATES},
        "busy": round(min(1.0, busy / clocks), 4) if clocks > 0 else 0.0,
        "in_flight": after["in_flight"],
        "queued": after["queued"],
        "connections": after["connections"] - 1,  # without this one
        "in_service": after["in_service"],
        "totals": {name: after[name] for name in (*RATES, "connections_total", "late")},
    }


def view(place: str, record: dict[str, Any]) -> Group:
    """A record for people."""
    clock = f" at {record['clock_khz'] / 1000:.1f} MHz" if record["clock_khz"] else ""
    head = Text(f"{record['name'] or 'devices'}{clock} on {place}", style="bold")
    parts = [head]
    if record["paced"]:
        parts.append(Text("paced: no engine works here, results come from software", style="yellow"))
    if not record["in_service"]:
        parts.append(Text("no device is in service", style="red"))
    table = Table("", "a second", "so far")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, label in RATES.items():
        table.add_row(label, f"{record['rates'][name]:,.0f}", f"{record['totals'][name]:,}")
    state = Table.grid(padding=(0, 2))
    state.add_row("busy", f"{100 * record['busy']:.1f} %")
    state.add_row("jobs in devices", f"{record['in_flight']:,}")
    state.add_row("jobs waiting", f"{record['queued']:,}")
    state.add_row(
        "connections", f"{record['connections']:,}, so far {record['totals']['connections_total']:,}"
    )
    if record["totals"]["late"]:
        state.add_row(
            "late", f"{record['totals']['late']:,}: this machine computes too slowly for the device"
        )
    return Group(*parts, table, state)
