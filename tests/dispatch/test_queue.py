"""eccel_dispatch_queue: packets come out as they went in, with their kind, and leave nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate.driver.cluster import ClusterOp
from eccelerate.model.jobs import Op
from tests.dispatch.part import Part
from tests.module import Struct
from tests.verilated import Patch

ENGINES, POOLS, SLOTS, MAX_WORDS = 3, 2, 4, 1
SLOT_WORDS = 16
"""Words of a slot: 2 + 8 * MAX_WORDS, rounded up to a power of two."""
LONGEST = SLOT_WORDS + 4
VALID, LAST = 1 << 33, 1 << 32
KIND = Struct("dispatch/eccel_dispatch_pkg.sv", "kind_t", route=2)
AIM = Struct("dispatch/eccel_dispatch_pkg.sv", "aim_t", pool=2)
ORDINARY, SHARED, EVERYWHERE, OWN = range(4)
SHARED_OPS = (Op.KEY_LOAD, Op.KEYGEN, Op.SELF_TEST)


@dataclass
class Packet:
    """What the host sends; complete: the clock of its last word."""

    words: list[int]
    complete: int = 0

    @property
    def stored(self) -> list[int]:
        """Words in the slot, with their marks: a long packet ends with the slot."""
        kept = self.words[:SLOT_WORDS]
        return [word | (i == len(kept) - 1) * LAST for i, word in enumerate(kept)]

    def kind(self) -> tuple[int, int]:
        """kind_o and aim_o, as docs/architecture.md sends each operation to engines."""
        op, curve, pool = self.words[0] & 0xFF, self.words[0] >> 8 & 0xFF, self.words[0] >> 14 & 3
        route = ORDINARY
        if pool < POOLS and op in SHARED_OPS:
            route = SHARED
        if op == Op.ZEROISE or (pool < POOLS and op == Op.CURVE_LOAD):
            route = EVERYWHERE
        flags = 0
        if len(self.words) > 1:
            flags = self.words[1] >> 16 & 15
            own = op in (ClusterOp.COUNTERS, ClusterOp.RESTART) and curve < ENGINES
            if own and len(self.words) == 2 and self.words[1] & 0xFFFFFF == 0:
                route = OWN
        aim = AIM.pack(pool=pool, every=int(op == Op.ZEROISE))
        return KIND.pack(route=route, op=op & 63, flags=flags), aim


class Queue:
    """The part with a host in the background; the test is the sender. held: packets in it, by number."""

    def __init__(self, packets: Sequence[Packet], patches: Sequence[Patch] = (), stalls: float = 0) -> None:
        parameters = {"Engines": ENGINES, "Pools": POOLS, "Slots": SLOTS, "MaxWords": MAX_WORDS}
        self.part = Part("queue", parameters, patches)
        self.rng, self.stalls = random.Random(1), stalls
        self.packets = packets
        self.sent = self.word = 0
        self.accepted: list[int] = []  # clocks of the words
        self.valid = False
        self.held: dict[int, Packet] = {}
        self.most = 0

    def clock(self, clocks: int = 1, **inputs: int) -> None:
        for _ in range(clocks):
            more = self.sent < len(self.packets)
            self.valid = more and (self.valid or self.rng.random() >= self.stalls)
            req = 0
            if self.valid:
                words = self.packets[self.sent].words
                req = VALID | (self.word == len(words) - 1) * LAST | words[self.word]
            self.part.clock(req_i=req, **({"wipe_i": 0, "free_i": 0} | inputs))
            if req and self.part["req_ready_o"]:
                self.accepted.append(self.part.clocks)
                self.valid, self.word = False, self.word + 1
                if req & LAST:
                    packet = self.packets[self.sent]
                    packet.complete = self.part.clocks
                    self.held[self.sent] = packet
                    self.sent, self.word = self.sent + 1, 0
            self.most = max(self.most, len(self.held))

    def waits(self, number: int) -> bool:
        """Whether the slot of a packet shows one."""
        self.clock(8, slot_i=number % SLOTS)
        return bool(self.part["waits_o"])

    def take(self, number: int) -> None:
        """Reads, checks, wipes and frees a packet that waits."""
        packet, part = self.held[number], self.part
        self.clock(2, slot_i=number % SLOTS)
        self.clock()
        assert (part["kind_o"], part["aim_o"]) == packet.kind()
        for i, word in enumerate(packet.stored):
            self.clock(2, word_i=i)
            self.clock(wipe_i=1)
            assert part["last_o"] << 32 | part["data_o"] == word
            self.clock(self.rng.choice((1, 4)))
        self.clock(free_i=1)
        del self.held[number]


def packets(rng: random.Random, count: int) -> list[Packet]:
    """Every operation, well-formed or not, and every length up to more than a slot."""
    found = []
    operations = [*Op, *ClusterOp, 0x7F]
    for i in range(count):
        header = rng.getrandbits(16) << 16 | rng.choice((rng.getrandbits(8), rng.randrange(4))) << 8
        header |= operations[i % len(operations)]
        length = rng.choice((1, 2, 2, 2, 3, SLOT_WORDS - 1, SLOT_WORDS, SLOT_WORDS + 1, LONGEST))
        second = rng.choice((0, 0, rng.getrandbits(32)))
        found.append(Packet([header, second, *(rng.getrandbits(32) for _ in range(LONGEST))][:length]))
    return found


def campaign(patches: Sequence[Patch] = ()) -> None:
    """Packets leave in any order; the queue is often full."""
    rng = random.Random(2)
    queue = Queue(packets(rng, 160), patches, stalls=0.3)
    queue.clock(SLOTS * SLOT_WORDS + 10, slot_i=0, word_i=0)
    while queue.sent < len(queue.packets) or queue.held:
        queue.clock(rng.choice((1, 5, 100, 300)))
        settled = [n for n, p in queue.held.items() if queue.part.clocks - p.complete > 12]
        for number in rng.sample(settled, min(len(settled), rng.randrange(3))):
            assert queue.waits(number)
            queue.take(number)
            assert not queue.waits(number) or number + SLOTS in queue.held
        sent = queue.sent
        queue.clock(20)
        if sent == queue.sent:  # none has come in between
            oldest = min(queue.held, default=sent)
            assert (queue.part["head_o"], queue.part["tail_o"]) == (oldest % SLOTS, sent % SLOTS)
    assert queue.most == SLOTS - 1
    for slot in range(SLOTS):
        for word in range(SLOT_WORDS):
            queue.clock(3, slot_i=slot, word_i=word)
            assert queue.part["data_o"] == 0


def test_packets_come_out_as_they_went_in() -> None:
    campaign()


def test_no_word_comes_before_all_are_overwritten_and_then_one_in_five_cycles() -> None:
    queue = Queue([Packet([i, *range(9)]) for i in range(3)])
    queue.clock(400)
    assert queue.accepted[0] > SLOTS * SLOT_WORDS
    assert {b - a for a, b in zip(queue.accepted, queue.accepted[1:], strict=False)} == {5}
    assert (queue.part["head_o"], queue.part["tail_o"]) == (0, 3)


def test_a_full_queue_accepts_no_packet_until_the_oldest_one_has_left() -> None:
    queue = Queue([Packet([i, 0]) for i in range(2 * SLOTS)])
    queue.clock(400)
    assert queue.sent == SLOTS - 1
    queue.take(1)
    queue.clock(100)
    assert queue.sent == SLOTS - 1 and queue.part["head_o"] == 0
    queue.take(0)
    queue.clock(100)
    assert queue.sent == SLOTS + 1 and queue.part["head_o"] == 2


def test_a_mutant_without_the_cut_of_a_long_packet_fails() -> None:
    with pytest.raises(AssertionError):
        campaign(
            [("eccel_dispatch_queue.sv", "drop_q  <= !last_q && (drop_q || at_end_q);", "drop_q  <= 1'b0;")]
        )
