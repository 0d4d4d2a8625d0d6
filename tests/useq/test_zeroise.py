"""Whenever the zeroise input comes, the job gets exactly one response, and the engine goes on."""

from __future__ import annotations

from eccelerate.sim.config import find_config
from eccelerate.sim.rtl import Plan, RtlTransport
from tests.ucode.helpers import packet, status_of


def test_pulse_in_any_clock_of_a_job_leaves_one_response() -> None:
    request = packet("CURVE_LOAD", 5, width=6)  # seven operands are missing: a short job
    with RtlTransport(find_config("compact-w32")) as rtl:
        reply = rtl.exchange(request)
        undisturbed, clocks = status_of(reply.words), rtl.last_total
        seen = set()
        for moment in range(clocks + 2):
            rtl.plan = Plan(watchdog=50_000, zeroise_at=moment)
            seen.add(status_of(rtl.exchange(request).words))
            rtl.plan = Plan(watchdog=50_000)
            assert status_of(rtl.exchange(request).words) == undisturbed, moment
        assert seen == {undisturbed, "ZEROISED"}
