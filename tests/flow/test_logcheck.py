"""Harmless warnings of synthesis pass, and all others are reported."""

from eccelerate.flow.logcheck import doubtful

HARMLESS = """\
ABC: Warning: The network is combinational.
Warning: Resizing cell port top.r.mem.0.0.DOPB from 8 bits to 4 bits.
Warning: Shift register inference not yet supported for family xc2vp.
ABC: Warning: AIG with boxes has internal fanout in 0 complex flops and 4 carries.
Build succeeded: 0 errors, 0 warnings
"""

DOUBTFUL = """\
Warning: Driver-driver conflict for p [3] between cell a.O and constant 1'0: Resolved using constant.
src/00_top.sv:12:3: warning: implicit conversion truncates from 8 to 4 bits [-Wwidth-trunc]
Latch inferred for signal `\\top.\\q' from process `\\top.$proc$1'.
Warning: Resizing cell port top.u_fifo.data_i from 16 bits to 8 bits.
ABC: Warning: AIG with boxes has internal fanout in 1 complex flops and 0 carries.
Warning: Wire top.\\x is used but has no driver.
"""


def test_harmless_warnings_pass() -> None:
    assert doubtful(HARMLESS) == []


def test_every_other_warning_is_reported_once() -> None:
    assert doubtful(DOUBTFUL + HARMLESS + DOUBTFUL) == DOUBTFUL.splitlines()
