"""Text is narrow enough to read: Markdown at most 120 characters a line, comments in RTL at most 100."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.repo import tree

ROOT = Path(__file__).resolve().parents[2]
MARKDOWN, RTL_COMMENT = 120, 100


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line of a page, except for tables, code, and text that a program writes between
    ``<!-- block NAME -->`` and ``<!-- end NAME -->``.
    """
    fence = block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fence = not fence
        elif re.match(r"<!-- (block|end) \w+ -->", line):
            block = line.startswith("<!-- block")
        elif not (fence or block or line.lstrip().startswith(("|", "<!--"))):
            yield number, line


def wide_lines(path: Path) -> list[str]:
    """Lines of prose of a Markdown page that are longer than the limit."""
    found = prose(path.read_text())
    return [f"{path}:{number}: {len(line)} characters" for number, line in found if len(line) > MARKDOWN]


def wide_comments(path: Path) -> list[str]:
    """Lines of a SystemVerilog file whose comment ends after the limit, except for licence marks."""
    found = enumerate(path.read_text().splitlines(), 1)
    return [
        f"{path}:{number}: {len(line)} characters"
        for number, line in found
        if "//" in line and "SPDX" not in line and len(line) > RTL_COMMENT
    ]


def pages() -> list[Path]:
    return [p for p in tree.source_files(ROOT) if p.suffix == ".md" and not tree.is_generated(p)]


def test_markdown_is_at_most_120_characters_wide() -> None:
    assert [line for page in pages() for line in wide_lines(page)] == []


def test_comments_of_rtl_are_at_most_100_characters_wide() -> None:
    files = [p for p in tree.source_files(ROOT) if p.suffix == ".sv" and not tree.is_generated(p)]
    assert [line for p in files for line in wide_comments(p)] == []


def test_wide_markdown_is_found(tmp_path: Path) -> None:
    page, wide = tmp_path / "a.md", "x" * (MARKDOWN + 1)
    block = f"<!-- block a -->\n{wide}\n<!-- end a -->\n"
    page.write_text(f"{wide[1:]}\n| {wide} |\n```\n{wide}\n```\n{block}")
    assert wide_lines(page) == []
    page.write_text(f"{block}{wide}\n")
    assert wide_lines(page) == [f"{page}:4: {MARKDOWN + 1} characters"]


def test_wide_comments_are_found(tmp_path: Path) -> None:
    file, comment = tmp_path / "a.sv", "// " + "x" * (RTL_COMMENT - 3)
    file.write_text(f"// SPDX{comment}\nassign {comment[3:]}y = a;\n{comment}\n")
    assert wide_comments(file) == []
    file.write_text(f"assign y = a;  {comment}\n")
    assert len(wide_comments(file)) == 1
