"""Instruction words of the study core: the fields of word_t in rtl/compare/eccel_study_pkg.sv."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from eccelerate.ucode.study.study_schedule import Issue, Schedule

MAX_COUNT = 256
SOURCES = ("register", "mult 0", "mult 1", "mult 2", "quotient", "x", "y", "1", "c")
"""First operands, in the order of their bits."""


class Control(IntEnum):
    """What follows the last cycle of an instruction: control_t."""

    NEXT = 0
    IDLE = 1
    SCAN = 2
    SKIP = 3
    STEP = 4
    DONE = 5


@dataclass(frozen=True)
class Word:
    """One instruction, which is executed `count` times. `start` has a bit for each multiplier."""

    control: Control = Control.NEXT
    count: int = 1
    source: str = ""
    a: int = 0
    b: int = 0
    d: int = 0
    write: bool = False
    add: bool = False
    square: bool = False
    start: int = 0
    divide: bool = False

    def encode(self) -> int:
        """The bits of the word. Raises ValueError for a field that does not fit."""
        if not 1 <= self.count <= MAX_COUNT:
            raise ValueError(f"an instruction is executed 1 to {MAX_COUNT} times, not {self.count}")
        fields = (
            (self.control, 3),
            (self.count - 1, 8),
            (1 << SOURCES.index(self.source) if self.source else 0, len(SOURCES)),
            (self.a, 4),
            (self.b, 4),
            (self.d, 4),
            (self.write, 1),
            (self.add, 1),
            (self.square, 1),
            (self.start, 3),
            (self.divide, 1),
        )
        word = 0
        for value, bits in fields:
            if value >> bits:
                raise ValueError(f"{self} has a field that does not fit in {bits} bits")
            word = word << bits | value
        return word


WORD_BITS = 39


def words_of(schedule: Schedule, register: Mapping[int, int]) -> list[Word]:
    """The instructions of a block, with pauses between them."""
    words: list[Word] = []
    cycle = 0
    for issue in schedule.issues:
        words += _pause(issue.cycle - cycle)
        words += _instructions(issue, register)
        cycle = issue.cycle + issue.count
    return words


def _pause(cycles: int) -> list[Word]:
    words = []
    while cycles > 0:
        words.append(Word(count=min(cycles, MAX_COUNT)))
        cycles -= MAX_COUNT
    return words


def _instructions(issue: Issue, register: Mapping[int, int]) -> list[Word]:
    kind, what = issue.a
    names = {"value": "register", "mult": f"mult {what}", "div": "quotient"}
    word = Word(
        source=names.get(kind, str(what)).removeprefix("input "),
        a=register[int(what)] if kind == "value" else 0,
        b=0 if issue.b is None else register[issue.b],
    )
    if issue.kind == "mul":
        assert issue.unit is not None
        return [replace(word, start=1 << issue.unit)]
    if issue.kind == "div":
        return [replace(word, divide=True)]
    assert issue.write is not None
    target = register[issue.write]
    word = replace(
        word,
        d=target,
        write=True,
        add=issue.kind in ("add", "add_square"),
        square=issue.kind in ("square", "squares", "add_square"),
    )
    if issue.kind != "squares":
        return [word]
    again = Word(source="register", a=target, d=target, write=True, square=True, count=issue.count - 1)
    return [word, again]
