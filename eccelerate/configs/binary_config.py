"""Configurations of the binary engine: named fields GF(2^m), or any field up to a degree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eccelerate.configs.kind import Config, Shown
from eccelerate.curves import Curve
from eccelerate.model import binary_fields
from eccelerate.model.binary_fields import LEAST_GENERIC_DEGREE


@dataclass(frozen=True)
class BinaryConfig(Config):
    """A binary engine. `koblitz` means that its program accepts only Koblitz curves."""

    koblitz: bool = False

    engine: ClassVar[str] = "ecp_binary"
    tests_entropy: ClassVar[bool] = True
    map_device: ClassVar[str] = "xc4v"
    binary: ClassVar[bool] = True
    shown: ClassVar[Shown] = Shown("ScalarDigitBits", "MaxWords")

    @property
    def rooms(self) -> tuple[str, ...]:
        """See `Config`."""
        return "isa", "prim", "gfp", "gf2m", "engine", "engines/binary"

    @property
    def polynomials(self) -> tuple[int, ...]:
        """Reduction polynomials that are built into the engine; empty for one that accepts any polynomial."""
        return binary_fields.polynomials_of(self.parameter("Fields"))

    @property
    def generic_degree(self) -> int:
        """The largest degree of an engine that accepts any polynomial; 0 for one with built-in
        polynomials.
        """
        return binary_fields.generic_degree(self.parameter("Fields"))

    @property
    def max_words(self) -> int:
        """See `Config`."""
        return self.parameter("MaxWords")

    @property
    def digit_bits(self) -> int:
        """See `Config`. This is the digit of the unit for integers modulo n."""
        return self.parameter("ScalarDigitBits")

    @property
    def curve_name(self) -> str:
        """See `Config`."""
        return self.curve or f"B-{max(self.polynomials).bit_length() - 1}"

    def refuses(self, curve: Curve) -> str:
        """See `Config`."""
        if self.polynomials and curve.p not in self.polynomials:
            degrees = [f.bit_length() - 1 for f in self.polynomials]
            if curve.p_bits in degrees:
                return f"{self.name} has another reduction polynomial of degree {curve.p_bits}"
            return f"{self.name} has fields of degree {', '.join(map(str, degrees))} only"
        if self.generic_degree and not LEAST_GENERIC_DEGREE <= curve.p_bits <= self.generic_degree:
            degrees_taken = f"{LEAST_GENERIC_DEGREE} to {self.generic_degree}"
            return f"{self.name} takes polynomials of degree {degrees_taken} only"
        if self.koblitz and not curve.is_koblitz:
            return f"{self.name} takes Koblitz curves only"
        return ""
