"""`eccel generate`: writes the files of the repository that follow from a source in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from eccelerate.cli.failures import errors
from eccelerate.configs import tops
from eccelerate.configs.config import ROOT
from eccelerate.driver import catalogue_files
from eccelerate.explore import floormap, occupancy
from eccelerate.model import complete_addition, entropy_health, program_files, solinas_files
from eccelerate.regs import register_files
from eccelerate.ucode import isa_files, orders
from eccelerate.ucode.study import study_files
from eccelerate.vectors import table_files

IMAGES = ROOT / "docs" / "theory" / "img"
FLOORPLAN = "turbo-p256-x9"
"""The configuration whose placement docs/theory/dispatch.md shows."""

generate = typer.Typer(
    no_args_is_help=True, help="Write generated files again after a change of their source."
)


def write(files: Mapping[Path, str]) -> None:
    """Write files and name each of them."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"wrote {path}")


def in_repository(outputs: Mapping[str, str]) -> dict[Path, str]:
    """Files by their path; `outputs` has paths relative to the root."""
    return {ROOT / name: text for name, text in outputs.items()}


@generate.command()
def isa() -> None:
    """Packages of rtl/isa/gen and docs/isa.md, from eccelerate/isa/isa.toml."""
    write(in_repository(isa_files.outputs()))


@generate.command()
def registers(
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the manual as a web page to this folder instead.")
    ] = None,
) -> None:
    """Register map for SystemVerilog, C, Python and the manual, from regs/eccel.rdl."""
    if html:
        register_files.html(html)
    else:
        write(in_repository(register_files.outputs()))


@generate.command()
def curves() -> None:
    """Table of sw/driver/gen for the C library, from the catalogue of curves."""
    write(in_repository(catalogue_files.outputs()))


@generate.command("vectors")
def self_test_vectors() -> None:
    """Table of sw/driver/gen for the self-test of the C library, from published vectors."""
    write(in_repository(table_files.outputs()))


@generate.command()
def study() -> None:
    """Package of rtl/compare/gen, from the formulas in eccelerate/ucode/study (a minute)."""
    write(in_repository(study_files.outputs()))


@generate.command()
def compare() -> None:
    """Packages of rtl/compare/gen with the programs of the ECC and Tate yardsticks."""
    write(in_repository(program_files.outputs()))


@generate.command()
def solinas() -> None:
    """Package of rtl/gfp_turbo/gen, from the forms of the sparse primes."""
    write(in_repository(solinas_files.outputs()))


@generate.command()
def point() -> None:
    """Package of rtl/point/gen, from the formulas of the complete point addition."""
    write(in_repository(complete_addition.outputs()))


@generate.command()
def health() -> None:
    """Package of rtl/engine/gen, from the entropy that the source promises."""
    write(in_repository(entropy_health.outputs()))


@generate.command("tops")
def top_modules() -> None:
    """Peripherals and clusters of rtl/top/gen, from configs.toml."""
    files = tops.outputs()
    for path in tops.GEN_DIR.glob("*.sv"):
        if path not in files:  # it belongs to no configuration
            path.unlink()
    write(files)


@generate.command("orders")
def search_orders(
    manifest: Annotated[Path, typer.Argument(help="Manifest of the program, for example ucode/turbo.toml.")],
    evaluations: Annotated[
        int, typer.Option("--evaluations", min=1, help="Orders tried for each block.")
    ] = orders.EVALUATIONS,
) -> None:
    """Orders of a program's straight-line blocks, by a search that takes minutes."""
    found = orders.search_orders(manifest, evaluations)
    write({orders.orders_file(manifest): orders.text(found, manifest)})
    for each in found.values():
        print(f"{each.clocks:6} clocks  {each.place}")


@generate.command()
def doubling() -> None:
    """Picture of docs/theory/turbo.md: the pipelines during a doubling, from a run of the RTL."""
    write({IMAGES / "turbo_doubling.svg": occupancy.picture()})


@generate.command()
def floorplan() -> None:
    """Picture of docs/theory/dispatch.md: a placed cluster. The placement takes hours."""
    picture = floormap.picture(FLOORPLAN, lambda text: errors.print(text, style="dim", markup=False))
    write({IMAGES / "turbo_floorplan.svg": picture})
