"""Starts a program, waits for it with a time limit, and returns what it printed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class CommandError(RuntimeError):
    """The program did not start or did not end in time; its name and the reason are in the text."""


class MissingError(CommandError):
    """The program is not installed."""


@dataclass(frozen=True)
class Outcome:
    """How a program ended: its exit code, and what it printed on both channels."""

    code: int
    out: bytes = b""
    err: bytes = b""

    @property
    def text(self) -> str:
        """What it printed on the first channel."""
        return self.out.decode(errors="replace")

    @property
    def errors(self) -> str:
        """What it printed on the second channel."""
        return self.err.decode(errors="replace")


def is_installed(program: str) -> bool:
    """Whether the program is on the search path."""
    return shutil.which(program) is not None


def run(
    command: Sequence[str | Path],
    *,
    timeout: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: str | None = None,
    log: Path | None = None,
) -> Outcome:
    """Run a program to its end, whatever its exit code.

    timeout: seconds; cwd, env: this process's own when left out; given: text for its input; log: file for
    both channels, which the outcome then lacks. Raises MissingError, CommandError.
    """
    words = [str(word) for word in command]
    name = Path(words[0]).name
    try:
        if log is None:
            text = None if given is None else given.encode()
            done = subprocess.run(words, cwd=cwd, env=env, input=text, capture_output=True, timeout=timeout)
            return Outcome(done.returncode, done.stdout, done.stderr)
        with log.open("w") as stream:
            logged = subprocess.run(
                words, cwd=cwd, env=env, stdout=stream, stderr=subprocess.STDOUT, timeout=timeout
            )
        return Outcome(logged.returncode)
    except FileNotFoundError as error:
        raise MissingError(f"{name} is not installed: see `eccel doctor`") from error
    except subprocess.TimeoutExpired as error:
        raise CommandError(f"{name} did not end within {timeout:.0f} s") from error
