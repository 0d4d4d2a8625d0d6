"""Picture of a design that was placed part by part, from its placement."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree

from eccelerate.configs.config import find_config
from eccelerate.explore.figures import place_device, placed_design
from eccelerate.explore.occupancy import text
from eccelerate.flow import FlowError, device, place
from eccelerate.flow.parts import floorplan_of
from eccelerate.flow.sites import part_of, sites

Spot = tuple[int, int]

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#cc8844", "#6655aa", "#77aa77")
REST = "#222222"
EMPTY = "#eeeeee"
SCALE, TOP = 7, 26  # pixels of a tile, and of the text above the picture
FULL = 16  # number of LUTs and registers of a logic tile
LEVELS = 8  # number of shades of a colour


def used(config: str) -> dict[Spot, int]:
    """The number of LUTs and registers in use in each logic tile of nextpnr's configuration file. Multipliers
    and block RAMs count as full tiles.
    """
    count: Counter[Spot] = Counter()
    here: Spot | None = None
    for line in config.splitlines():
        if tile := re.match(r"\.tile (?:\w+_)?R(\d+)C(\d+):(\w+)", line):
            here = (int(tile[2]), int(tile[1])) if tile[3] == "PLC2" else None
        elif here and re.match(r"word: SLICE\w\.K\d\.INIT|enum: SLICE\w\.REG\d\.SD", line):
            count[here] += 1
    return count


def squares(spots: list[Spot]) -> str:
    """A path with one square for each run of neighbours in a row."""
    path, rest = [], set(spots)
    for x, y in sorted(spots, key=lambda spot: (spot[1], spot[0])):
        if (x - 1, y) in rest:
            continue
        run = next(n for n in range(1, len(rest) + 1) if (x + n, y) not in rest)
        path.append(f"M{x * SCALE} {y * SCALE + TOP}h{run * SCALE}v{SCALE}h{-run * SCALE}z")
    return "".join(path)


def drawing(
    width: int, height: int, owner: dict[Spot, int], filled: dict[Spot, int], names: list[str]
) -> str:
    """SVG with a square for each tile, in the colour of the part to which it belongs (-1 is the rest). The
    more of a tile is in use, the stronger is its colour.
    """
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width * SCALE} {height * SCALE + TOP + 4}",
            "font-family": "sans-serif",
            "font-size": "12",
        },
    )
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    ElementTree.SubElement(svg, "path", {"d": squares(list(owner)), "fill": EMPTY})
    groups: dict[tuple[int, int], list[Spot]] = {}
    for spot, part in sorted(owner.items()):
        level = min(LEVELS, -(-LEVELS * filled.get(spot, 0) // FULL))
        if level:
            groups.setdefault((part, level), []).append(spot)
    for (part, level), spots in groups.items():
        colour = REST if part < 0 else COLOURS[part % len(COLOURS)]
        shape = {"d": squares(spots), "fill": colour, "opacity": f"{level / LEVELS:.2f}"}
        ElementTree.SubElement(svg, "path", shape)
    for number, name in enumerate(names):
        x = 8 + number * (width * SCALE - 16) // len(names)
        colour = COLOURS[number % len(COLOURS)] if number < len(names) - 1 else REST
        mark = {"x": str(x), "y": "7", "width": "10", "height": "10", "fill": colour}
        ElementTree.SubElement(svg, "rect", mark)
        text(svg, name, x=str(x + 14), y="16")
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def picture(name: str, progress: Callable[[str], None] | None = None) -> str:
    """SVG of the placement of configuration ``name`` with seed 1, from the build cache if it is there.

    Raises FlowError for a configuration without a floorplan.
    """
    config = find_config(name)
    design, target = placed_design(config), device(place_device(config))
    plan = floorplan_of(design.name, target)
    if plan is None:
        raise FlowError(f"{name} has no floorplan on {target.name}")
    folder = place(design, target, (1,), progress).folders[1]
    parts = json.loads((folder / "parts.json").read_text())
    owner: dict[Spot, int] = {}
    filled = used((folder / "out.config").read_text())
    for site in sites(part_of(target.args)):
        owner.setdefault((site.x, site.y), -1)
    for number, spots in enumerate(parts):
        for x, y, cells in spots:
            owner[x, y] = number
            if (x, y) not in filled:  # this is a multiplier or block RAM
                filled[x, y] = FULL * min(1, cells)
    width = 1 + max(x for x, _ in owner)
    height = 1 + max(y for _, y in owner)
    return drawing(width, height, owner, filled, [*(f"engine {i}" for i in range(len(parts))), "rest"])
