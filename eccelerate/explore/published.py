"""Published systems as data: one TOML file for each in ``published/``, with numbers as printed and their
source.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("published")

OPERATIONS = ("field_mul", "field_add", "inversion", "ladder_step", "scalar_mul")


class UnknownSystemError(LookupError):
    """There is no published system of that name. The text lists the known ones."""


@dataclass(frozen=True)
class Variant:
    """One variant of a published processor, and the configuration of ours that answers it.

    slices: with the communication unit.
    slices_engine: without it (estimated, not printed: see the file).
    mult, bram: blocks of its device.
    mhz, ms: clock, and time of one scalar multiplication, on its device.
    cycles: cycles of each operation (OPERATIONS).
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
class Cores:
    """Published cores of one kind on one device, for one curve.

    `us` is the time in microseconds for each scalar multiplication of all cores together. `slices` and `mult`
    are those of all cores.
    """

    device: str
    cores: int
    slices: int
    mult: int
    mhz: float
    us: float

    @property
    def cycles(self) -> float:
        """Cycles of one core for one scalar multiplication."""
        return self.us * self.mhz * self.cores

    @property
    def per_second(self) -> float:
        """Scalar multiplications per second of all cores."""
        return 1e6 / self.us

    @property
    def per_mult_and_mhz(self) -> float:
        """Scalar multiplications per second, multiplier and MHz."""
        return self.per_second / self.mult / self.mhz


@dataclass(frozen=True)
class CurveCores:
    """A published design for one curve, and the configurations of ours that answer it: in a stream of jobs,
    for one job alone, and with several engines on one device ("" where we have none).
    """

    name: str
    config: str
    one: Cores
    many: Cores
    alone: str = ""
    cluster: str = ""


@dataclass(frozen=True)
class CurveRates:
    """The figures of a published accelerator on a curve, and the configuration of ours that answers it.

    name: name of this entry.
    curve: name of the curve in the catalogue.
    kind: what the accelerator knows about the field in advance.
    cycles: cycles of a scalar multiplication.
    rates, software: operations per second with the accelerator, and on its host alone.
    """

    name: str
    curve: str
    kind: str
    config: str
    cycles: int
    rates: dict[str, int]
    software: dict[str, int]


@dataclass(frozen=True)
class Algorithm:
    """A published core for one algorithm. `name` is that of the yardstick that answers it.

    clbs: slices of two LUT4 and two registers.
    mhz: clock on its device.
    mbps: printed throughput in Mbit/s.
    bits: bits that an operation processes, as the printed throughput counts them.
    """

    name: str
    clbs: int
    mhz: float
    mbps: float
    bits: int

    @property
    def cycles(self) -> int:
        """Cycles of one operation, which the printed clock and throughput give."""
        return round(self.bits * self.mhz / self.mbps)


@dataclass(frozen=True)
class OpenCore:
    """An open core of the same kind as a yardstick, with the figures of its author.

    design: the yardstick.
    lut, ff: LUTs and registers of its device.
    mhz: clock; cycles: of one operation, None where the author does not say.
    """

    design: str
    name: str
    device: str
    lut: int
    ff: int
    mhz: float
    source: str
    cycles: int | None = None


@dataclass(frozen=True)
class System:
    """A published system.

    `family` is the Yosys family of its cells. Its figures are in `variants`, `designs`, `curves` or
    `algorithms`. `luts`, `ffs` and `mhz` belong to a system with `curves`, `open_cores` to one with
    `algorithms`.
    """

    name: str
    title: str
    source: str
    tables: str
    device: str
    family: str
    field_bits: int = 0
    curve: str = ""
    variants: tuple[Variant, ...] = ()
    designs: tuple[CurveCores, ...] = ()
    curves: tuple[CurveRates, ...] = ()
    algorithms: tuple[Algorithm, ...] = ()
    open_cores: tuple[OpenCore, ...] = ()
    luts: int = 0
    ffs: int = 0
    mhz: float = 0.0

    def entry(self, name: str) -> Entry:
        """The figures called `name`. Raises KeyError."""
        entries: tuple[Entry, ...] = self.variants + self.designs + self.curves + self.algorithms
        return {each.name: each for each in entries}[name]


Entry = Variant | CurveCores | CurveRates | Algorithm


def system_names() -> list[str]:
    """Names of all published systems."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_system(name: str) -> System:
    """The published system called `name`. Raises UnknownSystemError."""
    if name not in system_names():
        raise UnknownSystemError(f"no published system {name!r}; there are: {', '.join(system_names())}")
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    parts = {key: value for key, value in table.items() if isinstance(value, dict)}
    open_cores = tuple(OpenCore(**each) for each in table.pop("open", ()))
    plain = {key: value for key, value in table.items() if key not in parts}
    variants = tuple(Variant(name=key, **value) for key, value in parts.items() if "slices" in value)
    designs = tuple(
        CurveCores(name=key, **{**value, "one": Cores(**value["one"]), "many": Cores(**value["many"])})
        for key, value in parts.items()
        if "one" in value
    )
    curves = tuple(CurveRates(name=key, **value) for key, value in parts.items() if "rates" in value)
    algorithms = tuple(Algorithm(name=key, **value) for key, value in parts.items() if "clbs" in value)
    return System(
        name=name,
        variants=variants,
        designs=designs,
        curves=curves,
        algorithms=algorithms,
        open_cores=open_cores,
        **plain,
    )
