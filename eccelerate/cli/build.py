"""`eccel build`: a bundle for a hardware engineer, or a model for programs."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli.failures import UsageError
from eccelerate.cli.stored import known_device, placed_clock
from eccelerate.configs.config import ROOT, find_config
from eccelerate.explore.designs import config_design
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
) -> None:
    """Write RTL, memory images, file lists, a bench, register map, placed report and bitstream."""
    cfg = find_config(config)
    if model is not None:
        if device or out:
            raise UsageError("--model writes a model only: leave out --device and --out")
        clock = placed_clock(cfg)
        write_model(cfg, model, round(1000 * clock.mhz) if clock else 0)
        print(f"the model of {cfg.name} is in {model}: programs open it as model:{model.resolve()}")
        return
    if device is None or out is None:
        raise UsageError("give --device and --out for a bundle, or --model for a model")
    target = known_device(device)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not an empty folder: give a new one")
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


def listing(files: list[Path]) -> list[str]:
    """File names, one in each line. A folder in a folder (a web page with its parts) is one line with its
    number of files.
    """
    deep = Counter(path.parts[:2] for path in files if len(path.parts) > 2)
    shallow = [str(path) for path in files if len(path.parts) <= 2]
    return sorted([*shallow, *(f"{'/'.join(parts)}/ ({count} files)" for parts, count in deep.items())])
