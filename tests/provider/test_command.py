"""`eccel provider` writes a configuration that works, and refuses what it does not understand."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.external import openssl_provider, serve_program
from tests.provider.lab import Lab, call


def test_the_configuration_has_the_settings_and_is_printed(tmp_path: Path) -> None:
    options = [
        "--devices",
        "unix:/a unix:/b",
        "--strict",
        "--set",
        "blind=no",
        "--set",
        "route=P-384=software",
    ]
    shown = CliRunner().invoke(app, ["provider", *options, "--out", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    text = (tmp_path / "openssl.cnf").read_text()
    assert text in shown.output
    for line in ("devices = unix:/a unix:/b", "fallback = no", "blind = no", "route = P-384=software"):
        assert f"\n{line}\n" in text
    env = Lab(tmp_path / "lab", openssl_provider.build(), "").env | {
        "OPENSSL_CONF": str(tmp_path / "openssl.cnf")
    }
    assert b"name: eccelerate" in call("openssl", "list", "-providers", env=env)


def test_the_default_device_is_the_server_of_eccel_serve(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["provider", "--out", str(tmp_path)]).exit_code == 0
    assert f"devices = {serve_program.default_uri()}\n" in (tmp_path / "openssl.cnf").read_text()


@pytest.mark.parametrize("setting", ["blind", "two\nlines=1"])
def test_a_setting_that_is_none_is_refused(tmp_path: Path, setting: str) -> None:
    shown = CliRunner().invoke(app, ["provider", "--set", setting, "--out", str(tmp_path)])
    assert shown.exit_code == 2 and not (tmp_path / "openssl.cnf").exists()


def test_counters_as_json(stub: Lab) -> None:
    stub.make_key("key", "P-256")
    shown = CliRunner().invoke(app, ["provider", "--json", "--counters-file", str(stub.path("counters"))])
    assert '"public": 1' in shown.stdout
