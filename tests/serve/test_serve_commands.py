"""`eccel serve` and `eccel top`, as a user types them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.server_link import ServerLink
from eccelerate.external import CommandError, serve_program
from eccelerate.model import point

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300


def eccel(*arguments: str, code: int = 0) -> str:
    """Runs a command; its output if it ends with this code."""
    command = [sys.executable, "-m", "eccelerate.cli", *arguments]
    env = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == code, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode() + done.stderr.decode()


def works(uri: str, name: str) -> None:
    """A job on a curve has the right result."""
    curve = find_curve(name)
    with ServerLink(uri) as link:
        engine = Engine(link, binary=curve.kind == "binary")
        engine.load_curve(curve)
        assert engine.base_mul(77).point == point.base_mul(curve, 77)


@pytest.fixture
def uri(tmp_path: Path) -> Iterator[str]:
    """An address; a server on it is ended after the test."""
    address = f"unix:{tmp_path}/socket"
    yield address
    if pid := serve_program.running(address):
        os.kill(pid, signal.SIGKILL)


def test_a_model_is_served_watched_and_ended(uri: str) -> None:
    text = eccel("serve", "compact-w32", "binary-163-d64", "--listen", uri, "--detach")
    assert "serving compact-w32, binary-163-d64" in text and "paced" not in text
    assert f"devices = {uri}" in text
    for curve in ("P-256", "B-163"):
        works(uri, curve)
    found = json.loads(eccel("top", uri, "--once", "--json", "--seconds", "0.2"))
    assert (found["name"], found["paced"]) == ("compact-w32, binary-163-d64", False)
    assert (
        found["in_service"] == 2
        and found["totals"]["jobs"] >= 4
        and found["totals"]["connections_total"] >= 2
    )
    assert found["connections"] == 0
    table = eccel("top", uri, "--once", "--seconds", "0.1")
    for words in ("signatures", "verifications", "ECDH", "busy", "jobs waiting", "connections"):
        assert words in table
    assert "ended process" in eccel("serve", "--stop", "--listen", uri)
    assert serve_program.running(uri) is None
    assert "no server listens" in eccel("serve", "--stop", "--listen", uri, code=1)
    assert "is the server running?" in eccel("top", uri, "--once", code=1)


def test_top_shows_rates_and_use(uri: str) -> None:
    eccel("serve", "--latency-ms", "10", "--listen", uri, "--detach")
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            works(uri, "P-256")

    worker = threading.Thread(target=work)
    worker.start()
    try:
        command = [sys.executable, "-m", "eccelerate.cli", "top", uri, "--json", "--seconds", "0.5"]
        # A shell that starts the tests in the background has them, and so this process, ignore SIGINT.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        top = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        signal.signal(signal.SIGINT, before)
        assert top.stdout is not None
        records = [json.loads(top.stdout.readline()) for _ in range(3)]
        top.send_signal(signal.SIGINT)
        top.communicate(timeout=60)
        assert top.returncode == 0
    finally:
        stop.set()
        worker.join()
    assert all(5 < record["rates"]["other"] < 250 and 0.2 < record["busy"] <= 1 for record in records)
    assert records[0]["paced"]
    assert "results come from software" in eccel("top", uri, "--once", "--seconds", "0.1")
    eccel("serve", "--stop", "--listen", uri)


def test_a_paced_device_has_the_clock_of_the_placement(uri: str) -> None:
    text = eccel("serve", "binary-163-d64", "--paced", "--prepare", "8", "--listen", uri, "--detach")
    assert "results come from software" in text and "binary-163-d64 (paced)" in text
    mhz = re.search(r"([\d.]+) MHz", text)
    assert mhz
    works(uri, "B-163")
    with ServerLink(uri) as link:
        assert (
            link.status().clock_khz == round(float(mhz[1]) * 1000, -2)
            or abs(link.status().clock_khz / 1000 - float(mhz[1])) < 0.06
        )
    eccel("serve", "--stop", "--listen", uri)


def test_a_server_in_the_foreground_ends_with_its_command(uri: str) -> None:
    command = [sys.executable, "-m", "eccelerate.cli", "serve", "--latency-ms", "1", "--listen", uri]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"serving latency (paced)")
    works(uri, "P-256")
    process.terminate()
    assert process.wait(20) == 0
    process.communicate()
    assert serve_program.running(uri) is None


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ((), 2, "one of them"),
        (("compact-w32", "--latency-ms", "3"), 2, "one of them"),
        (("nothing",), 2, "nothing"),
        (("--device", "unix:/x", "--paced"), 2, "needs a configuration"),
        (("compact-w32", "--curve", "P-384"), 2, "for --paced"),
        (("binary-163-d64", "--paced", "--curve", "P-256"), 2, "no engine of the plan takes it"),
        (("compact-w32", "--paced", "--curve", "curve25519"), 2, "Montgomery"),
        (("binary-571-fast", "--paced"), 2, "--clock-mhz"),
        (("--latency-ms", "1", "--listen", "udp:3"), 1, "unix:PATH or tcp:HOST:PORT"),
        (("--device", "unix:/nowhere"), 1, "ended with code 1"),
    ],
)
def test_wrong_usage_is_named(tmp_path: Path, arguments: tuple[str, ...], code: int, reason: str) -> None:
    listen = () if "--listen" in arguments else ("--listen", f"unix:{tmp_path}/s")
    assert reason in eccel("serve", *arguments, *listen, code=code)


def test_the_default_address_is_one_that_the_user_may_write() -> None:
    path = Path(serve_program.default_uri().removeprefix("unix:"))
    assert path.parent.is_dir() and os.access(path.parent, os.W_OK)
    with pytest.raises(CommandError, match="no server"):
        serve_program.stop("tcp:127.0.0.1:1")
