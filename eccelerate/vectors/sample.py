"""A repeatable sample of a file's vectors that leaves out no kind of vector."""

from __future__ import annotations

import random
from collections.abc import Sequence

from eccelerate.vectors.case import Case


def sample_cases(cases: Sequence[Case], count: int, seed: int = 1) -> list[Case]:
    """At least one case of every group and label of the file, then random ones up to `count`, in file order.

    Returns more than `count` when the labels need it, fewer when the file has fewer; skipped cases are left out.
    """
    runnable = [index for index, case in enumerate(cases) if not case.skip]
    order = random.Random(seed).sample(runnable, len(runnable))
    covered: set[tuple[str, str]] = set()
    chosen: set[int] = set()
    for index in order:
        keys = {(cases[index].group, label) for label in ("", *cases[index].labels)}
        if not keys <= covered:
            covered |= keys
            chosen.add(index)
    for index in order:
        if len(chosen) >= count:
            break
        chosen.add(index)
    return [cases[index] for index in sorted(chosen)]
