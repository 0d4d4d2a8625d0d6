"""eccel_solinas_core as a Python object, for real and toy primes. It is built by Verilator once for its
content, also as a mutant.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from eccelerate.model.solinas import Solinas
from eccelerate.model.solinas_files import PACKAGE, package
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("harness.cpp")
ROOMS = (RTL_DIR / "isa" / "gen", RTL_DIR / "prim", RTL_DIR / "gfp_turbo")


def sources(field: Solinas, patches: Sequence[Patch] = ()) -> dict[str, str]:
    """The text of every file by its name, packages first. The generated one has only this prime."""
    texts = {Path(PACKAGE).name: package([replace(field, karatsuba=False)])}
    paths = [path for room in ROOMS for path in sorted(room.glob("*.sv"))]
    paths.sort(key=lambda path: not path.stem.endswith("_pkg"))
    texts |= {path.name: path.read_text() for path in paths}
    if field.form.name != "P-256":  # the default of the modules' parameter
        texts[Path(PACKAGE).name] = texts[Path(PACKAGE).name].replace("} prime_e;", ", P256 = 99} prime_e;")
    return patched(texts, patches)


def _build(field: Solinas, patches: Sequence[Patch]) -> ctypes.CDLL:
    return Unit(
        room="gfp_turbo",
        name=f"karatsuba-{field.form.name}" if field.karatsuba else field.form.name,
        top="eccel_solinas_core",
        harness=HARNESS,
        texts=sources(field, patches),
        parameters=["-GPrime=0", *(["-GKaratsuba=1"] if field.karatsuba else [])],
        settings=[
            f"-DWORDS={field.words}",
            f"-DWORD_BITS={field.word_bits}",
            f"-DLANES={field.lanes}",
            *(["-DKARATSUBA"] if field.karatsuba else []),
        ],
        unknown="unique",
    ).load()


KINDS = {"add": 0, "sub": 1, "canon": 2}


@dataclass
class Operation:
    """Operands of an operation and clocks since the start of the one before; then its result and its
    clocks.
    """

    kind: str
    x: int
    y: int
    gap: int
    result: int = -1
    latency: int = -1


class Core:
    """One eccel_solinas_core."""

    def __init__(self, field: Solinas, patches: Sequence[Patch] = ()) -> None:
        self.field = field
        self._lib = _build(field, patches)
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        words = ctypes.c_uint32 * field.words
        fields = [("x", words), ("y", words), ("r", words), ("gap", ctypes.c_uint32)]
        fields += [("kind", ctypes.c_uint8), ("start", ctypes.c_uint64), ("first", ctypes.c_uint64)]
        self._operation = type("_Operation", (ctypes.Structure,), {"_fields_": fields})
        self._words = words

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def run(self, products: Sequence[Operation] = (), sums: Sequence[Operation] = ()) -> None:
        """Run both streams in parallel, and note the result and latency of each operation."""
        arrays = []
        for operations in (products, sums):
            array = (self._operation * max(1, len(operations)))()
            for i, op in enumerate(operations):
                array[i].x = self._words(*self.field.split(op.x, self.field.words))
                array[i].y = self._words(*self.field.split(op.y, self.field.words))
                array[i].gap, array[i].kind = op.gap, KINDS.get(op.kind, 0)
            arrays.append(array)
        limit = sum(op.gap for op in (*products, *sums)) + 1000
        extra = self._lib.unit_run(
            self._unit, arrays[0], len(products), arrays[1], len(sums), ctypes.c_uint64(limit)
        )
        assert extra == 0, "results are missing" if extra < 0 else f"{extra} results that nobody asked for"
        for operations, array in zip((products, sums), arrays, strict=True):
            for op, item in zip(operations, array, strict=False):
                op.result, op.latency = self.field.join(item.r), item.first - item.start

    def exhaust(self) -> int:
        """Run every product of two values below 2^n at full rate (small fields only). Returns how many are
        wrong.
        """
        wrong: int = self._lib.unit_exhaust(self._unit, self.field.bits, self.field.p)
        return wrong
