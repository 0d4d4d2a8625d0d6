"""`eccel assemble`: a program of microcode as a memory image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eccelerate.ucode.asm import assemble
from eccelerate.ucode.program import SIZE


def assemble_command(
    manifest: Annotated[Path, typer.Argument(help="Manifest, for example ucode/compact.toml.")],
    image: Annotated[Path, typer.Option("--out", "-o", help="The memory image, a hex file.")],
    listing: Annotated[
        Path | None, typer.Option("--listing", help="Also write the words with their sources.")
    ] = None,
    symbols: Annotated[
        Path | None, typer.Option("--symbols", help="Also write the addresses of the labels.")
    ] = None,
    check: Annotated[bool, typer.Option(help="Check secrets and ranges.")] = True,
) -> None:
    """Assemble a program, and check that its control flow is independent of secrets."""
    program = assemble(manifest, check=check)
    program.write_hex(image)
    if listing:
        program.write_listing(listing)
    if symbols:
        program.write_symbols(symbols)
    print(f"{program.name}: {program.size} of {SIZE} words, registers 0..{program.max_register}")
