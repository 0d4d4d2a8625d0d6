"""The examples of docs/openssl.md are run as they stand there, in another folder and on other ports."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from eccelerate.external import openssl_provider
from eccelerate.external.service import free_port
from tests.provider.lab import ROOT, skip_without

PAGE = ROOT / "docs" / "openssl.md"
FOLDER = "/tmp/eccel-demo"
PORTS = ("8443", "9443")


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The page with a folder and ports of this test."""
    text = PAGE.read_text().replace(FOLDER, str(tmp_path))
    for port in PORTS:
        text = text.replace(port, str(free_port()))
    return text


def _files(page: str) -> dict[Path, str]:
    found = re.findall(r"Save this as\s+`([^`]+)`:\n\n```\w+\n(.*?)```", page, re.S)
    return {Path(name): text for name, text in found}


def _commands(page: str) -> str:
    return "\n".join(re.findall(r"```sh\n(.*?)```", page, re.S))


def test_the_examples_of_the_page_run(page: str, tmp_path: Path) -> None:
    skip_without("nginx", "haproxy")
    files = _files(page)
    assert {path.suffix for path in files} == {".c", ".py", ".conf", ".cfg"}
    for path, text in files.items():
        path.write_text(text)
    before = openssl_provider.read_counters()
    stop = f"./eccel serve --stop --listen unix:{tmp_path}/engine.sock"
    script = f"trap '{stop} > /dev/null 2>&1' EXIT\n{_commands(page)}\ntrap - EXIT\n"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for line in (
        "name: eccelerate", "Verified OK", "signed and verified by eccel", "TLSv1.3 HELLO", "served by nginx",
        "served by HAProxy", "signatures",
    ):  # fmt: skip
        assert line in done.stdout, line
    added = openssl_provider.read_counters() - before
    # Signatures: message, certificate, C, Python, nginx, HAProxy, and two with the key in the slot.
    assert added.hardware["sign"] >= 8 and added.hardware["keygen"] >= 1 and added.paused >= 3


def test_every_setting_of_the_provider_is_on_the_page() -> None:
    source = (ROOT / "sw" / "provider" / "config.c").read_text()
    names = re.findall(r'SETTING\("([\w-]+)"', source)
    assert len(names) > 8
    for name in names:
        assert f"| `{name}` |" in PAGE.read_text(), name


def test_files_that_the_page_names_exist() -> None:
    for name in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", PAGE.read_text()):
        assert (PAGE.parent / name).exists(), name
