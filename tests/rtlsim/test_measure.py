"""Measurement of cycles from event traces, on traces written by hand."""

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Status
from eccelerate.rtlsim.golden_transport import GoldenTransport
from eccelerate.rtlsim.probes import MeasureError, probes
from eccelerate.rtlsim.rtl import Event, EventKind
from eccelerate.rtlsim.trace import (
    field_interval,
    field_latency,
    ladder_step,
    parts_of_ladder,
    routine_cycles,
)

MUL, ADD = 0, 1
STEP, CALLER, INVERSE = 100, 50, 200


def instructions(*pairs: tuple[int, int]) -> list[Event]:
    return [Event(cycle, EventKind.INSTRUCTION, pc) for cycle, pc in pairs]


def field(issue: int, done: int, op: int) -> list[Event]:
    return [Event(issue, EventKind.FIELD_ISSUE, op), Event(done, EventKind.FIELD_DONE, 0)]


# Two products that run alone. After the second one, an addition and a product are accepted early and wait.
# Then other products directly follow a product.
TRACE = [
    *instructions(
        (10, STEP), (410, STEP), (811, STEP), (900, CALLER), (903, INVERSE), (904, 201), (1903, 51)
    ),
    *field(20, 109, MUL),
    *field(120, 209, MUL),
    *field(190, 220, ADD),
    *field(200, 300, MUL),
    *field(270, 370, MUL),
    *field(340, 440, MUL),
    *field(500, 514, ADD),
]


def test_latency_is_that_of_an_operation_alone() -> None:
    assert field_latency(TRACE, MUL) == 90
    assert field_latency(TRACE, ADD) == 15


def test_interval_is_the_commonest() -> None:
    assert field_interval(TRACE, MUL) == 70
    assert field_interval(TRACE, ADD) == 10


def test_ladder_step_is_the_mean_distance() -> None:
    assert ladder_step(TRACE, STEP) == 400.5


def test_routine_is_measured_from_entry_to_return() -> None:
    assert routine_cycles(TRACE, INVERSE) == 1000


def test_all_parts_together() -> None:
    parts = parts_of_ladder(TRACE, {"ladder_step": STEP, "fermat_inverse": INVERSE}, "ladder_step")
    assert parts == {"ladder_step": 400.5, "inversion": 1000}


def test_what_is_not_in_the_trace_is_said() -> None:
    with pytest.raises(MeasureError, match="no ladder"):
        ladder_step(TRACE, 7)
    with pytest.raises(MeasureError, match="not called"):
        routine_cycles(TRACE, 7)
    with pytest.raises(MeasureError, match="4 field operations issued, 3 done"):
        field_latency([*field(1, 2, 0) * 3, Event(9, EventKind.FIELD_ISSUE, 0)], MUL)
    with pytest.raises(MeasureError, match="is never alone"):
        field_latency([*field(1, 9, ADD), *field(5, 12, MUL)], MUL)
    with pytest.raises(MeasureError, match="takes 8, 9 clocks"):
        field_latency([*field(1, 8, MUL), *field(10, 18, MUL)], MUL)
    with pytest.raises(MeasureError, match="no field operation 9"):
        field_interval(TRACE, 9)
    with pytest.raises(MeasureError, match="no label fermat_inverse"):
        parts_of_ladder(TRACE, {"ladder_step": STEP}, "ladder_step")


@pytest.mark.parametrize("name", ["P-256", "secp160r1", "brainpoolP512r1", "P-521", "Curve25519", "Curve448"])
def test_every_probe_is_a_good_job(name: str) -> None:
    curve = find_curve(name)
    engine = Engine(GoldenTransport())
    engine.load_curve(curve)
    for probe in probes(curve):
        assert engine.submit(probe.op, probe.operands, probe.flags).status == Status.OK, probe.name
