"""Text in the drawings fits its box and the drawing in any renderer, whatever the font is."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.repo import tree

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
LETTER, BOLD_LETTER = 0.58, 0.63
"""Widths of an average letter of DejaVu Sans, the widest of the usual fonts, in font heights."""
Box = tuple[float, float, float, float]


def drawings() -> list[Path]:
    """The drawings whose text is in the renderer's font. A timing diagram brings its own."""
    files = [p for p in tree.source_files(ROOT) if p.suffix == ".svg"]
    return [p for p in files if ElementTree.parse(p).getroot().get("font-family") == "sans-serif"]


def extent(element: ElementTree.Element, root: ElementTree.Element) -> tuple[float, float]:
    """Left and right end of a text, from its anchor and its number of letters."""
    size = float(element.get("font-size") or root.get("font-size") or 16)
    letter = BOLD_LETTER if element.get("font-weight") == "bold" else LETTER
    width = float(element.get("textLength") or letter * size * len(element.text or ""))
    x = float(element.get("x", 0))
    anchor = element.get("text-anchor") or root.get("text-anchor") or "start"
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return left, left + width


def boxes(root: ElementTree.Element) -> list[Box]:
    """Rectangles with a border: left, top, right, bottom."""
    found = []
    for each in root.iter(f"{SVG}rect"):
        if each.get("stroke") not in (None, "white"):
            x, y, width, height = (float(each.get(name, 0)) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


def misfits(path: Path) -> list[str]:
    """Texts that exceed the drawing, or the smallest box that contains their middle."""
    root = ElementTree.parse(path).getroot()
    _, _, width, _ = (float(each) for each in (root.get("viewBox") or "").split())
    found = []
    for element in root.iter(f"{SVG}text"):
        left, right = extent(element, root)
        middle, y = (left + right) / 2, float(element.get("y", 0))
        around = [b for b in boxes(root) if b[0] < middle < b[2] and b[1] < y < b[3]]
        smallest = min(around, key=lambda b: (b[2] - b[0]) * (b[3] - b[1]), default=(0, 0, width, 0))
        if left < smallest[0] or right > smallest[2]:
            found.append(f"{path.name}: {element.text}")
    return found


@pytest.mark.parametrize("path", drawings(), ids=lambda path: path.stem)
def test_text_fits_its_box(path: Path) -> None:
    assert misfits(path) == []


def test_a_text_wider_than_its_box_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50" font-family="sans-serif">'
        '<rect x="10" y="10" width="60" height="30" stroke="#345"/>'
        '<text x="40" y="25" text-anchor="middle">sums</text>'
        '<text x="40" y="38" text-anchor="middle">products and sums</text>'
        '<text x="120" y="25">out of the drawing</text></svg>'
    )
    assert misfits(path) == ["x.svg: products and sums", "x.svg: out of the drawing"]
