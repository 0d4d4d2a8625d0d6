"""Placing a large design part by part: each part alone in a region of the device, then the rest around them.

nextpnr's placers spread a design of many equal engines over the whole device and leave long wires in all of
them. Here each engine is cut out of the joined netlist and placed alone, while everything outside its region
is occupied. Its cells are then locked in their places. The remaining cells are placed and locked in the same
way, and nextpnr routes the whole design.

The netlists are Yosys JSON. nextpnr returns a placed part as it packed it (TRELLIS_COMB for LUTs, carry cells
and distributed RAM); these cells, with the attribute ``BEL``, replace the mapped ones. Packing does not
change multipliers and block RAMs, so these keep their cells and only get the attribute.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from typing import Any

from eccelerate.flow.errors import FlowError
from eccelerate.flow.netlist import Module, Netlist
from eccelerate.flow.sites import Site, tile_of

Cell = dict[str, Any]
Rectangle = tuple[int, int, int, int]
Tile = tuple[int, int]

BLOCKS = ("MULT18X18D", "DP16KD", "PDPW16KD")
# Synthesis merges equal cells of several parts. Cells of these types are copied into each part that reads
# them.
COPIED = ("LUT4", "TRELLIS_FF")
# If a part needs more copies than this, the parts share more than a few merged cells: an error.
MOST_COPIES = 200
_CONSTANTS = {"$PACKER_GND_NET": "0", "$PACKER_VCC_NET": "1"}


@dataclass(frozen=True)
class Region:
    """The region of one part.

    ``prefix`` begins the names of the part's cells. ``places`` and ``hub`` are rectangles (left, top, right,
    bottom) of columns and rows, both ends included. The hub is where the part's neighbours are assumed to be.
    """

    prefix: str
    places: tuple[Rectangle, ...]
    hub: tuple[Rectangle, ...]

    def holds(self, site: Site) -> bool:
        """Whether ``site`` is in the region."""
        return within(site, self.places)


def within(site: Site, rectangles: tuple[Rectangle, ...]) -> bool:
    """Whether ``site`` is in one of the rectangles."""
    return any(x0 <= site.x <= x1 and y0 <= site.y <= y1 for x0, y0, x1, y1 in rectangles)


def check_regions(regions: tuple[Region, ...], device: tuple[Site, ...]) -> None:
    """FlowError if a rectangle is empty, if regions overlap, or if a region has no place on the device."""
    for region in regions:
        for x0, y0, x1, y1 in region.places + region.hub:
            if x0 > x1 or y0 > y1:
                raise FlowError(f"floorplan: rectangle {[x0, y0, x1, y1]} of {region.prefix} is empty")
    for site in device:
        owners = [r.prefix for r in regions if r.holds(site)]
        if len(owners) > 1:
            raise FlowError(f"floorplan: {site.bel} is in the regions of {' and '.join(owners)}")
    for region in regions:
        if not any(region.holds(s) for s in device):
            raise FlowError(f"floorplan: the region of {region.prefix} has no place on the device")


def _outputs(cell: Cell) -> list[tuple[str, int]]:
    """The (pin, net) pairs that the cell drives."""
    return [
        (pin, bit)
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
        if isinstance(bit, int)
    ]


def _inputs(cell: Cell) -> list[int]:
    return [
        bit
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] != "output"
        for bit in bits
        if isinstance(bit, int)
    ]


def next_net(module: Module) -> "count[int]":
    """Numbers of nets that the module does not use yet."""
    used = [b for c in module["cells"].values() for bits in c["connections"].values() for b in bits]
    used += [b for p in module["ports"].values() for b in p["bits"]]
    return count(1 + max((b for b in used if isinstance(b, int)), default=1))


def owners(module: Module, regions: tuple[Region, ...]) -> dict[str, int]:
    """The number of the region for each cell that belongs to one. Changes cells so that no part drives
    another.

    Synthesis merges equal cells of several parts, and names cells of the rest after one of the parts. A LUT
    that reads another part, or that its own part does not read, belongs to the rest. A cell that several
    parts read is copied into each of them. FlowError if this does not come to an end.
    """
    cells = module["cells"]
    owner = {n: i for i, r in enumerate(regions) for n in cells if n.startswith(r.prefix)}
    for index, region in enumerate(regions):
        if index not in owner.values():
            raise FlowError(f"floorplan: no cell is named {region.prefix}...")
    driver = {bit: name for name, cell in cells.items() for _, bit in _outputs(cell)}

    def part(bit: int) -> int | None:
        return owner.get(driver.get(bit, ""))

    sinks: dict[int, list[str]] = defaultdict(list)
    for name, cell in cells.items():
        for bit in _inputs(cell):
            sinks[bit].append(name)

    def belongs(name: str) -> bool:
        here = owner[name]
        foreign = [b for b in _inputs(cells[name]) if part(b) not in (None, here)]
        shared = all(len({owner.get(n) for n in sinks[b]} - {None}) >= min(3, len(regions)) for b in foreign)
        return shared and any(owner.get(n) == here for _, b in _outputs(cells[name]) for n in sinks[b])

    while strangers := [n for n in owner if cells[n]["type"] == "LUT4" and not belongs(n)]:
        for name in strangers:
            del owner[name]
    fresh = next_net(module)
    copies: dict[tuple[str, int], int] = {}
    work = list(owner)
    while work:
        name = work.pop()
        here, cell = owner.get(name), cells[name]
        if here is None:
            continue
        for pin, bits in cell["connections"].items():
            for at, bit in enumerate(bits):
                source = part(bit) if isinstance(bit, int) else None
                if cell["port_directions"][pin] == "output" or source in (None, here):
                    continue
                original = driver[bit]
                if (original, here) not in copies:
                    if cells[original]["type"] not in COPIED or len(copies) > MOST_COPIES * len(regions):
                        raise FlowError(f"floorplan: {original} of one part drives {name} of another")
                    twin = f"{regions[here].prefix}copy.{len(copies)}"
                    [(out, _)] = _outputs(cells[original])
                    copies[original, here] = net = next(fresh)
                    cells[twin] = cells[original] | {
                        "connections": {p: list(b) for p, b in cells[original]["connections"].items()}
                        | {out: [net]}
                    }
                    owner[twin], driver[net] = here, twin
                    work.append(twin)
                bits[at] = copies[original, here]
    return owner


def _cell(kind: str, bel: str, **pins: tuple[str, int]) -> Cell:
    """A cell that is locked at ``bel``. ``pins`` gives the direction and the net of each pin name."""
    return {
        "hide_name": 0,
        "type": kind,
        "parameters": {},
        "attributes": {"BEL": bel},
        "port_directions": {p: d for p, (d, _) in pins.items()},
        "connections": {p: [b] for p, (_, b) in pins.items()},
    }


def _centre(rectangles: tuple[Rectangle, ...]) -> tuple[float, float]:
    area = [(x1 - x0 + 1) * (y1 - y0 + 1) for x0, y0, x1, y1 in rectangles]
    x = sum(a * (r[0] + r[2]) / 2 for a, r in zip(area, rectangles, strict=True)) / sum(area)
    y = sum(a * (r[1] + r[3]) / 2 for a, r in zip(area, rectangles, strict=True)) / sum(area)
    return x, y


def part_netlist(
    module: Module,
    owner: dict[str, int],
    index: int,
    region: Region,
    clock: int,
    device: tuple[Site, ...],
    locked: dict[int, Tile] | None = None,
) -> Module:
    """The netlist of one part: its cells, a register for each net that leaves or enters it, and a dummy cell
    in every place outside its region. Nets are named ``n<number>``.

    ``locked`` gives the tile of a net that is placed already: the register is placed near it. All other
    registers are placed in the hub, near the region.
    """
    chosen = {n: c for n, c in module["cells"].items() if owner.get(n) == index}
    driven = {b for c in chosen.values() for _, b in _outputs(c)}
    read = {b for c in chosen.values() for b in _inputs(c)}
    outside = {b for n, c in module["cells"].items() if n not in chosen for b in _inputs(c)}
    outside |= {b for p in module["ports"].values() for b in p["bits"] if p["direction"] == "output"}
    entering, leaving = sorted(read - driven - {clock}), sorted(driven & outside)

    cells: dict[str, Cell] = {
        n: c | {"attributes": {}, "connections": {p: list(b) for p, b in c["connections"].items()}}
        for n, c in chosen.items()
    }
    anchors = _anchors([*entering, *leaving], region, device, locked)
    for number, (bit, site) in enumerate(anchors.items()):
        pin = {"Q": ("output", bit)} if number < len(entering) else {"M": ("input", bit)}
        cells[f"anchor.{number}"] = _register(site, clock, **pin)
    taken = set(anchors.values())
    for number, site in enumerate(s for s in device if s not in taken and not region.holds(s)):
        # The registers of a tile share their clock; those of a slice also share their enable.
        wall = site.kind == "TRELLIS_FF"
        cells[f"wall.{number}"] = _register(site, clock) if wall else _cell(site.kind, site.bel)
    nets = {b for c in cells.values() for bits in c["connections"].values() for b in bits}
    return {
        "attributes": {"top": "00000000000000000000000000000001"},
        "ports": {"clk_i": {"direction": "input", "bits": [clock]}},
        "cells": cells,
        "netnames": {
            f"n{b}": {"hide_name": 0, "bits": [b], "attributes": {}} for b in sorted(nets - set("01xz"))
        },
    }


def _register(site: Site, clock: int, **pins: tuple[str, int]) -> Cell:
    parameters = {"CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED"}
    return _cell("TRELLIS_FF", site.bel, CLK=("input", clock), **pins) | {"parameters": parameters}


def _anchors(
    bits: list[int], region: Region, device: tuple[Site, ...], locked: dict[int, Tile] | None
) -> dict[int, Site]:
    """A place outside the region for the register of each net. FlowError if the hub is too small."""
    free = [s for s in device if s.kind == "TRELLIS_FF" and not region.holds(s)]
    if locked is None:
        x, y = _centre(region.places)
        near = sorted((abs(s.x - x) + abs(s.y - y), s) for s in free if within(s, region.hub))
        if len(near) < len(bits):
            raise FlowError(f"floorplan: the hub of {region.prefix} has no place for {len(bits)} nets")
        return {bit: site for bit, (_, site) in zip(bits, near, strict=False)}
    tiles: dict[Tile, list[Site]] = defaultdict(list)
    for site in free:
        tiles[site.x, site.y].append(site)
    found = {}
    for bit in bits:
        x, y = locked.get(bit, (0, 0))
        tile = min((t for t in tiles if tiles[t]), key=lambda t: abs(t[0] - x) + abs(t[1] - y))
        found[bit] = tiles[tile].pop()
    return found


def tiles_of_nets(parts: list[dict[str, Cell]]) -> dict[int, Tile]:
    """A tile for each net of placed parts: that of the driver if it is placed, else that of a cell that reads
    the net.
    """
    found: dict[int, Tile] = {}
    for drives in (False, True):
        for part in parts:
            for cell in part.values():
                tile = tile_of(cell["attributes"]["BEL"])
                for pin, bits in cell["connections"].items():
                    if (cell["port_directions"][pin] == "output") == drives:
                        found |= {b: tile for b in bits if isinstance(b, int) and b > 0}
    return found


def _net_of(name: str, clock: int) -> int | str | None:
    """The net of the joined netlist for a name that nextpnr wrote in a part. None if nextpnr made the net."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name.startswith(("$glbnet$", "clk_i")):
        return clock
    return int(name[1:]) if name[:1] == "n" and name[1:].isdigit() else None


def harvest(placed: Netlist, part: Module, region: Region, clock: int) -> dict[str, Cell]:
    """The cells of a placed part for the joined netlist, each locked in its place. Nets that packing made
    have negative numbers. FlowError if nextpnr placed a cell outside the region.
    """
    [written] = placed["modules"].values()
    renamed: dict[int, int | str] = {}
    for name, net in written["netnames"].items():
        to = _net_of(name, clock)
        if to is not None:
            renamed[net["bits"][0]] = to
    made = count(1)
    found: dict[str, Cell] = {}
    for name, cell in written["cells"].items():
        if name.startswith(("anchor.", "wall.", "$PACKER_")) or cell["type"] in ("TRELLIS_IO", "DCCA"):
            continue
        bel = cell["attributes"]["NEXTPNR_BEL"]
        if not within(Site(*tile_of(bel), "", ""), region.places):
            raise FlowError(f"floorplan: {name} lies at {bel}, outside the region of {region.prefix}")
        mine = f"{region.prefix}{name}" if name.startswith("$") else name
        if cell["type"] in BLOCKS:
            found[mine] = part["cells"][name] | {"attributes": {"BEL": bel}}
            continue
        pins = {}
        for pin, bits in cell["connections"].items():
            for bit in bits:
                if isinstance(bit, int) and bit not in renamed:
                    renamed[bit] = -next(made)
            if bits:
                pins[pin] = [renamed.get(b, b) for b in bits]
        found[mine] = {
            "hide_name": 0,
            "type": cell["type"],
            "parameters": cell["parameters"],
            "attributes": {"BEL": bel},
            "port_directions": {p: cell["port_directions"][p] for p in pins},
            "connections": pins,
        }
    return found


def assemble(module: Module, owner: dict[str, int], parts: list[dict[str, Cell]]) -> None:
    """Replace the mapped cells in the joined netlist by those of the placed parts."""
    cells = module["cells"]
    fresh = next_net(module)
    for name in owner:
        del cells[name]
    for part in parts:
        made: dict[int, int] = defaultdict(lambda: next(fresh))
        for name, cell in part.items():
            pins = {
                p: [made[b] if isinstance(b, int) and b < 0 else b for b in bits]
                for p, bits in cell["connections"].items()
            }
            cells[name] = cell | {"connections": pins}
    used = {b for c in cells.values() for bits in c["connections"].values() for b in bits}
    used |= {b for p in module["ports"].values() for b in p["bits"]}
    module["netnames"] = {n: v for n, v in module["netnames"].items() if used.issuperset(v["bits"])}
