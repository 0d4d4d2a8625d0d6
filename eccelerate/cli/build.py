"""`eccel build`: a bundle for a hardware engineer, a bitstream for a board, or a model for programs."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli.failures import UsageError
from eccelerate.cli.stored import known_device, placed_clock
from eccelerate.configs.board_table import BAUD, find_board
from eccelerate.configs.config import ROOT, Config, find_config
from eccelerate.explore.designs import config_design
from eccelerate.flow.board_bundle import BoardStore, board_record, load_commands, write_board
from eccelerate.flow.boards import build_board
from eccelerate.flow.bundle import write_bundle
from eccelerate.flow.bundle_bench import bench_jobs
from eccelerate.regs import register_files
from eccelerate.rtlsim.model_folder import write_model

DOCUMENTS = (
    ROOT / register_files.SOURCE,
    ROOT / "sw" / "include" / "gen" / "eccel_regs.h",
    ROOT / "docs" / "gen" / "registers.md",
)


def build_command(
    config: Annotated[str, typer.Argument(help="Configuration, see `eccel list configs`.")],
    device: Annotated[str | None, typer.Option("--device", help="Device, see `eccel list devices`.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="New or empty folder for the bundle.")] = None,
    windows: Annotated[
        int,
        typer.Option(
            "--windows",
            help="Windows of the bus shell (1, 2, 4, 8), for masters or processes that must not meet. With "
            "several, entropy comes from the port ext_ent.",
        ),
    ] = 1,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            metavar="DIR",
            help="Write the cycle-accurate model instead, for the address model:DIR of libeccel.",
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            "--board", help="Instead of a device: a board with its pins and serial port, docs/boards.md."
        ),
    ] = None,
    baud: Annotated[float, typer.Option("--baud", help="With --board: rate of the serial port.")] = BAUD,
    clock: Annotated[
        float | None, typer.Option("--clock", help="With --board: highest clock of the engine in MHz.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--store", help="With --board: store the figures in results/boards.jsonl.")
    ] = False,
) -> None:
    """Write RTL, memory images, file lists, a bench, register map, placed report and bitstream."""
    cfg = find_config(config)
    if model is not None:
        if device or out or board:
            raise UsageError("--model writes a model only: leave out --device, --board and --out")
        placed = placed_clock(cfg)
        write_model(cfg, model, round(1000 * placed.mhz) if placed else 0)
        print(f"the model of {cfg.name} is in {model}: programs open it as model:{model.resolve()}")
        return
    if out is None or (device is None) == (board is None):
        raise UsageError(
            "give --device and --out for a bundle, --board and --out for a board, or --model for a model"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not an empty folder: give a new one")
    if board is not None:
        if windows != 1:
            raise UsageError("--windows is for --device: a board has a serial port and no bus")
        return _build_board(cfg, board, out, baud, clock, keep)
    if clock is not None or keep:
        raise UsageError("--clock and --store are for --board")
    target = known_device(device or "")
    design = config_design(cfg, shell=bool(cfg.shell), windows=windows)
    status = Console(stderr=True)
    with (
        status.status(f"building {cfg.name} for {target.name}") as line,
        tempfile.TemporaryDirectory() as scratch,
    ):
        page = Path(scratch) / "registers"
        register_files.html(page)
        extra, jobs = [*DOCUMENTS, page], bench_jobs(cfg)
        files = write_bundle(design, target, out, extra, jobs=jobs, progress=line.update)
    console = Console(highlight=False)
    for text in listing([path.relative_to(out) for path in files]):
        console.print(text, markup=False)
    console.print(f"{len(files)} files in {out}", style="green", markup=False)


def _build_board(config: Config, name: str, out: Path, baud: float, mhz: float | None, keep: bool) -> None:
    board = find_board(name)
    if mhz is not None and mhz <= 0:
        raise UsageError("--clock is in MHz, and positive")
    with Console(stderr=True).status(f"building {config.name} for {board.name}") as line:
        result = build_board(config, board, baud, mhz, line.update)
    files = write_board(result, out)
    if keep:
        BoardStore().put(board_record(result))
    console = Console(highlight=False, soft_wrap=True)
    for text in listing([path.relative_to(out) for path in files]):
        console.print(text, markup=False)
    reached = f", placed for {result.fmax_mhz:.2f} MHz" if result.bitstream else ", not placed"
    console.print(f"engine at {result.clock.khz / 1000:.3f} MHz{reached}; {result.baud:g} baud", markup=False)
    console.print(f"{len(files)} files in {out}", style="green", markup=False)
    for what, command in load_commands(result).items():
        console.print(f"{what}: cd {out} && {command}", markup=False)


def listing(files: list[Path]) -> list[str]:
    """File names, one in each line. A folder in a folder (a web page with its parts) is one line with its
    number of files.
    """
    deep = Counter(path.parts[:2] for path in files if len(path.parts) > 2)
    shallow = [str(path) for path in files if len(path.parts) <= 2]
    return sorted([*shallow, *(f"{'/'.join(parts)}/ ({count} files)" for parts, count in deep.items())])
