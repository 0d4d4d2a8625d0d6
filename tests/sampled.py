"""A parametrised test of which `make test` runs some cases and `make soak` the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def sampled(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    now: int,
    ids: Sequence[str] | Callable[[Any], object] | None = None,
) -> pytest.MarkDecorator:
    """`pytest.mark.parametrize` with the marker `soak` on all but `now` cases, which are spread over the list
    and begin with its first one.

    For cases that repeat one statement: mutants of a module, other sizes of a parameter. They are worth their
    time after a change of the module or of its test, which `-m ""` runs whole.
    """
    listed = list(cases)
    if not 0 < now < len(listed):
        raise ValueError(f"now must be from 1 to {len(listed) - 1}, not {now}: otherwise nothing is left out")
    kept = {len(listed) * i // now for i in range(now)}
    one = isinstance(names, str) and "," not in names
    marked = [
        pytest.param(*((case,) if one else case), marks=() if i in kept else pytest.mark.soak)
        for i, case in enumerate(listed)
    ]
    return pytest.mark.parametrize(names, marked, ids=ids)
