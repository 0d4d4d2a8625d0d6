"""Parts of the dispatcher as Python objects that run clock by clock: Verilated once per content."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from tests.dispatch.bench import SOURCES
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("part_harness.cpp")
INPUTS = {
    "count": ("done", "fault", "busy", "read", "engine", "counter"),
    "entropy": ("ent", "shared", "targets", "fault", "eng_ready"),
    "answer": (
        "rsp", "owed", "group", "stop", "release", "header_valid", "header_ticket", "header",
        "read", "read_header", "read_ticket", "read_index",
    ),
}  # fmt: skip
"""Inputs of each part but clock and reset, in the order of the harness, without the suffix _i."""
OUTPUTS = {
    "count": ("value",),
    "entropy": ("ent_ready",),
    "answer": ("rsp_ready", "bad", "answered", "ticket", "data"),
}
"""Outputs of each part in the order of the harness, without the suffix _o; entropy also has eng0, eng1..."""


class Part:
    """The module eccel_dispatch_NAME after reset. Inputs are 0 until they are set, and then keep their
    values.
    """

    def __init__(
        self, name: str, parameters: Mapping[str, int], engines: int = 0, patches: Sequence[Patch] = ()
    ) -> None:
        texts = {Path(path).name: (RTL_DIR / path).read_text() for path in SOURCES}
        top = f"eccel_dispatch_{name}"
        self._library = Unit(
            room="dispatch",
            name=f"part-{name}",
            top=top,
            harness=HARNESS,
            texts=patched(texts, patches),
            parameters=[f"-G{key}={value}" for key, value in parameters.items()],
            settings=[f"-D{name.upper()}", f"-DENGINES={engines}"],
        ).load()
        self._part = ctypes.c_void_p(self._library.unit_open())
        self._inputs = dict.fromkeys(("rst_n", *INPUTS[name]), 0)
        self._outputs = (*OUTPUTS[name], *(f"eng{e}" for e in range(engines)))
        self.clocks = 0
        for _ in range(3):
            self.clock()
        self._inputs["rst_n"] = 1
        self.clocks = 0

    def __del__(self) -> None:
        self._library.unit_close(self._part)

    def clock(self, **inputs: int) -> dict[str, int]:
        """Set some inputs and run one clock. Returns the outputs before its edge."""
        assert inputs.keys() <= self._inputs.keys()
        self._inputs |= inputs
        values = (ctypes.c_uint64 * len(self._inputs))(*self._inputs.values())
        found = (ctypes.c_uint64 * len(self._outputs))()
        self._library.unit_clock(self._part, values, found)
        self.clocks += 1
        return dict(zip(self._outputs, found, strict=True))

    def run(self, clocks: int, **inputs: int) -> dict[str, int]:
        """Set some inputs and run several clocks. Returns the outputs of the last one."""
        assert clocks > 0
        for _ in range(clocks):
            found = self.clock(**inputs)
        return found
