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
    """What became of a vector."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Expect(StrEnum):
    """What a vector demands: a right answer, or a refusal."""

    VALID = "valid"
    INVALID = "invalid"


@dataclass(frozen=True)
class Outcome:
    """Judgement of one vector.

    jobs: how many the engine ran for it, 0 when the host decided; cycles: from the answer before in the
    stream of jobs to each of its own, summed, so that the cycles of all vectors are those of the streams.
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
"""The course of a case: steps out, finished jobs in (whatever their status; None when an operand is too wide
to be sent at all). It returns the empty string when the engine did right, else what was wrong."""


@dataclass(frozen=True, kw_only=True)
class Case(ABC):
    """A vector of a file.

    group: the file's own grouping, as reported; ident: unique within the file; curve: None when the vector's
    reader could not find one; labels: flags, comments and expected result, which a sample has to cover;
    skip: why the vector cannot run, empty when it can.
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
    """The empty string when accepting or refusing is what `expect` demands, else the complaint."""
    if accepted == (expect == Expect.VALID):
        return ""
    return f"expected {expect}, was {'accepted' if accepted else 'refused'} ({detail})"
