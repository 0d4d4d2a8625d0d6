"""The dispatcher with model engines: every packet gets one response, the right one, whatever the engines
do.
"""

from __future__ import annotations

import random

import pytest

from eccelerate.driver.cluster import ClusterOp
from eccelerate.model.jobs import Flag, Op, Status
from tests.dispatch.bench import (
    JOB_BITS,
    QUIET,
    WIDTH,
    Bench,
    Break,
    Settings,
    account,
    disorder,
    hashed,
    jobs,
    own,
    request,
)
from tests.sampled import sampled

IN_SERVICE = 1 << 16


def _serving(bench: Bench) -> list[bool]:
    return [bool(bench.counters(e)[4] & IN_SERVICE) for e in range(bench.engines)]


def _stalls(rng: random.Random, run: tuple[int, int] = (100, 900)) -> Settings:
    return Settings(
        req_stall=rng.choice((0, 0, 30, 80)),
        rsp_stall=rng.choice((0, 20, 70)),
        eng_stall=rng.choice((0, 20, 60)),
        run=run,
        wait=rng.choice((100, 2047)),
        seed=rng.getrandbits(30),
    )


@pytest.mark.parametrize(("engines", "threads"), [(1, 8), (2, 1), (3, 4), (4, 2)])
def test_every_packet_gets_its_answer(engines: int, threads: int) -> None:
    """All sides stall, tags repeat, and malformed packets are among the valid ones."""
    rng = random.Random(engines * 10 + threads)
    for _ in range(4):
        bench = Bench(engines, threads)
        bench.set(_stalls(rng))
        assert bench.load_curve().status == Status.OK
        packets = list(jobs(rng, 120, bad=0.2))
        assert account(packets, bench.run(packets)) == 0
        assert bench.resets() == [0] * engines
        assert not bench.busy


@pytest.mark.parametrize("how", [how for how in Break if how != Break.NONE])
@sampled("permanent", [True, False], ids=["permanently", "once"], now=1)
def test_a_broken_engine_harms_its_own_jobs_only(how: Break, permanent: bool) -> None:
    for seed in range(4):
        rng = random.Random(f"{how} {permanent} {seed}")
        bench = Bench()
        bench.set(_stalls(rng))
        bench.load_curve()
        bench.breaks(1, how, rng.randrange(6), permanent=permanent)
        packets = list(jobs(rng, 80, bad=0.1))
        account(packets, bench.run(packets), faults=bench.threads)
        assert bench.resets() == [0, 1, 0]
        assert _serving(bench) == [True, False, True]
        # The next curve brings it back. If it fails again, the others still answer.
        assert bench.load_curve().status == Status.OK
        packets = list(jobs(rng, 40))
        failed = account(packets, bench.run(packets), faults=bench.threads)
        assert failed == 0 or permanent


def test_a_stuck_engine_is_given_up_in_time() -> None:
    bench = Bench()
    bench.set(Settings())
    bench.load_curve()
    bench.breaks(0, Break.STUCK)
    start = bench.clock
    (answer,) = bench.run([request(Op.MUL)])
    assert answer.status == Status.ENGINE_FAULT
    assert 14 << JOB_BITS < answer.clock - start < 17 << JOB_BITS


def test_the_others_go_on_while_one_is_stuck() -> None:
    """Jobs queued after the stuck one are answered long before its engine is given up."""
    bench = Bench(2, 1)
    bench.set(Settings(run=(100, 100)))
    bench.load_curve()
    bench.breaks(0, Break.STUCK)
    rng = random.Random(3)
    packets = [request(Op.MUL, 3, tag, 0, rng) for tag in range(20)]
    answers = bench.run(packets)
    assert account(packets, answers, faults=1) == 1
    assert answers[-1].status == Status.ENGINE_FAULT
    assert answers[-2].clock < answers[-1].clock - (10 << JOB_BITS)


def test_groups_are_filled() -> None:
    """In a stream of one kind all groups are full. In a mixed stream they are almost full, because the queue
    is long.
    """
    rng = random.Random(1)
    for packets, most in (
        ([request(Op.MUL, 3, tag, 0, rng) for tag in range(120)], 31),
        (list(jobs(rng, 240)), 78),
    ):
        bench = Bench()
        bench.set(Settings(run=(8000, 9000)))
        bench.load_curve()
        before = sum(bench.groups())
        assert account(packets, bench.run(packets)) == 0
        assert sum(bench.groups()) - before <= most


def test_a_single_job_does_not_wait_for_others() -> None:
    """It starts at once. A job that comes after the start of its group goes to an idle engine."""
    bench = Bench()
    bench.set(Settings(run=(20000, 20000), wait=1500))
    bench.load_curve()
    start = bench.clock
    (answer,) = bench.run([request(Op.MUL)])
    assert answer.clock - start < 20000 + 1500 + 600
    bench.set(Settings(run=(20000, 20000), wait=1500, req_stall=99))
    before = bench.jobs()
    bench.run([request(Op.MUL, 3, tag) for tag in range(3)])
    assert [new - old for new, old in zip(bench.jobs(), before, strict=True)] == [1, 1, 1]


def test_state_is_the_same_in_every_engine() -> None:
    """A key counts for all jobs after it and for none before it, whichever engine runs them."""
    rng = random.Random(5)
    bench = Bench(4, 2)
    bench.set(_stalls(rng))
    bench.load_curve()
    for _ in range(6):
        load = request(Op.KEY_LOAD, 1, 9, 0, rng)
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(12)]
        (loaded, *answers) = bench.run([load, *uses])
        assert (loaded.op, loaded.status) == (Op.KEY_LOAD, Status.OK)
        assert account(uses, answers, key=hashed(load[2:])) == 0
        # Jobs before the next key use the old one.
        more = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(12)]
        answers = bench.run([*more, request(Op.KEY_LOAD, 1, 10, 0, rng)])
        assert answers[-1].op == Op.KEY_LOAD
        assert account(more, answers[:-1], key=hashed(load[2:])) == 0


def test_a_random_key_is_the_same_in_every_engine() -> None:
    """For a job that all engines run, all of them draw the same words, and none of these words is used
    again.
    """
    rng = random.Random(6)
    bench = Bench(4, 2)
    bench.set(Settings(eng_stall=40, run=(20, 400)))
    bench.load_curve()
    for _ in range(5):
        before = bench.drawn
        (made,) = bench.run([request(Op.KEYGEN, 0, 3, Flag.RANDOM)])
        assert made.status == Status.OK and len(made.words) == 2 * WIDTH
        assert bench.drawn - before == 5
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(16)]
        assert account(uses, bench.run(uses), key=made.words[0]) == 0


def test_a_job_for_all_has_one_answer_the_worst() -> None:
    bench = Bench()
    bench.set(Settings())
    bench.load_curve()
    assert [a.status for a in bench.run([request(Op.SELF_TEST, 0)])] == [Status.OK]
    bench.fail_self_test(1)
    assert [a.status for a in bench.run([request(Op.SELF_TEST, 0)])] == [Status.SELF_TEST_FAILED]
    bench.breaks(1, Break.STUCK)  # an engine that does not answer does not count
    assert [a.status for a in bench.run([request(Op.SELF_TEST, 0)])] == [Status.OK]
    assert _serving(bench) == [True, False, True]


def test_without_an_engine_in_service_jobs_fail_at_once() -> None:
    bench = Bench(2, 1)
    bench.set(Settings())
    bench.load_curve()
    rng = random.Random(8)
    for engine in range(2):
        (answer,) = bench.run([own(ClusterOp.RESTART, engine)])
        assert answer.status == Status.OK and not answer.words[4] & IN_SERVICE
    packets = list(jobs(rng, 20))
    start = bench.clock
    assert account(packets, bench.run(packets), faults=20) == 20
    assert bench.clock - start < 20 * 1000
    assert [a.status for a in bench.run([request(Op.KEY_LOAD, 1)])] == [Status.ENGINE_FAULT]
    # A curve that is refused brings no engine back; a valid one brings back all of them.
    bad = request(Op.CURVE_LOAD, 8)
    bad[2] = 0xBAD
    assert [a.status for a in bench.run([bad])] == [Status.BAD_CURVE]
    assert _serving(bench) == [False, False]
    assert bench.load_curve().status == Status.OK
    assert _serving(bench) == [True, True]
    assert account(packets, bench.run(packets)) == 0


def test_restart_fails_the_jobs_of_one_engine() -> None:
    bench = Bench()
    bench.set(Settings(run=(20000, 20000)))
    bench.load_curve()
    rng = random.Random(9)
    packets = [request(Op.MUL, 3, tag, 0, rng) for tag in range(12)]
    answers = bench.run([*packets, own(ClusterOp.RESTART, 1)])
    assert answers[0].op == ClusterOp.RESTART
    assert account(packets, answers[1:], faults=4) == 4
    assert bench.resets() == [0, 1, 0]


def test_counters_count() -> None:
    bench = Bench()
    bench.set(Settings(run=(5000, 5000)))
    bench.load_curve()
    rng = random.Random(10)
    packets = list(jobs(rng, 90, bad=0.1))
    bench.run(packets)
    values = [bench.counters(e) for e in range(3)]
    assert [v[0] for v in values] == bench.jobs()
    assert sum(v[0] for v in values) == len(packets) + 3
    for jobs_, resets, busy, clocks, state in values:
        assert resets == 0 and 0 < busy < clocks and jobs_
        assert abs(clocks - bench.clock / 1024) < 16
        assert state == IN_SERVICE | 4 << 8 | 3
    for _ in range(3):
        bench.run([own(ClusterOp.RESTART, 2)])
    assert [bench.counters(e)[1] for e in range(3)] == [0, 0, 3]


def test_own_operations_are_for_engines_that_exist() -> None:
    bench = Bench()
    bench.set(Settings())
    bench.load_curve()
    malformed = [own(ClusterOp.COUNTERS, 3), [*own(ClusterOp.COUNTERS, 0), 1], [own(ClusterOp.RESTART, 0)[0]]]
    malformed.append([malformed[0][0] & ~0xFF00, malformed[0][1] | 1 << 16])
    statuses = sorted(a.status for a in bench.run(malformed))
    assert statuses == [Status.BAD_OP, Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_LENGTH]
    assert bench.resets() == [0, 0, 0]


def test_zeroise_reaches_every_engine() -> None:
    rng = random.Random(11)
    for moment in (900, 3000, 6000):
        bench = Bench(4, 2)
        bench.set(Settings(run=(4000, 6000)))
        bench.load_curve()
        bench.run([request(Op.KEY_LOAD, 1)])
        packets = [request(Op.MUL, 3, tag, 0, rng) for tag in range(10)]
        answers = bench.run(packets, zeroise_at=moment)
        assert sorted(a.tag for a in answers) == list(range(10))
        kept = [a for a in answers if a.status != Status.ZEROISED]
        account([packets[a.tag] for a in kept], kept)
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(6)]
        assert {a.status for a in bench.run(uses)} == {Status.NO_KEY}
        assert bench.resets() == [0, 0, 0, 0]


def test_everything_at_once() -> None:
    """Failures, restarts, jobs for all engines, counters and malformed packets in one stream."""
    for seed in range(12):
        rng = random.Random(seed)
        bench = Bench(*rng.choice(((3, 4), (4, 2))))
        bench.set(_stalls(rng, (20, rng.choice((60, 3000)))))
        for _ in range(4):
            bench.load_curve()
            disorder(bench, rng)
        assert not bench.busy


def test_reset_forgets_everything() -> None:
    bench = Bench()
    bench.set(Settings(run=(20000, 20000)))
    bench.load_curve()
    with pytest.raises(AssertionError, match="0 answers"):
        bench.run([request(Op.MUL, 3, tag) for tag in range(9)], limit=8000)
    bench.reset()
    packets = [request(Op.CURVE_LOAD, 8), *(request(Op.MUL, 3, tag) for tag in range(9))]
    assert account(packets, bench.run(packets)) == 0


FAILS = "an engine fails to load the curve"
RESET_STREAMS = {
    "jobs": (
        Settings(eng_stall=40, run=(20, 20), wait=20),
        (
            *(request(Op.MUL, 3, tag) for tag in range(3)),
            request(Op.KEY_LOAD, 1),
            request(Op.ECDH, 2, 3, Flag.KEY),
            request(Op.ZEROISE, 0),
        ),
    ),
    FAILS: (Settings(run=(20, 20), wait=20), (request(Op.CURVE_LOAD, 8),)),
    "an engine is restarted while it has jobs": (
        Settings(run=(300, 300), wait=20),
        (
            *(request(Op.MUL, 3, tag) for tag in range(4)),
            own(ClusterOp.RESTART, 0),
            own(ClusterOp.COUNTERS, 1),
        ),
    ),
}


@sampled("name", RESET_STREAMS, now=2)
def test_a_reset_of_one_clock_leaves_nothing_in_any_clock(name: str) -> None:
    reset_in_each_clock(Bench(2, 2), name)


def reset_in_each_clock(bench: Bench, name: str) -> None:
    """No word, packet, failure, count or alarm of the time before the reset is left."""
    settings, stream = RESET_STREAMS[name]
    rng = random.Random(9)
    load = request(Op.CURVE_LOAD, 8)
    jobs_ = [request(Op.BASE_MUL, 1, tag, 0, rng) for tag in range(14)]  # through all slots of the queue
    counters = [own(ClusterOp.COUNTERS, engine) for engine in range(bench.engines)]
    bench.set(settings)
    bench.run([load])
    begin = bench.clock
    bench.run(stream)
    for moment in range(bench.clock - begin - QUIET):
        bench.raise_alarm(1)
        if name == FAILS:
            bench.breaks(1, Break.WRONG_TAG)
        bench.interrupted(stream, moment)
        assert not bench.run([], limit=8), moment
        assert not bench.busy and not bench.alarm, moment
        resets = bench.resets()
        answers = bench.run([*counters, load, *jobs_])
        for answer in answers[: bench.engines]:
            assert answer.words[:3] == (0, 0, 0), moment
            assert answer.words[3] <= 2 and answer.words[4] & IN_SERVICE, moment
        assert account([load, *jobs_], answers[bench.engines :]) == 0, moment
        assert bench.resets() == resets, moment
