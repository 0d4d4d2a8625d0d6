"""Runs programs in the background, such as servers, and ends them with all their children."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from eccelerate.external.command import CommandError, MissingError

STEP = 0.02
"""Seconds between two looks at a program that starts or ends."""
END_SECONDS = 5.0
"""Time that a program has to end after SIGTERM. After that it is killed."""


@dataclass
class Service:
    """A program that runs until the end of a `with` block.

    log: file for what it prints on both channels; env: its environment, this process's own when left out;
    ready: called again and again after the start until it returns True; seconds: limit of the start.

    It has a process group of its own, so that its children end with it, and it does not see a Ctrl-C meant
    for this process. It also ends if this process is killed. Raises MissingError, and CommandError with the
    last lines of the log if it ends early or is not ready in time.
    """

    command: Sequence[str | Path]
    log: Path
    ready: Callable[[], bool] = lambda: True
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    seconds: float = 20.0
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The name of the program."""
        return Path(self.command[0]).name

    @property
    def pid(self) -> int:
        """Its process id, while it runs."""
        if self.process is None:
            raise CommandError(f"{self.name} does not run")
        return self.process.pid

    def __enter__(self) -> Service:
        words = [str(word) for word in self.command]
        if shutil.which(words[0]) is None:
            raise MissingError(f"{self.name} is not installed: see `eccel doctor`")
        if shutil.which("setpriv"):
            words = ["setpriv", "--pdeathsig", "TERM", "--", *words]
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                env=self.env,
                cwd=self.cwd,
                start_new_session=True,
            )
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _wait_until_ready(self) -> None:
        limit = time.monotonic() + self.seconds
        while True:
            self.require_running()
            if self.ready():
                return
            if time.monotonic() > limit:
                raise CommandError(
                    f"{self.name} was not ready within {self.seconds:.0f} s{self.last_lines()}"
                )
            time.sleep(STEP)

    def require_running(self) -> None:
        """Raises CommandError if the program has ended."""
        code = None if self.process is None else self.process.poll()
        if code is not None:
            raise CommandError(f"{self.name} ended with code {code}{self.last_lines()}")

    def last_lines(self, count: int = 6) -> str:
        """What the program printed at last, as the end of a message."""
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "".join(f"\n  {line}" for line in lines[-count:])

    def stop(self) -> None:
        """End the program and its children: first asked, then killed. Does nothing if it does not run."""
        process, self.process = self.process, None
        if process is None:
            return
        _signal_group(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return  # all of them have ended


def free_port() -> int:
    """A TCP port of the loopback interface that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody accepts connections on a TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
