"""Modules of rtl/engine as one Python object. Inputs are set by name, and outputs are read clock by clock."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from tests.verilated import Patch, Unit, patched

HERE = Path(__file__).parent
SOURCES = (
    "isa/eccel_packet_pkg.sv",
    "isa/gen/eccel_isa_pkg.sv",
    "engine/eccel_engine_pkg.sv",
    "prim/eccel_add.sv",
    "prim/eccel_inc.sv",
    "prim/eccel_ram.sv",
    "prim/eccel_ram_1p.sv",
    "engine/eccel_timeout.sv",
    "engine/eccel_recoder.sv",
    "engine/eccel_decode.sv",
    "engine/eccel_counters.sv",
    "engine/eccel_job_port.sv",
)


@cache
def _library(patches: tuple[Patch, ...]) -> ctypes.CDLL:
    texts = {Path(name).name: (RTL_DIR / name).read_text() for name in SOURCES}
    texts["units.sv"] = (HERE / "units.sv").read_text()
    library = Unit(
        room="engine", name="units", top="engine_units", harness=HERE / "units_harness.cpp",
        texts=patched(texts, patches), parameters=[], settings=[],
    ).load()  # fmt: skip
    library.unit_inputs.restype = library.unit_outputs.restype = ctypes.c_char_p
    return library


class Units:
    """One engine_units (units.sv) after a reset. An input keeps its value until `clock` changes it."""

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        self._library = _library(tuple(patches))
        self._inputs: list[str] = self._library.unit_inputs().decode().split()
        self._outputs: list[str] = self._library.unit_outputs().decode().split()
        self._unit = ctypes.c_void_p(self._library.unit_open())
        self._in = (ctypes.c_uint64 * len(self._inputs))()
        self._out = (ctypes.c_uint64 * len(self._outputs))()
        self.clock(4, rst_ni=0)
        self.clock(rst_ni=1)

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._library.unit_close(self._unit)

    def clock(self, clocks: int = 1, **inputs: int) -> None:
        """Set inputs and run. The outputs are then those of the last clock, before its edge."""
        for name, value in inputs.items():
            self._in[self._inputs.index(name)] = value
        self._library.unit_clock(self._unit, self._in, self._out, clocks)

    def __getitem__(self, output: str) -> int:
        return int(self._out[self._outputs.index(output)])
