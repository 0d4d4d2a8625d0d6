"""Servers that are killed in the middle of the work or come back, and many processes on one server."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.external.c_software import build_software
from eccelerate.external.service import Service
from eccelerate.rtlsim.model_folder import write_model
from tests.provider.lab import SLOW, Lab

CONFIG = "compact-w32"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The RTL model that the servers of these tests run."""
    folder = tmp_path_factory.mktemp("model")
    write_model(find_config(CONFIG), folder)
    return folder


def _server(model: Path, folder: Path) -> Service:
    path = folder / "engine.sock"
    path.unlink(missing_ok=True)
    command = [
        build_software("serve") / "eccel-serve",
        "--listen",
        f"unix:{path}",
        "--device",
        f"model:{model}",
    ]
    return Service(command, folder / "server.log", path.exists)


def _start(lab: Lab, program: Path, curve: str, jobs: int, rounds: int) -> subprocess.Popen[bytes]:
    command = [str(program), curve, str(jobs), str(rounds)]
    return subprocess.Popen(command, env=lab.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _wait_for_hardware(lab: Lab, more_than: int, seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while sum(lab.counters().hardware.values()) <= more_than:
        assert time.monotonic() < limit, f"no work was done in hardware: {lab.counters()}"
        time.sleep(0.02)


def test_software_finishes_what_a_killed_server_has_left(
    tmp_path: Path, module: Path, model: Path, program: Callable[[str], Path]
) -> None:
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/engine.sock", {**SLOW, "retry-ms": 100})
    with _server(model, tmp_path) as server:
        client = _start(lab, program("many"), "secp160r1", 40, 1)
        _wait_for_hardware(lab, 10)
        server.process and server.process.send_signal(signal.SIGKILL)
        out, err = client.communicate(timeout=100)
    assert client.returncode == 0, err
    assert json.loads(out)["good"] == 40
    done = lab.counters()
    assert sum(done.hardware.values()) > 10 and sum(done.software.values()) > 100
    assert not any(done.failed.values()) and done.requests == 0


def test_strict_mode_ends_with_errors_when_the_server_is_killed(
    tmp_path: Path, module: Path, model: Path, program: Callable[[str], Path]
) -> None:
    settings = {**SLOW, "fallback": "no"}
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/engine.sock", settings)
    with _server(model, tmp_path) as server:
        client = _start(lab, program("many"), "secp160r1", 40, 1)
        _wait_for_hardware(lab, 10)
        server.process and server.process.send_signal(signal.SIGKILL)
        out, _ = client.communicate(timeout=100)
    assert json.loads(out)["good"] < 40
    done = lab.counters()
    assert any(done.failed.values()) and not any(done.software.values()) and done.requests == 0


def test_the_engine_is_used_again_when_its_server_comes_back(
    tmp_path: Path, module: Path, model: Path, program: Callable[[str], Path]
) -> None:
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/engine.sock", {**SLOW, "retry-ms": 50})
    with _server(model, tmp_path) as server:
        client = _start(lab, program("many"), "secp160r1", 1, 3000)
        _wait_for_hardware(lab, 10)
        server.process and server.process.send_signal(signal.SIGKILL)
        time.sleep(0.3)
    assert sum(lab.counters().software.values()) > 0
    before = sum(lab.counters().hardware.values())
    with _server(model, tmp_path):
        _wait_for_hardware(lab, before)
        client.kill()
        client.communicate(timeout=10)
    assert not any(lab.counters().failed.values())


def test_the_first_use_finds_a_server_that_starts_later(tmp_path: Path, module: Path, model: Path) -> None:
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/engine.sock", SLOW)
    key = lab.make_key("key", "P-192")
    assert lab.counters().software["public"] == 1
    with _server(model, tmp_path):
        lab.openssl("dgst", "-sha256", "-sign", key, "-out", lab.path("signature"), lab.conf)
    assert lab.counters().hardware["sign"] == 1


def test_eight_processes_share_one_engine(hardware: Lab, program: Callable[[str], Path]) -> None:
    clients = [_start(hardware, program("many"), "secp160r1", 1, 1) for _ in range(8)]
    for client in clients:
        out, err = client.communicate(timeout=100)
        assert client.returncode == 0 and json.loads(out)["good"] == 1, err
    done = hardware.counters()
    assert done.hardware["sign"] == 8 and done.hardware["derive"] == 16
    assert not any((*done.software.values(), *done.failed.values()))


def test_a_server_that_is_told_to_end_leaves_no_wrong_results(
    tmp_path: Path, module: Path, model: Path, program: Callable[[str], Path]
) -> None:
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/engine.sock", {**SLOW, "retry-ms": 100})
    with _server(model, tmp_path):
        client = _start(lab, program("many"), "secp160r1", 20, 1)
        _wait_for_hardware(lab, 5)  # leaving the block sends SIGTERM
    out, err = client.communicate(timeout=100)
    assert client.returncode == 0 and json.loads(out)["good"] == 20, err


def _slow_server(folder: Path, latency_ms: int) -> Service:
    """A server without an engine, whose answers take this long."""
    path = folder / "slow.sock"
    command = [
        build_software("serve") / "eccel-serve",
        "--listen",
        f"unix:{path}",
        "--latency-ms",
        str(latency_ms),
    ]
    return Service(command, folder / "slow.log", path.exists)


def test_software_does_what_does_not_fit_into_the_queue(
    tmp_path: Path, module: Path, program: Callable[[str], Path]
) -> None:
    lab = Lab(tmp_path / "lab", module, f"unix:{tmp_path}/slow.sock", {**SLOW, "max-in-flight": 10})
    with _slow_server(tmp_path, 20):
        found = lab.run_json(program("many"), "P-256", "100", "1")
    done = lab.counters()
    assert found["good"] == 100 and found["most_paused"] < 100
    assert done.hardware["sign"] >= 10 and done.software["sign"] > 0 and not any(done.failed.values())


def test_an_answer_that_comes_too_late_is_not_waited_for(
    tmp_path: Path, module: Path, program: Callable[[str], Path]
) -> None:
    uri = f"unix:{tmp_path}/slow.sock"
    lab, strict = (
        Lab(tmp_path / name, module, uri, {"timeout-ms": 300, "connect-ms": 30_000, "fallback": fallback})
        for name, fallback in (("lab", "yes"), ("strict", "no"))
    )
    with _slow_server(tmp_path, 60_000):
        began = time.monotonic()
        key = lab.make_key("key", "P-256")
        assert "ERROR_TIMEOUT" in strict.refused("dgst", "-sha256", "-sign", key, lab.conf)
        assert time.monotonic() - began < 20
    assert lab.counters().software["public"] == 1 and strict.counters().failed["sign"] == 1
