"""Both dividers as Python objects. Each is built by Verilator once for its content, also as a mutant."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.gf2m.multiplier import degree, table, texts
from tests.verilated import Patch, Unit

HARNESS = Path(__file__).with_name("divider_harness.cpp")


@dataclass
class Division:
    """y / x, so many clocks after the division before it; then its result, its cycles, and whether there is
    no result.
    """

    y: int
    x: int
    gap: int = 0
    quotient: int = -1
    cycles: int = -1
    none: bool = False


class Divider:
    """One eccel_gf2m_divider with the fields of these polynomials."""

    def __init__(self, fields: Sequence[int], patches: Sequence[Patch] = ()) -> None:
        self.fields = sorted(fields, key=table().index)
        mask = sum(1 << table().index(f) for f in fields)
        self._open("divider", f"{mask:x}", max(map(degree, fields)), [f"-GFields=26'h{mask:x}"], [], patches)

    def _open(
        self,
        module: str,
        name: str,
        width: int,
        parameters: Sequence[str],
        settings: Sequence[str],
        patches: Sequence[Patch],
    ) -> None:
        self.words = -(-width // 32)
        self._lib = Unit(
            room="gf2m",
            name=f"{module}-{name}",
            top=f"eccel_gf2m_{module}",
            harness=HARNESS,
            texts=texts(patches),
            parameters=parameters,
            settings=[f"-DWORDS={self.words}", f"-I{HARNESS.parent}", *settings],
            unknown="unique",
            optimisation=1 if patches else 2,
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self._words = ctypes.c_uint32 * self.words
        parts = [(part, self._words) for part in ("y", "x", "quotient")]
        parts += [(part, ctypes.c_uint32) for part in ("gap", "cycles", "none")]
        self._job = type("_Job", (ctypes.Structure,), {"_fields_": parts})

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def run(self, f: int, divisions: Sequence[Division]) -> int:
        """Divide in one field, after a division that a reset has ended, and note the results in the
        divisions. Returns in how many cycles an output had a value that it must not have.
        """
        self._select(f)
        up = self._up(f)
        one = self._split(1 << up)
        self._lib.unit_abort(self._unit, ctypes.byref(self._job(y=one, x=one)), degree(f))
        array = (self._job * len(divisions))()
        for item, each in zip(array, divisions, strict=True):
            item.y, item.x, item.gap = self._split(each.y << up), self._split(each.x << up), each.gap
        wrong: int = self._lib.unit_run(self._unit, array, len(divisions), 4 * degree(f))
        for item, each in zip(array, divisions, strict=True):
            quotient = sum(word << 32 * i for i, word in enumerate(item.quotient))
            assert quotient % (1 << up) == 0, "bits below the element are not 0"
            each.quotient, each.cycles, each.none = quotient >> up, item.cycles, bool(item.none)
        return wrong

    def _select(self, f: int) -> None:
        self._lib.unit_field(self._unit, self.fields.index(f), self._split(0))

    def _up(self, f: int) -> int:
        """How far above the lowest bit elements are placed."""
        return 0

    def _split(self, value: int) -> ctypes.Array[ctypes.c_uint32]:
        return self._words(*(value >> 32 * i & 0xFFFFFFFF for i in range(self.words)))


class GenericDivider(Divider):
    """One eccel_gf2m_generic_divider for polynomials of a degree up to `width`. y is 1."""

    def __init__(self, width: int, patches: Sequence[Patch] = ()) -> None:
        self.width = width
        self._open("generic_divider", f"{width}", width, [f"-GWidth={width}"], ["-DGENERIC"], patches)

    def _select(self, f: int) -> None:
        low = f ^ 1 << degree(f)
        self._lib.unit_field(self._unit, degree(f), self._split(low << self._up(f)))

    def _up(self, f: int) -> int:
        return self.width - degree(f)
