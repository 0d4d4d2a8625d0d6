"""What `eccel bench system` prints."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from eccelerate.explore.figures import Record
from eccelerate.explore.pages.system_page import conditions
from eccelerate.explore.system.crossing import crossings
from eccelerate.explore.system.measure_system import at
from eccelerate.explore.system.subjects import paper_rates
from eccelerate.explore.system.targets import IN_FLIGHT, verdicts
from eccelerate.explore.tables import count


def print_record(record: Record, console: Console) -> None:
    """All tables of a record, and the targets at the end."""
    console.print(rates_table(record))
    console.print(paper_table(record))
    console.print(cost_table(record))
    for text in crossings(record):
        console.print(text)
    console.print(targets_table(record))
    machine = f"{record['version']} on {record['cores']} cores of {record['host']}"
    console.print(
        f"{machine}, {conditions(record)}; commit {record['commit']}. Engines: paced devices, with the timing"
        " of the RTL at the placed clock.",
        style="dim",
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def rates_table(record: Record) -> Table:
    """Operations a second by engine, operation and jobs in flight."""
    numbers = [point["in_flight"] for point in record["systems"][0]["points"]["ecdh"]]
    title = "Operations a second that the application sees, by jobs in flight"
    columns = ("engine, operation", *(f"{number:,}" for number in numbers))
    table = _table(title, *columns, "hardware", "OpenSSL, 1 core", "all cores")
    for system in record["systems"]:
        for operation, points in system["points"].items():
            curve = system["curve"]
            software = [record[name][curve][operation] for name in ("openssl", "openssl_all_cores")]
            table.add_row(
                f"{system['config']}, {curve}, {operation}",
                *(count(round(point["per_second"])) for point in points),
                count(round(system["hardware"][operation])),
                *(count(round(rate)) for rate in software),
            )
        table.add_section()
    return table


def paper_table(record: Record) -> Table:
    """Rates for 163 bits, and those of the paper."""
    table = _table(f"163 bits, {IN_FLIGHT} in flight", "operation", "ours, B-163", "ours, K-163", "paper")
    paper = paper_rates()
    for operation in ("ecdh", "sign", "verify"):
        rates = [record["rates"].get(curve, {}).get(operation) for curve in ("B-163", "K-163")]
        ours = [count(round(rate)) if rate else "" for rate in rates]
        table.add_row(operation, *ours, count(paper[operation]))
    table.add_row("k P, hardware alone", "", "", count(paper["hardware"]))
    return table


def cost_table(record: Record) -> Table:
    """CPU time of the host for one operation."""
    table = _table("CPU time of one operation, us", "what", "ecdh", "sign", "verify")
    provider = record["provider_cpu"]
    rows = [("provider alone", provider), ("host path, device that answers at once", record["host_cpu"])]
    for system in record["systems"]:
        points = {name: at(each) for name, each in system["points"].items()}
        costs = {name: point["program_us"] + point["server_us"] for name, point in points.items()}
        rows.append((f"host path, {system['config']} on {system['curve']}, paced", costs))
    for name, costs in rows:
        table.add_row(name, *(f"{costs[each]:.2f}" for each in ("ecdh", "sign", "verify")))
    table.add_row("provider alone, SHA-256 included", "", f"{provider['digest-sign']:.2f}", "")
    return table


def targets_table(record: Record) -> Table:
    """The targets, each with its figure."""
    table = _table(f"Targets ({IN_FLIGHT} jobs in flight)", "what", "target", "figure", "", "limited by")
    for each in verdicts(record):
        style = "green" if each.met else "red"
        table.add_row(each.what, each.goal, each.figure, f"[{style}]{each.word}[/{style}]", each.limit)
    return table
