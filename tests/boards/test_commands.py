"""Wrong calls of `eccel build --board` and `eccel board-sim` end with a sentence that says what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app

BUILD = ["build", "compact-w32", "--out", "NEW"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*BUILD, "--board", "nexys"], "known are ulx3s, orangecrab, icebreaker, arty"),
        ([*BUILD, "--board", "ulx3s", "--device", "up5k"], "--board and --out for a board"),
        ([*BUILD], "--device and --out for a bundle"),
        (["build", "compact-w32", "--board", "ulx3s"], "--board and --out"),
        ([*BUILD, "--board", "ulx3s", "--windows", "2"], "a board has a serial port and no bus"),
        ([*BUILD, "--board", "ulx3s", "--clock", "-3"], "positive"),
        ([*BUILD, "--board", "ulx3s", "--clock", "0.5"], "its lowest is"),
        ([*BUILD, "--board", "ulx3s", "--baud", "90000000"], "too fast: .* at most"),
        ([*BUILD, "--board", "ulx3s", "--baud", "10"], "within 2 %: .* at least"),
        ([*BUILD, "--board", "icebreaker"], "does not fit icebreaker"),
        ([*BUILD, "--device", "up5k", "--clock", "20"], "--clock and --store are for --board"),
        (["board-sim", "nexys", "compact-w32"], "known are"),
        (["board-sim", "ulx3s", "compact-w33"], "did you mean compact-w32"),
        (["board-sim", "ulx3s", "compact-w32", "--bit", "7"], "at least 8"),
        (["board-sim", "ulx3s", "compact-w32", "--skew", "3"], "from 0.5 to 2"),
        (["board-sim", "ulx3s", "compact-w32", "--noise", "2"], "from 0 to 1"),
    ],
)
def test_a_wrong_call_is_explained(arguments: list[str], words: str, tmp_path: Path) -> None:
    new = tmp_path / "new"
    result = CliRunner().invoke(app, [str(new) if each == "NEW" else each for each in arguments])
    assert result.exit_code != 0
    assert not new.exists()
    text = " ".join(f"{result.output} {result.exception or ''}".split())
    assert re.search(words, text), text


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    result = CliRunner().invoke(app, ["build", "compact-w32", "--board", "ulx3s", "--out", str(tmp_path)])
    assert result.exit_code != 0 and "not an empty folder" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
