"""The command group finds every command, and imports only the module of the one that is called."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import FUNCTIONS, CommandTable, app

runner = CliRunner()
CALL_LIST = """
import sys
from eccelerate.cli import app
app(["list"], standalone_mode=False)
print(*sorted(name for name in sys.modules if name.startswith("eccelerate.cli.")), file=sys.stderr)
"""


def test_a_command_does_not_wait_for_the_modules_of_others(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CALL_LIST], cwd=root, capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    others = {f"eccelerate.cli.{each.split(':')[0]}" for each in FUNCTIONS.values()}
    assert loaded & others == {"eccelerate.cli.listing"}
    assert b"compact-w32" in done.stdout


def test_the_table_has_every_command_by_its_name() -> None:
    table = CommandTable()
    assert list(table) == list(FUNCTIONS)
    assert [command.name for command in table.values()] == list(FUNCTIONS)
    assert table["run"] is table["run"]
    with pytest.raises(KeyError):
        table["walk"]


def test_every_command_is_in_the_help() -> None:
    shown = runner.invoke(app, ["--help"], env={"COLUMNS": "120"}).output
    assert all(f" {name} " in shown for name in FUNCTIONS)


def test_a_wrong_name_gets_the_nearest_right_one() -> None:
    found = runner.invoke(app, ["mesure"])
    assert found.exit_code == 2 and "Did you mean 'measure'?" in found.output


def test_version(root: Path) -> None:
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    found = runner.invoke(app, ["--version"])
    assert found.exit_code == 0 and found.output.startswith(f"eccelerate {version}, commit ")
