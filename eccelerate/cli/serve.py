"""`eccel serve`: shares engines among programs, over a socket."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.stored import placed_clock
from eccelerate.configs.config import Config, find_config
from eccelerate.configs.kind import build_root
from eccelerate.curves import find_curve
from eccelerate.driver import TransportError
from eccelerate.driver.server_link import LinkStatus, ServerLink
from eccelerate.explore.paced_plan import PlanError, make_plan
from eccelerate.external import CommandError, serve_program
from eccelerate.rtlsim.model_folder import write_model

READY_SECONDS = 600
"""A paced device may prepare many nonces first."""
STARTS_WITHIN = 5.0


def serve_command(
    configs: Annotated[
        list[str] | None, typer.Argument(help="Configurations, see `eccel list configs`.")
    ] = None,
    listen: Annotated[
        list[str] | None,
        typer.Option("--listen", metavar="URI", help="unix:PATH or tcp:HOST:PORT; may be repeated."),
    ] = None,
    device: Annotated[
        list[str] | None,
        typer.Option(
            "--device", metavar="URI", help="A device in place of a model: uart:PATH, uio:PATH, unix:PATH, .."
        ),
    ] = None,
    engines: Annotated[
        int, typer.Option("--engines", min=1, max=16, help="Models of each configuration.")
    ] = 1,
    paced: Annotated[
        bool,
        typer.Option(
            "--paced",
            help="No model: results of software, each after the time that the placed engine would take.",
        ),
    ] = False,
    curve: Annotated[
        list[str] | None,
        typer.Option("--curve", help="With --paced: further curves; their clocks are measured once."),
    ] = None,
    clock_mhz: Annotated[
        float | None, typer.Option("--clock-mhz", min=0.001, help="With --paced: another clock.")
    ] = None,
    latency_ms: Annotated[
        float | None,
        typer.Option("--latency-ms", min=0, help="No engine: results of software after this time."),
    ] = None,
    at_once: Annotated[
        int, typer.Option("--at-once", min=0, help="With --latency-ms: jobs at once, 0 for any number.")
    ] = 0,
    prepare: Annotated[
        int | None,
        typer.Option("--prepare", min=0, help="Nonces that a paced device prepares before it starts."),
    ] = None,
    anywhere: Annotated[
        bool, typer.Option("--anywhere", help="Permit TCP addresses that other machines reach.")
    ] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="One JSON object in each line of the log.")
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Return when the server is ready; it goes on.")
    ] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the server on the socket of --listen.")] = False,
) -> None:
    """Start a server that shares engines: cycle-accurate models, a board, or a paced device."""
    uris = listen or [serve_program.default_uri()]
    if stop:
        _stop(uris[0])
        return
    sources = [bool(configs), bool(device), latency_ms is not None]
    if sum(sources) != 1:
        raise UsageError("name configurations, or give --device URI, or --latency-ms MS: one of them")
    if (curve or clock_mhz) and not paced:
        raise UsageError("--curve and --clock-mhz are for --paced")
    if paced and not configs:
        raise UsageError("--paced needs a configuration: its measured clocks say how long jobs take")
    chosen = [find_config(name) for name in configs or []]
    for each in chosen:
        if each.caution:
            errors.print(f"{each.name}: {each.caution}", style="yellow", markup=False)
    with Console(stderr=True).status("building the server") as line:
        try:
            program = serve_program.build()
        except CommandError as error:
            raise CheckError(str(error)) from error
        arguments = [text for uri in uris for text in ("--listen", uri)]
        if paced:
            line.update("planning")
            plan = _plan(chosen, curve or [], engines, clock_mhz, line.update)
            arguments += ["--paced", str(plan)]
        elif latency_ms is not None:
            arguments += ["--latency-ms", f"{latency_ms:g}", "--at-once", str(at_once)]
        else:
            models = [uri for each in chosen for uri in [_model(each, line.update)] * engines]
            arguments += [text for uri in models + (device or []) for text in ("--device", uri)]
            if chosen:
                arguments += ["--name", ", ".join(each.name for each in chosen)]
    if prepare is not None:
        arguments += ["--prepare", str(prepare)]
    arguments += ["--anywhere"] * anywhere + ["--log-json"] * log_json
    if path := serve_program.pid_file(uris[0]):
        arguments += ["--pid-file", str(path)]
    _run(program, arguments, uris, detach=detach)


def _stop(uri: str) -> None:
    try:
        pid = serve_program.stop(uri)
    except CommandError as error:
        raise CheckError(str(error)) from error
    print(f"ended process {pid}, which listened on {uri}")


def _model(config: Config, tell: Callable[[str], None]) -> str:
    """The address of the model of a configuration, which is built if it has to be."""
    tell(f"building the model of {config.name}")
    folder = build_root() / "serve" / config.name
    clock = placed_clock(config)
    write_model(config, folder, round(1000 * clock.mhz) if clock else 0)
    return f"model:{folder}"


def _plan(
    configs: Sequence[Config],
    curves: Sequence[str],
    engines: int,
    clock_mhz: float | None,
    tell: Callable[[str], None],
) -> Path:
    """The file with the plan of a paced device."""
    clocks = []
    for config in configs:
        placed = placed_clock(config)
        if clock_mhz is None and placed is None:
            raise UsageError(
                f"{config.name} was never placed: run `eccel measure {config.name} --area DEVICE`,"
                " or give --clock-mhz"
            )
        clocks.append(round(1000 * (clock_mhz or (placed.mhz if placed else 0))))
    try:
        plan = make_plan(
            configs, clocks, curves=[find_curve(name) for name in curves], engines=engines, progress=tell
        )
    except PlanError as error:
        raise UsageError(str(error)) from error
    name = "-".join([*(config.name for config in configs), *curves, str(engines), str(clocks[0])])
    path = build_root() / "serve" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(plan, indent=1))
    part.rename(path)
    return path


def _run(program: Path, arguments: list[str], uris: Sequence[str], *, detach: bool) -> None:
    """Start the server, say how to use it, and wait for its end unless it is detached."""
    log = None
    if detach:
        log = build_root() / "serve" / "eccel-serve.log"
        log.parent.mkdir(parents=True, exist_ok=True)
    try:
        server = serve_program.start(program, arguments, log=log, detach=detach)
    except CommandError as error:
        raise CheckError(str(error)) from error
    forward = (signal.SIGTERM, signal.SIGINT)
    asked: list[int] = []

    def end(number: int, frame: object) -> None:
        asked.append(number)
        server.send_signal(number)

    before = [signal.signal(number, end) for number in forward]
    try:
        status = _wait_until_ready(server, uris[0])
        if status is None and asked and server.returncode == 0:
            return
        if status is None:
            where = f": its log is {log}" if log else ""
            raise CheckError(f"the server has ended with code {server.returncode}{where}")
        _tell(status, uris, server.pid, log)
        sys.stdout.flush()  # also into a pipe, while the server goes on
        if detach:
            return
        code = server.wait()
    finally:
        for number, handler in zip(forward, before, strict=True):
            signal.signal(number, handler)
    if code:
        raise CheckError(f"the server has ended with code {code}")


def _wait_until_ready(server: serve_program.Process, uri: str) -> LinkStatus | None:
    """The status that the server shows when it answers. None if it has ended."""
    if uri.startswith("tcp:") and uri.endswith(":0"):
        return LinkStatus(0, 0, 0, "")  # the system chooses the port; the log of the server names it
    end = time.monotonic() + READY_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            with ServerLink(uri, timeout=STARTS_WITHIN) as link:
                return link.status()
        except TransportError:
            time.sleep(0.02)
    return None


def _tell(status: LinkStatus, uris: Sequence[str], pid: int, log: Path | None) -> None:
    """How to use the server."""
    console = Console(highlight=False, soft_wrap=True)
    clock = f", {status.clock_khz / 1000:.1f} MHz" if status.clock_khz else ""
    console.print(f"serving {status.name or 'a device'}{clock}, process {pid}", style="green", markup=False)
    if status.is_paced:
        console.print("paced: no engine works here, results come from software", style="yellow")
    for uri in uris:
        console.print(f"  address       {uri}", markup=False)
    console.print(f"  OpenSSL       ./eccel provider --devices {uris[0]}", markup=False)
    console.print(f"  openssl.cnf   devices = {uris[0]}", markup=False)
    console.print(f"  watch         ./eccel top {uris[0]}", markup=False)
    if log:
        console.print(f"  end           ./eccel serve --stop --listen {uris[0]}", markup=False)
        console.print(f"  log           {log}", markup=False)
