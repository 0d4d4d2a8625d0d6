"""What the bus side guarantees about interrupt, reset, zeroise, secrets and entropy."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

from eccelerate.regs import REGISTERS
from tests.bus.shell import (
    ALARM,
    CONTROL,
    ECHO,
    ENTROPY,
    EXT_ENTROPY,
    FAST,
    OK,
    RESULT_WORDS,
    WAIT,
    Bench,
    ns,
    request,
    response,
)


@cocotb.test(**ns(20_000))
async def interrupt_follows_enabled_status(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    enable = REGISTERS["IRQ_ENABLE"]

    async def irq() -> int:
        await ClockCycles(dut.clk_i, 10)
        return int(dut.irq_o.value)

    await bench.submit(request(ECHO, 1, [2], FAST))
    await ClockCycles(dut.clk_i, 100)
    assert await bench.status("RSP_VALID") and not await irq()
    await bench.write("IRQ_ENABLE", enable["ENT_WANTED"].mask | enable["OVERFLOW"].mask)
    assert not await irq()
    await bench.write("IRQ_ENABLE", enable["RSP_VALID"].mask)
    assert await irq()
    for _ in range(2):
        await bench.read("RSP_DATA")
        assert await irq()
    await bench.read("RSP_DATA")
    assert not await irq()
    await bench.submit(request(ECHO, 2, [3], FAST))
    await RisingEdge(dut.irq_o)
    assert await bench.receive() == response(OK, ECHO, 2, [3])
    assert not await irq()


@cocotb.test(**ns(60_000))
async def alarm_lasts_until_a_hardware_reset(dut: HierarchyObject) -> None:
    """One clock of reset is enough, although the engine's alarm is still there when it ends."""
    bench = await Bench.start(dut)

    async def raised() -> bool:
        await ClockCycles(dut.clk_i, 10)
        return bool(dut.alarm_o.value)

    assert not await raised()
    for reset_before in (False, True):
        await bench.submit(request(ALARM, 1, [2], FAST))
        assert await bench.receive() == response(OK, ALARM, 1, [2])
        assert await raised()
        if reset_before:
            assert await bench.write("CONTROL", CONTROL["RESET"].mask)
            await bench.ready()
            assert await raised()
        await bench.reset(clocks=1)
        assert not await raised()


@cocotb.test(**ns(400_000))
async def reset_at_any_time(dut: HierarchyObject) -> None:
    """After a hardware or register reset at a random moment the FIFOs are empty, memories are wiped, and the
    next job is right.
    """
    bench = await Bench.start(dut)
    rng = random.Random(9)
    for turn in range(12):
        size = rng.randrange(3, RESULT_WORDS + 2)
        packet = request(ECHO, turn, [rng.getrandbits(32) | 1 for _ in range(size - 2)], rng.randrange(2))
        for i in range(rng.randrange(1, size + 1)):
            await bench.write("REQ_LAST" if i == size - 1 else "REQ_DATA", packet[i])
        await ClockCycles(dut.clk_i, rng.randrange(10 * size))
        if turn % 2:
            assert await bench.write("CONTROL", CONTROL["RESET"].mask)
            assert await bench.status("BUSY") and not await bench.status("REQ_READY")
            assert not await bench.status("RSP_VALID")
            await bench.ready()
        else:
            await bench.reset()
        assert not await bench.status("BUSY")
        assert await bench.read_at(REGISTERS["RSP_DATA"].offset) == (False, 0)
        assert not bench.residue()
        await bench.works(rng)


@cocotb.test(**ns(60_000))
async def reset_comes_before_zeroise(dut: HierarchyObject) -> None:
    """The engine first sees one cycle of reset, then zeroise: one cycle of it, or as long as the input."""
    bench = await Bench.start(dut)
    seen: list[tuple[int, int]] = []

    async def watch() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            seen.append((int(dut.eng_rst_n.value), int(dut.zeroise.value)))

    zeroise, reset = CONTROL["ZEROISE"].mask, CONTROL["RESET"].mask
    for cause in (zeroise, reset | zeroise, "pulse", "level"):
        seen.clear()
        task = cocotb.start_soon(watch())
        if isinstance(cause, int):
            assert await bench.write("CONTROL", cause)
        else:
            dut.zeroise_i.value = 1
            await ClockCycles(dut.clk_i, 20 if cause == "level" else 1)
            dut.zeroise_i.value = 0
        await ClockCycles(dut.clk_i, 10)
        task.cancel()
        length = 20 if cause == "level" else 1
        begin = seen.index((0, 0))
        assert seen[begin : begin + length + 1] == [(0, 0)] + [(1, 1)] * length
        assert set(seen[:begin] + seen[begin + length + 1 :]) == {(1, 0)}


@cocotb.test(**ns(60_000))
async def no_word_written_can_be_read(dut: HierarchyObject) -> None:
    """Secrets are in the FIFO, in the engine, in the entropy register, or on the way.

    In each of these states every address is read, and no word read is a secret one.
    """
    bench = await Bench.start(dut)
    secrets = [0x5EC2E700 + i for i in range(8)]
    readable = {r.offset for r in REGISTERS.values() if r.readable}

    async def walk() -> None:
        for address in range(0, 64, 4):
            ok, word = await bench.read_at(address)
            assert ok or word == 0
            assert ok <= (address in readable)
            assert word not in secrets

    assert all([await bench.write("REQ_DATA", word) for word in request(WAIT, 1, [2**31, *secrets])[:-1]])
    await walk()
    await bench.write("REQ_LAST", secrets[-1])
    await bench.write("ENT_DATA", secrets[0])
    await bench.submit(request(ECHO, 2, secrets))  # stays in the FIFO
    await walk()
    await bench.write("CONTROL", CONTROL["RESET"].mask)
    await walk()
    await bench.ready()
    await walk()
    await bench.hold(2**31, 1)
    for secret in secrets:
        await bench.write("REQ_DATA", secret)
        await walk()
    await bench.write("CONTROL", CONTROL["ZEROISE"].mask)
    await walk()
    await bench.cleared()
    await walk()


@cocotb.test(**ns(60_000))
async def entropy_reaches_the_engine_once(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    rng = random.Random(10)
    await bench.write("IRQ_ENABLE", REGISTERS["IRQ_ENABLE"]["ENT_WANTED"].mask)
    for tag in range(6):
        word = rng.getrandbits(32)
        if EXT_ENTROPY:
            assert not await bench.write("ENT_DATA", 1)
            await bench.submit(request(ENTROPY, tag, []))
            dut.ext_ent_data_i.value = word
            dut.ext_ent_valid_i.value = 1
            while True:
                await RisingEdge(dut.clk_i)
                if dut.ext_ent_ready_o.value:
                    break
            dut.ext_ent_valid_i.value = 0
            assert not await bench.status("ENT_WANTED")
        elif tag % 2:  # on demand
            await bench.submit(request(ENTROPY, tag, []))
            await RisingEdge(dut.irq_o)
            assert await bench.status("ENT_WANTED")
            assert await bench.write("ENT_DATA", word)
            await ClockCycles(dut.clk_i, 3)
            assert not dut.irq_o.value
        else:  # in stock
            assert not await bench.status("ENT_WANTED")
            assert await bench.write("ENT_DATA", word)
            assert not await bench.write("ENT_DATA", ~word & 0xFFFFFFFF)
            await bench.submit(request(ENTROPY, tag, []))
        assert await bench.receive() == response(OK, ENTROPY, tag, [word])
