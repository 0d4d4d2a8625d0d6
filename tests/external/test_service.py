"""Background programs: they are ready when they say so, and they end with all their children."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eccelerate.external import CommandError, MissingError
from eccelerate.external.service import Service, answers, free_port

LISTEN = """
import socket, sys, time
with socket.create_server(("127.0.0.1", int(sys.argv[1]))):
    time.sleep(60)
"""
WITH_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def end_soon(pids: list[int]) -> bool:
    """Whether all the processes end within five seconds."""
    limit = time.monotonic() + 5
    while any(map(is_alive, pids)) and time.monotonic() < limit:
        time.sleep(0.02)
    return not any(map(is_alive, pids))


def test_a_service_is_ready_when_it_says_so(tmp_path: Path) -> None:
    port = free_port()
    assert not answers(port)
    command = [sys.executable, "-c", LISTEN, str(port)]
    with Service(command, tmp_path / "log", lambda: answers(port)) as service:
        assert answers(port)
        pid = service.pid
    assert not answers(port) and not is_alive(pid)


def test_its_children_end_with_it_even_if_they_ignore_signals(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def ready() -> bool:
        return log.read_text().endswith("\n")

    with Service([sys.executable, "-c", WITH_CHILD], log, ready) as service:
        pids = [service.pid, int(log.read_text())]
        assert all(map(is_alive, pids))
    assert end_soon(pids)


def test_an_early_end_shows_the_last_lines(tmp_path: Path) -> None:
    service = Service([sys.executable, "-c", "print('no room'); exit(3)"], tmp_path / "log", lambda: False)
    with pytest.raises(CommandError, match=r"ended with code 3\n  no room"), service:
        pass


def test_a_service_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"]
    service = Service(command, tmp_path / "log", lambda: False, seconds=1.0)
    with pytest.raises(CommandError, match="was not ready within 1 s"), service:
        pass
    assert not is_alive(int((tmp_path / "log").read_text()))


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no-such-program"), Service(["no-such-program"], tmp_path / "log"):
        pass


def test_a_service_ends_if_its_starter_is_killed(tmp_path: Path) -> None:
    if not Path("/usr/bin/setpriv").exists():
        pytest.skip("setpriv of util-linux is not installed")
    log = tmp_path / "log"
    starter = (
        "import sys, time; from pathlib import Path; from eccelerate.external.service import Service\n"
        f"with Service([sys.executable, '-c', 'import time; time.sleep(60)'], Path({str(log)!r})) as s:\n"
        "    print(s.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", starter], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        time.sleep(0.2)
        assert is_alive(pid)
        os.kill(process.pid, 9)
    assert end_soon([pid])
