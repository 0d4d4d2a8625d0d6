"""What a run of vectors came to, by file and group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from eccelerate.vectors.case import Outcome, Verdict


@dataclass
class GroupReport:
    """Counts of one group of one file.

    on_engine: vectors for which the engine ran at least one job; the rest of the passes the host decided.
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
        self.on_engine += outcome.jobs > 0
        self.jobs += outcome.jobs
        self.cycles += outcome.cycles
        if outcome.verdict == Verdict.SKIP:
            self.skip_reasons[outcome.reason] += 1
        if outcome.verdict == Verdict.FAIL:
            self.failures.append(f"{outcome.case.ident}: {outcome.reason}")


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
            for name in ("passed", "failed", "skipped", "on_engine", "jobs", "cycles"):
                setattr(total, name, getattr(total, name) + getattr(group, name))
            total.skip_reasons.update(group.skip_reasons)
            total.failures += [f"{group.name}: {text}" for text in group.failures]
        return total

    @property
    def ok(self) -> bool:
        """True when at least one vector passed and none failed."""
        total = self.total
        return total.failed == 0 and total.passed > 0

    def merge(self, other: Report) -> None:
        """Add the counts of another report on the same file."""
        for name, group in other.groups.items():
            mine = self.groups.setdefault(name, GroupReport(name))
            for key in ("passed", "failed", "skipped", "on_engine", "jobs", "cycles"):
                setattr(mine, key, getattr(mine, key) + getattr(group, key))
            mine.skip_reasons.update(group.skip_reasons)
            mine.failures += group.failures
