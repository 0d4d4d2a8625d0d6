"""The tests of the dispatcher find faults: each mutant fails a campaign that the dispatcher itself passes."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from eccelerate.driver.cluster import ClusterOp
from eccelerate.model.jobs import Flag, Op, Status
from tests.dispatch.bench import Bench, Break, Settings, account, hashed, jobs, own, request
from tests.sampled import sampled
from tests.verilated import Patch

SIZE = (2, 2)


def _mixed(bench: Bench) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        bench.set(Settings(20, 40, 30, (50, 800), rng.choice((100, 2047)), seed))
        assert bench.load_curve().status == Status.OK
        packets = list(jobs(rng, 80, bad=0.2))
        assert account(packets, bench.run(packets)) == 0
        for engine in range(2):
            bench.run([own(ClusterOp.COUNTERS, engine)])
    assert bench.resets() == [0, 0]


def _one_by_one(bench: Bench) -> None:
    """Send few packets to an empty queue, each of another kind than the one that was in its slot before."""
    rng = random.Random(0)
    bench.set(Settings(run=(20, 60), wait=20))
    bench.load_curve()
    for tag in range(120):
        for _ in range(rng.randrange(3)):
            bench.counters(rng.randrange(2))
        packets = [request(rng.choice((Op.MUL, Op.BASE_MUL, Op.POINT_ADD)), 3, tag, 0, rng)]
        if tag % 3 == 0:
            packets.append(request(Op.MUL, 3, 200 + tag, 0, rng))
        elif tag % 3 == 1:
            packets = [request(Op.KEY_LOAD, 1, tag, 0, rng)]
        assert account(packets, bench.run(packets)) == 0


def _keys(bench: Bench) -> None:
    """Jobs with a key before and after a change of key, in one stream that is longer than the queue."""
    rng = random.Random(1)
    bench.set(Settings(10, 10, 10, (50, 3000)))
    bench.load_curve()
    bench.run([load := request(Op.KEY_LOAD, 1, 99, 0, rng)])
    key = hashed(load[2:])
    for _ in range(4):
        before = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(20)]
        before[::3] = [
            request(rng.choice((Op.MUL, Op.BASE_MUL, Op.POINT_ADD)), 3, 70, 0, rng) for _ in range(7)
        ]
        load = request(Op.KEY_LOAD, 1, 99, 0, rng)
        behind = [request(Op.ECDH, 2, 20 + tag, Flag.KEY, rng) for tag in range(20)]
        answers = bench.run([*before, load, *behind])
        old = [a for a in answers if a.tag < 20 or a.tag == 70]
        assert account(before, old, key=key) == 0
        key = hashed(load[2:])
        assert account(behind, [a for a in answers if 20 <= a.tag < 40], key=key) == 0


def _random_keys(bench: Bench) -> None:
    rng = random.Random(2)
    bench.set(Settings(eng_stall=40, run=(50, 500)))
    bench.load_curve()
    for _ in range(4):
        (made,) = bench.run([request(Op.KEYGEN, 0, 3, Flag.RANDOM)])
        assert made.status == Status.OK
        uses = [request(Op.ECDH, 2, tag, Flag.KEY, rng) for tag in range(12)]
        assert account(uses, bench.run(uses), key=made.words[0]) == 0
    assert bench.resets() == [0, 0]


def _broken(how: Break) -> Callable[[Bench], None]:
    def campaign(bench: Bench) -> None:
        for seed in range(4):
            rng = random.Random(seed)
            bench.set(Settings(0, 20, 20, (50, 500), 2047, seed))
            bench.load_curve()
            bench.breaks(1, how, rng.randrange(4))
            packets = list(jobs(rng, 40))
            account(packets, bench.run(packets), faults=bench.threads)
        assert bench.resets() == [0, 4]

    return campaign


def _groups(bench: Bench) -> None:
    bench.set(Settings(run=(6000, 6000)))
    bench.load_curve()
    before = sum(bench.groups())
    packets = [request(Op.MUL, 3, tag) for tag in range(40)]
    assert account(packets, bench.run(packets)) == 0
    assert sum(bench.groups()) - before <= 21


LANE, ANSWER, SEND = "eccel_dispatch_lane.sv", "eccel_dispatch_answer.sv", "eccel_dispatch_send.sv"
QUEUE, EMIT, ENTROPY = "eccel_dispatch_queue.sv", "eccel_dispatch_emit.sv", "eccel_dispatch_entropy.sv"
MUTANTS: dict[str, tuple[Patch, Callable[[Bench], None]]] = {
    "a kind shows too early": (
        (QUEUE, "{waits_o, show_q} <= {show_q, waits_q[slot_i]};", "waits_o <= waits_q[slot_i];"),
        _one_by_one,
    ),
    "a long packet runs into the next slot": (
        (QUEUE, "{last_q || at_end_q, data_q}", "{last_q, data_q}"),
        _mixed,
    ),
    "a slot is used before older ones are free": (
        (QUEUE, "tail_q + 1'b1 != head_q", "!waits_q[tail_q]"),
        _keys,
    ),
    "a job for all passes others": (
        (
            SEND,
            "waits_i && oldest_q && all_idle_q && !own_busy_q",
            "waits_i && oldest_q && !own_busy_q",
        ),
        _keys,
    ),
    "each engine draws its own": (
        (ENTROPY, "chosen_q <= shared_q ? targets_i & ~fault_i : turn_q;", "chosen_q <= turn_q;"),
        _random_keys,
    ),
    "groups are not filled": (
        (SEND, "match_q      <= match_i & service_i & members_q;", "match_q      <= '0;"),
        _groups,
    ),
    "tags are not compared": (
        (ANSWER, "|| bad_parity_q || bad_group_q", ""),
        _broken(Break.OLD_TAG),
    ),
    "operations are not compared": (
        (ANSWER, "bad_op_q     <= data_q[15:8] != tag.op;", "bad_op_q     <= 1'b0;"),
        _broken(Break.WRONG_OP),
    ),
    "the end is not checked": (
        (
            ANSWER,
            "second_q && (large_q || excess_q) || bad_last_q",
            "second_q && (large_q || excess_q)",
        ),
        _broken(Break.EARLY_LAST),
    ),
    "nobody watches": (
        (LANE, "late_q  <= int'(watch_q) == WatchTicks;", "late_q  <= 1'b0;"),
        _broken(Break.STUCK),
    ),
    "an engine without a curve serves": (
        ("eccel_dispatch.sv", "else service_q <= service_q & ~fault;", ""),
        _broken(Break.TWICE),
    ),
    "the host's tag is another job's": (
        (LANE, "read_ticket = answered ? answer_ticket : lowest_q", "read_ticket = lowest_q"),
        _mixed,
    ),
}


@pytest.mark.parametrize(
    "campaign",
    [
        _mixed,
        _one_by_one,
        _keys,
        _random_keys,
        _groups,
        *map(_broken, (Break.OLD_TAG, Break.STUCK, Break.TWICE)),
    ],
)
def test_the_dispatcher_passes(campaign: Callable[[Bench], None]) -> None:
    campaign(Bench(*SIZE))


@sampled("name", MUTANTS, now=2)
def test_a_mutant_fails(name: str) -> None:
    patch, campaign = MUTANTS[name]
    bench = Bench(*SIZE, patches=[patch])
    with pytest.raises(AssertionError):
        campaign(bench)
