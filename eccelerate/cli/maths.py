"""`eccel maths`: builds the libraries for PARI/GP, Octave and Python, and compares them with the engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.cli.stored import placed_clock
from eccelerate.configs.config import ROOT, find_config
from eccelerate.configs.kind import build_root
from eccelerate.external import CommandError, maths_packages
from eccelerate.external.maths_packages import PACKAGES, MathsPackage
from eccelerate.rtlsim.model_folder import write_model

EXAMPLES = ROOT / "examples"


def maths_command(
    packages: Annotated[
        list[str] | None, typer.Argument(help="pari, octave, python; default: all that are installed.")
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Run the example of each package without and with the engine."),
    ] = False,
    config: Annotated[
        str, typer.Option("--config", help="With --compare: the configuration whose model is the engine.")
    ] = "compact-w32",
    devices: Annotated[
        str | None, typer.Option("--devices", help="With --compare: unix:PATH, .. in place of a model.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --compare: print JSON.")] = False,
) -> None:
    """Build what PARI/GP, Octave and Python need to run scripts on an engine; say how to use it."""
    try:
        chosen = [maths_packages.find_package(name) for name in packages or []]
    except ValueError as error:
        raise UsageError(str(error)) from error
    if (as_json or devices) and not compare:
        raise UsageError("--devices and --json are for --compare")
    built = _build(chosen)
    if not compare:
        _say_how(built)
        return
    uris = devices or _model(config)
    with Console(stderr=True).status("comparing") as line:
        rows = []
        for package in built:
            line.update(f"{package.title} without and with the engine")
            rows += compared(package, EXAMPLES / f"maths{package.suffix}", uris)
    if as_json:
        print(json.dumps({"rows": rows}))
    else:
        Console().print(table(rows))
    different = sorted({row["package"] for row in rows if not row["equal"]})
    if different:
        raise CheckError(f"the engine did not do everything, or its results differ: {', '.join(different)}")
    if not as_json:
        Console().print("all results are equal, and the engine has done its part", style="green")


def _build(chosen: Sequence[MathsPackage]) -> list[MathsPackage]:
    """Builds the packages; without a choice, those that can be built. Raises CheckError if none can."""
    built = []
    errors = []
    for package in chosen or PACKAGES:
        try:
            maths_packages.build(package)
            built.append(package)
        except CommandError as error:
            errors.append(str(error))
    if errors and (chosen or not built):
        raise CheckError("; ".join(errors))
    for text in errors:
        Console(stderr=True).print(f"left out: {text}", style="yellow", markup=False)
    return built


def _model(name: str) -> str:
    """The address of the model of a configuration."""
    config = find_config(name)
    folder = build_root() / "serve" / config.name
    clock = placed_clock(config)
    write_model(config, folder, round(1000 * clock.mhz) if clock else 0)
    return f"model:{folder}"


def _say_how(built: Sequence[MathsPackage]) -> None:
    """Prints the lines for the shell."""
    model = build_root() / "model"
    print(f"./eccel build compact-w32 --model {model}")
    print(f"export ECCEL_DEVICES=model:{model}    # or an address of `eccel serve`, a board, ..")
    print("export ECCEL_REPORT=1    # a script says at its end what the engine has done")
    for package in built:
        script = Path(f"script{package.suffix}")
        settings = [f"{name}={value}" for name, value in maths_packages.variables(package).items()]
        words = maths_packages.command(package, script, on_engine=True)
        if package.name == "python":
            words[0] = "python3"
        print(f"\n{package.title}:\n    {' '.join([*settings, *words])}")


def compared(package: MathsPackage, script: Path, devices: str) -> list[dict[str, Any]]:
    """One row for each operation that the script has timed.

    own_ms, here_ms: of one operation, by the package and on the devices; clocks: of the engine, None if the
    device does not tell; engine_ms: the same at the placed clock; equal: both runs have printed the same
    results. Raises CheckError if a run fails.
    """
    try:
        own = maths_packages.run_script(package, script, None)
        engine = maths_packages.run_script(package, script, devices, {"ECCEL_STRICT": "1"})
    except CommandError as error:
        raise CheckError(str(error)) from error
    for each in (own, engine):
        if each.outcome.code or not each.outcome.text:
            raise CheckError(f"{package.title}: {script} failed:\n{each.outcome.errors}")
    if not engine.report:
        raise CheckError(f"{package.title} has not used the engine:\n{engine.outcome.errors}")
    results, own_ms = maths_packages.split_times(own.outcome.text)
    others, here_ms = maths_packages.split_times(engine.outcome.text)
    khz = int(engine.report["clock_khz"])
    rows = []
    for kind, milliseconds in own_ms.items():
        counter = engine.report[kind]
        clocks = counter["cycles"] / counter["calls"] if counter["cycles"] else None
        rows.append(
            {
                "package": package.name,
                "operation": kind,
                "own_ms": milliseconds,
                "here_ms": here_ms.get(kind),
                "jobs": counter["jobs"],
                "clocks": None if clocks is None else round(clocks),
                "engine_ms": clocks / khz if clocks and khz else None,
                "devices": engine.report["devices"],
                "clock_mhz": khz / 1000,
                "equal": results == others and counter["jobs"] > 0,
            }
        )
    return rows


def table(rows: Sequence[dict[str, Any]]) -> Table:
    """The comparison for people."""
    first = rows[0]
    clock = f" at {first['clock_mhz']:.1f} MHz" if first["clock_mhz"] else ""
    shown = Table(title=f"one operation on 256 bits; engine: {first['devices']}{clock}", title_justify="left")
    shown.add_column("package", no_wrap=True)
    shown.add_column("operation", no_wrap=True)
    for heading in ("own ms", "here ms", "clocks", "engine ms", "ratio"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        engine = row["engine_ms"]
        shown.add_row(
            maths_packages.find_package(row["package"]).title,
            row["operation"],
            _short(row["own_ms"]),
            _short(row["here_ms"]),
            _short(row["clocks"]),
            _short(engine),
            _short(engine and row["own_ms"] / engine),
        )
    return shown


def _short(value: float | None) -> str:
    """Three digits, or all of those before the point."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
