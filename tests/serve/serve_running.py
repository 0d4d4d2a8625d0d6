"""Starts servers for tests, and looks into their processes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from eccelerate.configs.config import find_config
from eccelerate.configs.kind import build_root
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.driver.server_link import ServerLink
from eccelerate.external import serve_program
from eccelerate.rtlsim.model_folder import write_model

ENDS_WITHIN = 15.0


SANITIZE = os.environ.get("ECCEL_SANITIZE", "")
"""Sanitizers with which the server is built, such as address,undefined."""


@cache
def program() -> Path:
    """The server, built if it has to be."""
    return serve_program.build(jobs=1, sanitize=SANITIZE)


@cache
def model(name: str) -> str:
    """The address of the model of a configuration."""
    folder = build_root() / "serve" / name
    write_model(find_config(name), folder, 1000)
    return f"model:{folder}"


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[bytes]
    uri: str
    log_file: Path
    links: list[ServerLink] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> list[dict[str, object]]:
        """The lines of the log."""
        return [json.loads(line) for line in self.log_file.read_text().splitlines() if line.startswith("{")]

    def events(self, name: str) -> list[dict[str, object]]:
        return [line for line in self.log if line["event"] == name]

    def link(self) -> ServerLink:
        """A new connection."""
        link = ServerLink(self.uri, timeout=60)
        self.links.append(link)
        return link

    def engine(self, curve: str | Curve) -> Engine:
        """A new connection with a curve."""
        found = find_curve(curve) if isinstance(curve, str) else curve
        engine = Engine(self.link(), binary=found.kind == "binary")
        engine.load_curve(found)
        return engine

    def counters(self) -> dict[str, int]:
        """The counters, without the connection that asks for them."""
        with ServerLink(self.uri) as link:
            found = link.counters()
        found["connections"] -= 1
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(ENDS_WITHIN)

    def status_value(self, name: str) -> int:
        """A number of /proc/PID/status, such as VmRSS in kB."""
        text = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
        return int(found[1]) if found else 0

    def descriptors(self) -> int:
        """Number of open descriptors."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def cpu_seconds(self) -> float:
        """CPU time of the process so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> Iterator[bytes]:
        """The contents of all memory that the process can write."""
        with (
            Path(f"/proc/{self.pid}/maps").open() as maps,
            Path(f"/proc/{self.pid}/mem").open("rb", 0) as mem,
        ):
            for line in maps:
                place, rights = line.split()[:2]
                if "w" in rights and "[v" not in line:
                    begin, end = (int(number, 16) for number in place.split("-"))
                    with contextlib.suppress(OSError):
                        mem.seek(begin)
                        yield mem.read(end - begin)


@contextlib.contextmanager
def serving(*arguments: str, uri: str = "", env: dict[str, str] | None = None) -> Iterator[Server]:
    """A server with these arguments, ready; on a Unix socket in a new folder unless `uri` is given."""
    with tempfile.TemporaryDirectory(prefix="eccel-serve-") as folder:
        address = uri or f"unix:{folder}/socket"
        log = Path(folder) / "log"
        command = [str(program()), "--listen", address, "--log-json", "--log-level", "debug", *arguments]
        command += ["--dumpable"] * bool(SANITIZE)  # the search for leaks looks into the process
        with log.open("wb") as stream:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stderr=stream, env={**os.environ, **(env or {})}
            )
        server = Server(process, address, log)
        try:
            wait_for(lambda: bool(server.events("ready")) or process.poll() is not None, 120)
            assert process.poll() is None, log.read_text()
            yield server
            if process.poll() is None:
                server.stop()
            text = log.read_text()
            assert not re.search("ERROR: |runtime error|WARNING: Thread", text), text  # of sanitizers
        finally:
            for link in server.links:
                link.close()
            if process.poll() is None:
                process.kill()
                process.wait()


def refused(*arguments: str) -> tuple[int, str]:
    """Exit code and messages of a server that does not start."""
    done = subprocess.run([str(program()), *arguments], capture_output=True, timeout=30, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def wait_for(condition: object, seconds: float = 10.0) -> None:
    """Waits until the condition holds. Fails after so many seconds."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.01)


def run_all(processes: Sequence[subprocess.Popen[bytes]], seconds: float) -> list[int]:
    """Exit codes of processes that all end in this time."""
    end = time.monotonic() + seconds
    return [process.wait(max(0.1, end - time.monotonic())) for process in processes]
