"""Shape of a register map: registers at byte offsets, fields in their 32 bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Field:
    """A bit field; `lsb` 0..31, `width` 1..32 bits."""

    lsb: int
    width: int

    @property
    def mask(self) -> int:
        """The field's bits, at their place in the word."""
        return ((1 << self.width) - 1) << self.lsb

    def get(self, word: int) -> int:
        """Value of the field in `word`."""
        return (word & self.mask) >> self.lsb

    def put(self, value: int) -> int:
        """`value` at the field's place; ValueError when it does not fit."""
        if not 0 <= value < 1 << self.width:
            raise ValueError(f"{value} does not fit a field of {self.width} bits")
        return value << self.lsb


@dataclass(frozen=True)
class Register:
    """A 32-bit register: byte offset, access from the bus, fields by name."""

    offset: int
    readable: bool
    writable: bool
    fields: Mapping[str, Field]

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))

    def __getitem__(self, name: str) -> Field:
        return self.fields[name]
