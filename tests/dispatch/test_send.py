"""eccel_dispatch_send: every packet goes once, whole, to the right engines, and none passes a job for all."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.dispatch.part import Part
from tests.module import Struct
from tests.verilated import Patch

ENGINES, POOLS, SLOTS, MAX_WORDS = 3, 2, 8, 1
POOL_OF = (0, 0, 1)
AIM = Struct("dispatch/eccel_dispatch_pkg.sv", "aim_t", pool=2)
ORDINARY, SHARED, EVERYWHERE, OWN = range(4)
DATA_CLOCKS, KIND_CLOCKS, WAITS_CLOCKS, MATCH_CLOCKS = 2, 3, 7, 5
SCAN = 10 * SLOTS + 40
"""Clocks in which the sender has judged every packet of the queue."""


@dataclass
class Packet:
    """A packet of the queue. can_go: the clock since which an engine could have accepted it."""

    number: int
    route: int
    kind: int
    pool: int
    every: bool
    words: list[int]
    wiped: int = 0
    can_go: int | None = None

    def members(self) -> set[int]:
        """Engines that it may go to, in service or not."""
        return {e for e in range(ENGINES) if self.every or POOL_OF[e] == self.pool}


@dataclass
class Lane:
    """Of an engine: the kind of its jobs, and how many clocks they still take."""

    kind: int = -1
    left: list[int] = field(default_factory=list)
    receiving: bool = False
    blocked: int = 0  # clocks for which the last word has not left

    @property
    def idle(self) -> bool:
        return not self.left and not self.receiving and not self.blocked

    def matches(self, packet: Packet | None) -> bool:
        """Whether it collects jobs of the packet's kind."""
        collects = bool(self.left) and len(self.left) < 3 and not self.receiving
        return collects and packet is not None and packet.route == ORDINARY and packet.kind == self.kind


class Sender:
    """The part with a queue and lanes around it; every word is checked as it goes."""

    def __init__(self, seed: int = 1, patches: Sequence[Patch] = ()) -> None:
        pools = sum(pool << 2 * e for e, pool in enumerate(POOL_OF))
        sizes = {"Engines": ENGINES, "Pools": POOLS, "Slots": SLOTS, "MaxWords": MAX_WORDS}
        parameters = {**sizes, "PoolOf": f"32'h{pools:x}"}
        self.part = Part("send", parameters, patches)
        self.rng = random.Random(seed)
        self.queue: dict[int, Packet] = {}
        self.came = self.gone = 0
        self.lanes = [Lane() for _ in range(ENGINES)]
        self.service = (1 << ENGINES) - 1
        self.slots = deque([0] * 8, maxlen=8)
        self.words = deque([0] * 8, maxlen=8)
        self.waits = deque([False] * 8, maxlen=8)
        self.sending: Packet | None = None
        self.owned: Packet | None = None  # the last one that went to no engine
        self.chosen: set[int] = set()
        self.shared = False
        self.ending = self.owning = 0
        self.sent: dict[int, set[int]] = {}
        self.outcomes: dict[int, str] = {}
        self.free = [1] * ENGINES

    def at(self, slot: int) -> Packet | None:
        """The packet in a slot."""
        return next((packet for packet in self.queue.values() if packet.number % SLOTS == slot), None)

    def add(self, packet: Packet) -> None:
        self.queue[packet.number] = packet
        self.came = packet.number + 1

    def clock(self) -> None:
        part, lanes = self.part, self.lanes
        kind = self.at(self.slots[-KIND_CLOCKS])
        data, word = self.at(self.slots[-DATA_CLOCKS]), self.words[-DATA_CLOCKS]
        rest = data.words[word:] if data else []
        head = min(self.queue, default=self.came)
        matched = self.at(self.slots[-MATCH_CLOCKS])
        part.clock(
            head_i=head % SLOTS, tail_i=self.came % SLOTS,
            waits_i=int(self.waits[-WAITS_CLOCKS]),
            route_i=kind.route if kind else 0,
            aim_i=AIM.pack(pool=kind.pool, every=int(kind.every)) if kind else 0,
            load_i=int(bool(kind and kind.kind == 7)),
            data_i=rest[0] if rest else 0, last_i=int(len(rest) == 1),
            free_i=sum(bit << e for e, bit in enumerate(self.free)),
            match_i=sum(lane.matches(matched) << e for e, lane in enumerate(lanes)),
            idle_i=sum(lane.idle << e for e, lane in enumerate(lanes)),
            service_i=self.service,
            shared_done_i=int(self.ending == 1), own_done_i=int(self.owning == 1),
        )  # fmt: skip
        self._judge()
        self._lanes()
        self._jobs()
        if part["wipe_o"]:
            packet = self.at(part["slot_o"])
            assert packet is not None and packet.wiped == part["word_o"]
            packet.wiped += 1
            if not part["word_o"]:
                self._begin(packet)
        if part["free_o"]:
            packet = self.at(part["slot_o"])
            assert packet is not None and packet is self.sending and packet.wiped == len(packet.words)
            self._end(packet)
        self.slots.append(part["slot_o"])
        self.words.append(part["word_o"])
        self.waits.append(self.at(part["slot_o"]) is not None)

    def _judge(self) -> None:
        """Since when each packet could go."""
        for packet in self.queue.values():
            free = {
                e for e in packet.members()
                if self.service >> e & 1 and (self.lanes[e].idle or self.lanes[e].matches(packet))
            }  # fmt: skip
            if not (free and packet.route == ORDINARY) or self.sending or self.shared:
                packet.can_go = None
            elif packet.can_go is None:
                packet.can_go = self.part.clocks

    def _lanes(self) -> None:
        valid = self.part["word_valid_o"]
        for e, lane in enumerate(self.lanes):
            lane.blocked = max(0, lane.blocked - 1)
            if valid >> e & 1:
                packet = self.sending
                assert packet is not None and self.free[e]
                word = packet.wiped - 1
                first, last = word == 0, word == len(packet.words) - 1
                assert self.part["word_data_o"] == packet.words[word]
                assert (self.part["word_first_o"], self.part["word_last_o"]) == (first, last)
                self.sent.setdefault(packet.number, set()).add(e)
                lane.receiving, lane.blocked = not last, self.rng.choice((1, 1, 8))
                if last:
                    lane.kind = packet.kind if not lane.left else lane.kind
                    lane.left.append(self.rng.randrange(50, 400))
            if not lane.receiving and not self.shared:
                lane.left = [left - 1 for left in lane.left if left > 1]
            self.free[e] = int(not lane.blocked)

    def _begin(self, packet: Packet) -> None:
        """Checks the choice of a packet, with the state of a few clocks ago."""
        part = self.part
        older = [each for each in self.queue.values() if each.number < packet.number]
        assert self.sending is None and not self.shared
        assert all(each.route in (ORDINARY, OWN) for each in older), "a packet passes a job for all"
        for each in older:
            assert each.can_go is None or part.clocks - each.can_go <= SCAN, (
                "a packet that can go is passed over"
            )
        self.sending = packet
        targets, service = part["targets_o"], {e for e in packet.members() if self.service >> e & 1}
        chosen = {e for e in range(ENGINES) if targets >> e & 1}
        if packet.route == OWN or (packet.route != EVERYWHERE and not service):
            assert not chosen and not part["shared_o"]
            self.outcomes[packet.number] = "own"
        elif packet.route == ORDINARY:
            (engine,) = chosen
            lane = self.lanes[engine]
            assert engine in service and (lane.idle or lane.kind == packet.kind)
            self.outcomes[packet.number] = "one"
        else:
            assert not older and all(lane.idle for lane in self.lanes) and part["shared_o"]
            assert part["loads_o"] == (packet.kind == 7)
            assert chosen == (packet.members() if packet.route == EVERYWHERE else service)
            self.outcomes[packet.number] = "all"
            self.shared = True
        self.chosen = chosen

    def _end(self, packet: Packet) -> None:
        assert self.sent.get(packet.number, set()) == self.chosen
        del self.queue[packet.number]
        self.sending, self.gone = None, self.gone + 1
        if self.outcomes[packet.number] == "own":
            self.owned, self.owning = packet, self.rng.randrange(5, 60)
        if self.shared:
            self.ending = self.rng.randrange(20, 200)

    def _jobs(self) -> None:
        """A job for all, or without an engine, ends some time after its last word."""
        part = self.part
        packet = self.owned
        if packet and 0 < self.owning < 4:
            assert part["own_valid_o"] and part["own_header_o"] == packet.words[0]
            assert part["own_fault_o"] == (packet.route != OWN)
            assert not part["own_fault_o"] or part["own_unknown_o"] == (packet.pool >= POOLS)
        if self.ending == 1:
            for lane in self.lanes:
                lane.left = []
            self.shared = False
        self.ending, self.owning = max(0, self.ending - 1), max(0, self.owning - 1)


def random_packet(number: int, rng: random.Random) -> Packet:
    route = rng.choice((ORDINARY, ORDINARY, ORDINARY, ORDINARY, SHARED, EVERYWHERE, OWN))
    pool = rng.choice((0, 0, 0, 1, 1, rng.randrange(4)))
    every = route == EVERYWHERE and rng.random() < 0.5
    if route in (SHARED, EVERYWHERE) and not every:
        pool %= POOLS  # the queue makes a packet of an unknown pool an ordinary one
    words = [rng.getrandbits(32) for _ in range(rng.choice((1, 2, 2, 4, 10)))]
    kind = rng.choice((1, 1, 2)) if route == ORDINARY else rng.choice((6, 7))
    return Packet(number, route, kind, pool, every, words)


def campaign(seed: int = 1, patches: Sequence[Patch] = ()) -> Sender:
    """Packets of every kind; now and then engines are not in service."""
    sender = Sender(seed, patches)
    rng, count, clocks = sender.rng, 250, 0
    while sender.gone < count:
        room = sender.came - min(sender.queue, default=sender.came) < SLOTS - 1
        if sender.came < count and room and rng.random() < 0.05:
            sender.add(random_packet(sender.came, rng))
        if not sender.queue and rng.random() < 0.3:
            sender.service = rng.choice((7, 7, 7, 3, 5, 6, 4, 0))
        sender.clock()
        clocks += 1
        assert clocks < 300 * count, "a packet does not go"
    assert set(sender.outcomes.values()) == {"one", "all", "own"}
    return sender


@pytest.mark.parametrize("seed", [1, 2])
def test_every_packet_goes_once_to_its_targets(seed: int) -> None:
    campaign(seed)


def test_a_mutant_in_which_packets_pass_a_job_for_all_fails() -> None:
    with pytest.raises(AssertionError, match="passes a job for all"):
        campaign(1, [("eccel_dispatch_send.sv", "last_slot_q || waits_i && is_shared_q", "last_slot_q")])
