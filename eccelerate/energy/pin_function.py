"""Evaluates the functions of Liberty, such as "!(A*B)" or "A' + B C".

Operators, from the one that binds most: ' after an operand, ! before it, ^, then & or * or nothing at all
between operands, then | or +.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from eccelerate.flow.errors import FlowError

_TOKEN = re.compile(r"\s*([A-Za-z_][\w.\[\]]*|[01]|[!'^&*|+()])")
Tree = tuple[str, ...] | tuple[str, "Tree"] | tuple[str, "Tree", "Tree"]  # type: ignore[misc]


@cache
def parse(text: str) -> Tree:
    """The function as a tree: ("pin", name), ("const", digit), ("not", x), or ("and" | "or" | "xor", x, y).
    Raises FlowError.
    """
    tokens: list[str] = []
    at = 0
    body = text.strip()
    while at < len(body):
        found = _TOKEN.match(body, at)
        if found is None:
            raise FlowError(f"no Liberty function: {text!r}")
        tokens.append(found[1])
        at = found.end()
    reader = _Reader(tokens, text)
    tree = reader.alternatives()
    if reader.next is not None:
        raise reader.wrong()
    return tree


class _Reader:
    def __init__(self, tokens: list[str], text: str) -> None:
        self.tokens, self.at, self.text = tokens, 0, text

    @property
    def next(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def wrong(self) -> FlowError:
        return FlowError(f"no Liberty function: {self.text!r}, at {self.next or 'its end'}")

    def alternatives(self) -> Tree:
        tree = self.product()
        while self.next in ("|", "+"):
            self.at += 1
            tree = ("or", tree, self.product())
        return tree

    def product(self) -> Tree:
        tree = self.exclusive()
        while self.next is not None and self.next not in ("|", "+", ")", "^", "'"):
            if self.next in ("&", "*"):
                self.at += 1
            tree = ("and", tree, self.exclusive())
        return tree

    def exclusive(self) -> Tree:
        tree = self.operand()
        while self.next == "^":
            self.at += 1
            tree = ("xor", tree, self.operand())
        return tree

    def operand(self) -> Tree:
        token = self.next
        if token is None or token in "'^&*|+)":
            raise self.wrong()
        self.at += 1
        tree: Tree
        if token == "!":
            return ("not", self.operand())
        if token == "(":
            tree = self.alternatives()
            if self.next != ")":
                raise self.wrong()
            self.at += 1
        else:
            tree = ("const" if token in "01" else "pin", token)
        while self.next == "'":
            self.at += 1
            tree = ("not", tree)
        return tree


def evaluate(text: str, levels: Mapping[str, int]) -> int:
    """The function for levels 0 and 1 of its pins."""
    join: dict[str, Callable[[int, int], int]] = {
        "and": lambda x, y: x & y,
        "or": lambda x, y: x | y,
        "xor": lambda x, y: x ^ y,
    }
    return int(
        _fold(parse(text), lambda name: levels[name], int, lambda x: 1 - x, lambda k, x, y: join[k](x, y))
    )


def _fold(tree: Tree, pin: Callable, const: Callable, inverse: Callable, join: Callable) -> Any:
    match tree:
        case ("pin", name):
            return pin(name)
        case ("const", digit):
            return const(digit)
        case ("not", inner):
            return inverse(_fold(inner, pin, const, inverse, join))  # type: ignore[arg-type]
        case (kind, left, right):
            both = (_fold(side, pin, const, inverse, join) for side in (left, right))  # type: ignore[arg-type]
            return join(kind, *both)
    raise FlowError(f"no function: {tree}")
