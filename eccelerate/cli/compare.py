"""`eccel compare`: an engine beside the published system it answers."""

from __future__ import annotations

from typing import Annotated

import typer

from eccelerate.explore import compare


def compare_command(
    name: Annotated[str, typer.Argument(help="Published system, for example vliegen2010.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print our figures next to the published table; what is not stored yet is measured first."""
    compare.run(name, as_json=as_json)
