"""Pictures of the study, as the paper has them: energy against power, and a strip for each other figure.

A colour is a digit size, a shape a number of multipliers; a hollow mark has the divider.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from eccelerate.explore.pages.chart import FONT, LETTER, text
from eccelerate.explore.study.study_rows import StudyRow
from eccelerate.ucode.study.study_files import DIGIT_BITS, Image
from eccelerate.ucode.study.study_program import KINDS

WIDTH, HEIGHT, HEAD = 560, 300, 48
LEFT, RIGHT, TOP, BOTTOM = 150, 20, 28, 30
COLOURS = dict(zip(DIGIT_BITS, ("#4477aa", "#66aa55", "#cc6677", "#aa7700"), strict=True))
NOTHING = "Nothing is stored yet: eccel study --measure"
STRIPS: Mapping[str, tuple[str, Callable[[StudyRow], float | None]]] = {
    "time": ("us for a multiplication of a point at 80 MHz", lambda row: row.us),
    "area": ("LUT4 on Virtex-II", lambda row: row.lut4),
    "energy": ("uJ for a multiplication of a point", lambda row: row.energy_uj),
    "energy_power": ("energy x power, uJ mW", lambda row: row.energy_power),
    "area_time": ("LUT4 on Virtex-II x seconds", lambda row: row.area_time),
}
SCATTER = "energy_against_power"


@dataclass(frozen=True)
class Scale:
    """A logarithmic scale from `low` to `high`, in pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """The scale that holds all values, with steps of 1, 2, 5 at its ends."""
        return cls(_step(min(values), up=False), _step(max(values), up=True), start, end)

    def at(self, value: float) -> float:
        """The pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + (self.end - self.start) * share

    def steps(self) -> list[float]:
        """1, 2, 5, 10 and so on within the scale."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        steps = [m * 10.0**e for e in range(first, last + 1) for m in (1, 2, 5)]
        return [step for step in steps if self.low * 0.999 <= step <= self.high * 1.001]


def _step(value: float, *, up: bool) -> float:
    exponent = math.floor(math.log10(value))
    steps = [m * 10.0**e for e in range(exponent - 1, exponent + 3) for m in (1, 2, 5)]
    return min(s for s in steps if s > value) if up else max(s for s in steps if s < value)


def _element(svg: ElementTree.Element, kind: str, **attributes: float | str) -> None:
    texts = {
        k.replace("_", "-"): f"{v:.1f}" if isinstance(v, float) else str(v) for k, v in attributes.items()
    }
    ElementTree.SubElement(svg, kind, texts)


def draw_mark(svg: ElementTree.Element, image: Image, x: float, y: float) -> None:
    """A disc for one multiplier, a square for two, a triangle for three."""
    colour = COLOURS[image.digit_bits]
    paint = {"fill": "white" if image.divider else colour, "stroke": colour, "stroke_width": "1.5"}
    if image.multipliers == 1:
        _element(svg, "circle", cx=x, cy=y, r="4", **paint)
    elif image.multipliers == 2:
        _element(svg, "rect", x=x - 3.5, y=y - 3.5, width="7", height="7", **paint)
    else:
        points = f"{x:.1f},{y - 5:.1f} {x - 4.5:.1f},{y + 3.5:.1f} {x + 4.5:.1f},{y + 3.5:.1f}"
        _element(svg, "polygon", points=points, **paint)


def _across(svg: ElementTree.Element, scale: Scale, top: float, title: str) -> None:
    text(svg, title, scale.start, top + TOP - 10)
    for step in scale.steps():
        x = scale.at(step)
        _element(svg, "line", x1=x, y1=top + TOP, x2=x, y2=top + HEIGHT - BOTTOM, stroke="#ddd")
        words = f"{step:,g}"
        text(svg, words, x - LETTER * len(words) / 2, top + HEIGHT - BOTTOM + 14)


def _strip(svg: ElementTree.Element, left: float, top: float, name: str, rows: Sequence[StudyRow]) -> None:
    title, figure = STRIPS[name]
    having = [(row, value) for row in rows if (value := figure(row)) is not None]
    if not having:
        return
    scale = Scale.over([value for _, value in having], left + LEFT, left + WIDTH - RIGHT)
    _across(svg, scale, top, title)
    pitch = (HEIGHT - TOP - BOTTOM) / len(KINDS)
    for i, kind in enumerate(KINDS):
        y = top + TOP + pitch * (i + 0.5)
        _element(svg, "line", x1=scale.start, y1=y, x2=scale.end, y2=y, stroke="#eee")
        words = kind.replace("lopez-dahab", "L-D")
        text(svg, words, left + LEFT - 10 - LETTER * len(words), y + 4)
        for row, value in having:
            if row.image.kind == kind:
                draw_mark(svg, row.image, scale.at(value), y + (row.image.multipliers - 2) * pitch / 4)


def _scatter(svg: ElementTree.Element, left: float, top: float, rows: Sequence[StudyRow]) -> None:
    having = [
        (row, e, p) for row in rows if (e := row.energy_uj) is not None and (p := row.power_mw) is not None
    ]
    if not having:
        return
    across = Scale.over([p for _, _, p in having], left + LEFT, left + WIDTH - RIGHT)
    up = Scale.over([e for _, e, _ in having], top + HEIGHT - BOTTOM, top + TOP)
    _across(svg, across, top, "energy in uJ against power in mW at 80 MHz")
    for step in up.steps():
        y = up.at(step)
        _element(svg, "line", x1=across.start, y1=y, x2=across.end, y2=y, stroke="#ddd")
        words = f"{step:,g}"
        text(svg, words, left + LEFT - 8 - LETTER * len(words), y + 4)
    for row, energy, power in having:
        draw_mark(svg, row.image, across.at(power), up.at(energy))


def _canvas(width: float, height: float) -> ElementTree.Element:
    size = {"viewBox": f"0 0 {width:g} {height:g}", "font-family": "sans-serif", "font-size": str(FONT)}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    return svg


def _legend(svg: ElementTree.Element, title: str) -> None:
    text(svg, title, 20, 18)
    x = 20.0
    for digit_bits, colour in COLOURS.items():
        words = f"d = {digit_bits}"
        text(svg, words, x, 38, colour)
        x += LETTER * (len(words) + 3)
    text(svg, "disc: 1 multiplier, square: 2, triangle: 3; hollow: with the divider", x, 38)


def _panel(svg: ElementTree.Element, left: float, top: float, name: str, rows: Sequence[StudyRow]) -> None:
    if name == SCATTER:
        _scatter(svg, left, top, rows)
    else:
        _strip(svg, left, top, name, rows)


def picture(rows: Sequence[StudyRow], names: Sequence[str] = (SCATTER, *STRIPS)) -> str:
    """The SVG of some diagrams, two in a row. Without rows it says so."""
    columns = min(2, len(names))
    lines = -(-len(names) // columns)
    svg = _canvas(columns * WIDTH, HEAD + lines * HEIGHT)
    title = "k P over GF(2^163); energy and power in sg13g2 with clock gates, before layout"
    _legend(svg, title if rows else NOTHING)
    for i, name in enumerate(names):
        _panel(svg, i % columns * WIDTH, HEAD + i // columns * HEIGHT, name, rows)
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def pictures(rows: Sequence[StudyRow]) -> dict[str, str]:
    """Each diagram by the name of its file."""
    return {f"{name}.svg": picture(rows, [name]) for name in (SCATTER, *STRIPS)}
