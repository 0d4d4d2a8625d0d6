"""What a run of the long campaigns has found: `--soak-summary FILE` (`make soak`).

Every result is kept in the build folder as soon as it is there. When the run ends, even if it is interrupted,
the file gets a row for each folder that is done, and the results of folders that are not. The file is
committed, so that a run goes on where another machine has stopped. A later run makes only the tests that are
left: those that have not passed, and those of folders whose sources have changed. A folder is done when a run
that collects all its tests finds none left; a run of one file or with -k only adds results.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.repo.levels import PYTHON_LEVELS

HARDWARE = ("rtl", "ucode", "sim", "regs", "configs.toml", "requirements.lock")
"""Sources that every campaign depends on."""
UNITS = tuple(f"rtl/{room}/" for room in ("mul", "modmul", "point", "link", "compare"))
"""RTL that no engine uses."""
OF_UNITS = {
    "mul", "modmul", "point", "link", "multipliers", "partition", "compare", "study", "energy", "sweep",
    "explore", "flow", "repo",
}  # fmt: skip
"""Folders whose tests use that RTL."""
CLUSTERS = ("rtl/dispatch/",)
"""RTL that no engine uses alone."""
OF_CLUSTERS = {
    "attacks", "boards", "bus", "cli", "configs", "dispatch", "driver", "ecp_turbo", "engine", "explore",
    "flow", "formal", "machine", "model", "provider", "repo", "rtlsim", "serve", "sweep", "system", "timing",
    "vectors",
}  # fmt: skip
"""Folders whose tests use clusters."""
BINARY = (
    "ucode/binary", "ucode/koblitz/", "ucode/double_and_add/",
    "eccelerate/rtlsim/measure_binary.py", "eccelerate/rtlsim/trace.py",
)  # fmt: skip
"""Microcode that binary engines alone use, and how the cycles of jobs and their parts are measured."""
OF_BINARY = (OF_CLUSTERS - {"ecp_turbo"}) | {
    "curves", "ecp_binary", "energy", "isa", "leakage", "maths", "partition", "ucode",
}  # fmt: skip
"""Folders whose tests use binary engines, or measure cycles of any engine by its events."""
OF_SOME = ((UNITS, OF_UNITS), (CLUSTERS, OF_CLUSTERS), (BINARY, OF_BINARY))
OF_SOFTWARE = {"boards", "bus", "cli", "driver", "flow", "maths", "provider", "serve", "system"}
"""Folders whose tests use the C software in sw/."""
BOOKKEEPING = ("tests/soak_summary.py", "tests/room_times.py")
"""Sources that keep results and decide none."""
HIGHEST = "vectors"
"""Tests use the Python rooms up to this level. A folder with the name of a higher room uses that one too."""


@cache
def listing() -> tuple[tuple[str, str], ...]:
    """Path and hash of every committed file."""
    from eccelerate import external  # as below: not before it is needed
    from eccelerate.configs.config import ROOT

    out = external.run(["git", "ls-tree", "-r", "HEAD"], cwd=ROOT, timeout=60).out.decode()
    rows = (line.split("\t", 1) for line in out.splitlines())
    return tuple((path, hashed) for hashed, path in rows)


def sources(folder: str) -> str:
    """Hash of the committed sources that decide the results of the tests in tests/<folder>."""
    levels = [rooms for rooms in PYTHON_LEVELS if HIGHEST in rooms or folder in rooms]
    rooms = {room for rooms in PYTHON_LEVELS[: PYTHON_LEVELS.index(levels[-1]) + 1] for room in rooms}
    own = (*HARDWARE, *(f"eccelerate/{room}" for room in rooms), f"tests/{folder}")
    own += ("sw",) * (folder in OF_SOFTWARE)
    unused = tuple(path for paths, folders in OF_SOME if folder not in folders for path in paths)
    used = [
        entry
        for entry in listing()
        if not entry[0].startswith(unused) and entry[0] not in BOOKKEEPING
        if entry[0].startswith(tuple(f"{path}/" for path in own))
        or entry[0] in own
        or (entry[0].startswith("tests/") and entry[0].count("/") == 1)
    ]
    return hashlib.sha256(repr(used).encode()).hexdigest()[:16]


def folder_of(test: str) -> str:
    """The folder of a test, by its pytest name."""
    return test.split("/")[1]


class SoakSummary:
    """Keeps results by test, and adds them up by folder. Only the process that starts the tests writes."""

    def __init__(self, file: Path, config: pytest.Config) -> None:
        # These take longer to import than most tests to run.
        from eccelerate.configs.config import ROOT, build_root
        from eccelerate.flow.store import commit

        self.file, self.commit = file, commit()
        self.changed = changed = self.commit.endswith("+")  # what such a run finds counts for no other run
        self.kept = build_root() / "soak" / f"results{'+' * changed}.jsonl"
        self.writes = not hasattr(config, "workerinput")
        stored = json.loads(file.read_text()) if file.is_file() and not changed else {}
        lines = self.kept.read_text().splitlines() if self.kept.is_file() and not changed else []
        results = (
            each
            for each in (*stored.get("results", ()), *map(json.loads, lines))
            if each["sources"] == sources(folder_of(each["test"]))
        )
        self.results: dict[str, dict[str, Any]] = {each["test"]: each for each in results}
        rows: dict[str, dict[str, Any]] = stored.get("folders", {})
        self.rows = {folder: row for folder, row in rows.items() if row["sources"] == sources(folder)}
        changed_since = {folder: row["tests"] for folder, row in rows.items() if folder not in self.rows}
        self.left: dict[str, int] = changed_since | stored.get("left", {})
        """Numbers of tests of folders that are not done, as far as a run has collected them."""
        self.tests = ROOT / "tests"
        self.paths = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
        self.whole = not config.getoption("keyword")
        self.collected = False
        self.selected: set[str] = set()
        """Tests that this run is to make."""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        passed = {test for test, result in self.results.items() if result["outcome"] == "passed"}
        folders = {folder for folder, row in self.rows.items() if not row["not_passed"]}
        done = [item for item in items if item.nodeid in passed or folder_of(item.nodeid) in folders]
        left = {item.nodeid for item in items} - {item.nodeid for item in done}
        items[:] = [item for item in items if item.nodeid in left]
        config.hook.pytest_deselected(items=done)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.selected |= {item.nodeid for item in session.items}
        self.collected = True

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        """The process that starts the tests collects none itself."""
        self.selected |= set(ids)
        self.collected = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.whole &= not report.failed  # a file that cannot be imported hides its tests

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and (self.results or self.rows):
            session.exitstatus = pytest.ExitCode.OK  # none is left

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not self.writes or (report.when != "call" and report.outcome == "passed"):
            return
        result = {"test": report.nodeid, "outcome": report.outcome, "seconds": round(report.duration, 1)}
        result |= {"date": datetime.now(UTC).isoformat(timespec="seconds"), **dict(report.user_properties)}
        result |= {"sources": sources(folder_of(report.nodeid)), "commit": self.commit}
        self.results[report.nodeid] = result
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        with self.kept.open("a") as kept:
            kept.write(json.dumps(result) + "\n")

    def collects(self, folder: str) -> bool:
        """Whether this run collects every test of a folder, and not one file or what -k selects."""
        place = self.tests / folder
        return self.whole and self.collected and any(path in (place, *place.parents) for path in self.paths)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        from eccelerate.explore.software import host

        if not self.writes:
            return
        if self.changed:
            terminalreporter.write_line(
                f"{self.file} is as before: the tree has changes that are not committed"
            )
            return
        left = Counter(folder_of(test) for test in self.selected - self.results.keys())
        selected = {folder_of(test) for test in self.selected}
        made: dict[str, list[dict[str, Any]]] = {}
        for _, result in sorted(self.results.items()):
            made.setdefault(folder_of(result["test"]), []).append(result)
        for folder, results in made.items():
            if left[folder] or not self.collects(folder) or (folder in self.rows and folder not in selected):
                continue
            latest = max(results, key=lambda result: result["date"])
            self.rows[folder] = {
                "tests": len(results),
                "packets": sum(result.get("packets", 0) for result in results),
                "seconds": round(sum(result["seconds"] for result in results), 1),
                "not_passed": [result["test"] for result in results if result["outcome"] != "passed"],
                **{key: latest[key] for key in ("commit", "date", "sources")},
                "host": host(),
            }
        other = {folder: number for folder, number in self.left.items() if not self.collects(folder)}
        unfinished = {folder: results for folder, results in made.items() if folder not in self.rows}
        record: dict[str, Any] = {
            "folders": dict(sorted(self.rows.items())),
            "left": dict(sorted((other | +left).items())),
            "results": [result for _, results in sorted(unfinished.items()) for result in results],
        }
        self.file.write_text(json.dumps(record, indent=1) + "\n")
        number = sum(record["left"].values())
        terminalreporter.write_line(
            f"wrote {self.file}: {len(self.rows)} folders are done; {number} tests are left"
        )
