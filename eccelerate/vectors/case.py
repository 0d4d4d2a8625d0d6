"""One test vector: what it is called, the curve it needs, and how to judge an engine by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum

from eccelerate.curves import Curve
from eccelerate.driver import JobResult
from eccelerate.model.jobs import Op


class Verdict(StrEnum):
    """The outcome of a vector."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Expect(StrEnum):
    """What a vector requires: a correct answer, or a refusal."""

    VALID = "valid"
    INVALID = "invalid"


@dataclass(frozen=True)
class Outcome:
    """Judgement of one vector.

    jobs: number of jobs that the engine ran for it; 0 if the host decided.
    cycles: cycles of its jobs, each from the previous response in the stream to its own, added up. The cycles
        of all vectors together are therefore those of the streams.
    """

    case: Case
    verdict: Verdict
    reason: str = ""
    jobs: int = 0
    cycles: int = 0


@dataclass(frozen=True)
class Step:
    """A job that a case needs next."""

    op: Op
    operands: tuple[int, ...]
    flags: int = 0


Judgement = Generator[Step, JobResult | None, str]
"""The course of a case: a generator that yields steps and receives finished jobs, whatever their status, or
None if an operand is too wide to be sent. It returns the empty string if the engine was right, otherwise what
was wrong.
"""


@dataclass(frozen=True, kw_only=True)
class Case(ABC):
    """A vector of a file.

    group: the file's own grouping, as reported.
    ident: unique within the file.
    curve: None if the vector's reader could not find one.
    labels: flags, comments and the expected result, which a sample has to cover.
    skip: why the vector cannot run; empty if it can.
    """

    group: str
    ident: str
    curve: Curve | None
    labels: tuple[str, ...] = ()
    skip: str = ""

    @abstractmethod
    def judge(self) -> Judgement:
        """Judge an engine on which the case's curve is loaded."""


def verdict_text(expect: Expect, accepted: bool, detail: str) -> str:
    """The empty string if the verdict is the one that `expect` requires, otherwise an error message."""
    if accepted == (expect == Expect.VALID):
        return ""
    return f"expected {expect}, was {'accepted' if accepted else 'refused'} ({detail})"
