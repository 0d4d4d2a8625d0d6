"""Numbers and tables as text, the same in terminal, README and reports."""

from __future__ import annotations

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


@dataclass
class PlainTable:
    """A table whose first column has labels, and whose others have figures."""

    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)
