"""CPU time of each test room, including the tools that it starts: `--room-times FILE` (`make test-times`)."""

from __future__ import annotations

import json
import os
import platform
from collections import Counter
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent


def cpu_seconds() -> float:
    """User and system time of this process, and of the processes that it started and that have ended."""
    return sum(os.times()[:4])


class RoomTimes:
    """Adds up the time of each test. Under xdist each worker adds up its own tests and passes on the sums."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        before = cpu_seconds()
        result = yield
        self.seconds[item.path.relative_to(TESTS).parts[0]] += cpu_seconds() - before
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["room_times"] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.seconds.update(getattr(node, "workeroutput", {}).get("room_times", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from eccelerate.explore.software import host  # these take longer to import than most tests to run
        from eccelerate.flow.store import commit

        rooms = {room: round(seconds, 1) for room, seconds in self.seconds.most_common()}
        total = round(sum(self.seconds.values()), 1)
        record = {"commit": commit(), "date": datetime.now(UTC).isoformat(timespec="seconds")}
        record |= {"host": host(), "python": platform.python_version()}
        self.file.write_text(json.dumps(record | {"cpu_seconds": rooms, "total": total}, indent=1) + "\n")
        terminalreporter.section("CPU seconds of each room")
        for room, seconds in (rooms | {"total": total}).items():
            terminalreporter.write_line(f"{room:<16}{seconds:>9.1f}")
