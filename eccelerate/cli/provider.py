"""`eccel provider`: builds the OpenSSL provider, writes and prints its configuration, shows its counters."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.configs.config import ROOT
from eccelerate.external import CommandError, openssl_provider, serve_program
from eccelerate.external.openssl_provider import OPERATIONS, ProviderCounters

NAMES = {
    "sign": "signatures",
    "verify": "verifications",
    "derive": "ECDH",
    "public": "public keys of new keys",
    "keygen": "keys drawn in a slot",
}


def provider_command(
    devices: Annotated[
        str | None,
        typer.Option(
            "--devices", help="unix:PATH, model:PATH, .., separated by spaces; default: as `eccel serve`."
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for openssl.cnf.")] = ROOT / "build" / "provider",
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail where no device does a job, instead of using software.")
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="Another setting, NAME=VALUE: see docs/openssl.md."),
    ] = None,
    counters: Annotated[
        bool, typer.Option("--counters", help="Only print what the provider has done so far.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option("--counters-file", help="File of the counters, if it was set.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counters as JSON.")] = False,
) -> None:
    """Build the OpenSSL provider and write an openssl.cnf that loads it; or print its counters."""
    if counters or as_json:
        show_counters(file, as_json)
        return
    settings: dict[str, str | int] = {"devices": devices or serve_program.default_uri()}
    if strict:
        settings["fallback"] = "no"
    for each in setting or []:
        name, equals, value = each.partition("=")
        if not equals:
            raise UsageError(f"--set {each}: write NAME=VALUE")
        settings[name.strip()] = value.strip()
    try:
        module = openssl_provider.build()
        text = openssl_provider.configuration(module, settings)
    except CommandError as error:
        raise CheckError(str(error)) from error
    except ValueError as error:
        raise UsageError(str(error)) from error
    out.mkdir(parents=True, exist_ok=True)
    path = out / "openssl.cnf"
    path.write_text(text)
    print(f"{text}\nwrote {path}\n\nUse it with any program that uses OpenSSL 3:\n")
    print(f"    export OPENSSL_CONF={path.absolute()}\n    openssl list -providers")


def show_counters(file: Path | None, as_json: bool) -> None:
    """Print the counters of this user's processes."""
    try:
        found = openssl_provider.read_counters(file)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    if as_json:
        print(json.dumps(asdict(found)))
        return
    console = Console()
    console.print(counters_table(found))
    console.print(
        f"jobs that no device did: {found.device_errors}; paused jobs: {found.paused}, "
        f"abandoned: {found.abandoned}, now: {found.requests}",
        highlight=False,
    )


def counters_table(found: ProviderCounters) -> Table:
    """One row for each operation."""
    table = Table("operation", *(f"in {where}" for where in ("hardware", "software")), "failed")
    for name in OPERATIONS:
        numbers = (found.hardware[name], found.software[name], found.failed[name])
        table.add_row(NAMES[name], *(f"{number:,}" for number in numbers))
    return table
