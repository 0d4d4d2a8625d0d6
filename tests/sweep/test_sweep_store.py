"""Claims and results: nothing is lost or doubled, whoever dies when."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from eccelerate.explore.sweep import sweep_claims
from eccelerate.explore.sweep.sweep_claims import MAX_ATTEMPTS, Worker, is_alive, worker_id
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore, insert_result
from eccelerate.explore.sweep.sweep_worker import keep_outcome, result_record, work
from tests.sweep.sweeping import FATAL, SECONDS, ended, points, pretended, results, start_worker, wait_until

FAILING = 13
COUNT = 200


@pytest.fixture
def store(tmp_path: Path) -> SweepStore:
    return SweepStore(tmp_path / "store.sqlite")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> SweepStore:
    """A store that one worker has filled without interruption."""
    store = SweepStore(tmp_path_factory.mktemp("alone") / "store.sqlite")
    ended([start_worker(store.path, store.plan(points(COUNT)), **{SECONDS: "0.001"})])
    return store


def test_one_worker_measures_every_point_once_and_keeps_the_failure(alone: SweepStore) -> None:
    sweep = alone.plan(points(COUNT))
    assert alone.counts(sweep) == {"open": 0, "claimed": 0, "done": COUNT - 1, "failed": 1}
    assert len(results(alone)) == COUNT - 1
    assert alone.rows("SELECT count(*) AS n FROM run")[0]["n"] == COUNT
    failure = alone.failures(sweep)[0]
    assert (failure["error"], failure["log"]) == ("13 bits fail", "line 1\nline 2\n")


def test_two_hundred_points_survive_kill_9(store: SweepStore, alone: SweepStore) -> None:
    """Two workers are killed in the middle of a run; two others go on. Every result is there once, and each
    killed worker has cost one run at most.
    """
    sweep = store.plan(points(COUNT))
    workers = [start_worker(store.path, sweep, **{SECONDS: "0.01"}) for _ in range(2)]
    wait_until(lambda: store.counts(sweep)["done"] > 20)
    for process in workers:
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = store.counts(sweep)
    assert 0 < left["done"] < COUNT - 1, "the workers were killed too late for this test"
    ended([start_worker(store.path, sweep, **{SECONDS: "0.001"}) for _ in range(2)])
    assert results(store) == results(alone)
    runs = store.rows("SELECT key, count(*) AS n FROM run GROUP BY key HAVING n > 1")
    assert sum(row["n"] - 1 for row in runs) <= len(workers)
    assert store.counts(sweep) == alone.counts(alone.plan(points(COUNT)))


def test_two_processes_give_the_store_of_one(store: SweepStore, alone: SweepStore) -> None:
    sweep = store.plan(points(COUNT))
    shares = ended([start_worker(store.path, sweep, **{SECONDS: "0.005"}) for _ in range(2)])
    assert sum(shares) == COUNT and min(shares) > 0
    assert results(store) == results(alone)
    assert store.rows("SELECT count(*) AS n FROM run")[0]["n"] == COUNT


def test_a_claim_without_a_check_of_the_worker_would_be_lost(
    store: SweepStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above: if dead workers counted as alive, their points would never come back."""
    sweep = store.plan(points(1))
    claimed = Worker(store, id="elsewhere/1/1").claim(sweep)
    assert claimed is not None
    monkeypatch.setattr(sweep_claims, "is_alive", lambda worker, beat: True)
    assert Worker(store).claim(sweep) is None
    monkeypatch.undo()
    assert Worker(store).claim(sweep) is not None


def test_a_point_that_kills_its_workers_fails_in_the_end(store: SweepStore) -> None:
    sweep = store.plan(points(3))
    for _ in range(MAX_ATTEMPTS):
        process = start_worker(store.path, sweep, **{FATAL: "shift-add-3"})
        assert process.wait(60) == -signal.SIGKILL
    ended([start_worker(store.path, sweep)])
    assert store.counts(sweep) == {"open": 0, "claimed": 0, "done": 2, "failed": 1}
    assert "died" in store.failures(sweep)[0]["error"]


def test_a_told_worker_gives_its_point_back(store: SweepStore) -> None:
    def stopped(point: object, key: str) -> None:
        raise KeyboardInterrupt

    sweep = store.plan(points(1))
    with pytest.raises(KeyboardInterrupt):
        work(store.path, sweep, stopped)  # type: ignore[arg-type]
    assert store.counts(sweep)["open"] == 1
    assert store.rows("SELECT attempts FROM point") == [{"attempts": 0}]
    assert store.rows("SELECT outcome FROM run") == [{"outcome": "stopped"}]


def test_what_has_failed_is_measured_again_only_on_request(alone: SweepStore, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(copy) as target:
        alone.connection.backup(target)
    store = SweepStore(copy)
    sweep = store.plan(points(COUNT))
    assert work(copy, sweep, pretended) == 0
    assert store.retry_failed(sweep) == 1
    assert work(copy, sweep, pretended) == 1
    assert store.counts(sweep)["failed"] == 1


def test_the_first_of_two_results_stays(store: SweepStore) -> None:
    """A worker that was silent for long may come back with a result that another one has stored meanwhile."""
    (key, point), *_ = points(1).items()
    sweep = store.plan({key: point})
    slow, fast = Worker(store, id="elsewhere/1/1"), Worker(store)
    first = slow.claim(sweep)
    second = fast.claim(sweep)
    assert first and second and second.key == key
    keep_outcome(fast, second, pretended(point, key))
    before = results(store)
    late = result_record(key, point, pretended(point, key))
    slow.done(first, {**late, "figures": {"lut4": 999}})
    assert results(store) == before
    slow.failed(first, "late", "")
    assert store.counts(sweep)["done"] == 1


def test_life_is_told_from_process_and_start() -> None:
    mine = worker_id()
    assert is_alive(mine, 0)
    host, pid, started = mine.rsplit("/", 2)
    assert not is_alive(f"{host}/{pid}/{int(started) - 1}", time.time()), "a process with a used number"
    assert is_alive(f"elsewhere/{pid}/1", time.time())
    assert not is_alive(f"elsewhere/{pid}/1", time.time() - 10 * sweep_claims.STALE_S)
    assert os.getpid() == int(pid)


def test_a_result_and_its_point_are_stored_together(store: SweepStore) -> None:
    """A crash between the two statements of `done` leaves neither."""
    (key, point), *_ = points(1).items()
    sweep = store.plan({key: point})
    record = result_record(key, point, pretended(point, key))
    with pytest.raises(RuntimeError, match="crash"), store.writing() as write:
        assert insert_result(write, record, "explore")
        raise RuntimeError("crash")
    assert results(store) == [] and store.counts(sweep)["done"] == 0


def test_a_point_with_a_result_is_not_measured_again(store: SweepStore) -> None:
    (key, point), *_ = points(1).items()
    with store.writing() as write:
        insert_result(write, result_record(key, point, pretended(point, key)), "explore.jsonl")
    assert store.counts(store.plan({key: point}))["done"] == 1
    with store.writing() as write:
        write.execute("DELETE FROM result")
    assert store.counts(store.plan({key: point}))["open"] == 1


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.sqlite"
    file.write_text("no store at all, but long enough to have a header of its own\n" * 20)
    with pytest.raises(StoreError, match="no store"):
        SweepStore(file).plan({})
    later = SweepStore(tmp_path / "later.sqlite")
    later.plan({})
    later.connection.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(StoreError, match="version 99"):
        later.plan({})


def test_the_schema_of_the_page_is_that_of_the_store(store: SweepStore, root: Path) -> None:
    """Every table and view of the store is on the page about it."""
    text = (root / "docs" / "explore.md").read_text()
    names = store.rows(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'"
    )
    assert [row["name"] for row in names if f"`{row['name']}`" not in text] == []
    assert json.loads(store.rows("SELECT json('[1]') AS j")[0]["j"]) == [1], "SQLite without JSON"
