"""A SystemVerilog module as a Python object: inputs are set by name, outputs are read clock by clock."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Self

from eccelerate.configs.config import RTL_DIR
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("module_harness.cpp")
PORT = re.compile(r"^ *(input|output) .*?(\w+_n?[io])\b", re.MULTILINE)

Value = int | Sequence[int]
"""Of a port: an unpacked array has one number for each element, element 0 first."""


@cache
def _library(
    room: str, top: str, paths: tuple[Path, ...], parameters: tuple[str, ...], patches: tuple[Patch, ...]
) -> ctypes.CDLL:
    texts = patched({path.name: path.read_text() for path in paths}, patches)
    ports = PORT.findall(texts[f"{top}.sv"])
    lists = {
        direction: " ".join(f"X({name})" for found, name in ports if found == direction and name != "clk_i")
        for direction in ("input", "output")
    }
    library = Unit(
        room=room, name=top, top=top, harness=HARNESS, texts=texts, parameters=parameters,
        settings=[f"-DINPUTS={lists['input']}", f"-DOUTPUTS={lists['output']}"], unknown="unique",
        optimisation=0,
    ).load()  # fmt: skip
    library.unit_inputs.restype = library.unit_outputs.restype = ctypes.c_char_p
    return library


class _Ports:
    """Values of all inputs or all outputs, as the harness lays them out: 32-bit words, port after port."""

    def __init__(self, layout: str) -> None:
        # First word, words of an element, elements (0: no array).
        self._place: dict[str, tuple[int, int, int]] = {}
        size = 0
        for port in layout.split():
            name, words, elements = port.split(":")
            self._place[name] = size, int(words), int(elements)
            size += int(words) * max(1, int(elements))
        self.words = (ctypes.c_uint32 * size)()

    def __contains__(self, name: str) -> bool:
        return name in self._place

    def set(self, name: str, value: Value) -> None:
        at, words, elements = self._place[name]
        values = [value] if isinstance(value, int) else value
        assert len(values) == max(1, elements), name
        for each in values:
            for _ in range(words):
                self.words[at] = each & 0xFFFFFFFF
                each, at = each >> 32, at + 1
            assert each == 0, f"{name} is too narrow for the value"

    def get(self, name: str) -> list[int]:
        at, words, elements = self._place[name]
        return [
            sum(self.words[first + i] << 32 * i for i in range(words))
            for first in range(at, at + words * max(1, elements), words)
        ]


class Module:
    """The module `top` of one of the sources (paths below rtl, or of their own; packages first), reset.

    An input keeps its value until `clock` gets another one, and is 0 at first. Registers without a reset
    begin with random values.
    """

    def __init__(
        self,
        room: str,
        top: str,
        sources: Sequence[str | Path],
        parameters: Mapping[str, int | str] | None = None,
        patches: Sequence[Patch] = (),
    ) -> None:
        paths = tuple(RTL_DIR / source for source in sources)
        values = tuple(f"-G{name}={value}" for name, value in (parameters or {}).items())
        self._library = _library(room, top, paths, values, tuple(patches))
        self._in = _Ports(self._library.unit_inputs().decode())
        self._out = _Ports(self._library.unit_outputs().decode())
        self._module = ctypes.c_void_p(self._library.unit_open())
        self.clocks = 0
        """Clocks since the reset."""
        if "rst_ni" in self._in:
            self.clock(4, rst_ni=0)
            self.clock(rst_ni=1)
            self.clocks = 0

    def __del__(self) -> None:
        if hasattr(self, "_module"):
            self._library.unit_close(self._module)

    def clock(self, clocks: int = 1, **inputs: Value) -> Self:
        """Set inputs and run; then outputs are those of the last clock, before its edge."""
        for name, value in inputs.items():
            self._in.set(name, value)
        self._library.unit_clock(self._module, self._in.words, self._out.words, clocks)
        self.clocks += clocks
        return self

    def __getitem__(self, output: str) -> int:
        (value,) = self._out.get(output)
        return value

    def array(self, output: str) -> list[int]:
        """The elements of an unpacked array, element 0 first."""
        return self._out.get(output)


class Struct:
    """A packed struct of a package: its fields by name. widths: bits of fields that do not say a number."""

    def __init__(self, package: str, name: str, **widths: int) -> None:
        text = (RTL_DIR / package).read_text()
        found = re.search(rf"typedef struct packed {{([^}}]*)}} {name};", text)
        assert found, f"{package} has no struct {name}"
        self._bits: dict[str, int] = {}
        for high, field in re.findall(r"^ *\w+ *(?:\[(.+):0\])? *(\w+);", found[1], re.MULTILINE):
            self._bits[field] = widths[field] if field in widths else int(high or 0) + 1
        self.width = sum(self._bits.values())

    @property
    def fields(self) -> list[str]:
        """Names, highest bits first."""
        return [*self._bits]

    def pack(self, **fields: int) -> int:
        """The value with these fields; the others are 0."""
        assert fields.keys() <= self._bits.keys()
        value = 0
        for name, bits in self._bits.items():
            each = fields.get(name, 0)
            assert 0 <= each < 1 << bits, name
            value = value << bits | each
        return value

    def unpack(self, value: int) -> dict[str, int]:
        """All fields of a value."""
        found = {}
        for name, bits in reversed(self._bits.items()):
            found[name], value = value & (1 << bits) - 1, value >> bits
        return found
