"""The commands and examples of docs/serve.md work as they are written."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.configs.config import build_root
from eccelerate.external import serve_program
from tests.serve.serve_running import model, program, serving

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "serve.md").read_text()
SOCKET = "/run/eccel.sock"


def blocks(language: str) -> list[str]:
    """The examples in one language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    """A socket in place of that of the page. What listens there is ended after the test."""
    path = str(tmp_path / "eccel.sock")
    yield path
    if pid := serve_program.running(f"unix:{path}"):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", range(3))
def test_commands(place: str, number: int) -> None:
    text = blocks("sh")[number]
    assert SOCKET in text
    # The build folder of these tests may be another one, as in `make test-times`.
    text = text.replace(SOCKET, place).replace("build/", f"{build_root()}/")
    done = subprocess.run(
        ["sh", "-e", "-c", text],
        cwd=ROOT,
        capture_output=True,
        timeout=580,
        check=False,
    )
    output = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == 0, output
    assert "ended process" in output


def test_every_example_is_run() -> None:
    assert (len(blocks("sh")), len(blocks("python")), len(blocks("ini"))) == (3, 1, 1)


def test_the_client_in_python(place: str) -> None:
    (text,) = blocks("python")
    with serving("--device", model("compact-w32"), "--name", "compact-w32", uri=f"unix:{place}"):
        done = subprocess.run(
            [sys.executable, "-c", text.replace(SOCKET, place)],
            cwd=ROOT,
            capture_output=True,
            timeout=60,
            check=True,
        )
    # 7 G of P-256
    x = int("8e533b6fa0bf7b4625bb30667c01fb607ef9f8b8a80fef5b300628703187b2a3", 16)
    assert done.stdout.decode().startswith(f"compact-w32 ({x},")


def test_the_unit_starts_the_server_with_options_that_it_has(tmp_path: Path) -> None:
    (text,) = blocks("ini")
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    assert unit["Service"]["Type"] == "notify"
    command = shlex.split(unit["Service"]["ExecStart"])
    assert command[0].endswith("/eccel-serve")
    changed = {"unix:/run/eccel/eccel.sock": f"unix:{tmp_path}/s", "uart:/dev/ttyUSB0": model("compact-w32")}
    assert set(changed) <= set(command)
    process = subprocess.Popen([str(program()), *(changed.get(word, word) for word in command[1:])])
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        assert (tmp_path / "s").is_socket()
    finally:
        process.terminate()
        assert process.wait(10) == 0


def test_every_option_of_the_page_exists() -> None:
    command = [sys.executable, "-m", "eccelerate.cli", "serve", "--help"]
    env = {**os.environ, "COLUMNS": "400", "NO_COLOR": "1"}
    known = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, check=True, timeout=60
    ).stdout.decode()
    known += subprocess.run(
        [str(program()), "--help"], capture_output=True, check=True, timeout=60
    ).stdout.decode()
    known += "--json --once"  # of eccel top
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    assert {option for option in named if option not in known} == set()
