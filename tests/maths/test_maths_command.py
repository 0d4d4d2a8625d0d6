"""`eccel maths`, the lines of `eccel doctor`, and the page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app, doctor, maths
from eccelerate.configs.config import ROOT
from eccelerate.external import CommandError, maths_packages
from eccelerate.external.maths_packages import PACKAGES
from tests.maths import lab
from tests.maths.lab import P256

runner = CliRunner()
PAGE = (ROOT / "docs" / "maths.md").read_text()


def test_the_command_says_how_to_use_each_package() -> None:
    package = lab.needed("python")
    done = runner.invoke(app, ["maths", "python"])
    assert done.exit_code == 0, done.output
    assert f"PYTHONPATH={package.folder} python3 script.py" in done.stdout
    assert "export ECCEL_DEVICES=model:" in done.stdout


def test_the_comparison_runs_the_example_without_and_with_the_engine() -> None:
    lab.needed("python")
    done = runner.invoke(app, ["maths", "python", "--compare", "--devices", lab.model(), "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    kinds = ["product", "mod_mul", "mod_inv", "mod_exp", "point_add", "point_mul"]
    assert [row["operation"] for row in rows] == kinds
    for row in rows:
        assert row["equal"] and row["jobs"] > 0 and row["devices"] == "compact-w32"
        assert row["own_ms"] > 0 and row["here_ms"] > 0
        assert row["engine_ms"] == pytest.approx(row["clocks"] / lab.KHZ, rel=0.01)
    assert 200_000 < rows[-1]["clocks"] < 300_000


def test_a_comparison_with_different_results_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that differ, and a run in which the engine did nothing of what was timed."""
    lab.needed("python")
    monkeypatch.setattr(maths, "EXAMPLES", tmp_path)
    with lab.golden(tmp_path) as device:
        arguments = ["maths", "python", "--compare", "--devices", device.uri]
        for text in (
            f"import os, eccel_maths as e\ne.Mod(2, {P256.p}) * 3\nprint(os.environ.get('ECCEL_REPORT'))\n",
            f"from eccel_maths import Mod\nMod(2, {P256.p}) + 3\nprint('equal')\n",
        ):
            (tmp_path / "maths.py").write_text(text + "print('time mod_mul 1.0')\n")
            done = runner.invoke(app, arguments)
            assert done.exit_code == 1 and "results differ: python" in done.output
        (tmp_path / "maths.py").write_text("print('time mod_mul 1.0')\n")
        assert "Python has not used the engine" in runner.invoke(app, arguments).output
        (tmp_path / "maths.py").write_text("raise SystemExit('broken')\n")
        assert "broken" in runner.invoke(app, arguments).output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["maths", "maple"], "there are pari, octave, python"),
        (["maths", "--json"], "for --compare"),
        (["maths", "--devices", "unix:x"], "for --compare"),
        (["maths", "python", "--compare", "--config", "compact-w33"], "compact-w32"),
    ],
)
def test_a_users_mistake_is_one_clear_line(arguments: list[str], text: str) -> None:
    done = runner.invoke(app, arguments)
    assert done.exit_code == 2 and text in done.output and "Traceback" not in done.output


def test_what_is_missing_is_named_with_its_debian_package(monkeypatch: pytest.MonkeyPatch) -> None:
    there = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name in {"gp", "octave-cli"} else there(name))
    pari, octave, _ = PACKAGES
    assert maths_packages.missing(pari)[0] == "pari-gp"
    assert maths_packages.missing(octave)[0] == "octave"
    with pytest.raises(CommandError, match="PARI/GP: apt install pari-gp"):
        maths_packages.build(pari)
    done = runner.invoke(app, ["maths", "pari"])
    assert done.exit_code == 1 and "apt install pari-gp" in done.output
    headers = maths_packages.MathsPackage("x", "X", "y", ".x", {}, {"eccel/absent.h": "libabsent-dev"})
    assert maths_packages.missing(headers) == ["libabsent-dev"]


def test_doctor_names_what_the_packages_need() -> None:
    remedies = {each.name: each.remedy for each in doctor.findings()}
    for package in PACKAGES:
        for what, debian in {**package.programs, **package.headers}.items():
            assert remedies[what] == f"apt install {debian}"


def test_the_page_has_the_settings_and_the_commands() -> None:
    for name in maths_packages.SETTINGS:
        assert name in PAGE
    for command in re.findall(r"^\./eccel (\w+)", PAGE, re.M):
        assert runner.invoke(app, [command, "--help"]).exit_code == 0
    debian = re.search(r"^apt install (.*)$", PAGE, re.M)
    assert debian
    wanted = {
        each for package in PACKAGES for each in (*package.programs.values(), *package.headers.values())
    }
    assert set(debian[1].split()) == wanted


@pytest.mark.parametrize("name", ["pari", "octave", "python"])
def test_the_scripts_of_the_page_print_what_it_shows(name: str, tmp_path: Path) -> None:
    package = lab.needed(name)
    found = re.search(rf"<!-- example {name} -->\n```\w+\n(.*?)```\n+```text\n(.*?)```", PAGE, re.S)
    assert found
    with lab.golden(tmp_path) as device:
        for devices in (None, device.uri):
            done = lab.run(package, tmp_path, found[1], devices, lab.STRICT)
            assert done.outcome.text == found[2], done.outcome.errors
    assert sum(done.jobs(kind) for kind in maths_packages.KINDS) > 0
