"""The picture of a placement counts tiles as nextpnr writes them, and draws squares where they are used."""

from xml.etree import ElementTree

import pytest

from eccelerate.explore import floormap
from eccelerate.flow import FlowError

PLACED = """\
.tile R3C2:PLC2
word: SLICEA.K0.INIT 0000000000000000
word: SLICEA.K1.INIT 1111111111111111
enum: SLICEB.REG0.SD 1
.tile R3C4:CIB
word: SLICEA.K0.INIT 0000000000000000
.tile R7C5:PLC2
arc: A1 B2
"""


def test_luts_and_registers_of_logic_tiles() -> None:
    assert floormap.used(PLACED) == {(2, 3): 3}


def test_neighbours_in_a_row_are_one_square() -> None:
    s, top = floormap.SCALE, floormap.TOP
    path = floormap.squares([(1, 0), (2, 0), (4, 0), (1, 1)])
    assert path.count("M") == 3
    assert path.startswith(f"M{s} {top}h{2 * s}v{s}")


def test_a_part_has_its_colour_and_an_empty_tile_none() -> None:
    owner = {(0, 0): 0, (1, 0): 1, (2, 0): -1}
    svg = floormap.drawing(3, 1, owner, {(0, 0): floormap.FULL, (2, 0): 1}, ["engine 0", "engine 1", "rest"])
    shapes = {e.get("fill"): e.get("opacity") for e in ElementTree.fromstring(svg).iter() if "path" in e.tag}
    assert shapes == {floormap.EMPTY: None, floormap.COLOURS[0]: "1.00", floormap.REST: "0.12"}


def test_only_what_has_a_floorplan() -> None:
    with pytest.raises(FlowError, match="compact-w32 has no floorplan"):
        floormap.picture("compact-w32")
