"""The blocks between the words of a link and the wide values of a unit: eccel_link_feed, eccel_link_drain,
eccel_link_sum, eccel_link_queue, eccel_link_serve, eccel_link_split, eccel_link_merge, and eccel_link_crc.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tests.module import Module

WIDTH, WORDS = 16, 5
TOTAL = WIDTH * WORDS
PACKAGE = "link/eccel_link_pkg.sv"
QUEUE = (PACKAGE, "prim/eccel_ram.sv", "link/eccel_link_fifo.sv", "link/eccel_link_buffer.sv")


def unit(name: str, parameters: dict[str, int], below: Sequence[str] = ()) -> Module:
    module = Module("link", name, (*below, f"link/{name}.sv"), parameters)
    module.clock(4, rst_i=1)
    module.clock(rst_i=0)
    module.clocks = 0
    return module


def words_of(value: int, count: int = WORDS) -> list[int]:
    return [value >> WIDTH * i & (1 << WIDTH) - 1 for i in range(count)]


def value_of(words: Sequence[int]) -> int:
    return sum(word << WIDTH * i for i, word in enumerate(words))


def corners(rng: random.Random, count: int = 60) -> list[int]:
    """Values with long carries, and random ones."""
    top = (1 << TOTAL) - 1
    fixed = [0, 1, top, top - 1, (1 << WIDTH) - 1, 1 << WIDTH, 1 << TOTAL - 1, top ^ (1 << WIDTH) - 1]
    return fixed + [rng.getrandbits(TOTAL) for _ in range(count)]


def collect(
    module: Module, accept: Callable[[int], dict[str, int]], jobs: int, stall: float, words: int = WORDS
) -> tuple[list[list[int]], list[int]]:
    """Offer job after job, with the inputs that `accept` gives, and gather the packets and the flags
    negative_o of their last words.
    """
    rng = random.Random(jobs)
    packets: list[list[int]] = [[]]
    signs, sent = [], 0
    for _ in range(jobs * words * 40):
        if len(packets) == jobs + 1:
            return packets[:-1], signs
        ready = int(rng.random() >= stall)
        module.clock(valid_i=int(sent < jobs), ready_i=ready, **(accept(sent) if sent < jobs else {}))
        sent += module["ready_o"] & (sent < jobs)
        if module["valid_o"] and ready:
            packets[-1].append(module["data_o"])
            if module["last_o"]:
                signs.append(module["negative_o"] if "negative_o" in module._out else 0)
                packets.append([])
    raise AssertionError(f"only {len(packets) - 1} of {jobs} packets")


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_a_sum_is_that_of_integers(stall: float) -> None:
    rng = random.Random(1)
    values = [[rng.choice(corners(rng, 4)) for _ in range(4)] for _ in range(400)]
    carries = [rng.getrandbits(1) for _ in values]
    module = unit("eccel_link_sum", {"Width": WIDTH, "Words": WORDS})
    packets, signs = collect(
        module,
        lambda i: dict(zip(("a_i", "b_i", "c_i", "d_i", "carry_i"), (*values[i], carries[i]), strict=True)),
        len(values),
        stall,
    )
    for (a, b, c, d), carry, packet, sign in zip(values, carries, packets, signs, strict=True):
        assert packet == words_of((a + b + carry - c - d) % (1 << TOTAL))
        if a + b + carry < 1 << TOTAL and c + d < 1 << TOTAL:
            assert sign == (a + b + carry < c + d)


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_drain_gives_the_words_of_a_value(stall: float) -> None:
    rng = random.Random(2)
    values = corners(rng)
    module = unit("eccel_link_drain", {"Width": WIDTH, "Words": WORDS})
    packets, _ = collect(module, lambda i: {"value_i": values[i]}, len(values), stall)
    assert packets == [words_of(value) for value in values]


def test_sum_and_drain_give_a_word_in_each_cycle() -> None:
    for name, port in (("eccel_link_sum", "a_i"), ("eccel_link_drain", "value_i")):
        module = unit(name, {"Width": WIDTH, "Words": WORDS})
        collect(module, lambda i, port=port: {port: i}, 20, 0.0)
        assert module.clocks <= 20 * WORDS + 4


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_feed_gathers_the_words_of_a_value(stall: float) -> None:
    rng = random.Random(3)
    values = corners(rng)
    module = unit("eccel_link_feed", {"Width": WIDTH, "Words": WORDS})
    stream, got = [word for value in values for word in words_of(value)], []
    for _ in range(len(stream) * 20):
        ready = int(rng.random() >= stall)
        module.clock(valid_i=int(bool(stream)), data_i=stream[0] if stream else 0, ready_i=ready)
        if module["valid_o"] and ready:
            got.append(module["value_o"])
        if stream and module["ready_o"]:
            stream.pop(0)
        if len(got) == len(values):
            break
    assert got == values
    if not stall:
        assert module.clocks == len(values) * WORDS + 1


@pytest.mark.parametrize("stall", [0.0, 0.8])
def test_a_queue_keeps_packets_in_order_and_never_overflows(stall: float) -> None:
    rng = random.Random(4)
    packets = [[rng.getrandbits(16) for _ in range(rng.randint(1, 11))] for _ in range(80)]
    module = unit("eccel_link_queue", {"Width": WIDTH, "SlotWords": 4, "Slots": 4}, QUEUE)
    stream = [(word, int(i == len(p) - 1)) for p in packets for i, word in enumerate(p)]
    got: list[list[int]] = [[]]
    for _ in range(20_000):
        ready = int(rng.random() >= stall)
        word, last = stream[0] if stream else (0, 0)
        module.clock(valid_i=int(bool(stream)), data_i=word, last_i=last, ready_i=ready)
        if stream and module["ready_o"]:
            stream.pop(0)
        if module["valid_o"] and ready:
            got[-1].append(module["data_o"])
            if module["last_o"]:
                got.append([])
        if len(got) > len(packets):
            break
    assert got[:-1] == packets
    assert module.clock(ready_i=1)["room_o"] == 4


@pytest.mark.parametrize("steps", [1, 2])
def test_a_job_starts_only_with_room_for_its_result(steps: int) -> None:
    """Results need two slots each: of five slots, two jobs are on the way at most, until one is sent."""
    module = unit(
        "eccel_link_serve", {"Width": WIDTH, "Words": 2, "Frames": 2, "Steps": steps},
        (PACKAGE, "link/eccel_link_feed.sv"),
    )  # fmt: skip
    rng, operations, data = random.Random(5), [], 0
    for cycle in range(200):
        module.clock(
            valid_i=1, data_i=data, room_i=5, unit_ready_i=rng.getrandbits(1), sent_i=int(cycle == 100)
        )
        if module["unit_valid_o"] and module._in.get("unit_ready_i")[0]:
            operations.append((cycle, module["step_o"], module["operands_o"]))
        data += module["ready_o"]
    first, second = words_pair(0), words_pair(1)
    expected = [(step, value) for value in (first, second, words_pair(2)) for step in range(steps)]
    assert [(step, value) for _, step, value in operations] == expected
    assert [cycle > 100 for cycle, _, _ in operations] == [False] * 2 * steps + [True] * steps


def words_pair(job: int) -> int:
    """Operands of two words that count."""
    return value_of([2 * job, 2 * job + 1])


@pytest.mark.parametrize("ways", [2, 3, 5])
def test_packets_are_split_in_turn_and_merged_in_turn(ways: int) -> None:
    rng = random.Random(ways)
    packets = [[rng.getrandbits(16) for _ in range(rng.randint(1, 4))] for _ in range(60)]
    stream = [(word, int(i == len(p) - 1)) for p in packets for i, word in enumerate(p)]
    split = unit("eccel_link_split", {"Width": WIDTH, "Ways": ways})
    lanes: list[list[tuple[int, int]]] = [[] for _ in range(ways)]
    while stream:
        word, last = stream[0]
        ready = rng.getrandbits(ways)
        split.clock(valid_i=1, data_i=word, last_i=last, ready_i=ready)
        for way in range(ways):
            if split["valid_o"] & ready & 1 << way:
                lanes[way].append((split["data_o"], split["last_o"]))
        if split["ready_o"]:
            stream.pop(0)
    for way in range(ways):
        wanted = [word for packet in packets[way::ways] for word in packet]
        assert [word for word, _ in lanes[way]] == wanted
    merge = unit("eccel_link_merge", {"Width": WIDTH, "Ways": ways})
    got: list[list[int]] = [[]]
    for _ in range(5000):
        shown = [lane[0] if lane and rng.getrandbits(1) else None for lane in lanes]
        ready = rng.getrandbits(1)
        merge.clock(
            valid_i=sum((word is not None) << way for way, word in enumerate(shown)),
            data_i=sum((word[0] if word else 0) << WIDTH * way for way, word in enumerate(shown)),
            last_i=sum((word[1] if word else 0) << way for way, word in enumerate(shown)),
            ready_i=ready,
        )
        for way in range(ways):
            if shown[way] is not None and merge["ready_o"] >> way & 1:
                lanes[way].pop(0)
        if merge["valid_o"] and ready:
            got[-1].append(merge["data_o"])
            if merge["last_o"]:
                got.append([])
    assert got[:-1] == packets


def crc32c(words: Sequence[int], width: int) -> int:
    """CRC-32C bit by bit, most significant bit first, start value all ones."""
    crc = 0xFFFFFFFF
    for word in words:
        for i in reversed(range(width)):
            feedback = crc >> 31 ^ word >> i & 1
            crc = (crc << 1 & 0xFFFFFFFF) ^ (0x1EDC6F41 if feedback else 0)
    return crc


@pytest.mark.parametrize("width", [8, 32, 64, 256])
def test_the_crc_of_words_is_that_of_their_bits(width: int) -> None:
    rng = random.Random(width)
    module = Module("link", "eccel_link_crc", ("link/eccel_link_crc.sv",), {"Width": width})
    for _ in range(20):
        words = [rng.getrandbits(width) for _ in range(rng.randint(1, 9))]
        for i, word in enumerate(words):
            for go in (*[0] * rng.randint(0, 2), 1):
                module.clock(go_i=go, en_i=1, first_i=int(i == 0), data_i=word)
        module.clock(go_i=1, en_i=0, first_i=0, data_i=0)
        module.clock(go_i=0)
        assert module["crc_o"] == crc32c(words, width)


def test_the_polynomial_is_that_of_crc_32c() -> None:
    """The check value of the catalogue of CRCs for "123456789", which is reflected and inverted."""
    text = b"123456789"
    reflected = [int(f"{byte:08b}"[::-1], 2) for byte in text]
    assert int(f"{crc32c(reflected, 8) ^ 0xFFFFFFFF:032b}"[::-1], 2) == 0xE3069283
