"""Where a Verilated model keeps its state: flip-flops, and the words of its memories.

`registers` finds the flip-flops in the generated code, `layout` their widths in its header. The harness gets
one line for each member (sim/state_access.h), and faults and activity are named with the same list.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

_FUNCTION = r"(?ms)^(?:\w+ )*void \w+___024root___(?P<name>\w+)\([^\n]*\{\n(?P<body>.*?)^\}"
_ASSIGNED = r"vlSelf(?:Ref)?\.({top}__DOT__\w+)(?:\[[^=;]*?\])?\s*=[^=]"
_ASSIGNED_WIDE = r"(?m)^\s*VL_\w+\([\d,\s]*vlSelf(?:Ref)?\.({top}__DOT__\w+)"
_MEMORY = re.compile(r"__DOT__mem$")
_MEMBER = r"(?m)^\s*(?P<type>[\w<>/*:, ]+?)\s+(?P<name>{top}__DOT__\w+);"
_RANGE, _COUNT = re.compile(r"/\*(\d+):(\d+)\*/"), re.compile(r", (\d+)>")


class Place(IntEnum):
    """A kind of state in which a fault can be."""

    STATE = 0
    REGISTERS = 1
    MAILBOX = 2
    MICROCODE = 3


@dataclass(frozen=True)
class Member:
    """A member of the root class: `elements` values of `width` bits."""

    name: str
    width: int
    elements: int
    place: Place

    @property
    def bits(self) -> int:
        """Bits of all elements."""
        return self.width * self.elements

    @property
    def line(self) -> str:
        """What the harness compiles."""
        sizes = f"{self.name}, {self.width}, {self.elements}"
        if self.place == Place.STATE:
            return f"ECCEL_STATE({sizes})\n"
        return f"ECCEL_MEMORY({sizes}, {int(self.place)})\n"


def registers(sources: Iterable[str], top: str) -> set[str]:
    """The members that are assigned at a clock edge and do not follow from others: flip-flops and memories.

    sources: texts of the generated functions. What follows from others is also computed when the model
    settles at its start (functions with stl or ico in their name).
    """
    clocked: set[str] = set()
    settled: set[str] = set()
    for text in sources:
        for found in re.finditer(_FUNCTION, text):
            settles = re.search(r"(?:^|_)(?:stl|ico)_", found["name"])
            names = [
                name
                for pattern in (_ASSIGNED, _ASSIGNED_WIDE)
                for name in re.findall(pattern.format(top=re.escape(top)), found["body"])
            ]
            if settles:
                settled.update(names)
            elif "nba" in found["name"] or "act" in found["name"]:
                clocked.update(names)
    return clocked - settled


def layout(header: str, top: str, clocked: Collection[str]) -> list[Member]:
    """The flip-flops, read registers and memories of a model.

    header: text of the generated root class. clocked: the names that `registers` has found. Names of memories
    end in mem; a ROM is not clocked.
    """
    found = []
    for each in re.finditer(_MEMBER.format(top=re.escape(top)), header):
        name, kind = each["name"], each["type"]
        if "__Vdly" in name or not (name in clocked or _MEMORY.search(name)):
            continue
        bounds = _RANGE.findall(kind)
        if not bounds:
            continue
        high, low = map(int, bounds[-1])
        counts = [int(count) for count in _COUNT.findall(kind)]
        found.append(Member(name, high - low + 1, math.prod(counts), _place(name)))
    return found


def _place(name: str) -> Place:
    if not _MEMORY.search(name):
        return Place.STATE
    if "u_mailbox" in name:
        return Place.MAILBOX
    return Place.MICROCODE if "u_ucode" in name or "u_table" in name else Place.REGISTERS


@dataclass(frozen=True)
class StateBit:
    """A bit of the state, in the words of the RTL: path of the signal, element of an array, bit."""

    signal: str
    element: int
    bit: int
    place: Place

    @property
    def text(self) -> str:
        """For people."""
        return f"{self.signal}[{self.element}] bit {self.bit}"


def locate(members: Iterable[Member], place: Place, index: int) -> StateBit:
    """The bit that a fault number `index` of a place flips. Raises IndexError."""
    own = [member for member in members if member.place == place]
    ends = list(accumulate(member.bits for member in own))
    for member, end in zip(own, ends, strict=True):
        if index < end:
            element, bit = divmod(index - (end - member.bits), member.width)
            return StateBit(signal(member.name), element, bit, place)
    raise IndexError(f"no bit {index}: {place.name.lower()} has {ends[-1] if ends else 0} bits")


def signal(name: str) -> str:
    """The name of a member as a path of the RTL, without the top."""
    path = name.split("__DOT__")[1:]
    return ".".join(re.sub(r"__BRA__(\w+?)__KET__", r"[\1]", part) for part in path)


def parse_lines(lines: Sequence[str]) -> list[Member]:
    """The members of a written file."""
    found = []
    for line in lines:
        kind, rest = line.rstrip(")\n").split("(", 1)
        name, width, elements, *place = rest.split(", ")
        where = Place(int(place[0])) if kind == "ECCEL_MEMORY" else Place.STATE
        found.append(Member(name, int(width), int(elements), where))
    return found
