"""Whenever the zeroise input is pulsed, a key is wiped in every thread, and each packet gets one response."""

from __future__ import annotations

import random

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.model.jobs import Flag, curve_load_operands
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from tests.ucode.helpers import packet, status_of

P256 = find_curve("P-256")


def test_pulse_in_any_clock_of_a_job_wipes_the_key() -> None:
    """From the second word in the port on, including the clocks in which the job ends and in which it is
    answered.
    """
    with RtlTransport(find_config("turbo-p256")) as rtl:
        load = rtl.exchange(packet("CURVE_LOAD", *curve_load_operands(P256), width=8))
        assert status_of(load.words) == "OK"
        key = packet("KEY_LOAD", 1, width=8)
        use = packet("ECDH", *P256.generator, flags=Flag.KEY, width=8)
        rtl.exchange(key)
        clocks = rtl.last_total
        for moment in range(16, clocks):
            rtl.plan = Plan(watchdog=50_000, zeroise_at=moment)
            rtl.exchange(key)
            rtl.plan = Plan(watchdog=500_000)
            assert status_of(rtl.exchange(use).words) in ("NO_KEY", "ZEROISED"), moment


def test_pulse_in_any_clock_of_groups_leaves_every_response() -> None:
    """The jobs are short, alone and together, of kinds that cannot share a group. Ports are full, idle, or
    answering.
    """
    rng = random.Random(1)
    with RtlTransport(find_config("turbo-p256")) as rtl:
        load = rtl.exchange(packet("CURVE_LOAD", *curve_load_operands(P256), width=8))
        assert status_of(load.words) == "OK"
        kinds = [("MUL", 1), ("ECDH", 1), ("POINT_ADD", 2), ("KEY_LOAD", 0)]  # ended by chk
        for moment in range(600):
            jobs = [rng.choice(kinds) for _ in range(6)]
            packets = [packet(op, *range(n), width=8, tag=i) for i, (op, n) in enumerate(jobs)]
            rtl.plan = Plan(50_000, zeroise_at=moment, rsp_stall=rng.getrandbits(31) & rng.getrandbits(31))
            replies = rtl.stream(packets)
            assert sorted(reply.words[0] >> 16 for reply in replies) == list(range(6)), moment
