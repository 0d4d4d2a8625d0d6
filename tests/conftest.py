"""What all tests share: the repository's root, and the environment's tools in front on PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Verilator's makefiles call `python`, cocotb and the nextpnr wheels call each other by name: also when pytest
# is started as `.venv/bin/python -m pytest` without the environment being activated.
_BIN = str(Path(sys.executable).parent)
if _BIN not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = _BIN + os.pathsep + os.environ["PATH"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root folder."""
    return ROOT
