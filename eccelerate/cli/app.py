"""The command group and what all commands share."""

from __future__ import annotations

import typer

from eccelerate.cli import (
    assemble,
    bench,
    board_sim,
    build,
    compare,
    demo,
    demo_tls,
    doctor,
    energy,
    explore,
    fault,
    generate,
    leak,
    listing,
    maths,
    measure,
    multipliers,
    partition,
    pick,
    provider,
    report,
    run,
    serve,
    study,
    top,
    vectors,
)
from eccelerate.cli.failures import Commands

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Elliptic-curve accelerators: run them, test them, measure them, build them.",
)
app.command("demo")(demo.demo_command)
app.command("demo-tls")(demo_tls.demo_tls_command)
app.command("list")(listing.list_command)
# An argument such as -1 is an operand; `run_command` refuses what is no operand either.
app.command("run", context_settings={"ignore_unknown_options": True})(run.run_command)
app.command("serve")(serve.serve_command)
app.command("top")(top.top_command)
app.command("vectors")(vectors.vectors_command)
app.command("measure")(measure.measure_command)
app.command("build")(build.build_command)
app.command("board-sim")(board_sim.board_sim_command)
app.command("compare")(compare.compare_command)
app.command("explore")(explore.explore_command)
app.command("pick")(pick.pick_command)
app.command("study")(study.study_command)
app.command("fault")(fault.fault_command)
app.command("energy")(energy.energy_command)
app.command("leak")(leak.leak_command)
app.command("partition")(partition.partition_command)
app.command("report")(report.report_command)
app.command("assemble")(assemble.assemble_command)
app.add_typer(generate.generate, name="generate")
app.add_typer(bench.bench, name="bench")
app.add_typer(multipliers.multipliers, name="multipliers")
app.command("provider")(provider.provider_command)
app.command("maths")(maths.maths_command)
app.command("doctor")(doctor.doctor_command)


def main() -> None:
    """Entry point of the `eccel` script."""
    app(prog_name="eccel")
