"""The memory images of a configuration, kept in build/ucode: the microcode, which is assembled again when its
sources have changed, and the table of the base point.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from eccelerate import isa
from eccelerate.configs.config import ROOT, Config, ConfigError, build_root
from eccelerate.model import comb as comb_model
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.manifest import manifest_chain, read_manifest

ISA = isa.load()
UCODE_DIR = ROOT / "ucode"
TOOL_DIRS = (ROOT / "eccelerate" / "isa", ROOT / "eccelerate" / "ucode")
ROM_WORDS, ROM_ROWS = 2048, 1024
"""The words of the deepest eccel_rom of one column, and of each column of a deeper one."""
COMB_SOURCE = Path(comb_model.__file__)
TIMING = tuple(
    ROOT / "eccelerate" / f"{name}.py" for name in ("timing/turbo_cycles", "model/turbo", "model/solinas")
)
"""The sources on which the order of a scheduled program depends."""


@dataclass(frozen=True)
class ProgramImage:
    """An assembled program on disk. `hex` is the $readmemh image, `symbols` a JSON object with the address of
    each label.
    """

    hex: Path
    symbols: Path

    @cached_property
    def labels(self) -> dict[str, int]:
        """Address of every label."""
        return dict(json.loads(self.symbols.read_text()))

    @cached_property
    def jobs(self) -> frozenset[int]:
        """Operation codes of its jobs."""
        none = {ISA.encode("done", status=ISA.status["BAD_OP"], n=0)}
        if "bad_op" in self.labels:
            none.add(ISA.encode("jmp", target=self.labels["bad_op"]))
        return frozenset(code for code in range(ISA.machine["jobs"]) if self.words[code] not in none)

    @cached_property
    def words(self) -> list[int]:
        """The instruction words without their check bits, address 0 first."""
        lines = self.hex.read_text().splitlines()
        mask = (1 << ISA.machine["word_bits"]) - 1
        return [int(line, 16) & mask for line in lines if line and not line.startswith("//")]


def load_program(config: Config) -> ProgramImage:
    """The microcode of `config`, from the manifest ucode/<program>.toml.

    The image has as many words as the engine of the configuration holds. Raises ConfigError if there is no
    manifest or the program does not fit, AsmError if the sources are wrong.
    """
    single = config.single
    if single is None:
        names = ", ".join(member.name for member, _ in config.pools)
        raise ConfigError(f"{config.name} has no program of its own, its engines have: {names}")
    program_name, depth = single.program, single.ucode_depth
    manifest = UCODE_DIR / f"{program_name}.toml"
    if not manifest.is_file():
        raise ConfigError(
            f"configuration {config.name} needs program {program_name}, but {manifest} does not exist"
        )
    folder = build_root() / "ucode"
    kind = "" if single.guarded else "-plain"
    stem = folder / f"{program_name}{kind}-{depth}-{_digest(manifest)}"
    image = ProgramImage(stem.with_suffix(".hex"), stem.with_suffix(".json"))
    if not (image.hex.is_file() and image.symbols.is_file()):
        program = assemble(manifest)
        if program.size > depth:
            raise ConfigError(
                f"program {program_name} has {program.size} words, and {config.name} holds {depth}: "
                "raise its UcodeDepth in configs.toml"
            )
        _place(image.symbols, program.write_symbols)
        _place(image.hex, partial(program.write_hex, depth=depth, guarded=single.guarded))
    return image


def images(config: Config) -> dict[str, Path]:
    """The memory images of `config` by the parameter of its top module that names them. A cluster of several
    configurations has them pool by pool. Raises as `load_program`.
    """
    found: dict[str, Path] = {}
    for member, ucode, comb in config.image_parameters:
        found[ucode] = load_program(member).hex
        if table := comb_image(member):
            found[comb] = table
    return found


def comb_image(config: Config) -> Path | None:
    """The $readmemh image of the base point's table. None for an engine without this table."""
    comb = config.comb
    if comb is None:
        return None
    curve = comb.curve
    digest = hashlib.sha256(repr((curve, ROM_ROWS, COMB_SOURCE.read_text())).encode()).hexdigest()[:16]
    path = build_root() / "ucode" / f"comb-{curve.name}-{digest}.hex"

    def write(place: Path) -> None:
        lines = [f"// multiples of the base point of {curve.name}", *rom_lines(comb.words(), 32)]
        place.write_text("\n".join(lines) + "\n")

    if not path.is_file():
        _place(path, write)
    return path


def rom_lines(words: Sequence[int], width: int) -> list[str]:
    """The lines of the $readmemh file of an `eccel_rom` that holds these words of `width` bits.

    `width` is a multiple of 4. A ROM of more than ROM_WORDS words has columns of ROM_ROWS words side by side,
    the first one at the right.
    """
    digits = width // 4
    rows = len(words) if len(words) <= ROM_WORDS else ROM_ROWS
    padded = [*words, *[0] * (-len(words) % rows)]
    columns = range(len(padded) - rows, -1, -rows)
    return ["".join(f"{padded[column + row]:0{digits}x}" for column in columns) for row in range(rows)]


def _place(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under another name, then rename it, because another process may write the same image."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    write(unfinished)
    unfinished.rename(path)


def program_files(manifest: Path) -> list[Path]:
    """The files that a program is made of: its manifests, its sources, and the orders of its schedule if they
    are stored. Raises AsmError.
    """
    data = read_manifest(manifest)
    orders = data.get("schedule", {}).get("orders")
    names = [*data["files"], *([orders] if orders else ())]
    return [*manifest_chain(manifest), *(manifest.parent / name for name in names)]


def _digest(manifest: Path) -> str:
    sources = [*program_files(manifest), *(TIMING if "schedule" in read_manifest(manifest) else ())]
    tools = sorted(
        path for folder in TOOL_DIRS for path in folder.iterdir() if path.suffix in (".py", ".toml")
    )
    digest = hashlib.sha256()
    for path in (*sources, *tools):
        digest.update(path.name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()[:16]
