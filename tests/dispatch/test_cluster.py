"""A cluster of real engines loses, duplicates and swaps no response."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from eccelerate.cli.batch import figures, run_batch
from eccelerate.cli.batch_file import read_batch
from eccelerate.cli.stored import Clock
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.cluster import all_counters, counters
from eccelerate.model import point
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.rtl import RtlTransport
from tests.dispatch.campaign import Campaign


def test_jobs_through_two_engines() -> None:
    campaign = Campaign("P-192", 0, 2, 2)
    for restarts in (0, 1, 0, 2):
        campaign.run(90, restarts)
    assert campaign.tally.by_openssl > 50
    states = all_counters(campaign.rtl)
    assert [s.resets for s in states] == [s.resets for s in states if not s.in_service]
    assert sum(s.resets for s in states) == 3


def test_driver_stream_and_counters() -> None:
    campaign = Campaign("P-192", 0, 2, 2)
    engine, seen = Engine(campaign.rtl), []
    engine.load_curve(campaign.curve)
    scalars = list(range(1, 13))
    answers = engine.submit_many(Op.BASE_MUL, [(k,) for k in scalars], progress=seen.append)
    assert sorted(index for index, _ in answers) == list(range(12))
    for index, job in answers:
        assert job.point == point.base_mul(campaign.curve, scalars[index])
    ends = [job.cycles or 0 for _, job in answers]
    assert ends == sorted(ends) and seen == sorted(seen)
    assert [state.jobs for state in all_counters(campaign.rtl)] == [7, 7]  # and the curve
    state = counters(campaign.rtl, 1, restart=True)
    assert (state.engines, state.threads, state.in_service) == (2, 2, False)
    assert engine.mul(3, campaign.curve.generator).ok
    campaign.run(20)
    assert all(state.in_service for state in all_counters(campaign.rtl))


def test_a_file_of_jobs(tmp_path: Path) -> None:
    """`eccel run --batch` on a cluster gives the figures of the stream and the utilisation of each engine."""
    campaign = Campaign("P-192", 0, 2, 2)
    engine = Engine(campaign.rtl)
    engine.load_curve(campaign.curve)
    path = tmp_path / "jobs.csv"
    path.write_text("k,x,y\n" + "".join(f"{k},gx,gy\n" for k in range(1, 17)))
    file = read_batch(path, Op.MUL, 0, campaign.curve)
    batch = run_batch(engine, campaign.config, Op.MUL, 0, file)
    assert not batch.errors and len(batch.answers) == 16
    for index, job in batch.answers:
        assert job.point == point.base_mul(campaign.curve, index + 1)
    assert batch.cycles == max(job.cycles or 0 for _, job in batch.answers)
    assert len(batch.busy) == 2 and all(0.85 < share <= 1 for share in batch.busy)
    found = figures(batch, campaign.config, Op.MUL, Clock(200.0, "here"))
    assert found["ops_per_second"] == round(200e6 * 16 / (batch.cycles or 0))


@pytest.mark.soak
def test_nine_engines_as_configured() -> None:
    """This is the RTL of turbo-p256-x9, with two full groups for each of its engines."""
    config, curve = find_config("turbo-p256-x9"), find_curve("P-256")
    rng = random.Random(8)
    points = [point.base_mul(curve, rng.randrange(1, curve.n)) for _ in range(8)]
    jobs = [(rng.randrange(1, curve.n), *(rng.choice(points) or ())) for _ in range(2 * config.at_once)]
    with RtlTransport(config) as rtl:
        engine = Engine(rtl)
        engine.load_curve(curve)
        for index, job in engine.submit_many(Op.MUL, jobs):
            k, *base = jobs[index]
            assert job.point == point.mul(curve, k, (base[0], base[1]))
        assert [state.jobs for state in all_counters(rtl)] == [9] * config.engines  # and the curve


@pytest.mark.soak
def test_ten_thousand_jobs() -> None:
    campaign = Campaign("P-256", 2, 2, 4, seed=7)
    while campaign.tally.jobs < 10_000:
        campaign.run(500, campaign.rng.choice((0, 0, 1, 1, 2)))
    assert campaign.tally.by_openssl > 2_000
    assert campaign.tally.failed < campaign.tally.jobs / 2
