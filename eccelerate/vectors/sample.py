"""A repeatable sample of a file's vectors that leaves out no kind of vector."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from eccelerate.vectors.case import Case


def curve_of(case: Case) -> str:
    """The kind of a case for a small sample: its curve, whatever file or hash it comes from."""
    return case.curve.name if case.curve else ""


def group_of(case: Case) -> str:
    """The kind of a case for a full sample: its group."""
    return case.group


def sample_cases(
    cases: Sequence[Case], count: int, seed: int = 1, kind: Callable[[Case], str] = group_of
) -> list[Case]:
    """At least one case of every label of every kind, then random ones up to `count`, in the given order.

    Returns more than `count` if the labels need it, fewer if the file has fewer. Skipped cases are not
    counted, and all of them are returned: a sample has the same reasons for skipping as the whole file.
    """
    runnable = [index for index, case in enumerate(cases) if not case.skip]
    order = random.Random(seed).sample(runnable, len(runnable))
    covered: set[tuple[str, str]] = set()
    chosen: set[int] = set()
    for index in order:
        keys = {(kind(cases[index]), label) for label in ("", *cases[index].labels)}
        if not keys <= covered:
            covered |= keys
            chosen.add(index)
    for index in order:
        if len(chosen) >= count:
            break
        chosen.add(index)
    return [case for index, case in enumerate(cases) if case.skip or index in chosen]
