"""Whenever the zeroise input is pulsed, the job gets exactly one response, and the engine goes on."""

from __future__ import annotations

from eccelerate.configs.config import find_config
from eccelerate.curves.small import small_curves
from eccelerate.model.jobs import Flag, curve_load_operands
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from tests.ucode.helpers import packet, status_of


def test_pulse_in_any_clock_of_a_job_wipes_the_key() -> None:
    """This includes the clock in which the job that loads the key ends, and those in which it is answered."""
    curve = small_curves()[-1]
    with RtlTransport(find_config("compact-w32")) as rtl:
        load = rtl.exchange(packet("CURVE_LOAD", *curve_load_operands(curve)))
        assert status_of(load.words) == "OK"
        key, use = packet("KEY_LOAD", 1), packet("ECDH", *curve.generator, flags=Flag.KEY)
        rtl.exchange(key)
        assert status_of(rtl.exchange(use).words) == "OK"
        rtl.idle(4)
        rtl.exchange(key)
        for moment in range(rtl.last_total):
            rtl.idle(4)
            rtl.plan = Plan(watchdog=50_000, zeroise_at=moment)
            rtl.exchange(key)
            rtl.plan = Plan(watchdog=50_000)
            assert status_of(rtl.exchange(use).words) == "NO_KEY", moment


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
