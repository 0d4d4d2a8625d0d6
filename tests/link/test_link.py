"""A link delivers every packet once, in order and intact, or says that it is dead, whatever its channels do.

The modules below eccel_link are eccel_link_tx, eccel_link_rx, eccel_link_buffer, eccel_link_fifo and
eccel_link_crc.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from tests.link.pair import Fault, Injector, Packet, Pair, Reason, one_fault
from tests.sampled import sampled
from tests.verilated import Patch

RETRY_CYCLES, MAX_TRIES, QUIET_CYCLES, SYNC_CYCLES = 128, 3, 32, 2048
"""Defaults of pair.sv."""
BOUND = 2 * (MAX_TRIES + 2) * RETRY_CYCLES
LENGTHS = (1, 2, 3, 4, 5, 8, 9)
"""Words of packets: frames have up to four."""


def packets(width: int = 64, count: int = 3, seed: int = 1) -> tuple[list[Packet], list[Packet]]:
    """Random packets of both sides."""
    rng = random.Random(seed)

    def one() -> Packet:
        return tuple(rng.getrandbits(width) for _ in range(rng.choice(LENGTHS)))

    return [one() for _ in range(count)], [one() for _ in range(count)]


def start(pair: Pair, sent: tuple[Sequence[Packet], Sequence[Packet]]) -> None:
    for side in (0, 1):
        for packet in sent[side]:
            pair.send(side, packet)


def complete(pair: Pair, sent: tuple[list[Packet], list[Packet]]) -> bool:
    """Whether all packets have arrived. Whatever has arrived must be right."""
    for side in (0, 1):
        assert pair.got[side] == sent[1 - side][: len(pair.got[side])], "a wrong packet arrived"
    return all(len(pair.got[side]) == len(sent[1 - side]) for side in (0, 1))


def exchange(pair: Pair, sent: tuple[list[Packet], list[Packet]], limit: int = 20_000) -> int:
    """Send the packets and wait until they are there; the number of cycles."""
    start(pair, sent)
    cycles = pair.run_until(lambda: complete(pair, sent), limit)
    for _ in range(100):
        pair.clock()
    assert complete(pair, sent), "a packet arrived twice"
    return cycles


@pytest.mark.parametrize("stall", [0.0, 0.5, 0.95])
@pytest.mark.parametrize(
    "shape",
    [
        {"Width": 8, "SlotWords": 16},
        {"Width": 16, "SlotWords": 2, "Slots": 2},
        {"Width": 32, "Num": 2, "Den": 3},
        {"Width": 64, "SlotWords": 8, "Slots": 32, "Num": 134, "Den": 150, "Latency": 30},
        {"Width": 128, "Num": 1, "Den": 5},
    ],
    ids=lambda shape: "-".join(f"{k}{v}" for k, v in shape.items()),
)
def test_packets_arrive_as_they_were_sent(shape: dict[str, int], stall: float) -> None:
    sent = packets(shape["Width"], 40)
    pair = Pair({"RetryCycles": 1024, **shape}, stall=stall)
    exchange(pair, sent)
    assert pair.unit.array("retries_o") == [0, 0], "nothing was lost, so that nothing is sent again"
    assert pair.unit.array("errors_o") == [0, 0]


def words_of_session() -> tuple[int, int]:
    """The words that pass the channels before the session of the fault tests begins, and in it."""
    pair = Pair()
    before = pair.count[0]
    exchange(pair, packets())
    return before, pair.count[0]


BEFORE, AFTER = words_of_session()


@pytest.mark.parametrize("channel", [0, 1])
@pytest.mark.parametrize("fault", [Fault.LOST, Fault.REPEATED, Fault.EXCHANGED, Fault.FLIPPED])
def test_a_fault_of_any_one_word_is_repaired(fault: Fault, channel: int) -> None:
    """Each word of a session, and of the frames by which the two sides find each other."""
    sent, rng = packets(), random.Random(3)
    for number in range(AFTER):
        pair = Pair(up=False, injector=one_fault(channel, number, fault, rng.getrandbits(65)))
        exchange(pair, sent)
        assert pair.unit["dead_o"] == 0


def test_any_one_wrong_bit_of_a_frame_is_repaired() -> None:
    """All bits of a frame of four words, its head, header and CRC, and of the frames around it."""
    sent = ([(1, 2, 3, 4), (5, 6), (7, 8, 9, 10)], [(11,)])
    errors = 0
    for number, bit in product(range(BEFORE, BEFORE + 14), range(65)):
        pair = Pair(injector=one_fault(0, number, Fault.FLIPPED, 1 << bit))
        exchange(pair, sent)
        errors += pair.unit.array("errors_o")[1]
    assert errors > 500, "the faults did hit frames"


def random_faults(rate: float, seed: int) -> Injector:
    """Faults of all kinds, at random, also one after the other."""

    def fault(channel: int, number: int) -> tuple[Fault, int]:
        rng = random.Random(f"{seed} {channel} {number}")
        if rng.random() >= rate:
            return Fault.NONE, 0
        return Fault(rng.randint(1, 4)), rng.getrandbits(65) & rng.getrandbits(65) | 1

    return fault


@pytest.mark.parametrize("rate", [0.003, 0.02, 0.1])
def test_random_faults_never_deliver_a_wrong_packet(rate: float) -> None:
    retries = 0
    for seed in range(10):
        sent = packets(count=20, seed=seed)
        pair = Pair({"MaxTries": 15}, stall=0.3, seed=seed)
        pair.injector = random_faults(rate, seed)
        start(pair, sent)
        pair.run_until(lambda p=pair, s=sent: complete(p, s) or p.unit["dead_o"] != 0, 100_000)
        retries += sum(pair.unit.array("retries_o"))
        if rate < 0.1:
            assert complete(pair, sent)
    assert retries, "some frames were sent again"


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_cut_ends_in_a_status_at_both_ends_in_bounded_time(cut: int) -> None:
    """The channels of the set are cut at each cycle of a session, and after it."""
    sent, reasons = packets(), set()
    for moment in [*range(0, 120, 3), 500]:
        pair = Pair()
        start(pair, sent)
        for _ in range(moment):
            pair.clock()
        pair.run_until(lambda pair=pair: pair.unit["dead_o"] == 3, BOUND, cut_i=cut)
        complete(pair, sent)
        assert pair.unit["up_o"] == 0
        reasons |= set(pair.unit.array("reason_o"))
    assert reasons == {Reason.RETRIES, Reason.SILENCE}


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_channel_cut_from_the_start_is_reported(cut: int) -> None:
    pair = Pair(up=False)
    limit = QUIET_CYCLES + SYNC_CYCLES + BOUND
    pair.run_until(lambda: pair.unit["dead_o"] == 3, limit, cut_i=cut)


def test_a_channel_of_nothing_but_noise_is_reported() -> None:
    for channel in (0, 1):
        pair = Pair()
        rng = random.Random(channel)
        pair.injector = lambda c, n, channel=channel, rng=rng: (
            (Fault.FLIPPED, rng.getrandbits(65) | 1) if c == channel else (Fault.NONE, 0)
        )
        sent = packets()
        start(pair, sent)
        pair.run_until(lambda pair=pair: pair.unit["dead_o"] == 3, BOUND)
        complete(pair, sent)


@pytest.mark.parametrize("later", [0, 1, 7, 40, 300, 1500])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_link_works_again_after_a_reset_of_both_ends(later: int, swapped: bool) -> None:
    """The first reset is at different moments of a session, so that words are under way."""
    first, second = (2, 1) if swapped else (1, 2)
    for moment in range(0, 90, 11):
        old, new = packets(seed=1), packets(seed=2)
        pair = Pair()
        start(pair, old)
        for _ in range(moment):
            pair.clock()
        for side in (0, 1):
            pair.words[side].clear()
        for cycle in range(later + 1):
            pair.clock(rst_i=(first if cycle == 0 else 0) | (second if cycle == later else 0))
            for side in (0, 1):
                pair.got[side].clear()
                pair.part[side].clear()
        pair.clock(rst_i=0)
        exchange(pair, new)
        assert pair.unit["dead_o"] == 0


@pytest.mark.parametrize("side", [0, 1])
def test_a_reset_of_one_end_makes_the_other_end_dead(side: int) -> None:
    for moment in range(0, 90, 11):
        pair, sent = Pair(), packets()
        start(pair, sent)
        for _ in range(moment):
            pair.clock()
        pair.words[side].clear()
        pair.clock(rst_i=1 << side)
        dead = 1 << 1 - side
        pair.run_until(lambda pair=pair, dead=dead: pair.unit["dead_o"] & dead != 0, BOUND, rst_i=0)
        assert pair.unit.array("reason_o")[1 - side] == Reason.PEER_RESET


def test_an_end_that_is_told_to_end_makes_both_dead() -> None:
    pair = Pair()
    pair.clock(end_i=1)
    pair.clock(end_i=0)
    assert pair.unit.array("reason_o")[0] == Reason.ENDED
    pair.run_until(lambda: pair.unit["dead_o"] == 3, BOUND)


def test_frames_follow_each_other_without_a_gap() -> None:
    """The rate of the header: n + 2 words for a frame of n, if the channel takes a word in each cycle."""
    frames, words = 60, 8
    pair = Pair({"SlotWords": words, "Slots": 16, "Latency": 10})
    pair.send(0, [7] * frames * words)
    cycles = pair.run_until(lambda: len(pair.got[1]) == 1, 2000)
    assert frames * (words + 2) <= cycles <= frames * (words + 2) + 60


@pytest.mark.parametrize("latency", [4, 40])
@pytest.mark.parametrize("words", [2, 3, 7, 8])
def test_the_latency_is_that_of_the_header(words: int, latency: int) -> None:
    pair = Pair({"SlotWords": 8, "Latency": latency, "RetryCycles": 400})
    pair.send(0, list(range(words)))
    pair.run_until(lambda: not pair.words[0], 50)
    cycles = pair.run_until(lambda: bool(pair.part[1] or pair.got[1]), 400)
    assert cycles == words + 2 + 14 + latency


MUTANTS: dict[str, Patch] = {
    "no CRC": ("eccel_link_rx.sv", "ends_q && crc == check_q", "ends_q"),
    "no number": ("eccel_link_rx.sv", "header_q.seq == expected_q &&", ""),
    "no credit": (
        "eccel_link_tx.sv",
        "next_q != head_q && precedes(next_q, peer_limit_q)",
        "next_q != head_q",
    ),
    "no retry": ("eccel_link_tx.sv", "else if (again) next_q <= base_q;", ""),
    "no room": ("eccel_link_rx.sv", "        precedes(expected_q, limit_q);", "        1'b1;"),
}


def faulty_session(patches: Sequence[Patch]) -> None:
    """Faults, and a user who is often busy: what the mutants below do not survive."""
    for seed in range(6):
        sent = packets(8, count=30, seed=seed)
        pair = Pair({"Width": 8, "MaxTries": 15, "RetryCycles": 512}, patches, stall=0.9, seed=seed)
        pair.injector = random_faults(0.01, seed)
        start(pair, sent)
        pair.run_until(lambda pair=pair, sent=sent: complete(pair, sent), 60_000)


def test_the_session_of_the_mutants_passes_without_a_mutation() -> None:
    faulty_session(())


@sampled("name", ["no CRC", "no number", "no retry"], now=1)
def test_a_link_without_one_of_its_checks_fails(name: str) -> None:
    with pytest.raises(AssertionError):
        faulty_session([MUTANTS[name]])


def test_without_credit_frames_are_lost_and_sent_again() -> None:
    """The receiver refuses what it has no room for, so that even then no packet is wrong; but the sender must
    not have to send it again.
    """
    sent = ([(1, 2, 3, 4)] * 40, [])
    for patches, retries in (([], False), ([MUTANTS["no credit"]], True)):
        pair = Pair({"MaxTries": 15}, patches, stall=0.97)
        start(pair, sent)
        pair.run_until(lambda pair=pair: complete(pair, sent), 60_000)
        assert (pair.unit.array("retries_o")[0] > 0) == retries


def test_without_credit_and_room_the_receiver_overflows() -> None:
    sent = ([(i, i, i, i) for i in range(40)], [])
    pair = Pair({"MaxTries": 15}, [MUTANTS["no credit"], MUTANTS["no room"]], stall=0.97)
    start(pair, sent)
    with pytest.raises(AssertionError):
        pair.run_until(lambda: complete(pair, sent), 60_000)
