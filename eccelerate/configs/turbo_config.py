"""Configurations of the turbo engine: one sparse prime, or any of its length; several jobs in lock step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eccelerate.configs.kind import Config, Shown
from eccelerate.curves import Curve, find_curve, load_catalogue
from eccelerate.model.comb import Comb
from eccelerate.model.solinas import FORMS, Form, Solinas

WAIT_CLOCKS = 2047
"""WaitClocks of an engine in a cluster: the time for which the dispatcher keeps a group open, and the time to
load a packet.
"""
FIELD = "  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);\n\n"


@dataclass(frozen=True)
class TurboConfig(Config):
    """A turbo engine.

    base_table: the engine holds the table of its base point in block RAM.
    curve: if it is set, the program accepts any prime with the length of the engine's own.
    """

    base_table: bool = True

    engine: ClassVar[str] = "ecp_turbo"
    tests_entropy: ClassVar[bool] = True
    map_device: ClassVar[str] = "xc4v"
    cluster_parameters: ClassVar[tuple[tuple[str, int], ...]] = (("WaitClocks", WAIT_CLOCKS),)
    shown: ClassVar[Shown] = Shown("Field.digit_bits", "Field.words", FIELD)

    @property
    def rooms(self) -> tuple[str, ...]:
        """See `Config`."""
        return "isa", "prim", "gfp_turbo", "engine", "engines/turbo"

    @property
    def prime(self) -> Form:
        """The prime of the field unit."""
        return list(FORMS.values())[self.parameter("Prime")]

    @property
    def karatsuba(self) -> bool:
        """Whether the array of the field unit is the Karatsuba one."""
        return bool(dict(self.parameters).get("Karatsuba", 0))

    @property
    def max_words(self) -> int:
        """See `Config`."""
        return -(-self.prime.bits // 32)

    @property
    def digit_bits(self) -> int:
        """See `Config`."""
        return 0

    @property
    def field_digit_bits(self) -> int:
        """See `Config`."""
        return Solinas(self.prime).digit_bits

    @property
    def curve_name(self) -> str:
        """See `Config`."""
        return self.curve or self.prime.name

    @property
    def threads(self) -> int:
        """See `Config`."""
        return self.parameter("Threads")

    @property
    def comb(self) -> Comb | None:
        """See `Config`."""
        return Comb(find_curve(self.curve_name)) if self.base_table and not self.curve else None

    def refuses(self, curve: Curve) -> str:
        """See `Config`."""
        if self.curve:
            fits = curve.p.bit_length() == self.prime.bits
            return "" if fits else f"{self.name} takes primes of {self.prime.bits} bits only"
        return "" if curve.p == self.prime.p else f"{self.name} computes modulo {_known(self.prime.p)} only"


def _known(prime: int) -> str:
    """A prime, given by a curve over it."""
    names = (curve.name for curve in load_catalogue().values() if curve.p == prime)
    return f"the prime of {next(names, 'another curve')}"
