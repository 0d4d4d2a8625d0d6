"""Numbers as text, the same in terminal, README and reports."""

from __future__ import annotations

from rich import box
from rich.table import Table

ABSENT = "-"


def count(value: int | float | None) -> str:
    """A count with thousands separators; a fraction only where it says something, three digits of a share."""
    if value is None:
        return ABSENT
    if isinstance(value, float) and 0 < value < 1:
        return f"{value:.3f}"
    return f"{value:,.1f}".removesuffix(".0") if isinstance(value, float) else f"{value:,}"


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with a fixed number of decimals."""
    return ABSENT if value is None else f"{value:,.{digits}f}"


def times(ratio: float | None) -> str:
    """How many times better."""
    return ABSENT if ratio is None else f"{ratio:.1f}x"


def markdown(columns: list[str], rows: list[list[str]], left: int = 1) -> str:
    """A Markdown table, the first `left` columns left-aligned, the others right."""
    rule = ["---" if i < left else "---:" for i in range(len(columns))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [columns, rule, *rows])


def beside_table(title: str, first: str, groups: list[str]) -> Table:
    """A table for terminals of label, and (paper, ours, how many times better) for each group; three groups
    make 98 columns.
    """
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    table.add_column(first, min_width=25, no_wrap=True)
    for name in groups:
        table.add_column(f"{name} paper", justify="right", no_wrap=True, min_width=9)
        table.add_column("ours", justify="right", no_wrap=True, min_width=7, style="cyan")
        table.add_column("", justify="right", no_wrap=True, min_width=5)
    return table


def grouped_row(table: Table, label: str, cells: list[tuple[str, str, str]]) -> None:
    """A row of a `beside_table`."""
    table.add_row(label, *[text for cell in cells for text in cell])
