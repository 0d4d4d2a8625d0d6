"""eccel_gf2m_generic_mul as a Python object. It is built by Verilator once for its content, also as a
mutant.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

from tests.gf2m.multiplier import degree, texts
from tests.verilated import Patch, Unit

HARNESS = Path(__file__).with_name("generic_harness.cpp")


class GenericMultiplier:
    """One eccel_gf2m_generic_mul for polynomials of a degree up to `width`."""

    def __init__(self, width: int, digit_bits: int, leaf: int = 8, patches: Sequence[Patch] = ()) -> None:
        self.digit_bits = min(digit_bits, width)
        words = -(-width // 32)
        self._lib = Unit(
            room="gf2m",
            name=f"generic-{width}-{digit_bits}-{leaf}",
            top="eccel_gf2m_generic_mul",
            harness=HARNESS,
            texts=texts(patches),
            parameters=[f"-GWidth={width}", f"-GDigitBits={digit_bits}", f"-GLeaf={leaf}"],
            settings=[f"-DWORDS={words}", f"-DPORT_BITS={width}", f"-I{HARNESS.parent}"],
            unknown="unique",
            optimisation=1 if patches else 2,
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self._element = ctypes.c_uint32 * words

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def select(self, f: int) -> int:
        """Select the polynomial of the next products. Returns the cycles of a product."""
        low = f ^ 1 << degree(f)
        words = self._element(*(low >> 32 * i & 0xFFFFFFFF for i in range(len(self._element()))))
        interval: int = self._lib.unit_polynomial(self._unit, degree(f), words)
        return interval

    def products(self, count: int, seed: int = 1) -> int:
        """Run `count` random products at full rate and with gaps, or all products if it is 0. Returns how
        many are wrong or late.
        """
        wrong: int = self._lib.unit_products(self._unit, count, seed)
        return wrong
