"""`eccel board-sim`: a simulated board whose serial port is a pseudo-terminal."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.configs.board_table import find_board
from eccelerate.configs.config import find_config
from eccelerate.external import CommandError
from eccelerate.rtlsim.board_model import CLOCKS_PER_BIT, MIN_CLOCKS_PER_BIT, BoardSim


def board_sim_command(
    board: Annotated[str, typer.Argument(help="Board: ulx3s, orangecrab, icebreaker or arty.")],
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    bit: Annotated[
        float,
        typer.Option("--bit", help="Clocks of a bit on the serial pins. Few clocks make a quick simulation."),
    ] = CLOCKS_PER_BIT,
    skew: Annotated[
        float, typer.Option("--skew", help="Length of the host's bits, relative to those of the board.")
    ] = 1.0,
    noise: Annotated[
        float, typer.Option("--noise", help="Probability with which a bit of either line is inverted.")
    ] = 0.0,
) -> None:
    """Simulate a board, bit by bit on its serial pins, until Ctrl-C. `eccel run --port` uses it."""
    target, cfg = find_board(board), find_config(config)
    if bit < MIN_CLOCKS_PER_BIT or not 0.5 <= skew <= 2 or not 0 <= noise <= 1:
        raise UsageError(
            f"--bit is at least {MIN_CLOCKS_PER_BIT}, --skew from 0.5 to 2, and --noise from 0 to 1"
        )
    with BoardSim(cfg, target, bit, skew, noise) as sim:
        print(sim.port, flush=True)
        print(f"{cfg.name} on {target.title}, simulated. In another terminal:", flush=True)
        print(f"    eccel run {cfg.name} base-mul 7 --port {sim.port}", flush=True)
        try:
            while True:
                time.sleep(0.2)
                sim.require_running()
        except KeyboardInterrupt:
            return
        except CommandError as error:
            raise CheckError(str(error)) from error
