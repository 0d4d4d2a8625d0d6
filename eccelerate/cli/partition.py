"""`eccel partition`: how to place a computation on several devices, and the RTL of the best cut."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.explore.partition.offload_chart import offload_picture
from eccelerate.explore.partition.offload_question import crossings, offload_lines
from eccelerate.explore.partition.partition_bundle import write_partition
from eccelerate.explore.partition.partition_plan import GROUPS, OPS, Plan, plan, request, simulated
from eccelerate.explore.partition.partition_run import PartitionRunError
from eccelerate.explore.partition.partition_store import PartitionStore, plan_record, question_record

WIDTH = 132


def partition_command(
    bits: Annotated[int, typer.Option("--bits", help="Bits of an operand.")] = 256,
    op: Annotated[str, typer.Option("--op", help=f"What is computed: {', '.join(OPS)}.")] = "mul",
    devices: Annotated[int, typer.Option("--devices", help="Devices that there are.")] = 5,
    link: Annotated[
        str, typer.Option("--link", help="Bits of a word, clock, latency: 64b@134MHz or 64b@134MHz+50ns.")
    ] = "64b@134MHz",
    device: Annotated[str, typer.Option("--device", help="Each of them.")] = "ecp5-85f-6",
    clock: Annotated[float, typer.Option("--clock", help="Clock of the devices in MHz.")] = 150.0,
    cut: Annotated[
        str | None, typer.Option("--cut", help="Take this cut instead of the best one.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, help=f"Jobs to count; default {GROUPS} on each device.", show_default=False
        ),
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate/--no-simulate", help="Simulate the devices of the cut together.")
    ] = True,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="New folder for the RTL and its bench.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE.svg", help="Picture: what to move to the devices, by bandwidth."
        ),
    ] = None,
    store: Annotated[
        bool, typer.Option("--store", help="Keep the plan in results/partition.jsonl, for docs/partition.md.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Place a product, a Montgomery product or scalar multiplications on several devices."""
    job = request(op, bits, devices, link, device, clock)
    if plot is not None and plot.suffix != ".svg":
        raise UsageError(f"--plot {plot}: the picture is an SVG, so give a name that ends in .svg")
    found = plan(job, devices, cut, jobs)
    if simulate and op != "scalar":
        with Console(stderr=True).status("simulating") as line:
            try:
                found = simulated(found, line.update)
            except PartitionRunError as error:
                raise CheckError(str(error)) from error
    if store:
        PartitionStore().put(plan_record(found, devices))
    if out is not None:
        write_partition(found.chosen, found.record, found.jobs, out)
        errors.print(f"written: {out}; `make -C {out}` simulates all devices", markup=False)
    if plot is not None:
        lines = offload_lines(bits, devices, job.link, device, clock)
        if store:
            PartitionStore().put(question_record(lines, job, devices))
        plot.write_text(offload_picture(lines, job.link.gbit_s, f"{bits} bits, {devices} x {device}"))
        for text in crossings(lines):
            errors.print(text, markup=False)
        errors.print(f"written: {plot}", markup=False)
    if as_json:
        print_json(found.record)
    else:
        show(found, Console(width=max(WIDTH, Console().width)))


def show(found: Plan, console: Console) -> None:
    """Print a plan for people."""
    job = found.job
    lane = found.chosen.lane
    console.print(
        f"{job.op}, {job.bits} bits, {job.device} at {job.mhz:g} MHz, link {job.link.text}:"
        f" {float(lane.ratio):.3f} words a clock, {lane.latency} clocks on the way\n",
        highlight=False,
    )
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    for name in ("cut", "devices", "unit"):
        table.add_column(name, no_wrap=True)
    for name in ("LUT4", "mult", "fits", "cycles/job", "lost", "latency", "lost", "limit", "jobs/s"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in found.cuts:
        area = each.devices[0].area
        chosen = each.name == found.chosen.name
        table.add_row(
            each.name, str(len(each.devices)), each.unit.name, f"{area.lut4:,}", str(area.mult),
            "yes" if each.fits else "no", f"{each.interval:,.2f}", f"{each.rate_loss:,.2f}",
            f"{float(each.latency):,.0f}", f"{each.link_share:,.0f}", each.limit, f"{each.per_second:,.0f}",
            style="bold" if chosen else None,
        )  # fmt: skip
    console.print(table)
    sources = sorted({each.unit.source for each in found.cuts})
    console.print(
        f'\nLUT4 and multipliers of device 0; areas of units: {", ".join(sources)}. "lost": to the links.',
        highlight=False,
    )
    for each in found.cuts:
        for part in each.devices:
            if part.excess:
                console.print(f"{each.name} does not fit: {part.name} has {part.excess}", highlight=False)
                break
    console.print(f"\nchosen: {found.chosen.name}, {found.chosen.title}", highlight=False)
    for part in found.chosen.devices:
        text = (
            f"  {part.name}: {', '.join(part.holds)}: {part.area.lut4:,} LUT4, {part.area.mult} multipliers"
        )
        console.print(text, highlight=False)
    for wire in found.chosen.wires:
        a, b = wire.ends
        words = f"{sum(wire.there)} words there, {sum(wire.back)} back"
        console.print(f"  {a} - {b}: {words} for {found.chosen.group} job{'s' * (found.chosen.group > 1)}")
    text = f"{found.jobs} jobs: {found.predicted_cycles:,} cycles predicted"
    if found.outcome and found.error is not None:
        text += f", {found.outcome.cycles:,} simulated ({100 * found.error:+.1f} %), all results right"
    elif job.op == "scalar":
        text += ", from the measured cycles of the engine; links and engines are not simulated together"
    console.print(text, highlight=False)
