"""The summary of the long campaigns: kept by `--soak-summary`, shown on docs/results/campaigns.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eccelerate.configs.config import ROOT, load_configs
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages.campaigns import campaigns
from tests import soak_summary
from tests.soak_summary import CLUSTERS, OF_CLUSTERS, OF_UNITS, UNITS, SoakSummary

TESTS = ("tests/bus/test_a.py::one", "tests/bus/test_a.py::two", "tests/engine/test_b.py::three")


def summary(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    commit: str = "0123456789ab",
    sources: str = "one",
    arguments: tuple[str, ...] = ("tests",),
    keyword: str = "",
) -> SoakSummary:
    monkeypatch.setenv("ECCEL_BUILD", str(folder / "build"))
    monkeypatch.setattr("eccelerate.flow.store.commit", lambda: commit)
    monkeypatch.setattr("tests.soak_summary.sources", lambda folder: f"{sources} of {folder}")
    config = SimpleNamespace(
        args=arguments, invocation_params=SimpleNamespace(dir=ROOT), getoption={"keyword": keyword}.get
    )
    return SoakSummary(folder / "soak.json", config)  # type: ignore[arg-type]


def report(kept: SoakSummary, test: str, outcome: str = "passed", **properties: int) -> None:
    kept.pytest_runtest_logreport(
        SimpleNamespace(  # type: ignore[arg-type]
            nodeid=test, outcome=outcome, when="call", duration=60.0, user_properties=list(properties.items())
        )
    )


def left(kept: SoakSummary) -> list[str]:
    """The tests that a run makes."""
    items: Any = [SimpleNamespace(nodeid=test) for test in TESTS]
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    kept.pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)  # type: ignore[arg-type]
    kept.pytest_collection_finish(SimpleNamespace(items=items))  # type: ignore[arg-type]
    return [item.nodeid for item in items]


def finish(kept: SoakSummary) -> str:
    """The last line of a run's summary, after which its file is written."""
    lines: list[str] = []
    kept.pytest_terminal_summary(SimpleNamespace(write_line=lines.append), pytest.ExitCode.OK)  # type: ignore[arg-type]
    return lines[-1]


def test_an_interrupted_run_continues_with_the_same_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any commit; but nothing counts if the tree has changes that are not committed."""
    first = summary(tmp_path, monkeypatch)
    report(first, TESTS[0], packets=1000)
    report(first, TESTS[1], "failed")
    assert left(summary(tmp_path, monkeypatch)) == list(TESTS[1:])
    assert left(summary(tmp_path, monkeypatch, "ba9876543210")) == list(TESTS[1:])
    assert left(summary(tmp_path, monkeypatch, sources="two")) == list(TESTS)
    changed = summary(tmp_path, monkeypatch, "0123456789ab+")
    report(changed, TESTS[2])
    assert left(summary(tmp_path, monkeypatch, "0123456789ab+")) == list(TESTS)
    assert left(summary(tmp_path, monkeypatch)) == list(TESTS[1:])


def test_a_result_counts_until_something_changes_that_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The RTL and the driver decide all results, the software in C and the command line only some."""

    def changed(path: str) -> list[str]:
        hashes = []
        for number in "12":
            files = [("rtl/a.sv", "0"), ("eccelerate/driver/b.py", "0"), ("eccelerate/cli/c.py", "0")]
            files += [
                ("sw/g.c", "0"),
                ("tests/soak_summary.py", "0"),
                ("tests/engine/h.py", "0"),
                ("tests/bus/d.py", "0"),
                ("tests/cli/e.py", "0"),
                ("tests/f.py", "0"),
                ("README.md", "0"),
            ]
            listing = tuple((name, number if name == path else hashed) for name, hashed in files)
            monkeypatch.setattr(soak_summary, "listing", lambda listing=listing: listing)
            hashes.append([soak_summary.sources(folder) for folder in folders])
        return [folder for folder, one, two in zip(folders, *hashes, strict=True) if one != two]

    folders = ("bus", "cli", "engine")

    for path in ("rtl/a.sv", "eccelerate/driver/b.py", "tests/f.py"):
        assert changed(path) == ["bus", "cli", "engine"]
    assert changed("sw/g.c") == ["bus", "cli"]
    assert changed("eccelerate/cli/c.py") == changed("tests/cli/e.py") == ["cli"]
    assert changed("tests/bus/d.py") == ["bus"]
    assert changed("README.md") == changed("tests/soak_summary.py") == []


def test_the_page_adds_up_the_rooms_and_names_what_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = Stores.at(tmp_path)
    assert campaigns(stores) == "No run is stored."
    kept = summary(tmp_path, monkeypatch)
    left(kept)
    report(kept, TESTS[0], packets=25_000)
    report(kept, TESTS[2], packets=25_000)
    assert "1 folders are done; 1 tests are left" in finish(kept)
    text = campaigns(stores)
    assert "(tests that are left): `tests/bus` (1)" in text and "| `tests/bus` |" not in text
    report(kept, TESTS[1], "failed")
    assert "2 folders are done; 0 tests are left" in finish(kept)
    text = campaigns(stores)
    assert f"- not passed: `{TESTS[1]}`" in text and "are left" not in text
    assert "| `tests/bus` | 2 | 25,000 | 2.0 |" in text and "| `tests/engine` | 1 | 25,000 | 1.0 |" in text


def test_a_folder_is_done_after_a_run_that_collects_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was interrupted in a folder leaves it undone, also if later runs are of other folders."""
    first = summary(tmp_path, monkeypatch)
    left(first)
    report(first, TESTS[0])
    assert "0 folders are done; 2 tests are left" in finish(first)
    for arguments, keyword in (
        (("tests/engine/test_b.py",), ""),
        (("tests/engine/test_b.py::three",), ""),
        (("tests/engine",), "three"),
    ):
        part = summary(tmp_path, monkeypatch, arguments=arguments, keyword=keyword)
        left(part)
        report(part, TESTS[2])
        assert "0 folders are done" in finish(part)
    assert "0 folders are done" in finish(summary(tmp_path, monkeypatch)), "it ended before it had collected"
    broken = summary(tmp_path, monkeypatch)
    broken.pytest_collectreport(SimpleNamespace(failed=True))  # type: ignore[arg-type]
    left(broken)
    assert "0 folders are done" in finish(broken)
    whole = summary(tmp_path, monkeypatch, arguments=("tests/engine",))
    left(whole)
    assert "1 folders are done; 1 tests are left" in finish(whole)
    assert json.loads(whole.file.read_text())["folders"].keys() == {"engine"}
    whole.kept.unlink()
    assert left(summary(tmp_path, monkeypatch)) == [TESTS[1]], "its results are in the file"
    later = summary(tmp_path, monkeypatch, sources="two", arguments=("tests/bus",))
    left(later)
    finish(later)
    assert json.loads(later.file.read_text())["left"].keys() == {"bus", "engine"}


def test_another_machine_goes_on_with_the_rooms_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = summary(tmp_path, monkeypatch)
    left(kept)
    report(kept, TESTS[0])
    report(kept, TESTS[2])
    finish(kept)
    kept.kept.unlink()
    assert left(summary(tmp_path, monkeypatch)) == [TESTS[1]]
    assert left(summary(tmp_path, monkeypatch, sources="two")) == list(TESTS)
    changed = summary(tmp_path, monkeypatch, "0123456789ab+")
    assert left(changed) == list(TESTS)
    report(changed, TESTS[0])
    before = kept.file.read_text()
    assert "not committed" in finish(changed) and kept.file.read_text() == before
    again = summary(tmp_path, monkeypatch)
    left(again)
    for test in TESTS[:2]:
        report(again, test)
    assert "2 folders are done; 0 tests are left" in finish(again)
    assert json.loads(again.file.read_text())["folders"].keys() == {"bus", "engine"}
    again.kept.unlink()
    last = summary(tmp_path, monkeypatch)
    assert left(last) == []
    session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.NO_TESTS_COLLECTED)
    last.pytest_sessionfinish(session, session.exitstatus)
    assert session.exitstatus == pytest.ExitCode.OK


def test_rtl_that_counts_for_some_folders_is_in_no_engine() -> None:
    """So a change of it leaves the results of an engine's campaigns as they are."""
    alone = {config.top for config in load_configs().values() if not config.engines}
    clusters = {config.top for config in load_configs().values() if config.engines}
    used = {path.relative_to(ROOT).as_posix() for top in alone for path in reached_files(top)}
    used_by_clusters = {path.relative_to(ROOT).as_posix() for top in clusters for path in reached_files(top)}
    assert len(used) > 50 and not any(path.startswith((*UNITS, *CLUSTERS)) for path in used)
    assert not any(path.startswith(UNITS) for path in used_by_clusters)
    assert all((ROOT / "tests" / folder).is_dir() for folder in OF_UNITS | OF_CLUSTERS)


def test_a_folder_without_clusters_names_none() -> None:
    folders = {path for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name not in OF_CLUSTERS}
    files = [file for folder in folders for file in folder.rglob("*.py")]
    assert len(files) > 50
    assert [file.name for file in files if re.search("cluster|dispatch", file.read_text())] == []
