"""What every kind of zeroise leaves in the memories of the bus side: nothing. The control is the memory
before it, in which the same search finds the operands.
"""

from __future__ import annotations

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles

from eccelerate.regs import REGISTERS
from tests.bus.shell import (
    CONTROL,
    ECHO,
    EXT_ENTROPY,
    FAST,
    OK,
    STATUS,
    WAIT,
    WINDOWS,
    Bench,
    ns,
    request,
    response,
)

SECRETS = [0x5EC2E700 + i for i in range(8)]


async def _everywhere(bench: Bench) -> list[Bench]:
    """Put secrets in every window: in a request that waits, in a response that was not read, and in a packet
    under way. Returns the windows.
    """
    windows = [bench.master(window) for window in range(WINDOWS)]
    for each in windows:
        await each.submit(request(ECHO, 1, SECRETS, FAST))
        while not await each.status("RSP_VALID"):
            pass
    await bench.hold(2**31, 1)
    for each in windows:
        await each.submit(request(ECHO, 2, SECRETS, FAST))
        for word in request(ECHO, 3, SECRETS, FAST)[:-1]:
            assert await each.write("REQ_DATA", word)
    await ClockCycles(bench.dut.clk_i, 3)
    for each in windows:
        assert set(each.residue()) >= set(SECRETS)
    return windows


async def _zeroise(bench: Bench, cause: str) -> None:
    """One of the three causes that act at once."""
    if cause == "register":
        assert await bench.write("CONTROL", CONTROL["ZEROISE"].mask)
    else:
        bench.dut.zeroise_i.value = 1
        await ClockCycles(bench.dut.clk_i, 1 if cause == "pulse" else 7000)
        bench.dut.zeroise_i.value = 0


@cocotb.test(**ns(400_000))
async def no_zeroise_leaves_a_word(dut: HierarchyObject) -> None:
    """Neither of requests and responses nor of packets under way, in any window, whoever zeroises. Nobody
    gets a response to a packet from before; the rest of a packet under way is refused; all windows are told.
    """
    bench = await Bench.start(dut)
    for cause in ("register", "pulse", "level"):
        windows = await _everywhere(bench)
        for each in windows:
            assert await each.write("STATUS", STATUS["CLEARED"].mask | STATUS["OVERFLOW"].mask)
            assert not await each.status("CLEARED")
        await _zeroise(windows[-1], cause)
        if cause != "level":
            assert not any([await each.status("CLEARED") for each in windows])
        while not STATUS["CLEARED"].get(status := await windows[-1].read("STATUS")):
            assert not status & (STATUS["REQ_READY"].mask | STATUS["RSP_VALID"].mask)
        for each in windows:
            status = await each.read("STATUS")
            assert STATUS["CLEARED"].get(status) and STATUS["REQ_READY"].get(status)
            assert not STATUS["RSP_VALID"].get(status) and not STATUS["BUSY"].get(status)
            assert not each.residue()
            own = each is windows[-1] and cause == "register"
            assert STATUS["PARTIAL"].get(status) == (not own)
            if not own:
                assert not await each.write("REQ_DATA", SECRETS[0])
                assert not await each.write("REQ_LAST", SECRETS[0])
                assert await each.status("OVERFLOW")
            assert not each.residue()
            await each.submit(request(ECHO, 4, [5], FAST))
            assert await each.receive() == response(OK, ECHO, 4, [5])


@cocotb.test(**ns(60_000))
async def words_wait_until_the_engine_has_wiped(dut: HierarchyObject) -> None:
    """No word of a new packet is accepted while the engine wipes or the tamper input is 1."""
    bench = await Bench.start(dut)
    await bench.cleared()
    assert await bench.write("CONTROL", CONTROL["ZEROISE"].mask)
    while dut.busy.value:
        assert not await bench.write("REQ_LAST", 1)
        assert not await bench.status("CLEARED") and not await bench.status("REQ_READY")
    await bench.cleared()
    dut.zeroise_i.value = 1
    for _ in range(1500):
        assert not await bench.write("REQ_LAST", 1)
    assert not await bench.status("CLEARED")
    dut.zeroise_i.value = 0
    await bench.cleared()
    await bench.submit(request(ECHO, 1, [5], FAST))
    assert await bench.receive() == response(OK, ECHO, 1, [5])


async def _tamper(dut: HierarchyObject, wait: int) -> None:
    """A pulse of the tamper input after `wait` cycles. Returns when it has reached the FIFOs."""
    await ClockCycles(dut.clk_i, wait)
    dut.zeroise_i.value = 1
    await ClockCycles(dut.clk_i, 1)
    dut.zeroise_i.value = 0
    await ClockCycles(dut.clk_i, 5)


@cocotb.test(**ns(200_000))
async def a_packet_that_a_reset_meets_is_refused_to_its_end(dut: HierarchyObject) -> None:
    """The tamper input rises in every cycle around the first two words of a packet, and its other words come
    after the wipe: they are refused, and do not become a packet.
    """
    bench = await Bench.start(dut)
    packet = request(ECHO, 1, request(ECHO, 9, [1], FAST), FAST)  # its last three words look like one
    for cycle in range(14):
        await bench.cleared()
        task = cocotb.start_soon(_tamper(dut, cycle))
        for word in packet[:2]:
            await bench.write("REQ_DATA", word)
        await task
        await bench.ready()
        assert not any(await bench.send(packet[2:]))
        await ClockCycles(dut.clk_i, 200)
        assert not await bench.status("RSP_VALID")
        assert await bench.write("STATUS", STATUS["OVERFLOW"].mask)


@cocotb.test(**ns(60_000))
async def words_that_were_read_are_overwritten(dut: HierarchyObject) -> None:
    """A job that wipes the engine is in order with the others. When it runs, no word of the packets before it
    is in the memories, and when its response was read, no word of theirs; words of packets behind it stay.
    """
    bench = await Bench.start(dut)
    for tag in range(3):
        await bench.submit(request(ECHO, tag, SECRETS, FAST))
        assert await bench.receive() == response(OK, ECHO, tag, SECRETS)
        await ClockCycles(dut.clk_i, 4)
        assert not bench.residue() and not int(dut.s_axil_rdata.value)
    await bench.submit(request(ECHO, 3, SECRETS, FAST))
    await bench.submit(request(WAIT, 4, [3000], FAST))
    assert await bench.receive() == response(OK, ECHO, 3, SECRETS)
    assert not bench.residue()
    await bench.submit(request(ECHO, 5, SECRETS, FAST))
    await ClockCycles(dut.clk_i, 3)
    assert set(bench.residue()) >= set(SECRETS)


@cocotb.test(**ns(60_000))
async def a_word_of_entropy_is_used_once_and_forgotten(dut: HierarchyObject) -> None:
    if EXT_ENTROPY:
        return
    bench = await Bench.start(dut)
    word = dut.u_shell.gen_reg_entropy.ent_data_q
    assert await bench.write("ENT_DATA", SECRETS[0])
    await ClockCycles(dut.clk_i, 3)
    assert int(word.value) == SECRETS[0]
    await bench.submit(request(3, 1, [], FAST))
    assert await bench.receive() == response(OK, 3, 1, SECRETS[:1])
    assert int(word.value) == 0
    assert await bench.write("ENT_DATA", SECRETS[1])
    assert await bench.write("CONTROL", CONTROL["ZEROISE"].mask)
    await bench.cleared()
    assert int(word.value) == 0
    assert REGISTERS["ENT_DATA"].writable
