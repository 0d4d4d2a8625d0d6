"""Configurations of the toy engine: modular arithmetic on numbers of at most 32 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eccelerate.configs.kind import Config
from eccelerate.curves import Curve


@dataclass(frozen=True)
class ToyConfig(Config):
    """A toy engine."""

    engine: ClassVar[str] = "ecp_toy"

    @property
    def rooms(self) -> tuple[str, ...]:
        """See `Config`."""
        return "isa", "prim", "toy", "engine", "engines/toy"

    @property
    def max_words(self) -> int:
        """See `Config`: the smallest element that a packet can have."""
        return 6

    @property
    def digit_bits(self) -> int:
        """See `Config`. The engine needs no constants that depend on a digit."""
        return 0

    @property
    def curve_name(self) -> str:
        """See `Config`. The catalogue has no curve that is small enough."""
        return self.curve

    def refuses(self, curve: Curve) -> str:
        """See `Config`."""
        bits = max(curve.p.bit_length(), curve.n.bit_length())
        return f"{self.name} computes with 32 bits, the curve needs {bits}" if bits > 32 else ""
