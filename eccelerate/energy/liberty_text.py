"""Reads the text of a Liberty file into a tree of groups.

Only the syntax is known here: groups, simple attributes (`area : 1.5;`) and complex ones
(`index_1 ("1, 2");`).
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.flow.errors import FlowError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|[{}();:,]|[^\s{}();:,"]+', re.S)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass
class Group:
    """A group: its kind, such as "cell", its arguments, its attributes and the groups in it.

    `lists` has the arguments of complex attributes. An attribute that occurs several times keeps its last
    value.
    """

    kind: str
    arguments: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The first argument, or ""."""
        return self.arguments[0] if self.arguments else ""

    def of(self, kind: str) -> Iterator[Group]:
        """The groups of one kind in this one."""
        return (group for group in self.groups if group.kind == kind)

    def number(self, name: str, default: float = 0.0) -> float:
        """A simple attribute as a number. Raises FlowError if it is none."""
        if name not in self.values:
            return default
        try:
            return float(self.values[name])
        except ValueError as error:
            raise FlowError(
                f"{self.kind} {self.name}: {name} is not a number: {self.values[name]}"
            ) from error

    def numbers(self, name: str) -> list[float]:
        """All numbers of a complex attribute, such as the values of a table."""
        return [float(x) for text in self.lists.get(name, ()) for x in _NUMBER.findall(text)]


def read_liberty(path: Path) -> Group:
    """The library group of a Liberty file, which may be compressed by gzip. Raises FlowError."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode(errors="replace")
    except (OSError, EOFError) as error:
        raise FlowError(f"cannot read the Liberty file {path}: {error}") from error
    try:
        group = parse_liberty(text)
    except FlowError as error:
        raise FlowError(f"{path}: {error}") from error
    if group.kind != "library":
        raise FlowError(f"{path} is not a Liberty file: it begins with {group.kind!r}, not with library")
    return group


def parse_liberty(text: str) -> Group:
    """The first group of a text. Raises FlowError where the text is no Liberty."""
    tokens = [t for t in _TOKEN.findall(text.replace("\\\n", " ")) if not t.startswith(("/*", "//"))]
    root = Group("")
    try:
        at = _statement(tokens, 0, root)
        while not root.groups:
            at = _statement(tokens, at, root)
    except IndexError as error:
        raise FlowError("the Liberty text ends inside a group") from error
    return root.groups[0]


def _statement(tokens: list[str], at: int, into: Group) -> int:
    """Add the statement that begins at a token to a group. Returns the place after it."""
    name, following = tokens[at], tokens[at + 1]
    if name == ";":
        return at + 1
    if following == ":":
        end = at + 2
        while tokens[end] not in (";", "}"):
            end += 1
        into.values[name] = " ".join(_plain(token) for token in tokens[at + 2 : end])
        return end + (tokens[end] == ";")
    if following != "(":
        raise FlowError(f"no Liberty statement: {name} {following}")
    end = at + 2
    arguments: list[str] = []
    while tokens[end] != ")":
        if tokens[end] != ",":
            arguments.append(_plain(tokens[end]))
        end += 1
    end += 1
    if end >= len(tokens) or tokens[end] != "{":
        into.lists[name] = tuple(arguments)
        return end + (end < len(tokens) and tokens[end] == ";")
    group = Group(name, tuple(arguments))
    into.groups.append(group)
    end += 1
    while tokens[end] != "}":
        end = _statement(tokens, end, group)
    return end + 1


def _plain(token: str) -> str:
    return token[1:-1] if token.startswith('"') else token
