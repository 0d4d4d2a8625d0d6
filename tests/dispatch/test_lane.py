"""eccel_dispatch_lane: tags and groups of the jobs of one engine, one answer for each, and its reset."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from tests.dispatch.part import Part
from tests.module import Struct
from tests.verilated import Patch

THREADS, MAX_WORDS, WINDOW_TICKS, WATCH_TICKS, RESET_CLOCKS = 4, 2, 3, 15, 64
VALID, LAST, MASK = 1 << 33, 1 << 32, 0xFFFFFFFF
KIND = Struct("dispatch/eccel_dispatch_pkg.sv", "kind_t", route=2)
KINDS = [KIND.pack(op=5), KIND.pack(op=6), KIND.pack(op=5, flags=1), KIND.pack(route=1, op=5)]
Words = list[int]


@dataclass
class Engine:
    """A model engine: it accepts packets and answers them in any order.

    received: packets with their internal tags; answer: makes a response of the header that it received;
    deaf: accepts no word; mute: does not answer.
    """

    rng: random.Random
    answer: Callable[[int], Words]
    received: list[Words] = field(default_factory=list)
    open: Words = field(default_factory=list)
    pending: list[Words] = field(default_factory=list)
    response: Words = field(default_factory=list)
    delay: int = 20
    deaf: bool = False
    mute: bool = False

    def rsp(self) -> int:
        """The word that is offered."""
        return VALID | (len(self.response) == 1) * LAST | self.response[0] if self.response else 0

    def step(self, req: int, accepted: bool, sent: bool) -> None:
        if sent:
            self.response.pop(0)
        if req & VALID and accepted:
            self.open.append(req & MASK)
            if req & LAST:
                self.received.append(self.open)
                self.pending.append(self.open)
                self.open = []
        self.delay = max(0, self.delay - 1)
        if self.pending and not self.delay and not self.mute and not self.response:
            packet = self.pending.pop(self.rng.randrange(len(self.pending)))
            self.response, self.delay = self.answer(packet[0]), self.rng.choice((5, 80))


def answered(header: int) -> Words:
    """A correct response."""
    tag, op = header >> 16, header & 0xFF
    return [tag << 16 | op << 8, 2, tag * 3, tag * 5]


class Lane:
    """The part between a model engine and the test, which is the sender and the emitter."""

    def __init__(self, own_words: int = 0, seed: int = 1, patches: Sequence[Patch] = ()) -> None:
        parameters = {
            "Threads": THREADS, "MaxWords": MAX_WORDS, "OwnWords": own_words,
            "WindowTicks": WINDOW_TICKS, "WatchTicks": WATCH_TICKS,
        }  # fmt: skip
        self.part = Part("lane", parameters, patches)
        self.rng = random.Random(seed)
        self.engine = Engine(self.rng, answered)
        self.resets = 0
        """Clocks in which the engine was reset."""
        self.clock(80)  # the RAM of the answers is cleared

    def clock(self, clocks: int = 1, **inputs: int) -> None:
        part, engine = self.part, self.engine
        pulses = ("word_valid_i", "release_i", "tick_group_i", "tick_stall_i", "tick_job_i", "restart_i")
        for _ in range(clocks):
            ready = not engine.deaf and self.rng.random() < 0.3
            rsp = engine.rsp()
            part.clock(eng_req_ready_i=ready, eng_rsp_i=rsp, **(dict.fromkeys(pulses, 0) | inputs))
            engine.step(part["eng_req_o"], ready, bool(rsp and part["eng_rsp_ready_o"]))
            if not part["eng_rst_no"]:
                self.resets += 1
                engine.open, engine.pending, engine.response = [], [], []

    def send(self, words: Words, kind: int, every: int = 0) -> None:
        """A packet, word by word while the lane is free."""
        for i, word in enumerate(words):
            for _ in range(400):
                if self.part["free_o"]:
                    break
                self.clock()
            assert self.part["free_o"]
            self.clock(
                kind_i=kind, every_i=every, word_valid_i=1, word_data_i=word,
                word_first_i=not i, word_last_i=i == len(words) - 1,
            )  # fmt: skip
            self.clock(2)
            given_up = self.part["fault_o"]
            assert given_up or self.part["eng_req_o"] & (VALID | MASK >> 16) == VALID | word & MASK >> 16
            self.clock(2)

    def read(self, *, header: bool, index: int = 0) -> int:
        self.clock(5, read_i=1, read_header_i=header, read_index_i=index)
        value = self.part["data_o"]
        self.clock(read_i=0)
        return value

    def collect(self, limit: int = 3000) -> tuple[bool, int, Words]:
        """The next answer: whether the engine gave it, the host's header, the words; it is released."""
        for _ in range(limit):
            if self.part["answered_o"] or self.part["failed_o"]:
                break
            self.clock()
        given = bool(self.part["answered_o"])
        assert given != bool(self.part["failed_o"]), "no answer, or two"
        header = self.read(header=True)
        words = [self.read(header=False, index=i) for i in range(4)] if given else []
        self.clock(release_i=1)
        self.clock(4)
        return given, header, words


def packet(rng: random.Random, op: int) -> Words:
    return [
        rng.getrandbits(24) << 8 | op,
        rng.getrandbits(32),
        *(rng.getrandbits(32) for _ in range(rng.randrange(3))),
    ]


def jobs(patches: Sequence[Patch] = (), own_words: int = 0) -> Lane:
    """Groups of one to four jobs, whose answers come while others are sent."""
    lane = Lane(own_words, patches=patches)
    rng = lane.rng
    sent: list[tuple[Words, int]] = []
    tags: list[int] = []
    for _ in range(60):
        assert not lane.part["busy_o"] and lane.part["idle_o"]
        group = [packet(rng, 5) for _ in range(rng.randrange(1, THREADS + 1))]
        headers: dict[int, int] = {}
        for words in group:
            every = rng.getrandbits(1)
            lane.send(words, KINDS[0], every)
            sent.append((words, every))
            headers[words[0]] = headers.get(words[0], 0) + 1
        for _ in group:
            given, header, words = lane.collect()
            assert given and headers[header] > 0
            headers[header] -= 1
            tag = words[0] >> 16
            assert words == answered(tag << 16 | header & 0xFF)
        lane.clock(10)
    received = lane.engine.received
    assert len(received) == len(sent)
    for found, (words, every) in zip(received, sent, strict=True):
        tag, ticket = found[0] >> 16, found[0] >> 16 & 7
        assert tag >> 8 == words[0] & 0xFF and tag >> 3 & 1 == ticket.bit_count() & 1 and ticket < THREADS
        assert found[0] & 0xFFFF == words[0] & 0xFFFF
        second = words[1] & 0xFFFFFF | own_words << 24 if every and own_words else words[1]
        assert found[1:] == [second, *words[2:]]
        tags.append(tag)
    # A ticket of 0 begins a group; within 16 groups no tag comes twice.
    begins = [i for i, tag in enumerate(tags) if not tag & 7]
    for first, last in zip(begins, [*begins[16:], len(tags)], strict=False):
        assert len(set(tags[first:last])) == last - first
    return lane


@pytest.mark.parametrize("own_words", [0, 7])
def test_every_packet_is_answered_once_and_no_tag_comes_twice_in_16_groups(own_words: int) -> None:
    jobs(own_words=own_words)


def test_a_group_accepts_jobs_of_its_kind_until_it_is_full_or_its_time_is_over() -> None:
    lane, rng = Lane(), random.Random(1)
    lane.engine.mute = True

    def matches() -> list[int]:
        found = []
        for kind in KINDS:
            lane.clock(4, kind_i=kind)
            found.append(lane.part["match_o"])
        return found

    assert matches() == [0, 0, 0, 0] and lane.part["idle_o"]
    for jobs_so_far in range(1, THREADS + 1):
        lane.send(packet(rng, 5), KINDS[0])
        lane.clock(30)
        assert matches() == [int(jobs_so_far < THREADS), 0, 0, 0] and not lane.part["idle_o"]
    lane.engine.mute = False
    for _ in range(THREADS):
        assert lane.collect()[0]
    lane.clock(10)
    assert lane.part["idle_o"]
    lane.engine.mute = True
    lane.send(packet(rng, 6), KINDS[1])
    lane.clock(30)
    for tick in range(WINDOW_TICKS):
        assert matches() == [0, 1, 0, 0], tick
        lane.clock(tick_group_i=1)
    lane.clock(2)
    assert matches() == [0, 0, 0, 0]


def test_each_cause_resets_the_engine_fails_its_jobs_and_then_it_serves_again() -> None:
    lane, rng = Lane(), random.Random(1)
    for cause in ("response", "restart", "deaf", "mute") * 2:
        sent = [packet(rng, 5) for _ in range(rng.randrange(1, THREADS))]
        lane.engine.mute = True
        for words in sent:
            lane.send(words, KINDS[0])
        lane.clock(60)
        assert not lane.part["fault_o"]
        lane.resets = 0
        if cause == "response":
            lane.engine.answer = lambda header: answered(header ^ 1 << 16)  # another ticket
            lane.engine.mute = False
        elif cause == "restart":
            lane.clock(restart_i=1)
        elif cause == "deaf":
            lane.engine.deaf = True
            sent.append(words := packet(rng, 5))
            lane.clock(word_valid_i=1, word_data_i=words[0], word_first_i=1, word_last_i=0)
        for _ in range(WATCH_TICKS + 1 if cause in ("deaf", "mute") else 0):
            assert not lane.part["fault_o"]
            lane.clock(5, tick_stall_i=0)
            lane.clock(tick_stall_i=cause == "deaf", tick_job_i=cause == "mute")
            if lane.part["fault_o"]:
                break
        lane.clock(200)
        assert lane.part["fault_o"] and lane.resets == RESET_CLOCKS and not lane.part["idle_o"]
        lane.engine.answer, lane.engine.deaf, lane.engine.mute = answered, False, False
        if cause == "deaf":  # the rest of the packet still comes
            for i, word in enumerate(words[1:], 2):
                lane.clock(4)
                lane.clock(word_valid_i=1, word_data_i=word, word_first_i=0, word_last_i=i == len(words))
            lane.clock(4)
        else:  # a whole packet comes while the engine is given up
            sent.append(packet(rng, 5))
            lane.send(sent[-1], KINDS[0])
        failed = []
        for _ in sent:
            given, header, _ = lane.collect()
            assert not given
            failed.append(header)
        assert sorted(failed) == sorted(words[0] for words in sent)
        lane.clock(30)
        assert lane.part["idle_o"] and not lane.part["fault_o"] and lane.part["eng_rst_no"]
        lane.send(words := packet(rng, 5), KINDS[0])
        assert lane.collect()[:2] == (True, words[0])
        lane.clock(10)


def test_a_mutant_that_gives_two_jobs_one_ticket_fails() -> None:
    with pytest.raises(AssertionError):
        jobs([("eccel_dispatch_lane.sv", "owes_q ? count_q + 1'b1", "owes_q ? count_q")])
