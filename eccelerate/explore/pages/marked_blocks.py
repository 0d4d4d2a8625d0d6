"""Marked blocks of a page: a function writes the text between ``<!-- block NAME -->`` and ``<!-- end NAME
-->``, so that no figure is typed by hand.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping

from eccelerate.explore.figures import Stores

Block = Callable[[Stores], str]


WIDTH = 120
"""Characters of a line of prose."""


class BlockError(ValueError):
    """A block is unknown, missing, or not closed; the text names it."""


def filled(text: str, blocks: Mapping[str, Block], stores: Stores) -> str:
    """`text` with every block written anew. Raises BlockError."""
    present = re.findall(r"^<!-- block (\w+) -->$", text, flags=re.M)
    if sorted(present) != sorted(blocks):
        raise BlockError(f"blocks are {', '.join(present) or 'absent'}; should be {', '.join(blocks)}")
    for name, write in blocks.items():
        start, end = f"<!-- block {name} -->\n", f"<!-- end {name} -->\n"
        before, _, rest = text.partition(start)
        _, closed, after = rest.partition(end)
        if not closed:
            raise BlockError(f"block {name} is not closed by <!-- end {name} -->")
        text = f"{before}{start}{wrapped(write(stores))}\n{end}{after}"
    return text


def wrapped(text: str) -> str:
    """The text with its long lines of prose broken. Tables, headings and pictures keep their lines."""
    lines = text.split("\n")
    return "\n".join(line if line.startswith(("|", "#", "!")) else _broken(line) for line in lines)


def _broken(line: str) -> str:
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
