"""The SystemVerilog files that a module needs: its own, and those of everything that it names.

A module or package has the name of its file. So the words of a file say which others it needs, and a change
of a file that a module does not need changes neither its netlist nor the key of its figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from eccelerate.configs.kind import RTL_DIR, ConfigError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"\beccel_\w+")


def reached_files(top: str, rtl: Path = RTL_DIR) -> list[Path]:
    """The files that the module `top` needs, in the order of compilation: a file comes after those that it
    names, so packages come first. Primitives are the portable ones. Raises ConfigError if there is no such
    module.
    """
    owners = _owners(rtl)
    if top not in owners:
        raise ConfigError(f"no module {top} under {rtl.name}/")
    found: dict[Path, None] = {}
    _visit(owners[top], owners, found, set())
    return list(found)


def _owners(rtl: Path) -> Mapping[str, Path]:
    """The file of each module and package. Vendor twins have the names of the portable primitives."""
    files = (path for path in sorted(rtl.rglob("*.sv")) if not path.parent.name.startswith("prim_"))
    return {path.stem: path for path in files}


def _visit(path: Path, owners: Mapping[str, Path], found: dict[Path, None], open_: set[Path]) -> None:
    if path in open_:  # also a module that instantiates itself
        return
    open_.add(path)
    for used in _used(path, owners):
        _visit(used, owners, found, open_)
    found[path] = None


def _used(path: Path, owners: Mapping[str, Path]) -> Iterator[Path]:
    for name in _names(path.read_text()):
        if name in owners:
            yield owners[name]


@cache
def _names(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(_NAME.findall(_COMMENT.sub(" ", text)))))
