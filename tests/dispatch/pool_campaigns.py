"""Campaigns for a dispatcher with pools. Each one raises AssertionError if the dispatcher is wrong."""

from __future__ import annotations

import random
from collections import Counter

from eccelerate.driver.cluster import ClusterOp
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status
from tests.dispatch.bench import (
    CURVE,
    IDS_PER_POOL,
    WIDTHS,
    Bench,
    Settings,
    account,
    hashed,
    jobs,
    own,
    pool_of,
    request,
)

POOLS = ((2, 4), (2, 1), (1, 1))
"""Number of engines, and of threads of each. The last pool that a curve id can name does not exist."""
IN_SERVICE = 1 << 16


def load_all(bench: Bench) -> None:
    """Load a curve in every pool. All engines of the pool answer."""
    for pool in range(len(bench.pools)):
        assert bench.load_curve(pool).status == Status.OK


def serving(bench: Bench) -> list[bool]:
    """For each engine, whether it is in service."""
    return [bool(bench.counters(e)[4] & IN_SERVICE) for e in range(bench.engines)]


def by_pool(values: list[int], bench: Bench) -> list[int]:
    """Sums over the engines of each pool."""
    sums, at = [], 0
    for count, _ in bench.pools:
        sums.append(sum(values[at : at + count]))
        at += count
    return sums


def routing(bench: Bench) -> None:
    """Jobs of all pools and of unknown pools in one stream: every engine gets only jobs of its own pool."""
    pools = len(bench.pools)
    for seed in range(3):
        rng = random.Random(seed)
        bench.set(Settings(20, 40, 30, (50, 800), rng.choice((100, 2047)), seed))
        load_all(bench)
        before = bench.jobs()
        packets = list(jobs(rng, 120, bad=0.2, pools=min(pools + 1, 4)))
        assert account(packets, bench.run(packets), pools=pools) == 0
        wanted = Counter(pool_of(packet) for packet in packets)
        got = by_pool([new - old for new, old in zip(bench.jobs(), before, strict=True)], bench)
        assert got == [wanted[pool] for pool in range(pools)]
        assert all(serving(bench))
    assert not any(bench.resets())


def keys_and_zeroise(bench: Bench) -> None:
    """A key counts only in its pool. ZEROISE, under any curve id and W, clears all keys and gets one
    response.
    """
    rng, pools = random.Random(1), len(bench.pools)
    bench.set(Settings(10, 10, 10, (50, 900)))
    load_all(bench)
    for round_ in range(4):
        loads = [request(Op.KEY_LOAD, 1, 50 + pool, 0, rng, pool) for pool in range(pools)]
        keys: dict[int, int | None] = {pool: hashed(load[2:]) for pool, load in enumerate(loads)}
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng, tag % pools) for tag in range(18)]
        answers = bench.run([*loads, *uses])
        assert [(a.op, a.status) for a in answers[:pools]] == [(Op.KEY_LOAD, Status.OK)] * pools
        assert account(uses, answers[pools:], key=keys, pools=pools) == 0
        wipe = Request(Op.ZEROISE, round_ * IDS_PER_POOL + CURVE, 9, 0, WIDTHS[round_]).words()
        (wiped, *answers) = bench.run([wipe, *uses])
        assert (wiped.op, wiped.tag, wiped.status) == (Op.ZEROISE, 9, Status.OK)
        assert account(uses, answers, pools=pools) == 0  # without a key


def one_pool_without_engines(bench: Bench) -> None:
    """Jobs for a pool without engines fail at once, and those for other pools do not. Only a new curve for
    this pool brings it back.
    """
    rng, pools = random.Random(2), len(bench.pools)
    bench.set(Settings(run=(50, 500)))
    load_all(bench)
    for engine in (2, 3):
        bench.run([own(ClusterOp.RESTART, engine)])
    packets = list(jobs(rng, 60, pools=pools))
    start = bench.clock
    answers = bench.run(packets, limit=300_000)
    failed = [packet for packet in packets if pool_of(packet) == 1]
    assert account(packets, answers, faults=len(failed), pools=pools) == len(failed)
    assert bench.clock - start < 100_000
    (answer,) = bench.run([request(Op.KEY_LOAD, 1, pool=1)])
    assert answer.status == Status.ENGINE_FAULT
    for pool in (0, 2):
        assert bench.load_curve(pool).status == Status.OK
    assert serving(bench) == [True, True, False, False, True]
    assert bench.load_curve(1).status == Status.OK
    assert all(serving(bench))
    assert account(packets, bench.run(packets), pools=pools) == 0


def unknown_pools(bench: Bench) -> None:
    """A packet for a pool that does not exist gets BAD_CURVE and has no effect."""
    bench.set(Settings())
    load_all(bench)
    before = bench.jobs()
    ops: tuple[int, ...] = (Op.MUL, Op.KEY_LOAD, Op.KEYGEN, Op.SELF_TEST, Op.CURVE_LOAD, 0xFF, *ClusterOp)
    ids = [len(bench.pools) * IDS_PER_POOL + engine for engine in range(bench.engines)]
    packets = [
        Request(op, id_, 9, 0, 8, operands).words() for operands in ((), (5,)) for op in ops for id_ in ids
    ]
    packets += [packet[:1] for packet in packets[:3]]
    answers = bench.run(packets)
    assert {(a.status, a.tag, a.words) for a in answers} == {(Status.BAD_CURVE, 9, ())}
    assert Counter(a.op for a in answers) == Counter(packet[0] & 0xFF for packet in packets)
    assert bench.jobs() == before and not any(bench.resets()) and all(serving(bench))


def lone_jobs(bench: Bench) -> None:
    """Engines of one thread get one job at a time, even if another pool has engines with more threads."""
    bench.set(Settings(run=(9000, 9000), wait=2047))
    load_all(bench)
    before = bench.jobs()
    packets = [request(Op.MUL, 3, tag, pool=1) for tag in range(2)]
    answers = bench.run(packets)
    assert account(packets, answers, pools=len(bench.pools)) == 0
    assert [new - old for new, old in zip(bench.jobs(), before, strict=True)] == [0, 0, 1, 1, 0]
    assert answers[1].clock - answers[0].clock < 2000
