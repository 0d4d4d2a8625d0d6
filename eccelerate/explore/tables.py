"""Numbers and tables as text, the same in terminal, README and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

ABSENT = "-"


def count(value: int | float | None) -> str:
    """A count with thousands separators. It has decimals only where they matter: three digits for a share."""
    if value is None:
        return ABSENT
    if isinstance(value, float) and 0 < value < 1:
        return f"{value:.3f}"
    return f"{value:,.1f}".removesuffix(".0") if isinstance(value, float) else f"{value:,}"


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with a fixed number of decimals."""
    return ABSENT if value is None else f"{value:,.{digits}f}"


def times(ratio: float | None) -> str:
    """A ratio as text."""
    return ABSENT if ratio is None else f"{ratio:.1f}x"


def markdown(columns: list[str], rows: list[list[str]], left: int = 1) -> str:
    """A Markdown table. The first `left` columns are left-aligned, the others right-aligned."""
    rule = ["---" if i < left else "---:" for i in range(len(columns))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [columns, rule, *rows])


@dataclass
class GroupedTable:
    """A table of labels with (paper, ours, ratio) for each group. Three groups fit 100 columns."""

    title: str
    first: str
    """Heading of the labels."""
    groups: list[str]
    rows: list[tuple[str, list[tuple[str, str, str]]]] = field(default_factory=list)
    """Label, and the three cells of each group."""

    def add_row(self, label: str, cells: list[tuple[str, str, str]]) -> None:
        """Add a row below the others."""
        self.rows.append((label, cells))

    def flat(self) -> PlainTable:
        """The same with three columns for each group."""
        heads = [head for group in self.groups for head in (f"{group} paper", "ours", "")]
        rows = [[label, *(text for cell in cells for text in cell)] for label, cells in self.rows]
        return PlainTable(self.title, [self.first, *heads], rows)


@dataclass
class PlainTable:
    """A table whose first column has labels, and whose others have figures."""

    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)


def aligned(columns: Sequence[str], lines: Sequence[Sequence[str]], left: int = 2, gap: int = 2) -> str:
    """A table for a terminal of any width: the first `left` columns to the left, the others to the right.
    `gap` spaces are between two columns.
    """
    each = [list(columns), *(list(line) for line in lines)]
    widths = [max(len(line[i]) for line in each) for i in range(len(columns))]

    def text(line: Sequence[str]) -> str:
        parts = [
            word.ljust(width) if i < left else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
        return (" " * gap).join(parts).rstrip()

    return "\n".join([text(columns), text(["-" * width for width in widths]), *map(text, lines)])
