"""What finds a changed bit in the parts that only an engine with threads has."""

from __future__ import annotations

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.state_layout import Place


def test_a_changed_address_of_a_mailbox_ends_with_fault() -> None:
    """Whichever of its bits changes, and whether a word is moved then or not."""
    curve = find_curve("P-256")
    with RtlTransport(find_config("turbo-p256-t1"), events=True) as rtl:
        engine, first, found = Engine(rtl), 0, 0
        for member in (each for each in rtl.state if each.place == Place.STATE):
            if member.name.endswith("addr_q") and "u_thread" in member.name:
                break
            first += member.bits
        rtl.record_events(False)
        engine.load_curve(curve)
        assert engine.submit(Op.BASE_MUL, (5,)).status == Status.OK
        clocks = rtl.last_total
        for bit in range(9):
            engine.load_curve(curve)
            rtl.flip(clocks * (bit + 1) // 11, Place.STATE, first + bit)
            found += engine.submit(Op.BASE_MUL, (5,)).status == Status.FAULT
    assert found == 9
