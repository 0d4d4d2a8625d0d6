"""eccel_group: one response for every packet, groups of equal jobs, fair turns, exclusive jobs, zeroise."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.engine.group import EXCLUSIVE, JOB, REFUSED, THREADS, WAIT_CLOCKS, Group, packet
from tests.verilated import Patch

ALL = set(range(THREADS))


def mixed(patches: Sequence[Patch] = (), seed: int = 1) -> Group:
    """Jobs of several kinds, exclusive ones and refused ones, in bursts and with gaps."""
    group, rng = Group(seed, patches), random.Random(seed)
    packets, refused, exclusive = [], set(), set()
    for tag in range(250):
        op = rng.choice([JOB["MUL"], JOB["MUL"], JOB["ECDH"]])
        if rng.random() < 0.08:
            op = rng.choice(EXCLUSIVE)
            exclusive.add(tag)
        elif rng.random() < 0.1:
            op = REFUSED
            refused.add(tag)
        packets.append(packet(op, rng.choice([0, 0, 0, 4]), rng.choice([1, 1, 2]), tag))
    group.run(packets, (0, 0, 0, 30, 200))
    for tag, (how, port) in group.answers.items():
        assert how == ("refused" if tag in refused else "done")
        assert port == 0 or tag not in exclusive
    return group


def test_every_packet_gets_one_response_and_a_group_has_jobs_of_one_kind() -> None:
    group = mixed()
    assert {len(members) for members in group.groups} == {1, 2, 3, 4}


def test_equal_jobs_fill_their_groups_and_a_full_group_starts_at_once() -> None:
    group = Group()
    group.run([packet(JOB["MUL"], 0, 2, tag) for tag in range(80)])
    assert group.groups.count(ALL) >= 15
    group = Group()
    group.run([packet(JOB["KEY_LOAD"], 0, 1, 1)])  # comes to all ports at the same time
    assert group.groups == [ALL] and group.waits[0] <= 12


def test_a_job_waits_for_others_at_most_its_time() -> None:
    group = Group()
    for tag in range(20):
        group.run([packet(JOB["MUL"], 0, 1, tag)])
    assert group.groups == [{0}] * 20 and all(wait - WAIT_CLOCKS in range(10) for wait in group.waits)


@pytest.mark.parametrize("seed", range(3))
def test_zeroise_runs_the_handler_for_all_threads_and_every_packet_is_still_answered(seed: int) -> None:
    group, rng = Group(seed), random.Random(seed)
    group.pulses = {clock for clock in range(8000) if rng.random() < 0.002}
    pulses = len(group.pulses)
    kinds = [JOB["MUL"], JOB["MUL"], JOB["MUL"], JOB["ECDH"], JOB["KEY_LOAD"], REFUSED]
    group.run([packet(rng.choice(kinds), 0, 1, tag) for tag in range(120)], (0, 0, 50))
    # A port that was answering needs a run of its own.
    assert pulses / 2 < group.wipes <= pulses + group.runs_left
    assert 0 < group.runs_left < pulses / 2
    assert {how for how, _ in group.answers.values()} == {"done", "refused", "zeroised"}
    group.wipes, group.pulses = 0, {group.module.clocks + 20}
    group.run([])
    assert group.wipes == 1  # of an idle engine


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("leader_q <= some_next_q ? next_q : first_q;", "leader_q <= first_q;"),
        ("fits_q[t]      <= loaded_q[t] && same_op_q[t] && same_rest_q[t];",
         "fits_q[t]      <= loaded_q[t] && same_op_q[t];"),
    ],
    ids=["the lowest port always leads", "flags and operands are not compared"],
)  # fmt: skip
def test_a_mutant_forms_other_groups(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        mixed([("eccel_group.sv", old, new)])
