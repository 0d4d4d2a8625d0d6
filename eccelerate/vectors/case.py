"""One test vector: what it is called, the curve it needs, and how to judge an engine by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from eccelerate.curves import Curve
from eccelerate.driver import Engine, Job, PacketError


class Verdict(StrEnum):
    """What became of a vector."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Expect(StrEnum):
    """What a vector demands: a right answer, a refusal, or either (Wycheproof's "acceptable")."""

    VALID = "valid"
    INVALID = "invalid"
    ACCEPTABLE = "acceptable"


@dataclass(frozen=True)
class Outcome:
    """Judgement of one vector; jobs is the number of jobs the engine ran for it, 0 when the host decided."""

    case: Case
    verdict: Verdict
    reason: str = ""
    jobs: int = 0
    cycles: int = 0


class Bench:
    """An engine as a vector sees it: counts jobs, and turns operands that fit no element into a refusal."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.jobs = 0
        self.cycles = 0

    def submit(self, op: int, operands: Sequence[int], flags: int = 0) -> Job | None:
        """The finished job, whatever its status; None when an operand is too wide to be sent at all."""
        try:
            job = self.engine.submit(op, operands, flags)
        except PacketError:
            return None
        self.jobs += 1
        self.cycles += job.cycles or 0
        return job


@dataclass(frozen=True, kw_only=True)
class Case(ABC):
    """A vector of a file.

    group: the file's own grouping, as reported; ident: unique within the file; curve: None when `skip` says
    why the vector cannot run; labels: flags, comments and expected result, which a sample has to cover.
    """

    group: str
    ident: str
    curve: Curve | None
    labels: tuple[str, ...] = ()
    skip: str = ""

    @abstractmethod
    def judge(self, bench: Bench) -> str:
        """Run the vector's jobs; the empty string when the engine did right, else what was wrong."""

    def run(self, engine: Engine) -> Outcome:
        """Judge `engine`, on which the case's curve is loaded."""
        if self.skip:
            return Outcome(self, Verdict.SKIP, self.skip)
        bench = Bench(engine)
        wrong = self.judge(bench)
        return Outcome(self, Verdict.FAIL if wrong else Verdict.PASS, wrong, bench.jobs, bench.cycles)


def verdict_text(expect: Expect, accepted: bool, detail: str) -> str:
    """The empty string when accepting or refusing is what `expect` allows, else the complaint."""
    if expect == Expect.ACCEPTABLE or accepted == (expect == Expect.VALID):
        return ""
    return f"expected {expect}, was {'accepted' if accepted else 'refused'} ({detail})"
