"""A sweep on a Dask cluster whose worker dies."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from eccelerate.explore.sweep import sweep_dask, sweep_worker
from eccelerate.explore.sweep.sweep_dask import run_cluster
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore
from tests.sweep.sweeping import ROOT, SECONDS, ended, points, pretended, results, start_worker, wait_until

COUNT = 16


def test_a_worker_that_dies_loses_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers; one is killed while it measures. All results are there, as one process makes them."""
    from distributed import LocalCluster

    monkeypatch.setattr(sweep_worker, "point_commit", lambda point: "a commit")
    monkeypatch.setenv(SECONDS, "0.25")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    store = SweepStore(tmp_path / "store.sqlite")
    sweep = store.plan(points(COUNT))
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        first = next(iter(cluster.workers.values()))
        victim = first.process.process.pid
        killed = []

        def kill() -> None:
            other = SweepStore(store.path)
            wait_until(lambda: other.counts(sweep)["done"] >= 3)
            os.kill(victim, signal.SIGKILL)
            killed.append(other.counts(sweep)["done"])

        thread = threading.Thread(target=kill)
        thread.start()
        states = list(run_cluster(store, sweep, cluster.scheduler_address, pretended))
        thread.join()
    assert killed and killed[0] < COUNT - 1, "killed too late for this test"
    assert states[-1].done == COUNT - 1 and states[-1].failed == 1
    alone = SweepStore(tmp_path / "alone.sqlite")
    ended([start_worker(alone.path, alone.plan(points(COUNT)), **{SECONDS: "0"})])
    assert results(store) == results(alone)


def test_no_cluster_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_dask, "CONNECT_S", 1)
    store = SweepStore(tmp_path / "store.sqlite")
    sweep = store.plan(points(1))
    with pytest.raises(StoreError, match="no Dask scheduler answers"):
        list(run_cluster(store, sweep, "tcp://127.0.0.1:9", pretended))
    monkeypatch.setattr(sweep_dask, "find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r"eccelerate\[cluster\]"):
        list(run_cluster(store, sweep, "tcp://127.0.0.1:9", pretended))
