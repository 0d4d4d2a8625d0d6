"""Modules of rtl/engine: several side by side (engine_units.sv), or one by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.module import Module
from tests.verilated import Patch

PACKAGES = ("isa/eccel_packet_pkg.sv", "isa/gen/eccel_isa_pkg.sv", "engine/eccel_engine_pkg.sv")
SOURCES = (
    *PACKAGES,
    "prim/eccel_add.sv",
    "prim/eccel_add_mux.sv",
    "prim/eccel_inc.sv",
    "prim/eccel_ram.sv",
    "prim/eccel_ram_1p.sv",
    "engine/eccel_timeout.sv",
    "engine/eccel_recoder.sv",
    "engine/eccel_decode.sv",
    "engine/eccel_counters.sv",
    "engine/eccel_job_port.sv",
    "engine/eccel_job_thread.sv",
    Path(__file__).with_name("engine_units.sv"),
)


class Units(Module):
    """One engine_units (engine_units.sv) after a reset."""

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        super().__init__("engine", "engine_units", SOURCES, patches=patches)
