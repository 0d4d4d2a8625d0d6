"""What a run of the long campaigns has found: `--soak-summary FILE` (`make soak`).

Every result is kept in the build folder as soon as it is there. A run that was interrupted continues with the
tests that are left, as long as nothing in SOURCES has changed. The file is written when no test is left.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

SOURCES = ("rtl", "ucode", "sim", "regs", "eccelerate", "tests", "configs.toml", "requirements.lock")
"""What decides the results. A commit that changes other files continues the run."""


def sources() -> str:
    """Hash of the committed sources."""
    from eccelerate import external  # as below: not before it is needed
    from eccelerate.configs.config import ROOT

    listing = external.run(["git", "ls-tree", "HEAD", *SOURCES], cwd=ROOT, timeout=60)
    return hashlib.sha256(listing.out).hexdigest()[:16]


class SoakSummary:
    """Keeps results by test, and adds them up by folder. Only the process that starts the tests writes."""

    def __init__(self, file: Path, config: pytest.Config) -> None:
        from eccelerate.configs.config import build_root  # this takes longer to import than most tests to run
        from eccelerate.flow.store import commit

        self.file, self.commit = file, commit()
        changed = self.commit.endswith("+")  # what such a run finds counts for no other run
        self.kept = build_root() / "soak" / f"{sources()}{'+' * changed}.jsonl"
        self.writes = not hasattr(config, "workerinput")
        lines = self.kept.read_text().splitlines() if self.kept.is_file() and not changed else []
        self.results: dict[str, dict[str, Any]] = {each["test"]: each for each in map(json.loads, lines)}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        passed = {test for test, result in self.results.items() if result["outcome"] == "passed"}
        done = [item for item in items if item.nodeid in passed]
        items[:] = [item for item in items if item.nodeid not in passed]
        config.hook.pytest_deselected(items=done)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.results:
            session.exitstatus = pytest.ExitCode.OK  # none is left

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not self.writes or (report.when != "call" and report.outcome == "passed"):
            return
        result = {"test": report.nodeid, "outcome": report.outcome, "seconds": round(report.duration, 1)}
        result |= {"date": datetime.now(UTC).isoformat(timespec="seconds"), **dict(report.user_properties)}
        self.results[report.nodeid] = result
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        with self.kept.open("a") as kept:
            kept.write(json.dumps(result) + "\n")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        from eccelerate.explore.software import host

        if not self.writes:
            return
        whole = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
        if exitstatus not in whole:
            terminalreporter.write_line(f"interrupted: `make soak` continues ({self.kept})")
            return
        results = list(self.results.values())
        outcomes = Counter(each["outcome"] for each in results)
        folders: dict[str, dict[str, float]] = {}
        for each in results:
            folder = folders.setdefault(each["test"].split("/")[1], {"tests": 0, "seconds": 0, "packets": 0})
            folder["tests"] += 1
            folder["seconds"] = round(folder["seconds"] + each["seconds"], 1)
            folder["packets"] += each.get("packets", 0)
        record = {
            "commit": self.commit,
            "date": max((each["date"] for each in results), default=""),
            "host": host(),
            "outcomes": dict(sorted(outcomes.items())),
            "not_passed": sorted(each["test"] for each in results if each["outcome"] != "passed"),
            "folders": dict(sorted(folders.items())),
        }
        self.file.write_text(json.dumps(record, indent=1) + "\n")
        terminalreporter.write_line(f"wrote {self.file}: {dict(outcomes)}")
