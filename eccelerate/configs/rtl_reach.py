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
_PACKAGE = re.compile(r"\s*package\s+(?P<name>\w+)\s*;(?P<body>.*)\bendpackage\s*", re.DOTALL)
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


def needed_files(files: Iterable[Path], top: str) -> list[Path]:
    """Those of `files` that the module `top` needs, in their order. A file that has no module or package of
    its own name, such as the cells of a vendor, counts; and all files do if none of them is that of `top`.
    """
    paths = list(files)
    owners = {path.stem: path for path in paths if _declares(path.read_text(), path.stem)}
    if top not in owners:
        return paths
    found: dict[Path, None] = {}
    _visit(owners[top], owners, found, set())
    return [path for path in paths if path in found or path.stem not in owners]


@cache
def _declares(text: str, name: str) -> bool:
    return re.search(rf"\b(?:module|package)\s+{name}\b", _COMMENT.sub(" ", text)) is not None


@cache
def _names(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(_NAME.findall(_COMMENT.sub(" ", text)))))


def used_code(files: Iterable[Path]) -> list[str]:
    """The code of files, without comments, white space and what no other code of them uses in a package: a
    text for each file. A package that has more than functions and constants counts as a whole.
    """
    paths = list(files)
    texts = [_COMMENT.sub(" ", path.read_text()) for path in paths]
    items = [item for text in texts for item in _items(text)]
    packages = {package for package, _, _ in items}
    names = [_unit(text) or path.stem for path, text in zip(paths, texts, strict=True)]
    whole = {name: "" if name in packages else text for name, text in zip(names, texts, strict=True)}
    used = {each for text in whole.values() for each in _references(text)}
    kept = set[tuple[str, str]]()
    while more := {(package, name) for package, name, _ in items if (package, name) in used} - kept:
        kept |= more
        for package, name, code in items:
            if (package, name) in more:
                used |= {*_references(code), *((package, word) for word in _words(code))}
    for package, name, code in items:
        if (package, name) in kept:
            whole[package] += code
    return [" ".join(_TOKEN.findall(whole[name])) for name in names]


def _unit(text: str) -> str | None:
    """The name of a package; None for every other text."""
    package = _PACKAGE.fullmatch(text)
    return package["name"] if package else None


_REFERENCE = re.compile(r"\b(\w+)\s*::\s*(\w+|\*)")


def _references(text: str) -> Iterator[tuple[str, str]]:
    """What a text names of packages: `package::name`, and after `import package::*` each of its words."""
    for package, name in _REFERENCE.findall(text):
        yield from ((package, word) for word in _words(text)) if name == "*" else ((package, name),)


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[\w$`]+|[^\w\s]')


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


@cache
def _items(text: str) -> tuple[tuple[str, str, str], ...]:
    """The package, name and text of each function and constant of a package; empty for every other text."""
    package = _PACKAGE.fullmatch(text)
    if package is None:
        return ()
    body, found, at = package["body"], [], 0
    while item := _ITEM.match(body, at):
        found.append((package["name"], item["function"] or item["constant"], item[0]))
        at = item.end()
    return () if body[at:].strip() else tuple(found)
