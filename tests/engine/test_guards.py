"""What finds a changed bit in the control of an engine, and what the engine does about it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from eccelerate.model.jobs import Status
from eccelerate.ucode.program import checked
from tests.engine.units import PACKAGES
from tests.module import Module

WORD_BITS, CHECK_BITS = 24, 3


class Fetches:
    """eccel_fetch_guard on random instructions with random addresses, most of which follow each other."""

    def __init__(self, seed: int) -> None:
        self.guard = Module("engine", "eccel_fetch_guard", (*PACKAGES, "engine/eccel_fetch_guard.sv"))
        self.rng = random.Random(seed)
        self.address = self.rng.randrange(2048)
        self.bad = 0
        self.clock(rst_ni=0)

    def clock(self, **inputs: int) -> None:
        quiet = {"rst_ni": 1, "decode_i": 0, "fetches_i": 0, "altered_i": 0, "check_i": self.rng.getrandbits(3)}
        self.guard.clock(**(quiet | inputs))
        self.bad |= self.guard["bad_o"]

    def instruction(self, *, jump: bool, flip: int | None = None, later: int | None = None) -> None:
        """One instruction. flip: bit that is wrong in the memory; later: bit that changes afterwards."""
        if jump:
            self.address = self.rng.randrange(2048)
            self.clock(fetches_i=1)
        else:
            self.address = (self.address + 1) % 2048 if self.address < 2047 else 0
        word = checked(self.rng.getrandbits(WORD_BITS), self.address)
        word ^= 0 if flip is None else 1 << flip
        self.clock(decode_i=1, check_i=word >> WORD_BITS)
        word &= (1 << WORD_BITS) - 1
        for _ in range(self.rng.randrange(3)):
            self.clock(instr_i=word)
        self.clock(instr_i=word ^ (0 if later is None else 1 << later))
        for _ in range(2):
            self.clock(instr_i=word)

    def some(self, count: int = 8) -> None:
        for _ in range(count):
            if self.address == 2047:  # 2047 and 0 do not follow each other modulo 3
                self.instruction(jump=True)
            self.instruction(jump=self.rng.random() < 0.3)


def test_right_instructions_pass() -> None:
    fetches = Fetches(1)
    fetches.some(300)
    assert not fetches.bad


@pytest.mark.parametrize("bit", range(WORD_BITS + CHECK_BITS))
def test_a_wrong_bit_in_the_memory_is_found(bit: int) -> None:
    fetches = Fetches(bit)
    fetches.some()
    fetches.instruction(jump=False, flip=bit)
    assert fetches.bad


@pytest.mark.parametrize("bit", range(WORD_BITS))
def test_a_bit_of_the_instruction_that_changes_is_found(bit: int) -> None:
    fetches = Fetches(bit)
    fetches.some()
    fetches.instruction(jump=False, later=bit)
    assert fetches.bad


@pytest.mark.parametrize("bit", range(11))
def test_a_changed_address_is_found(bit: int) -> None:
    fetches = Fetches(bit)
    fetches.address = 100
    fetches.instruction(jump=False)
    fetches.address ^= 1 << bit
    fetches.instruction(jump=False)
    assert fetches.bad


def test_an_instruction_that_is_altered_on_purpose_is_not_checked_until_the_next_one() -> None:
    fetches = Fetches(5)
    fetches.clock(decode_i=1, check_i=checked(0, fetches.address) >> WORD_BITS)
    fetches.clock(instr_i=0, altered_i=1)
    fetches.clock(instr_i=1)
    fetches.clock(instr_i=1)
    assert not fetches.bad
    fetches.instruction(jump=True, later=3)
    assert fetches.bad


# ---------------------------------------------------------------------- eccel_alarm


@pytest.fixture
def alarm() -> Iterator[Module]:
    module = Module("engine", "eccel_alarm", (*PACKAGES, "engine/eccel_alarm.sv"))
    inputs = {"bad_i": 1, "timeout_i": 0, "busy_i": 0, "finish_i": 0, "status_i": 0}
    module.clock(rst_ni=0, **inputs)
    for _ in range(4):  # what the checks say of the time before a reset
        module.clock(rst_ni=1)
    module.clock(bad_i=0)
    assert not module["alarm_o"]
    yield module


def test_an_error_stops_the_engine_once_until_the_packet_is_answered(alarm: Module) -> None:
    alarm.clock(bad_i=1, busy_i=1)
    stops = []
    for _ in range(6):
        alarm.clock()
        stops.append((alarm["break_o"], alarm["forget_o"]))
    assert stops.count((1, 1)) == 1 and stops.count((0, 0)) == 5
    assert alarm["fault_o"] and alarm["alarm_o"]
    alarm.clock(busy_i=0, bad_i=0)
    alarm.clock()
    alarm.clock()
    assert not alarm["fault_o"] and alarm["alarm_o"]


def test_the_watchdog_stops_the_engine_without_an_alarm(alarm: Module) -> None:
    alarm.clock(timeout_i=1, busy_i=1)
    alarm.clock(timeout_i=0)
    assert alarm["break_o"] and not alarm["forget_o"]
    alarm.clock()
    assert not (alarm["break_o"] or alarm["fault_o"] or alarm["alarm_o"])


@pytest.mark.parametrize("status", [int(status) for status in Status if status != Status.TIMEOUT])
def test_only_a_program_that_ends_with_fault_raises_the_alarm(alarm: Module, status: int) -> None:
    alarm.clock(finish_i=1, status_i=status)
    alarm.clock(finish_i=0)
    alarm.clock()
    assert alarm["alarm_o"] == (status == Status.FAULT)
