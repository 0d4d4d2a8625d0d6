"""The command group. A command's module is imported when the command is called: none waits for the others."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.main import get_group

from eccelerate.cli.failures import Commands
from eccelerate.configs.config import ROOT

FUNCTIONS = {
    "demo": "demo:demo_command",
    "demo-tls": "demo_tls:demo_tls_command",
    "list": "listing:list_command",
    "run": "run:run_command",
    "serve": "serve:serve_command",
    "top": "top:top_command",
    "vectors": "vectors:vectors_command",
    "measure": "measure:measure_command",
    "build": "build:build_command",
    "board-sim": "board_sim:board_sim_command",
    "compare": "compare:compare_command",
    "explore": "explore:explore_command",
    "pick": "pick:pick_command",
    "study": "study:study_command",
    "fault": "fault:fault_command",
    "energy": "energy:energy_command",
    "leak": "leak:leak_command",
    "partition": "partition:partition_command",
    "report": "report:report_command",
    "assemble": "assemble:assemble_command",
    "generate": "generate:generate",
    "bench": "bench:bench",
    "multipliers": "multipliers:multipliers",
    "provider": "provider:provider_command",
    "maths": "maths:maths_command",
    "doctor": "doctor:doctor_command",
}
"""Module and function of each command, or module and group. The help lists them in this order."""
SETTINGS = {
    # An argument such as -1 is an operand; `run_command` refuses what is no operand either.
    "run": {"ignore_unknown_options": True},
}


class CommandTable(Mapping[str, Any]):
    """All commands of Typer by name."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.made:
            found, alone = resolve_name(f"eccelerate.cli.{FUNCTIONS[name]}"), typer.Typer()
            if isinstance(found, typer.Typer):
                alone.add_typer(found, name=name)
            else:
                alone.command(name, context_settings=SETTINGS.get(name))(found)
            self.made[name] = get_group(alone).commands[name]
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(FUNCTIONS)

    def __len__(self) -> int:
        return len(FUNCTIONS)


class Eccel(Commands):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = CommandTable()  # type: ignore[assignment]  # nothing is added to it


app = typer.Typer(cls=Eccel, no_args_is_help=True, pretty_exceptions_enable=False)


def print_version(wanted: bool) -> None:
    """Print the version and the commit, and end."""
    if wanted:
        from eccelerate.flow.store import commit

        version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
        typer.echo(f"eccelerate {version}, commit {commit()}")
        raise typer.Exit


@app.callback()
def eccel(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Elliptic-curve accelerators: run them, test them, measure them, build them."""


def main() -> None:
    """Entry point of the `eccel` script."""
    app(prog_name="eccel")
