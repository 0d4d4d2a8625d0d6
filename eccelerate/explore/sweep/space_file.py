"""Reads a space file: TOML with [[space]] blocks, each with lists of values by key, and what is left out.

docs/explore.md describes the keys. Every error names the file, the line and the key.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import tomlkit
from tomlkit.container import Container
from tomlkit.items import AoT, Item, Table

from eccelerate.explore.sweep.sweep_point import MEASURES

Value = str | int | bool
DESIGN_KEYS = ("engine", "multiplier", "yardstick")
OPTION_KEYS = {
    "engine": ("curve", "digit_bits", "threads", "coordinates", "algorithm", "parameters", "shell"),
    "multiplier": ("bits", "levels", "word", "lanes", "pipelined", "reduction", "prime"),
    "yardstick": (),
}
"""The options of each kind of design."""
POINT_KEYS = ("device", "library", "seed", "measure")
TYPES: Mapping[str, type] = {
    **dict.fromkeys((*DESIGN_KEYS, "curve", "coordinates", "algorithm", "reduction", "prime"), str),
    **dict.fromkeys(("device", "library", "measure"), str),
    **dict.fromkeys(("digit_bits", "threads", "bits", "levels", "word", "lanes", "seed"), int),
    **dict.fromkeys(("pipelined", "shell"), bool),
}
NAMES = {str: "a text", int: "a number", bool: "true or false"}
EXCLUDE = "exclude"
BLOCK = "[[space]]"
"""How an error names a block."""


class SpaceError(ValueError):
    """A space file is wrong; the text has the file, the line and the key."""


@dataclass(frozen=True)
class Block:
    """A [[space]] block.

    kind: engine, multiplier or yardstick.
    values: the list of each key; those of `parameters` have the names of the parameters.
    parameters: the keys of `values` that are parameters of the module.
    exclude: combinations that are left out: all keys of one have one of its values.
    lines: the line of each key; "" is that of the block.
    """

    path: Path
    kind: str
    values: Mapping[str, tuple[Value, ...]]
    parameters: tuple[str, ...]
    exclude: tuple[Mapping[str, tuple[Value, ...]], ...]
    lines: Mapping[str, int]

    def wrong(self, key: str, text: str) -> SpaceError:
        """An error about a key."""
        line = self.lines.get(key, self.lines[""])
        return SpaceError(f"{self.path}:{line}: {key or BLOCK}: {text}")


def read_space(path: Path) -> list[Block]:
    """The blocks of a space file. Raises SpaceError."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise SpaceError(f"{path} cannot be read: {error}") from error
    return parse_space(text, path)


def parse_space(text: str, path: Path) -> list[Block]:
    """The blocks of the text of a space file. Raises SpaceError."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpaceError(_syntax(text, path, str(error))) from error
    return _Reader(path, _lines(tomlkit.parse(text))).blocks(values)


def _syntax(text: str, path: Path, error: str) -> str:
    """A syntax error with its line and the key there."""
    lines = text.splitlines() or [""]
    found = re.search(r" \(at line (\d+), column \d+\)", error)
    number = min(int(found[1]) if found else len(lines), len(lines))
    key = re.match(r"\s*([\w.-]+)\s*=", lines[number - 1])
    return f"{path}:{number}: {f'{key[1]}: ' if key else ''}{error.partition(' (at ')[0]}"


Place = tuple[str | int, ...]
"""Where a key is: the names and numbers that lead to it."""


def _lines(document: Container) -> dict[Place, int]:
    """The line of each key of a document, found by rendering what is before it."""
    found: dict[Place, int] = {}
    _walk(document, (), 1, found)
    return found


def _walk(container: Container, place: Place, line: int, found: dict[Place, int]) -> int:
    """Enter the lines of the keys of a container that begins at `line`. Returns the line after it."""
    for key, item in container.body:
        if key is None:
            line += item.as_string().count("\n")
            continue
        here = (*place, key.key)
        if isinstance(item, AoT):
            start = sum(1 for at in found if at[:-1] == here and isinstance(at[-1], int))
            for number, table in enumerate(item.body, start):
                line = _walk_table(table, (*here, number), line, found)
        elif isinstance(item, Table):
            line = _walk_table(item, here, line, found)
        else:
            found[here] = line + item.trivia.indent.count("\n")
            line += _simple(item).count("\n")
    return line


def _walk_table(table: Table, place: Place, line: int, found: dict[Place, int]) -> int:
    if not table.is_super_table():
        line += table.trivia.indent.count("\n")
        found[place] = line
        line += 1
    return _walk(table.value, place, line, found)


def _simple(item: Item) -> str:
    return item.trivia.indent + item.as_string() + item.trivia.comment + item.trivia.trail


@dataclass(frozen=True)
class _Reader:
    """Checks the form of a document: known keys, lists of the right type, no value twice."""

    path: Path
    lines: Mapping[Place, int]

    def blocks(self, document: Mapping[str, Any]) -> list[Block]:
        for key in document:
            if key != "space":
                self.fail(
                    (key,), f"no such key here; a space file has [[space]] blocks{_close(key, ['space'])}"
                )
        spaces = document.get("space")
        if not isinstance(spaces, list) or not all(isinstance(each, dict) for each in spaces):
            self.fail(("space",) if "space" in document else (), "a space file has [[space]] blocks")
        return [self.block(("space", number), block) for number, block in enumerate(spaces)]

    def block(self, place: Place, block: Mapping[str, Any]) -> Block:
        kinds = [key for key in DESIGN_KEYS if key in block]
        if len(kinds) != 1:
            self.fail(
                place,
                f"a block has one of the keys {', '.join(DESIGN_KEYS)}, not {' and '.join(kinds) or 'none'}",
            )
        kind = kinds[0]
        known = (kind, *OPTION_KEYS[kind], *POINT_KEYS, EXCLUDE)
        for key in block:
            if key not in known:
                self.fail(
                    (*place, key),
                    f"no such key for {kind}; there are: {', '.join(known)}{_close(key, known)}",
                )
        if "measure" not in block:
            self.fail(place, f"the block lacks measure: a list of {', '.join(MEASURES)}")
        values = {
            key: self.values((*place, key), value)
            for key, value in block.items()
            if key not in (EXCLUDE, "parameters")
        }
        parameters = self.parameters((*place, "parameters"), block.get("parameters", {}))
        lines = {str(at[-1]): line for at, line in self.lines.items() if at[:-1] == place}
        where = self.lines.get((*place, "parameters"), self.lines.get(place, 1))
        lines |= {name: self.lines.get((*place, "parameters", name), where) for name in parameters}
        return Block(
            path=self.path,
            kind=kind,
            values=values | parameters,
            parameters=tuple(parameters),
            exclude=tuple(self.excluded(place, block.get(EXCLUDE, []), {**values, **parameters})),
            lines=lines | {"": self.lines.get(place, 1)},
        )

    def parameters(self, place: Place, table: Any) -> dict[str, tuple[Value, ...]]:
        if not isinstance(table, dict):
            self.fail(place, "a table such as { OperandStage = [0, 1] }")
        return {name: self.values((*place, name), value, int) for name, value in table.items()}

    def excluded(
        self, block: Place, rows: Any, values: Mapping[str, Sequence[Value]]
    ) -> Iterator[Mapping[str, tuple[Value, ...]]]:
        place = (*block, EXCLUDE)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.fail(place, 'blocks [[space.exclude]], or a list of tables such as { device = "up5k" }')
        for number, row in enumerate(rows):
            here = (*place, number)
            if not row:
                self.fail(here, "an empty exclusion would leave out everything")
            for key, value in row.items():
                if key not in values:
                    self.fail(
                        (*here, key),
                        f"the block has no such key; it has: {', '.join(values)}{_close(key, values)}",
                    )
                given = self.values((*here, key), value, TYPES.get(key, int))
                if key not in DESIGN_KEYS and (unused := [each for each in given if each not in values[key]]):
                    self.fail((*here, key), f"{_shown(unused)}: not a value of the block")
            yield {key: self.values((*here, key), value, TYPES.get(key, int)) for key, value in row.items()}

    def values(self, place: Place, value: Any, type_: type | None = None) -> tuple[Value, ...]:
        """A list of values; a single value is a list of one."""
        wanted = type_ or TYPES[str(place[-1])]
        given = value if isinstance(value, list) else [value]
        if not given:
            self.fail(place, "the list is empty")
        for each in given:
            if type(each) is not wanted:
                self.fail(place, f"{each!r} is not {NAMES[wanted]}")
        if twice := [each for number, each in enumerate(given) if each in given[:number]]:
            self.fail(place, f"{_shown(twice)}: twice in the list")
        return tuple(given)

    def fail(self, place: Place, text: str) -> NoReturn:
        """Raise an error about the key at a place, or at the nearest place around it that has a line."""
        near = place
        while near and near not in self.lines:
            near = near[:-1]
        names = [each for each in place if isinstance(each, str)]
        key = ".".join(names[1:] if names[:1] == ["space"] else names) or BLOCK
        raise SpaceError(f"{self.path}:{self.lines.get(near, 1)}: {key}: {text}")


def _shown(values: Sequence[Value]) -> str:
    return ", ".join(str(each) for each in values)


def _close(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
