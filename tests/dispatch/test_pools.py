"""Pools of different engines: jobs go to the pool of their curve id, and faults are isolated per pool."""

from __future__ import annotations

import random

import pytest

from eccelerate.model.jobs import Flag, Op, Status
from tests.dispatch.bench import (
    IDS_PER_POOL,
    WIDTHS,
    Bench,
    Break,
    Settings,
    account,
    disorder,
    hashed,
    jobs,
    pool_of,
    request,
)
from tests.dispatch.pool_campaigns import (
    POOLS,
    by_pool,
    keys_and_zeroise,
    load_all,
    lone_jobs,
    one_pool_without_engines,
    routing,
    serving,
    unknown_pools,
)

CAMPAIGNS = (routing, keys_and_zeroise, one_pool_without_engines, unknown_pools, lone_jobs)


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda campaign: campaign.__name__)
def test_pools(campaign) -> None:
    """Runs each of the campaigns that mutants must fail (test_pool_mutants)."""
    campaign(Bench(pools=POOLS))


def test_four_pools() -> None:
    """With four pools every curve id belongs to a pool."""
    routing(Bench(pools=((1, 2), (2, 1), (1, 1), (2, 4))))


@pytest.mark.parametrize("how", [Break.STUCK, Break.WRONG_TAG])
def test_a_broken_engine_harms_its_own_pool_only(how: Break) -> None:
    """The other engines of its pool go on. A curve of another pool does not bring it back, but one of its own
    does.
    """
    for seed in range(2):
        rng = random.Random(f"{how} {seed}")
        bench = Bench(pools=POOLS)
        bench.set(Settings(0, 20, 20, (50, 500), rng.choice((100, 2047)), seed))
        load_all(bench)
        bench.breaks(2, how, rng.randrange(4))
        packets = list(jobs(rng, 90, bad=0.1, pools=len(POOLS)))
        answers = bench.run(packets)
        account(packets, answers, faults=1, pools=len(POOLS))
        assert bench.resets() == [0, 0, 1, 0, 0]
        assert serving(bench) == [True, True, False, True, True]
        for pool in (0, 2):
            bench.load_curve(pool)
        assert not serving(bench)[2]
        bench.load_curve(1)
        assert all(serving(bench))
        packets = list(jobs(rng, 30, pools=len(POOLS)))
        assert account(packets, bench.run(packets), pools=len(POOLS)) == 0


def test_pools_do_not_wait_for_each_other() -> None:
    """While an engine of one pool is stuck, those of other pools answer the jobs that the queue has for
    them.
    """
    rng = random.Random(4)
    bench = Bench(pools=POOLS)
    bench.set(Settings(run=(100, 100), wait=100))
    load_all(bench)
    bench.breaks(4, Break.STUCK)
    others = [request(Op.MUL, 3, 1 + i, 0, rng, i % 2) for i in range(60)]
    packets = [request(Op.MUL, 3, 0, 0, rng, 2), *others]
    answers = bench.run(packets)
    assert account(packets, answers, faults=1, pools=len(POOLS)) == 1
    assert (answers[-1].tag, answers[-1].status) == (0, Status.ENGINE_FAULT)
    assert answers[-2].clock < answers[-1].clock - 10000


def test_groups_of_a_pool_are_filled_in_a_mixed_stream() -> None:
    rng = random.Random(5)
    bench = Bench(pools=((2, 4), (2, 1)))
    bench.set(Settings(run=(8000, 8000)))
    load_all(bench)
    before = bench.groups()
    packets = [request(Op.MUL, 3, tag, 0, rng, int(tag % 5 == 4)) for tag in range(100)]
    assert account(packets, bench.run(packets), pools=2) == 0
    groups = [new - old for new, old in zip(bench.groups(), before, strict=True)]
    assert by_pool(groups, bench) == [20, 20]


def test_counters_tell_pool_and_threads() -> None:
    bench = Bench(pools=POOLS)
    bench.set(Settings())
    states = [bench.counters(engine)[4] for engine in range(bench.engines)]
    each = [(pool, threads) for pool, (count, threads) in enumerate(POOLS) for _ in range(count)]
    assert states == [pool << 24 | 1 << 16 | threads << 8 | bench.engines for pool, threads in each]


def test_a_random_key_is_the_same_in_every_engine_of_its_pool() -> None:
    """The key of another pool does not change."""
    rng = random.Random(6)
    bench = Bench(pools=POOLS)
    bench.set(Settings(eng_stall=40, run=(20, 400)))
    load_all(bench)
    keys: dict[int, int | None] = {}
    for round_ in range(6):
        pool = round_ % len(POOLS)
        (made,) = bench.run([request(Op.KEYGEN, 0, 3, Flag.RANDOM, pool=pool)])
        assert made.status == Status.OK and len(made.words) == 2 * WIDTHS[pool]
        keys[pool] = made.words[0]
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng, tag % len(POOLS)) for tag in range(18)]
        assert account(uses, bench.run(uses), key=keys, pools=len(POOLS)) == 0


def test_everything_at_once_in_pools() -> None:
    """Failures, restarts, keys, zeroising, unknown pools and malformed packets in one stream."""
    for seed in range(3):
        rng = random.Random(seed)
        bench = Bench(pools=POOLS)
        stalls = (rng.choice((0, 30, 80)), rng.choice((0, 20, 70)), rng.choice((0, 20, 60)))
        bench.set(Settings(*stalls, (20, rng.choice((60, 3000))), rng.choice((100, 2047)), seed))
        for _ in range(3):
            load_all(bench)
            disorder(bench, rng, len(POOLS))
        assert not bench.busy


def test_the_key_of_the_model_is_of_its_pool() -> None:
    """The account of packets also distinguishes pools."""
    use = request(Op.ECDH, 2, 1, Flag.KEY, pool=1)
    assert pool_of(use) == 1 and use[0] >> 8 & 0xFF == IDS_PER_POOL + 1
    with pytest.raises(AssertionError):
        bench = Bench(pools=POOLS)
        bench.set(Settings())
        load_all(bench)
        load = request(Op.KEY_LOAD, 1, pool=1)
        bench.run([load])
        account([use], bench.run([use]), key={0: hashed(load[2:])}, pools=len(POOLS))
