"""The server program `eccel-serve`: builds it, starts it, stops it."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from eccelerate.external.c_software import build_software
from eccelerate.external.command import CommandError

Process = subprocess.Popen[bytes]
PROGRAM = "eccel-serve"


def build(*, jobs: int = 2, sanitize: str = "") -> Path:
    """Build the server and return its file. `sanitize`: for example "address,undefined".

    Raises CommandError with the compiler's message, MissingError if there is no `make`.
    """
    return build_software("serve", jobs=jobs, sanitize=sanitize) / PROGRAM


def default_uri() -> str:
    """Where the server listens unless told otherwise: /run for root, else the user's runtime folder, else the
    folder for temporary files.
    """
    run_folder = Path("/run")
    if os.geteuid() == 0 and run_folder.is_dir():
        return f"unix:{run_folder / 'eccel.sock'}"
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        return f"unix:{Path(runtime) / 'eccel.sock'}"
    return f"unix:{Path(tempfile.gettempdir()) / f'eccel-{os.geteuid()}.sock'}"


def pid_file(uri: str) -> Path | None:
    """The file with the process id of a server on a Unix socket; None for other addresses."""
    return Path(f"{uri.removeprefix('unix:')}.pid") if uri.startswith("unix:") else None


def running(uri: str) -> int | None:
    """The process id of the server on this Unix socket; None if there is none."""
    path = pid_file(uri)
    try:
        pid = int(path.read_text()) if path else 0
        name = Path(f"/proc/{pid}/comm").read_text().strip() if pid > 1 else ""
    except (OSError, ValueError):
        return None
    return pid if name == PROGRAM else None


def start(
    program: Path, arguments: Sequence[str], *, log: Path | None = None, detach: bool = False
) -> Process:
    """Start the server. log: file for its messages, which otherwise go where this process's go.

    detach: it goes on when this process and its terminal end. Raises CommandError.
    """
    command = [str(program), *arguments]
    try:
        if log is None:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=detach)
        with log.open("ab") as stream:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=detach,
            )
    except OSError as error:
        raise CommandError(f"{program} did not start: {error}") from error


def stop(uri: str, timeout: float = 10.0) -> int:
    """End the server on this Unix socket: it answers what is under way. Returns its process id.

    Raises CommandError if there is none, or if it does not end in time.
    """
    pid = running(uri)
    if pid is None:
        raise CommandError(f"no server listens on {uri}")
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + timeout
    while running(uri) == pid:
        if time.monotonic() > end:
            raise CommandError(f"the server on {uri}, process {pid}, did not end within {timeout:.0f} s")
        time.sleep(0.02)
    return pid
