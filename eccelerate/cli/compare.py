"""`eccel compare`: an engine beside the published system it answers."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from eccelerate.cli.errors import UsageError


def compare_command(
    name: Annotated[str, typer.Argument(help="Published system, for example vliegen2010.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print our figures next to the published table."""
    try:
        compare = importlib.import_module("eccelerate.explore.compare")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("eccelerate.explore"):
            raise
        raise UsageError("this installation has no comparisons (eccelerate.explore is absent)") from error
    compare.run(name, as_json=as_json)
