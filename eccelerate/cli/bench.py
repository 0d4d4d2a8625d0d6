"""`eccel bench system`: the rates that an application sees, what they cost the host, and the targets."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli.bench_tables import print_record
from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.run import JsonOption
from eccelerate.explore.figures import Stores
from eccelerate.explore.paced_plan import PlanError
from eccelerate.explore.system.eccel_load import LoadError
from eccelerate.explore.system.measure_system import FULL, SHORT, measure_system
from eccelerate.explore.system.system_store import SystemStore
from eccelerate.external.command import CommandError

bench = typer.Typer(help="Measurements of the whole system on this machine.", no_args_is_help=True)


@bench.callback()
def bench_group() -> None:
    """Measurements of the whole system on this machine."""


@bench.command("system")
def system_command(
    as_json: JsonOption = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Short measurements with 1 and 64 jobs; nothing is stored.")
    ] = False,
) -> None:
    """ECDH and ECDSA through the OpenSSL provider: rates by jobs in flight, CPU time of the host, targets.

    Stored in results/; `eccel report` writes docs/system.md from there. Takes some minutes; the machine
    should have nothing else to do.
    """
    shown = Console(stderr=True)
    try:
        with shown.status("") as line, tempfile.TemporaryDirectory(prefix="eccel-bench-") as place:

            def tell(text: str) -> None:
                line.update(text)
                if not shown.is_terminal:
                    errors.print(text, style="dim", markup=False)

            record = measure_system(SHORT if quick else FULL, Path(place), tell, Stores())
    except (LoadError, CommandError) as error:
        raise CheckError(str(error)) from error
    except PlanError as error:
        raise UsageError(str(error)) from error
    if not quick:
        record = SystemStore().put(record)
    if as_json:
        print(json.dumps(record, indent=1))
    else:
        print_record(record, Console(highlight=False))
