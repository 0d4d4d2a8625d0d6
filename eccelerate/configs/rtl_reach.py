"""The SystemVerilog that a module needs: its own file, those of everything that it names, and of a package
only the functions and constants that are used.

A module or package has the name of its file. So the words of a file say which others it needs, and a change
of something that a module does not need changes neither its netlist nor the key of its figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from eccelerate.configs.kind import RTL_DIR, ConfigError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"\beccel_\w+")
_PACKAGE = re.compile(r"\s*package\s+\w+\s*;(.*)\bendpackage\s*", re.DOTALL)
_ITEM = re.compile(
    r"\s*(?:function\b[^;(]*?(?P<function>\w+)\s*\(.*?\bendfunction\b"
    r"|localparam\b[^;=]*?(?P<constant>\w+)\s*=[^;]*;)",
    re.DOTALL,
)


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


def used_code(files: Iterable[Path]) -> list[str]:
    """The code of files, without comments, white space and what no other code of them uses in a package: a
    text for each file. A package that has more than functions and constants counts as a whole.
    """
    whole, items = [], list[tuple[int, str, str]]()
    texts = [_COMMENT.sub(" ", path.read_text()) for path in files]
    for number, text in enumerate(texts):
        found = _items(text)
        items += [(number, name, code) for name, code in found]
        whole.append("" if found else text)
    words = {word for text in whole for word in _words(text)}
    kept = set[tuple[int, str]]()
    while more := {(n, name) for n, name, _ in items if name in words} - kept:
        kept |= more
        words |= {word for n, name, code in items if (n, name) in more for word in _words(code)}
    for number, name, code in items:
        if (number, name) in kept:
            whole[number] += code
    return [" ".join(_TOKEN.findall(text)) for text in whole]


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[\w$`]+|[^\w\s]')


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


@cache
def _items(text: str) -> tuple[tuple[str, str], ...]:
    """Names and texts of the functions and constants of a package; empty for every other text."""
    body = _PACKAGE.fullmatch(text)
    if body is None:
        return ()
    found, at = [], 0
    while item := _ITEM.match(body[1], at):
        found.append((item["function"] or item["constant"], item[0]))
        at = item.end()
    return () if body[1][at:].strip() else tuple(found)
