"""The picture of a leakage test: t of both orders along the job, with the routines of its program below."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import numpy as np

from eccelerate.attacks.leak_campaign import Result

WIDTH, PANEL, LEFT, RIGHT, HEAD, GAP, BAND = 1100, 190, 56, 16, 40, 26, 46
FONT = "font-family:system-ui,sans-serif;font-size:12px;fill:#333"
LIGHT, DARK, ALARM = "#e8eef7", "#c9d7ec", "#b0413e"
LEAST_T = 8.0


def picture(result: Result) -> str:
    """An SVG picture."""
    height = HEAD + 2 * (PANEL + GAP) + BAND
    svg = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height}", width=str(WIDTH)
    )
    ElementTree.SubElement(svg, "rect", width="100%", height="100%", fill="white")
    setup = result.setup
    off = f", without {', '.join(setup.off)}" if setup.off else ""
    title = f"{setup.config.name}, {setup.case.name} on {setup.curve.name}{off}: {result.traces:,} traces"
    _text(svg, LEFT, 18, title, weight="600")
    _text(svg, LEFT, 34, f"{result.above:,} samples above the threshold in both sets")
    for order in range(len(result.t)):
        _panel(svg, result, order, HEAD + order * (PANEL + GAP) + 8)
    _routines(svg, result, HEAD + 2 * (PANEL + GAP) + 4)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _panel(svg: ElementTree.Element, result: Result, order: int, top: float) -> None:
    """One order: the largest t of the samples behind each pixel."""
    t = np.where(np.isfinite(result.t[order]), result.t[order], 100.0)
    pixels = WIDTH - LEFT - RIGHT
    edges = np.linspace(0, len(t), min(pixels, len(t)) + 1).astype(int)
    peaks = np.array([t[a:b].max() for a, b in pairwise(edges)])
    most = max(LEAST_T, float(peaks.max()), result.threshold * 1.2)
    bottom = top + PANEL

    def y(value: float) -> float:
        return bottom - PANEL * min(value, most) / most

    step = pixels / len(peaks)
    for i, peak in enumerate(peaks):
        x = LEFT + (i + 0.5) * step
        colour = ALARM if peak > result.threshold else "#4477aa"
        _line(svg, x, bottom, x, y(float(peak)), colour, max(step, 0.6))
    _line(svg, LEFT, y(result.threshold), WIDTH - RIGHT, y(result.threshold), ALARM, 1, dash="5 4")
    _line(svg, LEFT, bottom, WIDTH - RIGHT, bottom, "#888", 1)
    _text(svg, LEFT - 6, y(result.threshold) + 4, f"{result.threshold:.1f}", anchor="end")
    _text(svg, LEFT - 6, top + 10, f"{most:.0f}", anchor="end")
    _text(svg, LEFT - 6, bottom, "0", anchor="end")
    _text(svg, LEFT + 4, top + 10, f"order {order + 1}: |t|, the smaller one of two disjoint sets")


def _routines(svg: ElementTree.Element, result: Result, top: float) -> None:
    """The routines of the program, with the names of those that are wide enough."""
    samples = result.t.shape[1]
    scale = (WIDTH - LEFT - RIGHT) / samples
    ends = [clock for clock, _ in result.routines[1:]] + [samples]
    for i, ((clock, name), end) in enumerate(zip(result.routines, ends, strict=True)):
        x, width = LEFT + clock * scale, (end - clock) * scale
        if width < 0.3:
            continue
        box = {"x": f"{x:.1f}", "y": f"{top}", "width": f"{width:.1f}", "height": "18"}
        shape = ElementTree.SubElement(svg, "rect", box | {"fill": LIGHT if i % 2 else DARK})
        ElementTree.SubElement(shape, "title").text = f"{name}, clock {clock:,} to {end:,}"
        if width > 7 * len(name):
            _text(svg, x + 3, top + 13, name)
    for share in range(5):
        clock = samples * share // 4
        anchor = "end" if share == 4 else "start"
        _text(svg, LEFT + clock * scale, top + 34, f"{clock:,}" + (" clocks" if share == 4 else ""), anchor)


def _line(
    svg: ElementTree.Element,
    x: float,
    y: float,
    to_x: float,
    to_y: float,
    colour: str,
    width: float,
    dash: str = "",
) -> None:
    ends = {"x1": f"{x:.1f}", "y1": f"{y:.1f}", "x2": f"{to_x:.1f}", "y2": f"{to_y:.1f}"}
    style = {"stroke": colour, "stroke-width": f"{width:.2f}"} | ({"stroke-dasharray": dash} if dash else {})
    ElementTree.SubElement(svg, "line", ends | style)


def _text(
    svg: ElementTree.Element, x: float, y: float, words: str, anchor: str = "start", weight: str = "400"
) -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "font-weight": weight, "style": FONT}
    ElementTree.SubElement(svg, "text", place).text = words
