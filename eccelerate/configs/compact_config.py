"""Configurations of the compact engine: any odd prime, operands in digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eccelerate.configs.kind import Config


@dataclass(frozen=True)
class CompactConfig(Config):
    """A compact engine."""

    engine: ClassVar[str] = "ecp_compact"
    tests_entropy: ClassVar[bool] = True
    map_device: ClassVar[str] = "xc2vp"
    placed_with_shell: ClassVar[bool] = True
    job_bits: ClassVar[int] = 22

    @property
    def rooms(self) -> tuple[str, ...]:
        """See `Config`."""
        return "isa", "prim", "gfp", "engine", "engines/compact"

    @property
    def max_words(self) -> int:
        """See `Config`."""
        return self.parameter("MaxWords")

    @property
    def digit_bits(self) -> int:
        """See `Config`."""
        return self.parameter("DigitBits")

    @property
    def curve_name(self) -> str:
        """See `Config`."""
        return self.curve or "P-256"
