"""eccel_gf2m_mul as a Python object, and the table of fields. It is built by Verilator once for its content,
also as a mutant.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from eccelerate.curves import gf2m
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("harness.cpp")


@cache
def table() -> tuple[int, ...]:
    """The polynomials of eccel_gf2m_pkg, in its order."""
    return tuple(1 | sum({1 << exponent for exponent in row if exponent}) for row in _rows() if row[1])


@cache
def generic_mask(width: int) -> int:
    """The mask of a build for any polynomial of a degree up to this one. The package has to have such a
    build.
    """
    return 1 << _rows().index((width, 0, 0, 0))


def _rows() -> list[tuple[int, ...]]:
    text = (RTL_DIR / "gf2m" / "eccel_gf2m_pkg.sv").read_text()
    rows = re.findall(r"'\{m: (\d+), e3: (\d+), e2: (\d+), e1: (\d+)\}", text)
    return [tuple(map(int, row)) for row in rows]


def degree(f: int) -> int:
    """m."""
    return f.bit_length() - 1


def product_cycles(f: int, digit_bits: int) -> int:
    """Cycles of a product in a generic build.

    A digit takes one cycle if the gap below the highest term of the polynomial is at least two digits.
    Otherwise it takes three cycles for each fold, and the number of folds is the power of two that removes
    its bits from z^m on.
    """
    m = degree(f)
    digits, room, folds = -(-m // digit_bits), m - degree(f ^ 1 << m), 1
    if room >= 2 * digit_bits:
        return digits
    while folds * room < digit_bits:
        folds *= 2
    return 3 * folds * digits


def texts(patches: Sequence[Patch] = ()) -> dict[str, str]:
    """The files of the room, the package first."""
    paths = sorted((RTL_DIR / "gf2m").glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))
    return patched({path.name: path.read_text() for path in paths}, patches)


@dataclass
class Product:
    """Operands of a product and clocks since the start of the one before; then its result and its latency."""

    a: int
    b: int
    gap: int
    result: int = -1
    latency: int = -1


class Multiplier:
    """One eccel_gf2m_mul with the fields of these polynomials."""

    def __init__(
        self,
        fields: Sequence[int],
        digit_bits: int,
        leaf: int = 16,
        patches: Sequence[Patch] = (),
        stage: bool = False,
    ) -> None:
        self.fields = sorted(fields, key=table().index)
        self.digit_bits, self.stage = min(digit_bits, max(map(degree, fields))), stage
        self.words = -(-max(map(degree, fields)) // 32)
        mask = sum(1 << table().index(f) for f in fields)
        self._lib = Unit(
            room="gf2m",
            name=f"mul-{mask:x}-{digit_bits}-{leaf}-{stage:d}",
            top="eccel_gf2m_mul",
            harness=HARNESS,
            texts=texts(patches),
            parameters=[
                f"-GFields=26'h{mask:x}",
                f"-GDigitBits={digit_bits}",
                f"-GLeaf={leaf}",
                f"-GOperandStage={stage:d}",
            ],
            settings=[f"-DWORDS={self.words}", f"-I{HARNESS.parent}"],
            unknown="unique",
            optimisation=1 if patches else 2,
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self._words = ctypes.c_uint32 * self.words
        parts = [(name, self._words) for name in "abr"]
        parts += [("gap", ctypes.c_uint32), ("start", ctypes.c_uint64), ("valid", ctypes.c_uint64)]
        self._product = type("_Product", (ctypes.Structure,), {"_fields_": parts})

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def digits(self, f: int) -> int:
        """Cycles from one start to the next."""
        return -(-degree(f) // self.digit_bits)

    def latency(self, f: int) -> int:
        """Cycles from a start to its result."""
        return self.digits(f) + 3 + self.stage

    def run(self, f: int, products: Sequence[Product]) -> None:
        """Run products in one field, and note the result and latency of each."""
        array = (self._product * len(products))()
        for item, product in zip(array, products, strict=True):
            item.a, item.b, item.gap = self._split(product.a), self._split(product.b), product.gap
        limit = ctypes.c_uint64(sum(product.gap for product in products) + 1000)
        extra = self._lib.unit_run(self._unit, self.fields.index(f), array, len(products), limit)
        assert extra == 0, "results are missing" if extra < 0 else f"{extra} results too many or not kept"
        for item, product in zip(array, products, strict=True):
            product.result = sum(word << 32 * i for i, word in enumerate(item.r))
            product.latency = item.valid - item.start

    def exhaust(self, f: int) -> int:
        """Run every product of two elements at full rate, for degrees up to 8. Returns how many are wrong."""
        elements = range(1 << degree(f))
        expected = [gf2m.mul(a, b, f) for a in elements for b in elements]
        array = (ctypes.c_uint32 * len(expected))(*expected)
        args = (self.fields.index(f), degree(f), self.digits(f), array)
        wrong: int = self._lib.unit_exhaust(self._unit, *args)
        return wrong

    def _split(self, value: int) -> ctypes.Array[ctypes.c_uint32]:
        return self._words(*(value >> 32 * i & 0xFFFFFFFF for i in range(self.words)))
