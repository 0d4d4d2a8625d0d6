"""TLS on the RTL: real servers, stock clients, and the engine's counters as the proof."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from eccelerate import external
from eccelerate.cli import demo_tls
from eccelerate.cli.demo_tls_tables import Part
from eccelerate.cli.failures import CheckError
from eccelerate.configs.config import ROOT
from eccelerate.explore.system.engine_server import latency_server
from eccelerate.external import serve_program

NEEDED = [name for name in demo_tls.PACKAGES if not external.is_installed(name)]
ECCEL = [sys.executable, "-m", "eccelerate.cli"]


@pytest.fixture(autouse=True)
def _installed() -> None:
    if NEEDED:
        pytest.skip(f"not installed: apt-get install {' '.join(demo_tls.PACKAGES[name] for name in NEEDED)}")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files with a short name: the path of a socket has at most 107 characters."""
    with tempfile.TemporaryDirectory(prefix="t") as place:
        monkeypatch.setattr(tempfile, "tempdir", place)
        yield Path(place)


def left_over(folder: Path) -> list[str]:
    """Programs with files in a folder that still run, by their command lines."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in words and "python" not in words:
            found.append(words)
    return found


def test_handshakes_of_every_server_are_done_on_the_rtl(short: Path) -> None:
    console = Console(file=io.StringIO(), width=120)
    parts = demo_tls.run_demo([demo_tls.CURVES["P-256"]], console, quick=True)
    assert [part.name for part in parts] == [
        "certificates", "nginx", "HAProxy", "openssl s_server", "HAProxy, many at once",
    ]  # fmt: skip
    for part in parts[1:-1]:
        assert part.visits == {("prime256v1", "1.2"): 1, ("prime256v1", "1.3"): 1}
        assert part.done("ecdsa_sign") == 2 and part.done("ecdh") == 2
    assert parts[-1].handshakes == 8 and parts[-1].done("ecdsa_sign") == 9
    assert left_over(short) == [] and list(short.iterdir()) == []


@pytest.mark.soak
def test_the_whole_demonstration_has_every_curve_on_every_server(short: Path) -> None:
    env = os.environ | {"TMPDIR": str(short)}
    done = external.run([*ECCEL, "demo-tls"], timeout=1800, cwd=ROOT, env=env)
    assert done.code == 0, done.errors
    assert "92 handshakes, each with a signature of the engine; none in software" in done.text
    assert left_over(short) == [] and list(short.iterdir()) == []


@pytest.mark.parametrize("missing", ["ecdsa_sign", "ecdh"])
def test_work_that_the_engine_did_not_do_fails_the_part(missing: str) -> None:
    part = Part("nginx", before={"ecdsa_sign": 5, "ecdh": 5, "failed": 0})
    part.count("prime256v1", "1.3", 3)
    part.after = {"ecdsa_sign": 8, "ecdh": 8, "failed": 0}
    part.require_work()
    part.after[missing] -= 1
    with pytest.raises(CheckError, match=r"nginx: the engine did 2 .* of 3"):
        part.require_work()


def test_failed_jobs_fail_the_part() -> None:
    part = Part("nginx", before={"failed": 1}, after={"failed": 2})
    with pytest.raises(CheckError, match="1 jobs failed"):
        part.require_work()


def test_software_in_place_of_an_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_program.build()
    monkeypatch.setattr(demo_tls, "model_server", lambda configs, folder, say: latency_server(0, folder))
    with demo_tls.ExitStack() as stack:
        demo = demo_tls.Demo(stack, tmp_path, tmp_path / "absent.so", [])
        with pytest.raises(CheckError, match="computes in software"):
            demo.serve("engines", [], print)


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGTERM])
def test_an_interrupted_demonstration_leaves_nothing_behind(short: Path, number: int) -> None:
    env = os.environ | {"TMPDIR": str(short)}
    command = [*ECCEL, "demo-tls", "--curves", "P-384"]
    # A shell that starts the tests in the background has them, and so this process, ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    signal.signal(signal.SIGINT, before)
    with process:
        limit = time.monotonic() + 400
        while not list(short.glob("eccel-tls-*/nginx/nginx.pid")) and process.poll() is None:
            assert time.monotonic() < limit
            time.sleep(0.05)
        assert any("nginx" in words for words in left_over(short))
        process.send_signal(number)
        process.wait(90)
    assert process.returncode != 0
    assert left_over(short) == [] and list(short.glob("eccel-tls-*")) == []


def test_unknown_curves_are_a_usage_error() -> None:
    done = external.run([*ECCEL, "demo-tls", "--curves", "P-256,P-255"], timeout=60, cwd=ROOT)
    assert done.code == 2 and "no curve P-255" in done.errors
