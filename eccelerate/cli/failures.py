"""Reports an error in one clear line: exit code 2 for a usage error, 1 for a failure of a tool or an
engine.
"""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from eccelerate.configs.config import ConfigError
from eccelerate.curves import CurveFileError, CurveNotFoundError, InvalidCurveError
from eccelerate.driver import JobError, PacketError, TransportError
from eccelerate.explore.published import UnknownSystemError
from eccelerate.flow.errors import FlowError
from eccelerate.rtlsim.probes import MeasureError
from eccelerate.rtlsim.verilate import BuildError
from eccelerate.ucode.source import AsmError
from eccelerate.vectors import VectorFileError

EXIT_FAILURE = 1
EXIT_USAGE = 2


class UsageError(ValueError):
    """The command cannot be executed as the user wrote it."""


class CheckError(RuntimeError):
    """Another program failed, or disagrees with the engine."""


USAGE = (
    UsageError,
    ConfigError,
    CurveFileError,
    CurveNotFoundError,
    InvalidCurveError,
    PacketError,
    UnknownSystemError,
    VectorFileError,
)
FAILURE = (CheckError, JobError, TransportError, BuildError, FlowError, MeasureError, AsmError)

errors = Console(stderr=True, highlight=False, soft_wrap=True)


class Commands(TyperGroup):
    """The command group: turns known errors of any command into a message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except USAGE as error:
            errors.print(f"error: {error}", style="red", markup=False)
            raise typer.Exit(EXIT_USAGE) from error
        except FAILURE as error:
            errors.print(f"failed: {error}", style="red", markup=False)
            raise typer.Exit(EXIT_FAILURE) from error
