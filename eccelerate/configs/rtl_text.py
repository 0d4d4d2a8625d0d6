"""Hash of RTL by its meaning: comments, white space and the places of files do not count."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/) | "(?:\\.|[^"\\])*" | [\w$`]+ | [^\w\s]""", re.DOTALL | re.VERBOSE
)


def code_digest(files: Iterable[Path]) -> str:
    """Hash of the code of SystemVerilog files, in any order."""
    each = sorted(_text_digest(path.read_text()) for path in files)
    return hashlib.sha256("".join(each).encode()).hexdigest()


@cache
def _text_digest(text: str) -> str:
    tokens = [match[0] for match in _TOKEN.finditer(text) if not match["comment"]]
    return hashlib.sha256("\n".join(tokens).encode()).hexdigest()
