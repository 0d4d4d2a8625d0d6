"""Reset and zeroise, by frame and by pin, in any cycle of a request, of a response, of a wipe: the engine
gets whole requests only, the host gets whole frames or cut ones, and STATUS says when the bridge is ready.
"""

from __future__ import annotations

import random

import pytest

from tests.boards import frames
from tests.boards.bridge import DELAY, STALL, THIRST, WIPE, ZEROISE, Bridge, answer, flags, frame, levels
from tests.boards.frames import CONTROL, ENTROPY, REQUEST, RESPONSE, STATUS, Frame
from tests.sampled import sampled
from tests.verilated import Patch

TOP = "eccel_uart_bridge.sv"
BEFORE = [[0x00010001, 30 | 8 << 24, *range(30)], [0x00020001, 4 | 8 << 24, 1, 2, 3, 0xC0DBC0DB]]
AFTER = [0x00030001, 3 | 8 << 24, 7, 8, 9]


def clear_in_cycle(bridge: Bridge, cycle: int, pulse: int = 1) -> list[Frame]:
    """Send requests and raise the pin in this cycle; returns all frames."""
    line = levels(b"".join(frame(REQUEST, each) for each in BEFORE)) + b"\1" * 12_000
    bridge.play(line[:cycle])
    bridge.set(ZEROISE, 1)
    bridge.play(line[cycle : cycle + pulse])
    bridge.set(ZEROISE, 0)
    bridge.play(line[cycle + pulse :])
    return bridge.settle()


def cleared(found: list[Frame]) -> list[int]:
    return [i for i, each in enumerate(found) if each.kind == STATUS and flags(each)[1]]


def survives(bridge: Bridge, cycle: int, pulse: int = 1) -> None:
    found = clear_in_cycle(bridge, cycle, pulse)
    good = [each for each in found if each.kind == RESPONSE]
    (at,) = cleared(found)
    assert all(each in [answer(b) for b in BEFORE] for each in good)
    assert not flags(found[at])[2], "not busy when it says that all is cleared"
    assert all(request in BEFORE for request in bridge.requests())
    assert len(bridge.cut) <= 1
    bridge.cut.clear()
    bridge.send(frame(REQUEST, AFTER))
    assert bridge.settle() == [answer(AFTER)]
    assert bridge.requests() == [AFTER]


def test_the_pin_in_any_cycle() -> None:
    bridge = Bridge()
    bridge.settle()
    bridge.set(DELAY, 300)
    bridge.set(STALL, 4)
    rng = random.Random(1)
    cycles = [*range(10, 26_000, 397), *(rng.randrange(26_000) for _ in range(40))]
    for number, cycle in enumerate(cycles):
        bridge.set(WIPE, rng.choice([0, 30, 1000]))
        survives(bridge, cycle, rng.choice([1, 1, 2, 700, 5000]))
        assert bridge.zeroises == number + 1


def test_the_pin_around_the_end_of_a_request() -> None:
    bridge = Bridge()
    bridge.settle()
    bridge.set(WIPE, 40)
    end = len(levels(frame(REQUEST, BEFORE[0])))
    for cycle in (*range(end - 900, end - 20, 11), *range(end - 20, end + 30)):
        survives(bridge, cycle)


@pytest.mark.parametrize("kind", [frames.RESET, frames.ZEROISE])
def test_control_clears_everything(kind: int) -> None:
    """A job runs, another waits, a third is whole, and entropy is there: none of it is seen afterwards."""
    bridge = Bridge()
    bridge.settle()
    bridge.set(DELAY, 100_000)
    bridge.send(b"".join(frame(REQUEST, each) for each in (*BEFORE, BEFORE[0])) + frame(ENTROPY, [5] * 64))
    bridge.send(frame(CONTROL, [kind]))
    found = bridge.settle(20_000)
    assert [each.kind for each in found if each.kind != STATUS] == []
    assert len(cleared(found)) == 1
    assert (bridge.resets, bridge.zeroises) == (1, int(kind == frames.ZEROISE))
    bridge.requests()
    bridge.set(DELAY, 10)
    bridge.set(THIRST, 100)
    bridge.send(frame(REQUEST, AFTER))
    assert answer(AFTER) in bridge.settle()
    assert bridge.requests() == [AFTER] and bridge.entropy() == []


def test_a_response_under_way_is_cut() -> None:
    bridge = Bridge()
    bridge.settle()
    bridge.send(frame(REQUEST, BEFORE[0]))
    bridge.idle(2500)  # some bytes of the response have been sent
    bridge.send(frame(CONTROL, [frames.ZEROISE]))
    found = bridge.settle()
    assert [each.kind for each in found] == [STATUS] and len(cleared(found)) == 1
    (part,) = bridge.cut
    whole = frames.content(RESPONSE, answer(BEFORE[0]).words)
    assert whole.startswith(frames.unslip(part) or b"?")


def test_requests_are_refused_until_the_wipe_has_ended() -> None:
    bridge = Bridge()
    bridge.settle()
    bridge.set(WIPE, 30_000)
    bridge.send(frame(CONTROL, [frames.ZEROISE]) + frame(REQUEST, AFTER))
    found = bridge.settle()
    assert [each.kind for each in found] == [frames.ERROR, STATUS]
    assert found[0].words == (frames.NO_ROOM,)
    assert len(cleared(found)) == 1 and bridge.requests() == []


MUTANTS: dict[str, Patch] = {
    "a frame goes on after a clear": (TOP, ".clear_i  (!rst_nq),", ".clear_i  (1'b0),"),
    "a response is not cut": (TOP, ".abort_i      (!rst_nq)", ".abort_i      (1'b0)"),
    "ready before the wipe has ended": (
        TOP,
        "&& rsp_ready_o && !hold;",
        "&& rsp_ready_o;",
    ),
}


@sampled("mutant", MUTANTS, now=1)
def test_a_fault_is_noticed(mutant: str) -> None:
    bridge = Bridge(patches=(MUTANTS[mutant],))
    bridge.settle()
    bridge.set(DELAY, 300)
    end = len(levels(frame(REQUEST, BEFORE[0])))
    with pytest.raises((AssertionError, ValueError)):
        for cycle in (*range(500, 26_000, 397), *range(end - 800, end, 50)):
            bridge.set(WIPE, 0 if cycle % 2 else 3000)
            survives(bridge, cycle)
