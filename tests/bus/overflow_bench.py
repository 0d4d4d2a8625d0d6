"""What the bus side guarantees when a FIFO is full or a packet is dropped: no packet is accepted in part, and
the next packet works.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles

from eccelerate.regs import REGISTERS
from tests.bus.shell import (
    CAPACITY,
    CONTROL,
    ECHO,
    FAST,
    FIFO_LOG2,
    OK,
    RESULT_WORDS,
    STATUS,
    Bench,
    ns,
    request,
    response,
)

HOLD = min(40_000, 8_000 << FIFO_LOG2 - 6)
"""Cycles in which a master fills the request FIFO."""


async def fill(bench: Bench, sizes: Sequence[int], tag: int) -> list[list[int]]:
    """Send packets of `sizes` words. Returns the responses that they will get."""
    answers = []
    for i, size in enumerate(sizes):
        words = [(tag + i) << 16 | n for n in range(size - 2)]
        await bench.submit(request(ECHO, tag + i, words, FAST))
        answers.append(response(OK, ECHO, tag + i, words))
    return answers


@cocotb.test(**ns(300_000))
async def overflow_drops_the_packet(dut: HierarchyObject) -> None:
    """The FIFO accepts exactly its capacity. A word that no longer fits is refused, at any place in a packet.

    Earlier packets get their responses. The packet gets no response, whether it has begun or not, and leaves
    nothing in the memories. The next packet gets its response.
    """
    bench = await Bench.start(dut)
    size = RESULT_WORDS + 2
    # To fill a large FIFO takes long, and its control is that of a small one.
    for begun in (0, 1, 2, 3, size - 1) if CAPACITY <= 128 else (1, size - 1):
        answers = [await bench.hold(HOLD, 1)]
        room = CAPACITY - begun
        sizes = [size] * (room // size)
        if (rest := room % size) >= 2:
            sizes.append(rest)
        elif rest == 1:
            sizes[-1:] = [size - 1, 2]
        answers += await fill(bench, sizes, 100)
        if begun:
            assert await bench.status("REQ_READY")
        packet = request(ECHO, 200, [0xABCD0000 + n for n in range(size - 2)], FAST)
        accepted = await bench.send(packet)
        assert accepted == [i < begun for i in range(size)]
        assert await bench.status("OVERFLOW") and not await bench.status("REQ_READY")
        # The FIFO is already full when the first word of the next packet comes.
        assert not any(await bench.send(request(ECHO, 201, [1, 2, 3])))
        for answer in answers:
            assert await bench.receive() == answer
        assert await bench.status("OVERFLOW")
        assert await bench.write("STATUS", 0xFFFFFFFF & ~STATUS["OVERFLOW"].mask)
        assert await bench.status("OVERFLOW")
        assert await bench.write("STATUS", STATUS["OVERFLOW"].mask)
        assert not await bench.status("OVERFLOW")
        await bench.ready()
        assert not bench.residue()
        await bench.works(random.Random(begun))
        assert not await bench.status("RSP_VALID") and not await bench.status("BUSY")


@cocotb.test(**ns(100_000))
async def overflow_drops_up_to_the_last_word(dut: HierarchyObject) -> None:
    """Space that becomes free in the middle of a refused packet is not used for the rest of this packet."""
    bench = await Bench.start(dut)
    answers = [await bench.hold(HOLD // 2, 1)]
    room = CAPACITY - 5
    sizes = [RESULT_WORDS + 2] * (room // (RESULT_WORDS + 2) - 1)
    sizes += [(room - sum(sizes)) // 2, (room - sum(sizes) + 1) // 2]
    answers += await fill(bench, sizes, 10)
    packet = request(ECHO, 20, list(range(12)), FAST)
    for i, word in enumerate(packet[:8]):
        assert await bench.write("REQ_DATA", word) == (i < 5)
    for answer in answers:
        assert await bench.receive() == answer
    await bench.ready()
    assert not await bench.status("BUSY") and not await bench.status("RSP_VALID")
    assert await bench.status("PARTIAL") and not bench.residue()
    assert not any([await bench.write("REQ_DATA", word) for word in packet[8:-1]])
    assert not await bench.write("REQ_LAST", packet[-1])
    assert not await bench.status("PARTIAL")
    await bench.works(random.Random(7))


@cocotb.test(**ns(60_000))
async def a_packet_longer_than_the_fifo_is_dropped(dut: HierarchyObject) -> None:
    """The engine sees none of its words."""
    bench = await Bench.start(dut)
    accepted = await bench.send(request(ECHO, 9, [7] * (CAPACITY + 38), FAST))
    assert accepted == [True] * CAPACITY + [False] * 40
    await bench.ready()
    assert not await bench.status("BUSY") and not await bench.status("RSP_VALID")
    assert not bench.residue()
    await bench.works(random.Random(8))


@cocotb.test(**ns(200_000))
async def a_packet_is_dropped_on_request(dut: HierarchyObject) -> None:
    """At any of its words, with packets before it that wait: these get their responses, and it gets none.

    Every write to CONTROL drops it. Without one, the words of the next packet would be taken for its words.
    """
    bench = await Bench.start(dut)
    packet = request(ECHO, 20, [0x5EC2E700 + n for n in range(5)], FAST)
    for count in range(len(packet)):
        for value in (CONTROL["DROP"].mask, 0):
            answers = await fill(bench, [4, 3], 40) if count % 2 else []
            for word in packet[:count]:
                assert await bench.write("REQ_DATA", word)
            assert await bench.status("PARTIAL") == (count > 0)
            assert await bench.write("CONTROL", value)
            assert not await bench.status("PARTIAL")
            for answer in answers:
                assert await bench.receive() == answer
            await bench.ready()
            assert not await bench.status("BUSY") and not bench.residue()
            await bench.works(random.Random(count))
            assert not await bench.status("RSP_VALID") and not await bench.status("OVERFLOW")
    for word in packet[:2]:
        await bench.write("REQ_DATA", word)
    await bench.submit(request(ECHO, 21, [1, 2, 3], FAST))
    assert await bench.receive() == response(OK, ECHO, 20, request(ECHO, 21, [1, 2, 3], FAST))


@cocotb.test(**ns(300_000))
async def a_full_response_fifo_stops_the_engine(dut: HierarchyObject) -> None:
    """Nobody reads responses until requests no longer fit. The engine must then be waiting, and nothing is
    lost.
    """
    bench = await Bench.start(dut)
    size = RESULT_WORDS + 2
    answers: list[list[int]] = []
    while sum(map(len, answers)) + size <= 2 * CAPACITY - size:
        answers += await fill(bench, [size], len(answers))
        await ClockCycles(dut.clk_i, 40 * size)
    assert sum(map(len, answers)) > CAPACITY
    assert await bench.status("BUSY")
    for answer in answers:
        assert await bench.receive() == answer
    assert not await bench.status("BUSY") and not await bench.status("RSP_VALID")


@cocotb.test(**ns(60_000))
async def overflow_interrupts(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    await bench.write("IRQ_ENABLE", REGISTERS["IRQ_ENABLE"]["OVERFLOW"].mask)
    await bench.hold(2**31, 1)
    while await bench.write("REQ_DATA", 0):
        assert not dut.irq_o.value
    await ClockCycles(dut.clk_i, 2)
    assert dut.irq_o.value
    await bench.write("STATUS", STATUS["OVERFLOW"].mask)
    await ClockCycles(dut.clk_i, 2)
    assert not dut.irq_o.value
