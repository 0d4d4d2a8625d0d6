"""The picture of rates against jobs in flight, with the point from which the hardware wins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree import ElementTree

from eccelerate.explore.figures import Record, Stores
from eccelerate.explore.pages.chart import FONT, LETTER, is_power, text, ticks
from eccelerate.explore.system.crossing import Point, crossing, points_of

PANEL, HEIGHT = 410, 370
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 30, 46
HEAD, IN_ROW = 50, 2
"""Height of the heading, and panels in a row."""
COLOURS = {"ecdh": "#4477aa", "sign": "#cc6677", "verify": "#228833"}
JOBS = (1, 1000)
DASHES = {"openssl": "7 4", "openssl_all_cores": "2 3"}
"""OpenSSL in software on one core and on all cores, and the dashes of their lines."""
NOTHING = "Nothing is stored yet: eccel bench system"


class Panel:
    """One engine: its place in the picture and its axes."""

    def __init__(self, svg: ElementTree.Element, number: int, system: Record, record: Record) -> None:
        self.svg, self.system = svg, system
        self.left, self.bottom = number % IN_ROW * PANEL, HEAD + (number // IN_ROW + 1) * HEIGHT
        self.software = [(record[name][system["curve"]], dashes) for name, dashes in DASHES.items()]
        rates = [rate for name in COLOURS for _, rate in points_of(system, name)]
        rates += [rate for software, _ in self.software for rate in software.values()]
        self.low, self.high = (
            10 ** math.floor(math.log10(min(rates))),
            10 ** math.ceil(math.log10(max(rates))),
        )

    def x(self, jobs: float) -> float:
        """Pixels from the left."""
        share = math.log(jobs / JOBS[0]) / math.log(JOBS[1] / JOBS[0])
        return self.left + LEFT + (PANEL - LEFT - RIGHT) * share

    def y(self, rate: float) -> float:
        """Pixels from the top."""
        share = math.log(rate / self.low) / math.log(self.high / self.low)
        return self.bottom - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    def line(self, points: Sequence[Point], colour: str, **more: str) -> None:
        """A line through points."""
        places = " ".join(f"{self.x(jobs):.1f},{self.y(rate):.1f}" for jobs, rate in points)
        style = {"points": places, "fill": "none", "stroke": colour, "stroke-width": "1.6", **more}
        ElementTree.SubElement(self.svg, "polyline", style)

    def ring(self, jobs: float, rate: float, colour: str, filled: bool) -> None:
        """A mark at a point."""
        paint = {"fill": colour if filled else "white", "stroke": colour, "stroke-width": "1.6"}
        place = {"cx": f"{self.x(jobs):.1f}", "cy": f"{self.y(rate):.1f}", "r": "2.5" if filled else "5.5"}
        ElementTree.SubElement(self.svg, "circle", place | paint)

    def axes(self) -> None:
        """Grid lines, numbers at powers of ten, and the headings."""
        for value in ticks(*JOBS):
            self._grid((value, self.low), (value, self.high), is_power(value))
            if is_power(value):
                words = f"{value:,}"
                x = min(self.x(value) - LETTER * len(words) / 2, self.left + PANEL - LETTER * len(words))
                text(self.svg, words, x, self.bottom - BOTTOM + 16)
        for value in ticks(self.low, self.high):
            self._grid((JOBS[0], value), (JOBS[1], value), is_power(value))
            if is_power(value):
                words = f"{value:,}"
                text(self.svg, words, self.left + LEFT - 6 - LETTER * len(words), self.y(value) + 4)
        head = f"{self.system['config']}, {self.system['curve']}, {self.system['mhz']:.1f} MHz"
        text(self.svg, head, self.left + LEFT, self.bottom - HEIGHT + TOP - 10)
        text(self.svg, "jobs in flight", self.left + LEFT, self.bottom - 12)

    def _grid(self, start: Point, end: Point, strong: bool) -> None:
        self.line([start, end], "#bbb" if strong else "#e8e8e8", **{"stroke-width": "1"})

    def draw(self) -> None:
        """Axes and all lines."""
        self.axes()
        for name, colour in COLOURS.items():
            points = points_of(self.system, name)
            self.line(points, colour)
            for jobs, rate in points:
                self.ring(jobs, rate, colour, filled=True)
            for software, dashes in self.software:
                rate = software[name]
                self.line([(JOBS[0], rate), (JOBS[1], rate)], colour, **{"stroke-dasharray": dashes})
                wins = crossing(points, rate)
                if wins is not None:
                    self.ring(wins, max(rate, _rate_at(points, wins)), colour, filled=False)


def _rate_at(points: Sequence[Point], jobs: float) -> float:
    """The rate of the first point, if the hardware wins from there on; 0 for a crossing between points."""
    return points[0][1] if jobs <= points[0][0] else 0.0


def picture(stores: Stores) -> str:
    """The SVG: a panel for each engine of the newest record."""
    record = stores.system.newest()
    systems = record["systems"] if record else []
    rows = max(1, math.ceil(len(systems) / IN_ROW))
    size = {"viewBox": f"0 0 {IN_ROW * PANEL + 20} {HEAD + rows * HEIGHT}"}
    fonts = {"font-family": "sans-serif", "font-size": str(FONT)}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **fonts})
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    if record is None:
        text(svg, NOTHING, LEFT, 40)
    else:
        software = f"OpenSSL on one core dashed, on {record['cores']} cores dotted"
        head = f"operations a second; {software}; ring: the hardware does more from here on"
        text(svg, head, LEFT, 20)
        x = float(LEFT)
        for name, colour in COLOURS.items():
            text(svg, name, x, 40, colour)
            x += LETTER * (len(name) + 3)
        for number, system in enumerate(systems):
            Panel(svg, number, system, record).draw()
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"
