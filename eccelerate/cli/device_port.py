"""The option `--port`: a device of libeccel in place of the model in this process."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from eccelerate.cli.failures import UsageError
from eccelerate.configs.config import Config
from eccelerate.driver.native import LIBRARY
from eccelerate.driver.native_engine import NativeEngine
from eccelerate.external import CommandError
from eccelerate.external.c_software import build_software

CONNECT_MS = 10_000
"""A simulated board takes seconds until its engine has the entropy for its start-up test."""
PortOption = Annotated[
    str | None,
    typer.Option(
        "--port",
        help="A device in place of the model in this process: a serial port, or an address of libeccel: "
        "unix:PATH, tcp:HOST:PORT, uart:PATH?baud=N, uio:PATH, model:PATH.",
    ),
]


def open_port(port: str, config: Config) -> NativeEngine:
    """The device at `port`; libeccel is built if need be. Raises UsageError if that fails, or if the device
    says that it has another configuration; TransportError if it cannot be reached.
    """
    try:
        if LIBRARY not in os.environ:
            build_software("lib")
        engine = NativeEngine(
            f"uart:{port}" if port.startswith("/") else port,
            [member for member, _ in config.pools],
            connect_ms=CONNECT_MS,
        )
    except (CommandError, FileNotFoundError) as error:
        raise UsageError(str(error)) from error
    name = engine.handle.devices()[0].name.decode()
    if name and name != config.name:
        raise UsageError(f"the device at {port} is {name}, not {config.name}")
    return engine
