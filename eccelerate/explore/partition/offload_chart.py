"""The picture of rate against link bandwidth for each granularity, with the crossing points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree import ElementTree

from eccelerate.explore.pages.chart import FONT, LETTER, text
from eccelerate.explore.partition.offload_question import BANDWIDTHS, COLOURS, OffloadLine, crossing

WIDTH, HEIGHT = 860, 480
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 60, 52
PAPER = (8.576, "the paper's bus, 64 bits at 134 MHz")
"""Gbit/s of the bus of Buell, Davis and Quan."""


class _Axes:
    def __init__(self, lines: Sequence[OffloadLine]) -> None:
        rates = [line.rate(x) for line in lines for x in BANDWIDTHS]
        rates = rates or [1.0, 10.0]
        self.x_range = (BANDWIDTHS[0], BANDWIDTHS[-1])
        self.y_range = (10 ** math.floor(math.log10(min(rates))), 10 ** math.ceil(math.log10(max(rates))))

    def x(self, gbit_s: float) -> float:
        low, high = self.x_range
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(gbit_s / low) / math.log(high / low)

    def y(self, rate: float) -> float:
        low, high = self.y_range
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(rate / low) / math.log(high / low)


def offload_picture(lines: Sequence[OffloadLine], gbit_s: float, title: str) -> str:
    """The SVG. gbit_s: of the link that the user has, as an upright line."""
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "font-family": "sans-serif", "font-size": str(FONT)}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    text(svg, f"Scalar multiplications a second against link bandwidth: {title}", LEFT, 20)
    axes = _Axes(lines)
    _grid(svg, axes)
    for at, words in (PAPER, (gbit_s, "this link")):
        if at != PAPER[0] or words == PAPER[1]:
            _line(svg, [(axes.x(at), TOP), (axes.x(at), HEIGHT - BOTTOM)], "#666666", "3 3")
            text(svg, words, axes.x(at) + 4, HEIGHT - BOTTOM - 6, "#666666")
    for number, line in enumerate(lines):
        colour = COLOURS[line.name]
        _line(svg, [(axes.x(x), axes.y(line.rate(x))) for x in _with_knee(line)], colour)
        text(svg, line.name, LEFT + number * 190, 44, colour)
        if axes.x_range[0] < line.knee < axes.x_range[1]:
            x, y = axes.x(line.knee), axes.y(line.top)
            disc = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "3.5", "fill": colour}
            ElementTree.SubElement(svg, "circle", disc)
            text(svg, f"{line.knee:.3g}", x - 4, y - 8, colour)
    for i, fine in enumerate(lines):
        for coarse in lines[i + 1 :]:
            at = crossing(fine, coarse) or 0.0
            if axes.x_range[0] < at < axes.x_range[1]:
                place = {"cx": f"{axes.x(at):.1f}", "cy": f"{axes.y(fine.rate(at)):.1f}", "r": "5"}
                ElementTree.SubElement(svg, "circle", {**place, "fill": "none", "stroke": COLOURS[fine.name]})
                text(svg, f"{at:.3g}", axes.x(at) + 7, axes.y(fine.rate(at)) + 14, COLOURS[fine.name])
    words = "link bandwidth in Gbit/s, each direction; disc: from here on the devices limit;"
    text(svg, f"{words} ring: the finer choice overtakes", LEFT, HEIGHT - 12)
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _with_knee(line: OffloadLine) -> list[float]:
    knee = [line.knee] if BANDWIDTHS[0] < line.knee < BANDWIDTHS[-1] else []
    return sorted([*BANDWIDTHS, *knee])


def _grid(svg: ElementTree.Element, axes: _Axes) -> None:
    for power in range(-2, 4):
        x = axes.x(10.0**power)
        _line(svg, [(x, TOP), (x, HEIGHT - BOTTOM)], "#dddddd")
        words = f"{10.0**power:g}"
        text(svg, words, x - LETTER * len(words) / 2, HEIGHT - BOTTOM + 16)
    low, high = (round(math.log10(value)) for value in axes.y_range)
    for power in range(low, high + 1):
        y = axes.y(10.0**power)
        _line(svg, [(LEFT, y), (WIDTH - RIGHT, y)], "#dddddd")
        words = f"{10.0**power:,g}" if power < 5 else f"{10**power:,}"
        text(svg, words, LEFT - 8 - LETTER * len(words), y + 4)


def _line(
    svg: ElementTree.Element, points: Sequence[tuple[float, float]], colour: str, dashes: str = ""
) -> None:
    style = {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points), "fill": "none", "stroke": colour}
    if dashes:
        style["stroke-dasharray"] = dashes
    ElementTree.SubElement(svg, "polyline", {**style, "stroke-width": "1.6"})
