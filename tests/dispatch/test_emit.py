"""eccel_dispatch_emit: each answer leaves once, with the host's tag; of a job for all engines one leaves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate.model.jobs import Status
from tests.dispatch.part import Part
from tests.verilated import Patch

ENGINES, MAX_WORDS = 5, 3
COUNTER_WORDS = 5
DATA_CLOCKS, COUNTER_CLOCKS = 4, 13
VALID, LAST, MASK = 1 << 33, 1 << 32, 0xFFFFFFFF


@dataclass
class Answer:
    """What a lane keeps of a job: the host's header, and the response, or None if the engine failed."""

    header: int
    words: list[int] | None

    def expected(self) -> list[int]:
        """The packet that leaves: the host's tag and operation."""
        if self.words is None:
            return [self._tagged(Status.ENGINE_FAULT), 0]
        return [self._tagged(self.words[0] & 0xFF), *self.words[1:]]

    def _tagged(self, status: int) -> int:
        # The response has operation and status in bits 15..8 and 7..0, the request its operation in 7..0.
        return self.header >> 16 << 16 | (self.header & 0xFF) << 8 | status


class Emit:
    """The part with models of the lanes; it reads their words some clocks late, as they come."""

    def __init__(self, seed: int = 1, patches: Sequence[Patch] = ()) -> None:
        self.part = Part("emit", {"Engines": ENGINES, "MaxWords": MAX_WORDS}, patches)
        self.rng = random.Random(seed)
        self.lanes: list[Answer | None] = [None] * ENGINES
        self.falling = [0] * ENGINES  # clocks for which answered_i and failed_i still stay
        self.reads: list[list[int]] = [[0] * ENGINES] * DATA_CLOCKS
        self.counters: list[int] = [0] * COUNTER_CLOCKS
        self.inputs = {"shared_i": 0, "targets_i": 0, "own_valid_i": 0, "own_fault_i": 0, "own_unknown_i": 0}
        self.packets: list[list[int]] = [[]]
        self.released = [0] * ENGINES
        self.stalls, self.offered = 0.3, 0

    def job(self, engine: int) -> Answer:
        """An engine answers, or is given up."""
        rng = self.rng
        count = rng.choice((0, 1, MAX_WORDS, 2 * MAX_WORDS))
        status = rng.choice((0, 1, 0x10, 0x1C, rng.randrange(256)))
        words = [rng.getrandbits(24) << 8 | status, count, *(rng.getrandbits(32) for _ in range(count))]
        answer = Answer(rng.getrandbits(32), words if rng.random() < 0.8 else None)
        self.lanes[engine] = answer
        return answer

    def clock(self, **inputs: int) -> None:
        part, rng = self.part, self.rng
        ready = rng.random() >= self.stalls
        here = [lane is not None for lane in self.lanes]
        answered = [bool(lane and lane.words is not None) for lane in self.lanes]
        part.clock(
            rsp_ready_i=ready,
            answered_i=mask(answered),
            failed_i=mask([a and not b for a, b in zip(here, answered, strict=True)]),
            data_i=self.reads.pop(0),
            counter_i=self.counters.pop(0),
            **(self.inputs | inputs),
        )
        rsp = part["rsp_o"]
        assert not self.offered or rsp == self.offered  # stable until it is transferred
        self.offered = rsp if rsp & VALID and not ready else 0
        if rsp & VALID and ready:
            self.packets[-1].append(rsp & MASK)
            if rsp & LAST:
                self.packets.append([])
        read, header, index = part["read_o"], part["read_header_o"], part["read_index_o"]
        reading = [lane if read >> e & 1 else None for e, lane in enumerate(self.lanes)]
        self.reads.append([self._word(lane, header, index) for lane in reading])
        counter = part["counter_index_o"]
        self.counters.append(COUNTERS[counter] if part["counter_read_o"] and counter < COUNTER_WORDS else 0)
        for e in range(ENGINES):
            if self.falling[e]:
                self.falling[e] -= 1
                if not self.falling[e]:
                    self.lanes[e] = None
            if part["release_o"] >> e & 1:
                assert self.lanes[e] is not None
                self.released[e] += 1
                self.falling[e] = rng.randrange(1, 4)

    def _word(self, lane: Answer | None, header: int, index: int) -> int:
        if lane is None:
            return 0
        if header:
            return lane.header
        return lane.words[index] if lane.words and index < len(lane.words) else 0

    @property
    def complete(self) -> list[list[int]]:
        """Packets that have left."""
        return self.packets[:-1]

    def until(self, packets: int) -> None:
        """Until so many packets have left, and the lanes are released."""
        for _ in range(4000):
            self.clock()
            if len(self.complete) == packets:
                for _ in range(12):
                    self.clock()
                return
        raise AssertionError("no response")


COUNTERS = [0x11111111 * (i + 1) for i in range(COUNTER_WORDS)]


def mask(bits: Sequence[bool]) -> int:
    return sum(1 << e for e, bit in enumerate(bits) if bit)


def ordinary(patches: Sequence[Patch] = ()) -> None:
    """Answers and failures of all engines in any order."""
    emit = Emit(patches=patches)
    expected: list[list[int]] = []
    for _ in range(150):
        for e in range(ENGINES):
            if emit.lanes[e] is None and emit.rng.random() < 0.6:
                expected.append(emit.job(e).expected())
        emit.until(min(len(expected), len(emit.complete) + 1))
    emit.until(len(expected))
    assert sorted(emit.complete) == sorted(expected)


def test_every_answer_leaves_once_with_the_tag_of_the_host() -> None:
    ordinary()


def test_engines_take_turns() -> None:
    emit = Emit()
    emit.stalls = 0
    served: list[int] = []
    for _ in range(4 * ENGINES):
        for e in range(ENGINES):
            if emit.lanes[e] is None:
                emit.job(e)
        before = list(emit.released)
        emit.until(len(emit.complete) + 1)
        served += [e for e in range(ENGINES) if emit.released[e] > before[e]]
    assert all(len(set(served[i : i + ENGINES])) == ENGINES for i in range(0, len(served) - ENGINES))


@pytest.mark.parametrize("targets", [0b11111, 0b00110, 0b10000])
def test_a_job_for_all_leaves_once_with_the_highest_status_of_the_lowest_engine(targets: int) -> None:
    emit = Emit(targets)
    for _ in range(30):
        engines = [e for e in range(ENGINES) if targets >> e & 1]
        emit.inputs |= {"shared_i": 1, "targets_i": targets}
        before, answers = len(emit.complete), {}
        for e in emit.rng.sample(engines, len(engines)):
            for _ in range(emit.rng.randrange(40)):
                emit.clock()
            assert len(emit.complete) == before  # not before each of them has answered
            answers[e] = emit.job(e)
        done = 0
        for _ in range(1500):
            emit.clock()
            if emit.part["shared_done_o"]:
                done += 1
                found = emit.part["shared_ok_o"], emit.part["shared_by_o"]
                emit.inputs |= {"shared_i": 0}
            if done and len(emit.complete) > before:
                break
        for _ in range(30):
            emit.clock()
        well = {e: answer.words[0] & 0xFF for e, answer in answers.items() if answer.words}
        status = max(well.values(), default=None)
        best = min((e for e in well if well[e] == status), default=None)
        if best is None:  # any header will do: all have the same
            heads = [answer.expected() for answer in answers.values()]
            assert emit.complete[-1] in heads
        else:
            assert emit.complete[-1] == answers[best].expected()
        assert done == 1 and len(emit.complete) == before + 1 and emit.lanes == [None] * ENGINES
        assert found == (int(status == Status.OK), mask([e in well for e in range(ENGINES)]))


@pytest.mark.parametrize(
    ("fault", "unknown", "status"),
    [(1, 0, Status.ENGINE_FAULT), (1, 1, Status.BAD_CURVE), (0, 0, Status.OK)],
    ids=["no engine in service", "no such pool", "counters"],
)
def test_a_job_without_an_engine_is_answered(fault: int, unknown: int, status: Status) -> None:
    emit = Emit()
    for _ in range(20):
        header = emit.rng.getrandbits(24)
        before = len(emit.complete)
        emit.inputs |= {
            "own_valid_i": 1,
            "own_fault_i": fault,
            "own_unknown_i": unknown,
            "own_header_i": header,
        }
        for _ in range(600):
            emit.clock()
            if emit.part["own_done_o"]:
                emit.inputs["own_valid_i"] = 0
                break
        emit.until(before + 1)
        rest = [0] if fault else [COUNTER_WORDS, *COUNTERS]
        assert emit.complete[-1] == [header << 8 | status, *rest]


def test_a_mutant_that_gives_an_answer_another_operation_fails() -> None:
    with pytest.raises(AssertionError):
        ordinary(
            [("eccel_dispatch_emit.sv", "{data_q[31:16], data_q[7:0]}", "{data_q[31:16], data_q[15:8]}")]
        )
