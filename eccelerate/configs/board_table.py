"""Boards with an engine behind a serial port (`syn/boards/boards.toml`), their clocks and baud rates."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from eccelerate.configs.config import ROOT, ConfigError

BOARD_DIR = ROOT / "syn" / "boards"
STEP_SCALE, MAX_STEP = 1 << 19, 1 << 16
"""Step of the UART bridge is STEP_SCALE * baud / clock, and at most MAX_STEP."""
BAUD_TOLERANCE = 0.02
"""Largest difference of a baud rate from the wanted one."""
ENTROPY_WORDS = 64
BAUD = 1_000_000


@dataclass(frozen=True)
class Board:
    """One board. The fields are explained in boards.toml."""

    name: str
    title: str
    top: str
    in_khz: int
    pins: str
    rules: str
    pll: str
    speed: str
    start_mhz: int
    load: str
    store: str
    usb: str
    place: str = ""
    args: tuple[str, ...] = ()
    like: tuple[str, ...] = ()

    @property
    def pins_file(self) -> Path:
        """The constraint file."""
        return BOARD_DIR / self.pins


@dataclass(frozen=True)
class Clock:
    """The clock of a board's engine: in_khz / in_div * vco_mul / out_div kHz."""

    in_khz: int
    in_div: int = 1
    vco_mul: int = 1
    out_div: int = 1

    @property
    def khz(self) -> float:
        """Frequency of the engine."""
        return self.in_khz * self.vco_mul / self.in_div / self.out_div


@cache
def load_boards() -> dict[str, Board]:
    """All boards, by name."""
    rows = tomllib.loads((BOARD_DIR / "boards.toml").read_text())
    known = {field.name for field in fields(Board)}
    found = {}
    for name, row in rows.items():
        if unknown := row.keys() - known:
            raise ConfigError(f"boards.toml: [{name}]: unknown: {', '.join(sorted(unknown))}")
        lists = {key: tuple(row.get(key, ())) for key in ("args", "like")}
        found[name] = Board(name=name, **{**row, **lists})
    return found


def find_board(name: str) -> Board:
    """The board called `name`. Raises ConfigError."""
    boards = load_boards()
    if name not in boards:
        raise ConfigError(f"no board {name!r}: known are {', '.join(boards)}")
    return boards[name]


def baud_step(khz: float, baud: float) -> int:
    """Step of the UART bridge for a baud rate. Raises ConfigError if the rate is out of reach or would be
    more than 2 % wrong.
    """
    if baud <= 0:
        raise ConfigError(f"{baud} baud: give a positive number")
    step = round(STEP_SCALE * baud / (1000 * khz))
    if step > MAX_STEP:
        raise ConfigError(
            f"{baud:g} baud are too fast: with an engine of {khz / 1000:.3f} MHz a bit must last 8 clocks, "
            f"so at most {khz * 1000 / 8:.0f} baud"
        )
    if step < 1 or abs(real_baud(khz, step) / baud - 1) > BAUD_TOLERANCE:
        raise ConfigError(
            f"{baud:g} baud cannot be reached within 2 %: with an engine of {khz / 1000:.3f} MHz give at "
            f"least {khz * 1000 / STEP_SCALE / (2 * BAUD_TOLERANCE):.0f} baud"
        )
    return step


def real_baud(khz: float, step: int) -> float:
    """The baud rate of a Step."""
    return step * khz * 1000 / STEP_SCALE
