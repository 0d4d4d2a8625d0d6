"""Runs a sweep on the machines of a Dask cluster.

This process claims the points and stores the results; the machines of the cluster only measure, so they need
this version of the repository but not the store. If a Dask worker dies, Dask gives its points to another one.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from eccelerate.explore.sweep.sweep_claims import Claim, Worker
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_pool import State, Watch
from eccelerate.explore.sweep.sweep_run import Outcome, run_point
from eccelerate.explore.sweep.sweep_store import StoreError, SweepStore
from eccelerate.explore.sweep.sweep_worker import POLL_S, Run, keep_outcome

if TYPE_CHECKING:
    from distributed import Client, Future

MISSING = "--cluster needs the package `distributed`: pip install 'eccelerate[cluster]'"
CONNECT_S = 30
AHEAD = 2
"""Points that are sent to the cluster for each of its threads, so that none waits for this process."""


def run_remote(run: Run, text: str, key: str) -> dict[str, Any]:
    """What a machine of the cluster does: measure a point, and return what came of it."""
    return asdict(run(Point.parse(text), key))


def run_cluster(store: SweepStore, sweep: str, address: str, run: Run = run_point) -> Iterator[State]:
    """Run a sweep on the cluster at `address`, and yield its state after every change. Raises StoreError if
    there is no cluster there.
    """
    if find_spec("distributed") is None:
        raise StoreError(MISSING)
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise StoreError(f"no Dask scheduler answers at {address}: {error}") from error
    with client, client.as_current(), Worker(store) as worker:
        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError as error:
            raise StoreError(f"the Dask scheduler at {address} has no worker") from error
        yield from _run(client, worker, sweep, run)


def _run(client: Client, worker: Worker, sweep: str, run: Run) -> Iterator[State]:
    from distributed import wait

    watch = Watch(worker.store, sweep)
    sent: dict[Future, Claim] = {}
    try:
        while True:
            threads = sum(client.nthreads().values())
            while len(sent) < AHEAD * max(1, threads) and (claim := worker.claim(sweep)):
                sent[client.submit(run_remote, run, claim.point.text, claim.key, pure=False)] = claim
            if not sent and not worker.unfinished(sweep):
                break
            if sent:
                with contextlib.suppress(TimeoutError):
                    wait(list(sent), timeout=1, return_when="FIRST_COMPLETED")
            else:
                time.sleep(POLL_S)  # other processes measure the rest; they may die
            for future in [each for each in sent if each.done()]:
                keep_outcome(worker, sent.pop(future), _outcome(future))
            look = watch.look(threads)
            if look.state.finished:
                yield look.state
    finally:
        for claim in sent.values():
            worker.release(claim)
        client.cancel(list(sent))
    yield watch.look(1).state


def _outcome(future: Future) -> Outcome:
    """What a machine has returned. Dask gives a point up with which several machines died: it has failed."""
    error = future.exception()
    if error is not None:
        return Outcome(None, 0.0, f"{type(error).__name__}: {error}", str(error))
    return Outcome(**future.result())
