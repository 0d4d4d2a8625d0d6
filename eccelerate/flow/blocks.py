"""Designs whose multipliers and block RAMs have chosen places on a device; nextpnr places their logic freely.

nextpnr chooses the places of these few large blocks early, and differently for each seed. The rest of the
placement cannot make up for a bad choice.
"""

import tomllib
from pathlib import Path

from eccelerate.flow.devices import Device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.floorplan import BLOCKS
from eccelerate.flow.netlist import Module
from eccelerate.flow.sites import part_of, sites

TABLE = Path(__file__).with_name("block_places.toml")
Places = dict[str, str]
"""Name of each multiplier and block RAM of a design -> nextpnr's name of its place."""


def chosen_places(design: str, target: Device, table: Path | None = None) -> Places:
    """The chosen places of the blocks of ``design`` on ``target``. Empty if nextpnr chooses them.

    ``table`` is the file. FlowError if the table is malformed, if the part does not have a place, or if two
    blocks share one.
    """
    if target.place != "ecp5":
        return {}
    table = table or TABLE
    row = tomllib.loads(table.read_text()).get(design)
    try:
        if row is None or row["part"] != part_of(target.args):
            return {}
        places = {str(name): str(bel) for name, bel in row["places"].items()}
    except (KeyError, AttributeError) as error:
        raise FlowError(f"{table.name}: places of {design}: {error!r}") from error
    have = {site.bel for site in sites(row["part"]) if site.kind in BLOCKS}
    if wrong := [bel for bel in places.values() if bel not in have]:
        raise FlowError(f"{table.name}: {row['part']} has no place {wrong[0]} for a block of {design}")
    if len(set(places.values())) < len(places):
        raise FlowError(f"{table.name}: two blocks of {design} have the same place")
    return places


def fix_blocks(module: Module, places: Places, prefix: str) -> None:
    """Give the blocks of a netlist their places. The cells of the design have names that begin with
    ``prefix``.

    FlowError unless ``places`` names exactly the blocks of the design.
    """
    blocks = {n.removeprefix(prefix): c for n, c in module["cells"].items() if c["type"] in BLOCKS}
    if wrong := sorted(blocks.keys() ^ places.keys()):
        raise FlowError(f"{TABLE.name}: not the blocks of this design: {', '.join(wrong[:3])}")
    for name, cell in blocks.items():
        cell["attributes"]["BEL"] = places[name]
