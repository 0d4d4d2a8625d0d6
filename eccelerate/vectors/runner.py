"""Runs cases on an engine, many at the same time, and loads curves as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from eccelerate.curves import Curve
from eccelerate.driver import Engine, JobError, JobResult, StreamTransport, TransportError
from eccelerate.model.jobs import Op, Status
from eccelerate.vectors.case import Case, Outcome, Step, Verdict
from eccelerate.vectors.files import load_cases
from eccelerate.vectors.summary import Report

Select = Callable[[Sequence[Case]], Sequence[Case]]

BATCH = 64
"""Number of cases of one curve that run at the same time: enough to keep every thread of a cluster busy."""

NO_ANSWER = frozenset({
    Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_CURVE, Status.BAD_MODULUS, Status.NO_KEY, Status.NO_ENTROPY,
    Status.SELF_TEST_FAILED, Status.ZEROISED, Status.ENGINE_FAULT, Status.ENTROPY_FAILED, Status.TIMEOUT,
    Status.FAULT,
})  # fmt: skip
"""Statuses that say nothing about the operands of a job: no vector expects them."""


def mark_skipped(cases: Iterable[Case], lacks: Callable[[Curve], str]) -> list[Case]:
    """The cases. A case on a curve for which `lacks` gives a reason is marked as skipped for that reason."""
    reasons: dict[Curve, str] = {}
    marked = []
    for case in cases:
        if not case.skip and case.curve is not None:
            if case.curve not in reasons:
                reasons[case.curve] = lacks(case.curve)
            if reason := reasons[case.curve]:
                case = replace(case, skip=reason)
        marked.append(case)
    return marked


def run_cases(engine: Engine, cases: Iterable[Case]) -> Iterator[Outcome]:
    """Judge the engine by each case; outcomes in the order of the cases.

    Successive cases of one curve run at the same time. If a job never ends, its case fails; the others run.
    """
    for curve, alike in groupby(mark_skipped(cases, engine.lacks), key=lambda case: case.curve):
        while batch := [_Course(case) for case in islice(alike, BATCH)]:
            while asking := [course for course in batch if course.step is not None]:
                _next_steps(engine, curve, asking)
            yield from (course.outcome for course in batch)


def run_vectors(engine: Engine, file: Path, select: Select = lambda cases: cases) -> Report:
    """Run the cases of `file` that `select` picks. Raises VectorFileError."""
    return Report(file.name).extend(run_cases(engine, select(load_cases(file))))


class _Course:
    """A running case. step: the job that it waits for; None after `outcome` is known."""

    def __init__(self, case: Case) -> None:
        self.step: Step | None = None
        self.outcome = Outcome(case, Verdict.SKIP, case.skip)
        if not case.skip:
            self.judgement = case.judge()
            self.resume(None)

    def resume(self, result: JobResult | None, cycles: int = 0) -> None:
        """Go on with the result of the job, which took `cycles`; with None when it could not be sent."""
        if result is not None:
            self.outcome = replace(
                self.outcome, jobs=self.outcome.jobs + 1, cycles=self.outcome.cycles + cycles
            )
        try:
            self.step = self.judgement.send(result)
        except StopIteration as end:
            self.end(Verdict.FAIL if end.value else Verdict.PASS, end.value)

    def end(self, verdict: Verdict, reason: str) -> None:
        """Set the outcome."""
        self.step = None
        self.outcome = replace(self.outcome, verdict=verdict, reason=reason)


def _next_steps(engine: Engine, curve: Curve | None, asking: Sequence[_Course]) -> None:
    """Run the job that each course waits for, those of one operation in one stream."""
    if curve is None:
        raise ValueError("a case that runs needs a curve")
    streams: dict[tuple[Op, int], list[tuple[_Course, tuple[int, ...]]]] = {}
    for course in asking:
        if course.step is None:
            continue
        operands = course.step.operands
        if any(value.bit_length() > 32 * curve.element_words for value in operands):
            course.resume(None)
        else:
            streams.setdefault((course.step.op, course.step.flags), []).append((course, operands))
    for (op, flags), members in streams.items():
        before = 0
        for index, answer in _submit(engine, curve, op, flags, [operands for _, operands in members]):
            course = members[index][0]
            if isinstance(answer, str):
                course.end(Verdict.FAIL, answer)
                continue
            cycles = answer.cycles or 0
            if answer.status == Status.BAD_OP and engine.submit(op).status == Status.BAD_OP:
                course.end(Verdict.SKIP, f"{engine.pools[0].name} has no operation {op.name}")
            elif answer.status in NO_ANSWER:
                course.end(Verdict.FAIL, f"status {answer.status_name} is no answer to a vector")
            else:
                course.resume(answer, cycles - before)
            if isinstance(engine.transport, StreamTransport):
                before = cycles


def _submit(
    engine: Engine, curve: Curve, op: Op, flags: int, jobs: Sequence[tuple[int, ...]]
) -> list[tuple[int, JobResult | str]]:
    """(index in `jobs`, result, or what kept it from an answer), in the order of completion.

    If a stream breaks off, each of its jobs runs again alone: only jobs that never end have no answer.
    """
    if engine.curve != curve:
        try:
            engine.load_curve(curve)
        except (JobError, TransportError) as error:
            return [(index, f"the curve does not load: {error}") for index in range(len(jobs))]
    try:
        return list(engine.submit_many(op, jobs, flags))
    except TransportError as error:
        # The engine's state is unknown now: the next job loads its curve again.
        engine.curve = None
        if len(jobs) == 1:
            return [(0, str(error))]
        return [(i, _submit(engine, curve, op, flags, [job])[0][1]) for i, job in enumerate(jobs)]
