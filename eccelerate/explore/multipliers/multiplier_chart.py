"""The picture of multipliers: area against time for a product, and multiplier blocks against products in a
clock. Both have logarithmic axes; units that no other one beats are filled and joined by a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from eccelerate.configs.multiplier_config import KINDS, MultiplierConfig
from eccelerate.explore.multipliers.multiplier_rows import Row, fronts
from eccelerate.explore.pages.chart import FONT, LETTER, Box, is_power, meet, text, ticks

WIDTH, HEIGHT = 560, 420
LEFT, RIGHT, TOP, BOTTOM, HEAD = 74, 24, 34, 50, 56
COLOURS = dict(zip(KINDS, ("#4477aa", "#66ccee", "#228833", "#cc6677", "#aa7700", "#aa3377"), strict=True))
NOTHING = "Nothing is stored yet: eccel multipliers --measure"


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis: its heading, the value of a row, and the powers of ten at its ends."""

    name: str
    of: Callable[[Row], float]
    low: float
    high: float

    @classmethod
    def over(cls, name: str, of: Callable[[Row], float], found: Sequence[Row]) -> Axis:
        """The axis that holds all rows."""
        values = [of(row) for row in found]
        low, high = (math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))
        return cls(name, of, 10.0**low, 10.0 ** max(high, low + 1))

    def share(self, value: float) -> float:
        """The position of a value on the axis, from 0 to 1."""
        return math.log(value / self.low) / math.log(self.high / self.low)


class Panel:
    """One diagram at a distance from the left of the picture."""

    def __init__(self, svg: ElementTree.Element, left: float, across: Axis, up: Axis) -> None:
        self.svg, self.left, self.across, self.up = svg, left, across, up
        self.taken: list[Box] = []

    def place(self, row: Row) -> tuple[float, float]:
        """The pixels of a row."""
        return self._x(self.across.of(row)), self._y(self.up.of(row))

    def _x(self, value: float) -> float:
        return self.left + LEFT + (WIDTH - LEFT - RIGHT) * self.across.share(value)

    def _y(self, value: float) -> float:
        return HEAD + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * self.up.share(value)

    def draw(self, found: Sequence[Row], best: set[tuple[str, str]], *, join: bool) -> None:
        """Axes, marks, the line of the front and the names of its units."""
        self._axes()
        leaders = sorted((row for row in found if _key(row) in best), key=self.across.of)
        for row in found:
            self._mark(row, filled=_key(row) in best)
        self.taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in map(self.place, found)]
        if join:
            points = " ".join("{:.1f},{:.1f}".format(*self.place(row)) for row in _staircase(leaders, self))
            style = {"points": points, "fill": "none", "stroke": "#999", "stroke-dasharray": "4 3"}
            ElementTree.SubElement(self.svg, "polyline", style)
        for row in leaders:
            self._label(row)

    def _axes(self) -> None:
        bottom, top = HEAD + HEIGHT - BOTTOM, HEAD + TOP
        for value in _ticks(self.across):
            x = self._x(value)
            self._line(x, top, x, bottom, is_power_of_ten(value))
            if is_power_of_ten(value):
                words = f"{value:,g}"
                text(self.svg, words, x - LETTER * len(words) / 2, bottom + 16)
        for value in _ticks(self.up):
            y = self._y(value)
            self._line(self.left + LEFT, y, self.left + WIDTH - RIGHT, y, is_power_of_ten(value))
            if is_power_of_ten(value):
                words = f"{value:,g}"
                text(self.svg, words, self.left + LEFT - 8 - LETTER * len(words), y + 4)
        text(self.svg, self.up.name, self.left + LEFT, HEAD + TOP - 10)
        text(self.svg, self.across.name, self.left + LEFT, HEAD + HEIGHT - 14)

    def _line(self, x1: float, y1: float, x2: float, y2: float, strong: bool) -> None:
        ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        stroke = {"stroke": "#bbb" if strong else "#e8e8e8", "stroke-width": "1"}
        ElementTree.SubElement(self.svg, "line", {k: f"{v:.1f}" for k, v in ends.items()} | stroke)

    def _mark(self, row: Row, *, filled: bool) -> None:
        x, y = self.place(row)
        draw_mark(self.svg, row.config, x, y, filled=filled)

    def _label(self, row: Row) -> None:
        """The name of a unit next to its mark, where it meets nothing. Without room there it has none."""
        words, (x, y) = label_of(row.config), self.place(row)
        width = LETTER * len(words)
        for distance in range(0, 60, 6):
            for side, lift in ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1)):
                start = {1: x + 8, -1: x - 8 - width, 0: x - width / 2}[side]
                middle = y + lift * (distance + 12)
                box = (start - 2, middle - FONT / 2 - 1, start + width + 2, middle + FONT / 2 + 1)
                inside = box[0] >= self.left + LEFT and box[2] <= self.left + WIDTH - 2
                inside = inside and box[1] >= HEAD + TOP and box[3] <= HEAD + HEIGHT - BOTTOM
                if inside and not any(meet(box, other) for other in self.taken):
                    self.taken.append(box)
                    text(self.svg, words, start, middle + FONT / 2 - 2, COLOURS[row.config.kind])
                    return


def _key(row: Row) -> tuple[str, str]:
    return row.config.name, row.device


def _staircase(leaders: Sequence[Row], panel: Panel) -> list[Row]:
    """Those units of the front that no other one beats in the two figures of the diagram."""
    found: list[Row] = []
    for row in sorted(leaders, key=lambda row: (panel.across.of(row), panel.up.of(row))):
        if not found or panel.up.of(row) < panel.up.of(found[-1]):
            found.append(row)
    return found


def _ticks(axis: Axis) -> list[float]:
    """1, 2, 5, 10, ... between the ends of an axis."""
    first = round(math.log10(axis.low))
    scaled = ticks(1, round(axis.high / axis.low))
    return [value * 10.0**first for value in scaled]


def is_power_of_ten(value: float) -> bool:
    """Whether a tick has a number."""
    return is_power(round(value)) if value >= 1 else f"{value:g}".strip("0.") == "1"


def label_of(config: MultiplierConfig) -> str:
    """A short name: the unit without its width."""
    return config.name.replace(f"-{config.bits}", "", 1).removesuffix("-pipelined")


def draw_mark(
    svg: ElementTree.Element, config: MultiplierConfig, x: float, y: float, *, filled: bool
) -> None:
    """A disc for a pipelined unit, a square for another one; hollow unless the unit is on the front."""
    colour = COLOURS[config.kind]
    paint = {"fill": colour if filled else "white", "stroke": colour, "stroke-width": "1.6"}
    if config.pipelined:
        ElementTree.SubElement(svg, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "4", **paint})
    else:
        place = {"x": f"{x - 3.5:.1f}", "y": f"{y - 3.5:.1f}", "width": "7", "height": "7"}
        ElementTree.SubElement(svg, "rect", {**place, **paint})


def picture(found: Sequence[Row], title: str) -> str:
    """The SVG of both diagrams. Rows without a clock are not in it."""
    found = [row for row in found if row.ns is not None]
    size = {
        "viewBox": f"0 0 {2 * WIDTH} {HEAD + HEIGHT}",
        "font-family": "sans-serif",
        "font-size": str(FONT),
    }
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    text(svg, title if found else NOTHING, LEFT, 20)
    x = float(LEFT)
    for kind, colour in COLOURS.items():
        text(svg, kind, x, 42, colour)
        x += LETTER * (len(kind) + 3)
    text(svg, "disc: pipelined; square: not; filled: no other unit beats it", x, 42)
    if found:
        best = fronts(found)
        across = Axis.over("ns for a product", lambda row: row.ns or 0, found)
        Panel(svg, 0, across, Axis.over("LUT4", lambda row: row.lut4, found)).draw(found, best, join=True)
        blocks = [row for row in found if row.mult]
        if blocks:
            rate = Axis.over("products in a clock", lambda row: 1 / row.interval, blocks)
            up = Axis.over("multiplier blocks", lambda row: row.mult, blocks)
            Panel(svg, WIDTH, rate, up).draw(blocks, best, join=False)
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"
