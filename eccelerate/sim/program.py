"""The microcode image of a configuration, assembled when its sources changed and kept in build/ucode."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from eccelerate.sim.config import ROOT, Config, ConfigError, build_root
from eccelerate.ucode.asm import assemble

UCODE_DIR = ROOT / "ucode"
TOOL_DIR = ROOT / "eccelerate" / "ucode"


@dataclass(frozen=True)
class ProgramImage:
    """An assembled program on disk. hex: the $readmemh image; symbols: JSON object of label -> address."""

    hex: Path
    symbols: Path

    @cached_property
    def labels(self) -> dict[str, int]:
        """Address of every label."""
        return dict(json.loads(self.symbols.read_text()))

    @cached_property
    def words(self) -> list[int]:
        """The instruction words, address 0 first."""
        lines = self.hex.read_text().splitlines()
        return [int(line, 16) for line in lines if line and not line.startswith("//")]


def load_program(config: Config) -> ProgramImage:
    """The microcode of `config`, from the manifest ucode/<program>.toml.

    Raises ConfigError when there is no manifest, AsmError when the sources are wrong.
    """
    manifest = UCODE_DIR / f"{config.program}.toml"
    if not manifest.is_file():
        raise ConfigError(
            f"configuration {config.name} wants program {config.program}, but {manifest} does not exist"
        )
    folder = build_root() / "ucode"
    stem = folder / f"{config.program}-{_digest(manifest)}"
    image = ProgramImage(stem.with_suffix(".hex"), stem.with_suffix(".json"))
    if not (image.hex.is_file() and image.symbols.is_file()):
        program = assemble(manifest)
        folder.mkdir(parents=True, exist_ok=True)
        for path, write in ((image.symbols, program.write_symbols), (image.hex, program.write_hex)):
            # Another process may write the same image: each renames a file of its own into place.
            partial = path.with_name(f"{path.name}.{os.getpid()}")
            write(partial)
            partial.rename(path)
    return image


def _digest(manifest: Path) -> str:
    sources = [manifest.parent / name for name in tomllib.loads(manifest.read_text()).get("files", [])]
    tools = sorted(path for path in TOOL_DIR.iterdir() if path.suffix in (".py", ".toml"))
    digest = hashlib.sha256()
    for path in (manifest, *sources, *tools):
        digest.update(path.name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()[:16]
