"""What all tests share: the repository's root, and the environment's tools at the front of PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.room_times import RoomTimes
from tests.soak_summary import SoakSummary

ROOT = Path(__file__).resolve().parent.parent

# Verilator's makefiles call `python`, and cocotb and the nextpnr wheels call each other by name. This must
# also work if pytest is started as `.venv/bin/python -m pytest` without activating the environment.
_BIN = str(Path(sys.executable).parent)
if _BIN not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = _BIN + os.pathsep + os.environ["PATH"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--room-times", type=Path, metavar="FILE", help="write the CPU time of each test room")
    parser.addoption("--soak-summary", type=Path, metavar="FILE", help="write what the campaigns have found")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--room-times"):
        config.pluginmanager.register(RoomTimes(file))
    if file := config.getoption("--soak-summary"):
        config.pluginmanager.register(SoakSummary(file, config))


@pytest.fixture(scope="session")
def root() -> Path:
    """The root folder of the repository."""
    return ROOT
