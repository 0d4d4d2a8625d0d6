"""The picture of rate against area: our placed configurations and the published systems."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree

from eccelerate.explore.figures import Stores
from eccelerate.explore.pages.engines import rate
from eccelerate.explore.pages.selection import complete, of_kind
from eccelerate.explore.published import find_system

WIDTH, HEIGHT = 860, 560
LEFT, RIGHT, TOP, BOTTOM = 74, 40, 64, 52
AREA_RANGE, RATE_RANGE = (1_000, 100_000), (20, 100_000)
FONT, LETTER = 11, 6.6
"""Height of text and width of a letter in pixels. The picture tells every renderer to use this width."""
MARGIN = 3
COLOURS = {"compact": "#4477aa", "turbo": "#cc6677", "binary": "#228833", "published": "#666666"}
SLICE_LUTS = 2
"""LUT4 in a slice of the Virtex families of the papers."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Spot:
    """One system: its name, its group (of COLOURS), LUT4, and scalar multiplications a second."""

    name: str
    group: str
    luts: int
    per_second: float

    @property
    def x(self) -> float:
        """Pixels from the left."""
        return LEFT + (WIDTH - LEFT - RIGHT) * _share(self.luts, AREA_RANGE)

    @property
    def y(self) -> float:
        """Pixels from the top."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(self.per_second, RATE_RANGE)


def _share(value: float, bounds: tuple[int, int]) -> float:
    """The position of a value on a logarithmic axis, from 0 to 1."""
    low, high = bounds
    return math.log(value / low) / math.log(high / low)


def ours(stores: Stores) -> list[Spot]:
    """Every configuration with a stored placement. Where jobs share the engine, rates are those of a
    stream.
    """
    spots = []
    for group in ("compact", "turbo", "binary"):
        for each in complete(of_kind(f"ecp_{group}"), stores):
            job = "scalar_mul_sustained" if group == "turbo" else "scalar_mul"
            per_second = rate(each, job)
            if each.placed is not None and per_second is not None:
                spots.append(Spot(each.config.name, group, each.placed["lut4"], per_second))
    return spots


def published() -> list[Spot]:
    """The published systems. A slice counts as SLICE_LUTS."""
    compact, turbo, binary = (find_system(name) for name in ("vliegen2010", "gueneysu2008", "gura2002"))
    spots = [
        Spot(f"Vliegen 2010, {v.name}", "published", SLICE_LUTS * v.slices_engine, 1000 / v.ms)
        for v in compact.variants
    ]
    for design in turbo.designs:
        for cores in (design.one, design.many):
            name = f"Gueneysu 2008, {design.name}" + (f" x {cores.cores}" if cores.cores > 1 else "")
            spots.append(Spot(name, "published", SLICE_LUTS * cores.slices, cores.per_second))
    for each in binary.curves:
        name = f"Gura 2002, {each.curve}" + ("" if each.kind == "reduction built in" else ", any polynomial")
        spots.append(Spot(name, "published", binary.luts, each.rates["scalar_mul"]))
    return spots


def picture(stores: Stores) -> str:
    """The SVG of the picture."""
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "font-family": "sans-serif",
            "font-size": str(FONT),
        },
    )
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    text(svg, "k P a second (any point) against LUT4, each on its own device, logarithmic axes", LEFT, 20)
    legend(svg)
    axes(svg)
    spots = [*ours(stores), *published()]
    for spot in spots:
        mark(svg, spot.group, spot.x, spot.y)
    taken = [(spot.x - 5, spot.y - 5, spot.x + 5, spot.y + 5) for spot in spots]
    for spot in spots:
        x, y, box = place_label(spot, taken)
        taken.append(box)
        text(svg, spot.name, x, y, COLOURS[spot.group])
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def legend(svg: ElementTree.Element) -> None:
    """The groups and their marks in a row."""
    x = float(LEFT)
    for group in COLOURS:
        mark(svg, group, x + 5, 40)
        text(svg, group, x + 14, 44)
        x += 34 + LETTER * len(group)


def mark(svg: ElementTree.Element, group: str, x: float, y: float) -> None:
    """A disc for one of our systems, a ring for a published one."""
    hollow = group == "published"
    paint = {"fill": "white" if hollow else COLOURS[group], "stroke": COLOURS[group], "stroke-width": "1.6"}
    ElementTree.SubElement(svg, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "4", **paint})


def axes(svg: ElementTree.Element) -> None:
    """Grid lines at 1, 2 and 5 times powers of ten, with numbers at powers of ten."""
    for bounds, upright in ((AREA_RANGE, True), (RATE_RANGE, False)):
        for value in ticks(*bounds):
            spot = Spot("", "published", *((value, RATE_RANGE[0]) if upright else (AREA_RANGE[0], value)))
            ends = (
                {"x1": spot.x, "x2": spot.x, "y1": TOP, "y2": HEIGHT - BOTTOM}
                if upright
                else {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": spot.y, "y2": spot.y}
            )
            stroke = {"stroke": "#bbb" if is_power(value) else "#e8e8e8", "stroke-width": "1"}
            ElementTree.SubElement(svg, "line", {k: f"{v:.1f}" for k, v in ends.items()} | stroke)
            if is_power(value):
                words = f"{value:,}"
                width = LETTER * len(words)
                if upright:
                    text(svg, words, spot.x - width / 2, HEIGHT - BOTTOM + 16)
                else:
                    text(svg, words, LEFT - 8 - width, spot.y + 4)
    text(svg, "LUT4 (published: two for each slice; multipliers are not counted)", LEFT, HEIGHT - 12)


def ticks(low: int, high: int) -> list[int]:
    """1, 2, 5, 10, 20, ... from `low` to `high`."""
    steps = (digit * 10**power for power in range(7) for digit in (1, 2, 5))
    return [step for step in steps if low <= step <= high]


def is_power(value: int) -> bool:
    """Whether the number is a power of ten."""
    return str(value).strip("0") == "1"


def place_label(spot: Spot, taken: Iterable[Box]) -> tuple[float, float, Box]:
    """Start of the baseline and box of a label: the place nearest to its mark where it meets none of the
    boxes. A label without room there is to the right of its mark.
    """
    taken, width = list(taken), LETTER * len(spot.name)
    for distance in range(0, 120, 4):
        for side, lift in ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1)):
            left = {1: spot.x + 8, -1: spot.x - 8 - width, 0: spot.x - width / 2}[side]
            middle = spot.y + lift * (distance + (12 if side == 0 else 4))
            box = (left - MARGIN, middle - FONT / 2 - 1, left + width + MARGIN, middle + FONT / 2 + 1)
            inside = box[0] >= LEFT and box[2] <= WIDTH - 2 and box[1] >= TOP and box[3] <= HEIGHT - BOTTOM
            if inside and not any(meet(box, other) for other in taken):
                return left, middle + FONT / 2 - 2, box
    left, right = spot.x + 8, spot.x + 8 + width
    return left, spot.y + FONT / 2 - 2, (left, spot.y - FONT / 2, right, spot.y + FONT / 2)


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def text(svg: ElementTree.Element, words: str, x: float, y: float, colour: str = "#222222") -> None:
    """Text from (x, y) on, with the width that LETTER gives in every renderer."""
    width = {"textLength": f"{LETTER * len(words):.1f}", "lengthAdjust": "spacingAndGlyphs"}
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "fill": colour}
    ElementTree.SubElement(svg, "text", place | width).text = words
