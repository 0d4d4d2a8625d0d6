"""The server under sanitizers: memory, undefined behaviour, threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHORT = "mutated or hundred or sigterm_answers or everybody or virtual or nonce_comes"


def run(sanitize: str, *arguments: str) -> None:
    """Runs tests of this room against a server that is built with sanitizers."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/serve", *arguments]
    # Threads of OpenSSL are not of our making, but it is the same for all builds: no suppressions are needed.
    env = {**os.environ, "ECCEL_SANITIZE": sanitize}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stdout.decode()[-6000:]
    assert b" passed" in done.stdout


@pytest.mark.parametrize("sanitize", ["address,undefined", pytest.param("thread", marks=pytest.mark.soak)])
def test_some_tests_of_this_room(sanitize: str) -> None:
    run(sanitize, "-k", f"({SHORT}) and not sanitized and not RTL")


@pytest.mark.soak
@pytest.mark.parametrize("sanitize", ["address,undefined", "thread"])
def test_all_tests_of_this_room(sanitize: str) -> None:
    run(
        sanitize,
        "--ignore-glob=*_cpu.py",
        "--ignore-glob=*_paced.py",
        "--ignore-glob=*_commands.py",
        "--ignore-glob=*_sanitized.py",
    )
