"""The commands and outputs in docs/boards.md are those of the program."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.board_table import find_board, load_boards
from eccelerate.external.service import Service
from tests.driver.library import library

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "boards.md").read_text()
COMMANDS = re.findall(r"^    (?:cd \w+ && )?((?:eccel|openFPGALoader) .*)$", PAGE, re.MULTILINE)
PORT = re.compile(r"/dev/pts/\d+")


@pytest.mark.timeout(300)
def test_the_simulated_board_does_what_the_page_shows(tmp_path: Path) -> None:
    [command] = [text for text in COMMANDS if text.startswith("eccel board-sim")]
    shown = [line[4:] for line in PAGE.splitlines() if PORT.search(line) and line.startswith("    ")]
    log = tmp_path / "log"
    python = [sys.executable, "-m", "eccelerate.cli", *shlex.split(command)[1:]]
    library()

    def printed() -> list[str]:
        return log.read_text().splitlines() if log.exists() else []

    with Service(python, log, lambda: len(printed()) >= 3, cwd=ROOT, seconds=200):
        lines = printed()
        assert [PORT.sub("X", line) for line in (lines[0], lines[2])] == [
            PORT.sub("X", line) for line in shown
        ]
        assert lines[1] in PAGE
        for text in [lines[2].strip(), *(each for each in COMMANDS if "--port /dev/ttyUSB0" in each)]:
            words = shlex.split(text.replace("/dev/ttyUSB0", lines[0]))[1:]
            done = external.run([*python[:3], *words], cwd=ROOT, timeout=100)
            assert done.code == 0 and "status OK" in done.text, (text, done.errors)


def test_the_commands_for_the_board_are_those_that_eccel_build_prints() -> None:
    build, load = (
        next(text for text in COMMANDS if text.startswith(start)) for start in ("eccel b", "openF")
    )
    words = shlex.split(build)
    config, board = words[2], find_board(words[words.index("--board") + 1])
    assert load == f"openFPGALoader {board.load} {config}-{board.name}.bit"


def test_the_table_of_boards_has_every_board_with_its_oscillator() -> None:
    for board in load_boards().values():
        [row] = re.findall(rf"^\| `{board.name}` \| [^|]* MHz \|.*$", PAGE, re.MULTILINE)
        assert f"{board.in_khz // 1000} MHz" in row
        assert ("yes" in row.split("|")[-2]) == bool(board.place)
