"""Runs cases on an engine, loading curves as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from eccelerate.driver import Engine, JobError, TransportError
from eccelerate.vectors.case import Case, Outcome, Verdict
from eccelerate.vectors.files import load_cases
from eccelerate.vectors.report import Report

Select = Callable[[Sequence[Case]], Sequence[Case]]


def run_cases(engine: Engine, cases: Iterable[Case]) -> Iterator[Outcome]:
    """Judge the engine by each case, in order. A job that never ends fails its case; the next one runs."""
    for case in cases:
        if case.curve is not None and (reason := engine.lacks(case.curve)):
            yield Outcome(case, Verdict.SKIP, reason)
            continue
        if case.curve is not None and engine.curve != case.curve:
            try:
                engine.load_curve(case.curve)
            except (JobError, TransportError) as error:
                yield Outcome(case, Verdict.FAIL, f"the curve does not load: {error}")
                continue
        try:
            yield case.run(engine)
        except TransportError as error:
            # The engine's state is unknown now: the next case loads its curve again.
            engine.curve = None
            yield Outcome(case, Verdict.FAIL, str(error))


def run_vectors(engine: Engine, file: Path, select: Select = lambda cases: cases) -> Report:
    """Run the cases of `file` that `select` picks. Raises VectorFileError."""
    return Report(file.name).extend(run_cases(engine, select(load_cases(file))))
