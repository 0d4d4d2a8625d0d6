"""The tests of pools find faults: each mutant fails a campaign that the dispatcher itself passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.dispatch.bench import Bench
from tests.dispatch.pool_campaigns import (
    POOLS,
    keys_and_zeroise,
    lone_jobs,
    one_pool_without_engines,
    routing,
    unknown_pools,
)
from tests.sampled import sampled
from tests.verilated import Patch

TOP, QUEUE = "eccel_dispatch.sv", "eccel_dispatch_queue.sv"
LANE, SEND = "eccel_dispatch_lane.sv", "eccel_dispatch_send.sv"
MUTANTS: dict[str, tuple[Patch, Callable[[Bench], None]]] = {
    "jobs go to any pool": ((SEND, "Pools == 1 || aim.every ||", "1'b1 ||"), routing),
    "zeroise wipes one pool": (
        (QUEUE, "every: data_q[7:0] == JOB_ZEROISE", "every: 1'b0"),
        keys_and_zeroise,
    ),
    "zeroise goes with the W that came": (
        (LANE, "second_q && every_i && OwnWords != 0", "1'b0"),
        keys_and_zeroise,
    ),
    "zeroise minds the pool of its curve": (
        (QUEUE, "      if (data_q[7:0] == JOB_ZEROISE) kind.route = Everywhere;\n", ""),
        keys_and_zeroise,
    ),
    "a curve ends the service of other pools": (
        (TOP, "shared_by | (service_q & ~pool_targets)", "shared_by"),
        one_pool_without_engines,
    ),
    "a key goes to every pool": (
        (SEND, "service_q    <= service_i & members_q;", "service_q    <= service_i;"),
        keys_and_zeroise,
    ),
    "any engine in service will do": (
        (SEND, "none_q       <= !(|service_q);", "none_q       <= !(|service_i);"),
        one_pool_without_engines,
    ),
    "a pool that is not is out of service": (
        (SEND, "own_unknown_q <= int'(aim_i.pool) >= Pools;", "own_unknown_q <= 1'b0;"),
        unknown_pools,
    ),
    "a restart of an unknown pool is obeyed": (
        (TOP, "!own_was_q && !own_fault &&", "!own_was_q &&"),
        unknown_pools,
    ),
    "all engines have the threads of the first": (
        (TOP, ".Threads    (int'(ThreadsOf[ThreadCountBits*e+:ThreadCountBits])),", ".Threads    (4),"),
        lone_jobs,
    ),
}


@sampled("name", MUTANTS, now=2)
def test_a_mutant_of_pools_fails(name: str) -> None:
    patch, campaign = MUTANTS[name]
    bench = Bench(pools=POOLS, patches=[patch])
    with pytest.raises(AssertionError):
        campaign(bench)
