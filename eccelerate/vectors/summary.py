"""Results of a run of vectors, by file and group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from eccelerate.vectors.case import Outcome, Verdict

_COUNTS = ("passed", "failed", "skipped", "on_engine", "jobs", "cycles")


@dataclass
class GroupReport:
    """Counts of one group of one file.

    on_engine: vectors for which the engine ran at least one job. The host decided about the others that
    passed or failed. Skipped vectors do not count.
    """

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    on_engine: int = 0
    jobs: int = 0
    cycles: int = 0
    skip_reasons: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.passed += outcome.verdict == Verdict.PASS
        self.failed += outcome.verdict == Verdict.FAIL
        self.skipped += outcome.verdict == Verdict.SKIP
        self.on_engine += outcome.jobs > 0 and outcome.verdict != Verdict.SKIP
        self.jobs += outcome.jobs
        self.cycles += outcome.cycles
        if outcome.verdict == Verdict.SKIP:
            self.skip_reasons[outcome.reason] += 1
        if outcome.verdict == Verdict.FAIL:
            self.failures.append(f"{outcome.case.ident}: {outcome.reason}")

    def merge(self, other: GroupReport, prefix: str = "") -> None:
        """Add the counts of another group; prefix: of its failures."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.skip_reasons.update(other.skip_reasons)
        self.failures += [prefix + text for text in other.failures]

    @property
    def ok(self) -> bool:
        """True when at least one vector reached the engine and none failed."""
        return self.failed == 0 and self.on_engine > 0

    @property
    def summary(self) -> str:
        """The counts in one line."""
        return (
            f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped; "
            f"{self.on_engine} reached the engine"
        )


@dataclass
class Report:
    """The groups of one file."""

    file: str
    groups: dict[str, GroupReport] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count one outcome in its group."""
        self.groups.setdefault(outcome.case.group, GroupReport(outcome.case.group)).add(outcome)

    def extend(self, outcomes: Iterable[Outcome]) -> Report:
        """Count all of them; returns self."""
        for outcome in outcomes:
            self.add(outcome)
        return self

    @property
    def total(self) -> GroupReport:
        """The sum over all groups."""
        total = GroupReport(self.file)
        for group in self.groups.values():
            total.merge(group, f"{group.name}: ")
        return total

    @property
    def ok(self) -> bool:
        """True when at least one vector reached the engine and none failed."""
        return self.total.ok

    def merge(self, other: Report) -> None:
        """Add the counts of another report on the same file."""
        for name, group in other.groups.items():
            self.groups.setdefault(name, GroupReport(name)).merge(group)
