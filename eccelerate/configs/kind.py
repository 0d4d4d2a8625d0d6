"""What all kinds of configurations have in common; each kind is a module in this folder."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from eccelerate.curves import Curve
from eccelerate.driver.pool import other_field
from eccelerate.model.comb import Comb

ROOT = Path(__file__).resolve().parents[2]
RTL_DIR = ROOT / "rtl"
UCODE_WORDS = 2048
"""Default of UcodeDepth: all that the instruction set can address."""


def build_root() -> Path:
    """Folder of everything that is built: `$ECCEL_BUILD`, or `build` in the repository. It is safe to
    delete.
    """
    return Path(os.environ.get("ECCEL_BUILD", ROOT / "build"))


class ConfigError(ValueError):
    """An unknown or malformed configuration; the text says which names exist or what is wrong."""


@dataclass(frozen=True)
class Shown:
    """What register CONFIG of a peripheral shows: bits of a digit and words of the widest element, as
    expressions in the parameters of the engine. `before` are declarations that these expressions need.
    """

    digit_bits: str
    max_words: str
    before: str = ""


@dataclass(frozen=True)
class Config(ABC):
    """One named configuration: an engine, or several behind a dispatcher.

    The fields are the entries of configs.toml, which explains them. A kind also has:

    engine: name of the kind in configs.toml.
    map_device: the family in which the cells of its engines are counted, which is that of the published
        system that they answer; "" for a kind without such a claim.
    placed_with_shell: whether area and clock are claimed with the bus side.
    binary: whether its curves are over GF(2^m).
    job_bits: every job of an engine takes less than 14 * 2^job_bits clocks, for the dispatcher's timeout.
    cluster_parameters: parameters that an engine of a cluster has in addition to its own.
    tests_entropy: whether its top module has the parameters HealthTest and StartupWords.
    shown: what its peripheral shows.
    """

    name: str
    top: str
    summary: str
    program: str
    shell: str = ""
    parameters: tuple[tuple[str, int], ...] = ()
    shell_parameters: tuple[tuple[str, int], ...] = ()
    device: str = ""
    curve: str = ""
    variable_time: bool = False
    baseline: str = ""

    engine: ClassVar[str]
    map_device: ClassVar[str] = ""
    placed_with_shell: ClassVar[bool] = False
    binary: ClassVar[bool] = False
    job_bits: ClassVar[int] = 20
    cluster_parameters: ClassVar[tuple[tuple[str, int], ...]] = ()
    tests_entropy: ClassVar[bool] = False
    shown: ClassVar[Shown] = Shown("DigitBits", "MaxWords")

    @property
    @abstractmethod
    def rooms(self) -> tuple[str, ...]:
        """The rooms under rtl/ that the configuration needs, lowest level first."""

    @property
    @abstractmethod
    def max_words(self) -> int:
        """Widest element, in 32-bit words."""

    @property
    @abstractmethod
    def digit_bits(self) -> int:
        """Bits of the digit for which CURVE_LOAD brings reduction constants. 0 for an engine that needs
        none.
        """

    @property
    def field_digit_bits(self) -> int:
        """Bits of a digit of the field unit. For a cluster this is the largest value of its engines."""
        return self.digit_bits

    @property
    @abstractmethod
    def curve_name(self) -> str:
        """The default curve, for which the figures are claimed."""

    @property
    def pools(self) -> tuple[tuple[Config, int], ...]:
        """Configurations of the engines in the order of the pools, with the number of engines of each."""
        return ((self, 1),)

    @property
    def single(self) -> Config | None:
        """The configuration of all engines. None for a cluster with engines of several configurations."""
        return self.pools[0][0] if len(self.pools) == 1 else None

    @property
    def engines(self) -> int:
        """Number of engines behind a dispatcher. 0 for a single engine without a dispatcher."""
        return 0

    @property
    def threads(self) -> int:
        """Number of jobs that an engine runs at once."""
        return 1

    @property
    def comb(self) -> Comb | None:
        """The base point's table that an engine holds. None for an engine without this table."""
        return None

    def lacks(self, curve: Curve) -> str:
        """Why its engines do not support the curve; the empty string if they do."""
        if reason := other_field(self.name, self.binary, curve) or self.refuses(curve):
            return reason
        if curve.element_words > self.max_words:
            return f"{self.name} holds {32 * self.max_words} bits, the curve needs {32 * curve.element_words}"
        return ""

    def refuses(self, curve: Curve) -> str:
        """As `lacks`, for a curve over the right kind of field: what the field unit or the program does not
        support.
        """
        del curve
        return ""

    @property
    def at_once(self) -> int:
        """Number of jobs that run at once in all engines."""
        return sum(config.threads * number for config, number in self.pools)

    @property
    def image_parameters(self) -> tuple[tuple[Config, str, str], ...]:
        """Parameters of the top module that name memory images, pool by pool: the configuration, the
        parameter for the microcode, and that for the base point's table ("" for engines without this table).
        """
        return ((self, "UcodeFile", "CombFile" if self.comb else ""),)

    @property
    def made_of(self) -> str:
        """Its engines pool by pool, such as "2 turbo-p256, 1 compact-w32". "" if they have no configuration
        of their own.
        """
        return ""

    @property
    def caution(self) -> str:
        """What a user of the configuration must know in addition to the summary. "" if there is nothing."""
        return "Not for secrets: variable-time, for jobs on public data only." if self.variable_time else ""

    @property
    def ucode_depth(self) -> int:
        """Number of microcode words that the engine holds."""
        return dict(self.parameters).get("UcodeDepth", UCODE_WORDS)

    @property
    def hedged(self) -> bool:
        """Whether its draws pass the sponge of eccel_hedge. Its program then binds nonces to key and hash."""
        return bool(dict(self.parameters).get("Hedged", 0))

    @property
    def guarded(self) -> bool:
        """Whether the engine checks its control and the microcode."""
        return bool(dict(self.parameters).get("Guarded", 1))

    def parameter(self, name: str) -> int:
        """The value of one parameter of the top module. Raises KeyError if the configuration does not set
        it.
        """
        return dict(self.parameters)[name]
