"""Registers of the study core: names that live between blocks, and registers for the values of a schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eccelerate.ucode.study.study_schedule import Schedule
from eccelerate.ucode.study.study_text import Block, FormulaError, needed

MAX_REGISTERS = 16
Pairs = tuple[tuple[str, str], ...]


def live_names(
    blocks: Mapping[str, Block], after: Mapping[str, Sequence[str]], results: Sequence[str], pairs: Pairs
) -> dict[str, set[str]]:
    """The names that are read after each block: `after` has the blocks that may follow one, "" for the end,
    where `results` are read. Of a pair either both names are live or none.
    """
    live: dict[str, set[str]] = {name: set() for name in blocks}
    while True:
        found = {
            name: _closed(set().union(*(_read(blocks, live, each, results) for each in after[name])), pairs)
            for name in blocks
        }
        if found == live:
            return live
        live = found


def _read(
    blocks: Mapping[str, Block], live: Mapping[str, set[str]], name: str, results: Sequence[str]
) -> set[str]:
    """The names that are read from the start of a block on."""
    if not name:
        return set(results)
    block = needed(blocks[name], live[name])
    return set(block.entry) | (live[name] - set(block.final))


def _closed(names: set[str], pairs: Pairs) -> set[str]:
    return names | {name for pair in pairs for name in pair if names & set(pair)}


def homes_of(names: set[str], pairs: Pairs) -> dict[str, int]:
    """A register for each name that lives between blocks. Pairs come first: bit 0 tells its two registers."""
    ordered = [name for pair in pairs for name in pair]
    ordered += sorted(names - set(ordered))
    return {name: i for i, name in enumerate(ordered)}


def allocate(schedule: Schedule, live_after: set[str], homes: Mapping[str, int]) -> dict[int, int]:
    """The register of each value of a schedule. A value lives from the cycle that writes it to the last one
    that reads it. Raises FormulaError if there are too few registers.
    """
    written = {i.write: i.cycle for i in schedule.issues if i.write is not None}
    read: dict[int, int] = {}
    for issue in schedule.issues:
        for value in (issue.a[1] if issue.a[0] == "value" else None, issue.b):
            if isinstance(value, int):
                read[value] = max(read.get(value, -1), issue.cycle)
    end, found = schedule.cycles, dict[int, int]()
    taken: dict[int, list[tuple[int, int]]] = {}

    def take(register: int, life: tuple[int, int]) -> None:
        taken.setdefault(register, []).append(life)

    finals = {value: name for name, value in schedule.final.items()}
    for name, home in homes.items():
        if name in schedule.entry:
            value = schedule.entry[name]
            found[value] = home
            kept = name in live_after and name not in schedule.final
            take(home, (-1, end if kept else read.get(value, -1)))
        elif name in live_after and name not in schedule.final:
            take(home, (-1, end))
        if name in schedule.final:
            found[schedule.final[name]] = home
            take(home, (written[schedule.final[name]], end))
    for value, start in sorted(written.items(), key=lambda item: (item[1], item[0])):
        if value in finals and finals[value] in homes:
            continue
        life = start, read.get(value, start)
        free = (r for r in range(MAX_REGISTERS) if not _meet(life, taken.get(r, [])))
        register = next(free, None)
        if register is None:
            raise FormulaError(f"{schedule.name} needs more than {MAX_REGISTERS} registers")
        found[value] = register
        take(register, life)
    return found


def _meet(life: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether a value would share its register with another one. A register can be written in the cycle of
    the last read of its old value.
    """
    return any((life[0] < end and start < life[1]) or life[0] == start for start, end in others)
