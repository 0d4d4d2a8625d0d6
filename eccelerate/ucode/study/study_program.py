"""A whole program of the study core for an algorithm, coordinates, multipliers, digits and divider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from eccelerate.ucode.study import study_formulas as formulas
from eccelerate.ucode.study.study_formulas import Coordinates
from eccelerate.ucode.study.study_registers import Pairs, allocate, homes_of, live_names
from eccelerate.ucode.study.study_schedule import Schedule, Timing, schedule
from eccelerate.ucode.study.study_text import needed, parse
from eccelerate.ucode.study.study_words import Control, Word, words_of

COORDINATES = {
    "affine": formulas.AFFINE,
    "jacobian": formulas.JACOBIAN,
    "lopez-dahab": formulas.LOPEZ_DAHAB,
}
KINDS = (
    "affine-binary",
    "affine-naf",
    "jacobian-binary",
    "jacobian-naf",
    "lopez-dahab-binary",
    "lopez-dahab-naf",
    "lopez-dahab-montgomery",
)
"""Coordinates and algorithm of a program. The ladder of Montgomery's method is that of Lopez and Dahab."""
RESULTS = ("qx", "qy")


@dataclass(frozen=True)
class Program:
    """The image of a program, and what the core has to know about it.

    words: its instructions. steps, finish: addresses of the block for a digit and of the last part.
    registers: how many it uses. pairs: how many pairs of registers change places; signed: digits are -1, 0
    and 1; ladder: the digit selects the places of the pairs, and no block is skipped.
    cycles: length of each block.
    """

    kind: str
    words: tuple[Word, ...]
    steps: int
    finish: int
    registers: int
    pairs: int
    signed: bool
    ladder: bool
    cycles: dict[str, int]
    products: dict[str, int]


def _texts(kind: str, degree: int, *, divider: bool) -> tuple[dict[str, str], Pairs]:
    """The text of each block of a program, and its pairs."""
    ladder = kind == "lopez-dahab-montgomery"
    of: Coordinates = formulas.LADDER if ladder else COORDINATES[kind.rpartition("-")[0]]
    inverse = ""
    if of.inverted:
        inverse = formulas.division(of.inverted) if divider else formulas.itoh_tsujii(of.inverted, degree)
    texts = {
        "start": f"{formulas.LOAD}{'' if ladder else formulas.NEGATIVE}{of.start}",
        "step": of.step,
        "add": of.add,
        "end": f"{of.before}\n{inverse}\n{of.end}",
    }
    pairs: Pairs = ()
    if ladder:
        pairs = ("xd", "xs"), ("zd", "zs")
    elif kind.endswith("-naf"):
        pairs = (("py", "pxy"),)
    return {name: text for name, text in texts.items() if text.strip() or name == "end"}, pairs


@cache
def program(kind: str, multipliers: int, digits: int, degree: int, *, divider: bool) -> Program:
    """The program of one of KINDS. Raises ValueError for affine coordinates without a divider."""
    if kind.startswith("affine") and not divider:
        raise ValueError("affine coordinates need the divider")
    timing = Timing(multipliers, digits, degree)
    texts, pairs = _texts(kind, degree, divider=divider)
    blocks = {name: parse(name, text) for name, text in texts.items()}
    after = {"start": ["step", "end"], "step": ["step", "end"], "end": [""]}
    if "add" in blocks:
        after |= {"step": ["step", "add", "end"], "add": ["step", "end"]}
    live = live_names(blocks, after, RESULTS, pairs)
    homes = homes_of(set().union(*live.values()), pairs)
    words: list[Word] = []
    address: dict[str, int] = {}
    found: dict[str, Schedule] = {}
    used = {*homes.values()}
    for name in blocks:
        block = needed(blocks[name], live[name])
        found[name] = schedule(block, timing)
        registers = allocate(found[name], live[name], homes)
        used |= {*registers.values()}
        address[name] = len(words)
        words += _controlled(name, words_of(found[name], registers), skips="add" in blocks)
    done = Word(Control.DONE, source="register", a=homes["qx"], b=homes["qy"])
    return Program(
        kind=kind,
        words=(*words, done),
        steps=address["step"],
        finish=address["end"],
        registers=max(used) + 1,
        pairs=len(pairs),
        signed=kind.endswith("-naf"),
        ladder=kind.endswith("-montgomery"),
        cycles={name: each.cycles for name, each in found.items()},
        products={name: sum(i.kind == "mul" for i in each.issues) for name, each in found.items()},
    )


def _controlled(name: str, words: Sequence[Word], *, skips: bool) -> list[Word]:
    """The instructions of a block with what happens after its last one."""
    result = list(words)
    if name == "start":
        if result[0].source != "x" or result[0].count != 1:
            raise ValueError("the first instruction of a program takes x")
        result[0] = replace(result[0], control=Control.IDLE)
        return [*result, Word(Control.SCAN)]
    ends = {"step": Control.SKIP if skips else Control.STEP, "add": Control.STEP}
    if name in ends:
        result[-1] = replace(result[-1], control=ends[name])
    return result
