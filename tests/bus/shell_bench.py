"""What the bus side guarantees, seen from the bus: register map, packets, pauses, the response to each
access.
"""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiResp

from eccelerate.regs import ID_VALUE, REGISTERS
from tests.bus.shell import (
    CAPACITY,
    CONTROL,
    DIGIT_BITS,
    ECHO,
    EXT_ENTROPY,
    FAST,
    FIFO_LOG2,
    MAX_WORDS,
    OK,
    RESULT_WORDS,
    STATUS,
    WINDOWS,
    Bench,
    ns,
    request,
    response,
)


@cocotb.test(**ns(20_000))
async def map_is_that_of_the_rdl(dut: HierarchyObject) -> None:
    """Each address answers OKAY in exactly the directions that the map gives. Unmapped addresses never do."""
    bench = await Bench.start(dut)
    readable = {r.offset for r in REGISTERS.values() if r.readable}
    writable = {r.offset for r in REGISTERS.values() if r.writable}
    if EXT_ENTROPY:
        writable.remove(REGISTERS["ENT_DATA"].offset)
    readable.remove(REGISTERS["RSP_DATA"].offset)  # nothing there yet
    for address in range(0, 64, 4):
        ok, word = await bench.read_at(address)
        assert ok == (address in readable), f"read of 0x{address:02x}"
        assert ok or word == 0
    for address in range(0, 64, 4):
        assert await bench.write_at(address, 0) == (address in writable), f"write of 0x{address:02x}"
    assert await bench.read("ID") == ID_VALUE
    config = await bench.read("CONFIG")
    fields = REGISTERS["CONFIG"].fields
    assert {name: field.get(config) for name, field in fields.items()} == {
        "DIGIT_BYTES": DIGIT_BITS // 8,
        "EXT_ENTROPY": EXT_ENTROPY,
        "MAX_WORDS": MAX_WORDS,
        "FIFO_LOG2": FIFO_LOG2,
        "WINDOWS_LOG2": WINDOWS.bit_length() - 1,
    }
    assert config & ~sum(field.mask for field in fields.values()) == 0
    enable = sum(field.mask for field in REGISTERS["IRQ_ENABLE"].fields.values())
    assert await bench.write("IRQ_ENABLE", 0xFFFFFFFF)
    assert await bench.read("IRQ_ENABLE") == enable
    await bench.reset()
    assert await bench.read("IRQ_ENABLE") == 0


@cocotb.test(**ns(20_000))
async def partial_words_are_refused(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    for offset, length in ((0, 1), (1, 2), (3, 1), (0, 3), (2, 2)):
        for name in ("IRQ_ENABLE", "REQ_DATA", "REQ_LAST", "CONTROL"):
            done = await bench.bus.write(REGISTERS[name].offset + offset, b"\xff" * length)
            assert done.resp == AxiResp.SLVERR
    assert await bench.read("IRQ_ENABLE") == 0
    assert not await bench.status("OVERFLOW")
    await bench.works(random.Random(1))


@cocotb.test(**ns(200_000))
async def random_packets_under_pauses(dut: HierarchyObject) -> None:
    """Sender and reader run in parallel with random pauses: every packet is answered once, in order, word for
    word.
    """
    bench = await Bench.start(dut)
    bench.disturb(2)
    rng = random.Random(3)
    packets = []
    for tag in range(40):
        words = [rng.getrandbits(32) for _ in range(rng.randrange(0, RESULT_WORDS + 1))]
        packets.append(request(ECHO, tag, words, rng.randrange(2)))
    outstanding: list[list[int]] = []

    async def sender() -> None:
        for packet in packets:
            while sum(map(len, outstanding)) + len(packet) > CAPACITY:
                await RisingEdge(dut.clk_i)
            outstanding.append(packet)
            await bench.submit(packet)

    task = cocotb.start_soon(sender())
    for tag, packet in enumerate(packets):
        assert await bench.receive() == response(OK, ECHO, tag, packet[2:])
        outstanding.pop(0)
    await task
    assert not await bench.status("OVERFLOW")
    assert not await bench.status("BUSY")


@cocotb.test(**ns(10_000))
async def empty_response_read_is_an_error(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    for _ in range(3):
        assert await bench.read_at(REGISTERS["RSP_DATA"].offset) == (False, 0)
    await bench.works(random.Random(4))
    assert await bench.read_at(REGISTERS["RSP_DATA"].offset) == (False, 0)
    await bench.works(random.Random(5))


@cocotb.test(**ns(60_000))
async def a_response_is_shown_whole(dut: HierarchyObject) -> None:
    """RSP_VALID is set only when the whole response can be read without reading STATUS again."""
    bench = await Bench.start(dut)
    rng = random.Random(6)
    for _ in range(8):
        words = [rng.getrandbits(32) for _ in range(RESULT_WORDS)]
        await bench.submit(request(ECHO, 7, words))
        while not await bench.status("RSP_VALID"):
            pass
        assert [await bench.read("RSP_DATA") for _ in range(RESULT_WORDS + 2)] == response(OK, ECHO, 7, words)


@cocotb.test(**ns(60_000))
async def every_access_ends_soon(dut: HierarchyObject) -> None:
    """With the engine stuck and both FIFOs in any state, no access takes more than 8 cycles."""
    bench = await Bench.start(dut)
    await bench.hold(2**31, 1)
    while await bench.status("REQ_READY"):
        await bench.write("REQ_DATA", 5)

    async def cycles(access) -> float:
        begin = cocotb.utils.get_sim_time("ns")
        await access
        return (cocotb.utils.get_sim_time("ns") - begin) / 10

    for address in range(0, 64, 4):
        assert await cycles(bench.read_at(address)) <= 8
        if address != CONTROL.offset:
            assert await cycles(bench.write_at(address, 1)) <= 8


@cocotb.test(**ns(100_000))
async def accesses_in_a_row(dut: HierarchyObject) -> None:
    """A master that never waits for a response before its next access: every word comes once, in order."""
    bench = await Bench.start(dut)
    rng = random.Random(11)
    for paused in (False, True):
        if paused:
            bench.disturb(12)
        for tag in range(6):
            words = [rng.getrandbits(32) for _ in range(RESULT_WORDS)]
            packet = request(ECHO, tag, words, FAST)
            names = ["REQ_DATA"] * (len(packet) - 1) + ["REQ_LAST"]
            writes = [
                bench.bus.init_write(REGISTERS[name].offset, word.to_bytes(4, "little"))
                for name, word in zip(names, packet, strict=True)
            ]
            for event in writes:
                await event.wait()
                assert event.data.resp == AxiResp.OKAY
            while not await bench.status("RSP_VALID"):
                pass
            reads = [bench.bus.init_read(REGISTERS["RSP_DATA"].offset, 4) for _ in range(len(packet) + 1)]
            for event, word in zip(reads, response(OK, ECHO, tag, words), strict=False):
                await event.wait()
                assert event.data.resp == AxiResp.OKAY
                assert int.from_bytes(event.data.data, "little") == word
            await reads[-1].wait()
            assert reads[-1].data.resp == AxiResp.SLVERR


@cocotb.test(**ns(200_000))
async def no_response_shows_elsewhere(dut: HierarchyObject) -> None:
    """With ones at the head of the response FIFO, or left in its memory, no other read shows one of them."""
    bench = await Bench.start(dut)
    others = {r.offset: name for name, r in REGISTERS.items() if r.readable and name != "RSP_DATA"}
    state = sum(field.mask for field in STATUS.fields.values())
    config = await bench.read("CONFIG")

    async def walk() -> None:
        for address in range(0, 64, 4):
            name = others.get(address)
            if address == REGISTERS["RSP_DATA"].offset and await bench.status("RSP_VALID"):
                continue
            ok, word = await bench.read_at(address)
            assert ok == (name is not None)
            if name in ("STATUS", "IRQ_ENABLE"):
                assert word & ~state == 0
            else:
                assert word == {"ID": ID_VALUE, "CONFIG": config}.get(name or "", 0)

    read = 0
    while read < 2 * CAPACITY:
        await bench.submit(request(ECHO, 1, [0xFFFFFFFF] * RESULT_WORDS, FAST))
        while not await bench.status("RSP_VALID"):
            pass
        for _ in range(RESULT_WORDS // 2):
            assert await bench.read("RSP_DATA")
        await walk()
        for _ in range(RESULT_WORDS // 2 + 2):
            assert await bench.read("RSP_DATA")
        await walk()
        read += RESULT_WORDS + 2
