"""Published systems as data: one TOML file each in ``published/``, numbers as printed, with their source."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("published")

OPERATIONS = ("field_mul", "field_add", "inversion", "ladder_step", "scalar_mul")


class UnknownSystemError(LookupError):
    """No published system of that name; the text lists those there are."""


@dataclass(frozen=True)
class Variant:
    """One variant of a published system and the configuration of ours that answers it.

    slices: with communication unit; slices_engine: without it (estimated: not printed, see the file);
    mult, bram: blocks of its device; mhz, ms: clock and one scalar multiplication on its device; cycles by
    operation (OPERATIONS).
    """

    name: str
    config: str
    slices: int
    slices_engine: int
    mult: int
    bram: int
    mhz: float
    ms: float
    cycles: dict[str, int]
    slices_engine_estimated: bool = False


@dataclass(frozen=True)
class System:
    """A published system. family: Yosys family of its cells; curve: ours, for the same field size."""

    name: str
    title: str
    source: str
    tables: str
    device: str
    family: str
    field_bits: int
    curve: str
    variants: tuple[Variant, ...]


def system_names() -> list[str]:
    """Names of all published systems."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_system(name: str) -> System:
    """The published system called `name`. Raises UnknownSystemError."""
    if name not in system_names():
        raise UnknownSystemError(f"no published system {name!r}; there are: {', '.join(system_names())}")
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    variants = tuple(Variant(name=key, **value) for key, value in table.items() if isinstance(value, dict))
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    return System(name=name, variants=variants, **plain)
