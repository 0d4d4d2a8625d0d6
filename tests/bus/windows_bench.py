"""Masters that must not meet: each with a window of its own, and, as the control, all in one window."""

from __future__ import annotations

import random
from collections.abc import Sequence

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

from eccelerate.regs import PAGE_BITS, REGISTERS
from tests.bus.shell import (
    CAPACITY,
    CONTROL,
    ECHO,
    FAST,
    FIFO_LOG2,
    OK,
    RESULT_WORDS,
    STATUS,
    WAIT,
    WINDOWS,
    Bench,
    ns,
    request,
    response,
)

FIT = min(CAPACITY // (RESULT_WORDS + 2), 15)
"""Responses of the longest kind that a window's FIFO holds."""


async def masters(dut: HierarchyObject) -> list[Bench]:
    """A master for each window."""
    bench = await Bench.start(dut)
    return [bench.master(window) for window in range(WINDOWS)]


async def meet(victim: Bench, other: Bench) -> tuple[list[int] | None, list[int] | None]:
    """The other master writes all of a packet but its last words, then the victim its own packet. Returns the
    responses that both of them read, or None.
    """
    secret = [0x5EC2E700 + i for i in range(4)]
    for word in request(ECHO, 0x0BAD, [0] * 9, FAST)[:-6]:
        assert await other.write("REQ_DATA", word)
    await victim.submit(request(ECHO, 0x600D, secret, FAST))
    await ClockCycles(victim.dut.clk_i, 400)
    found = []
    for each in (victim, other):
        found.append(await each.receive() if await each.status("RSP_VALID") else None)
    return found[0], found[1]


@cocotb.test(**ns(60_000))
async def packets_of_two_windows_do_not_mix(dut: HierarchyObject) -> None:
    """A header and some words that another master has left do not become a packet with the victim's words.

    In one window they do: the response has the tag of the attacker and the words of the victim.
    """
    victim, other, *_ = await masters(dut)
    secret = [0x5EC2E700 + i for i in range(4)]
    answer, theirs = await meet(victim, other)
    assert answer == response(OK, ECHO, 0x600D, secret) and theirs is None
    assert await other.status("PARTIAL") and not await victim.status("PARTIAL")
    for window in (victim, other):
        assert await window.write("CONTROL", CONTROL["RESET"].mask)
        await window.ready()
    mixed, _ = await meet(victim, victim)
    header = request(ECHO, 0x600D, secret, FAST)[:2]
    assert mixed == response(OK, ECHO, 0x0BAD, [0, 0, 0, *header, *secret])


@cocotb.test(**ns(60_000))
async def a_response_is_seen_in_its_window_only(dut: HierarchyObject) -> None:
    """Others see no bit of STATUS and no interrupt change, and can take no word of it. The same tag in two
    windows is no problem.
    """
    victim, *others = await masters(dut)
    enable = REGISTERS["IRQ_ENABLE"]
    for each in (victim, *others):
        await each.cleared()
        await each.write("IRQ_ENABLE", sum(field.mask for field in enable.fields.values()))
    idle = STATUS["REQ_READY"].mask

    async def see_nothing() -> None:
        for each in others:
            assert await each.read("STATUS") == idle
            assert await each.read_at(REGISTERS["RSP_DATA"].offset) == (False, 0)
            assert not int(dut.irq_o.value) >> each.window & 1

    expected = await victim.hold(3000, 7)
    assert await victim.status("BUSY")
    await see_nothing()
    for word in request(ECHO, 7, [1, 2, 3])[:3]:
        await victim.write("REQ_DATA", word)
    await see_nothing()
    await ClockCycles(dut.clk_i, 3000)
    assert await victim.status("RSP_VALID") and int(dut.irq_o.value) & 1
    await see_nothing()
    for _ in range(CAPACITY):  # until a word is refused
        await victim.write("REQ_DATA", 0)
    assert await victim.status("OVERFLOW")
    await see_nothing()
    for each in others:
        await each.submit(request(ECHO, 7, [each.window], FAST))
    for each in others:
        assert await each.receive() == response(OK, ECHO, 7, [each.window])
    assert await victim.receive() == expected


@cocotb.test(**ns(400_000))
async def nobody_stops_the_others(dut: HierarchyObject) -> None:
    """Not by a packet under way, a full request FIFO, or responses that nobody reads."""
    first, *others = await masters(dut)
    words = list(range(RESULT_WORDS))
    sent = 0
    for tag in range(3 * FIT):
        packet = request(ECHO, tag, words, FAST)
        if not all(await first.send(packet)):
            break
        sent += 1
        await ClockCycles(dut.clk_i, 600)
    assert FIT <= sent < 3 * FIT
    assert await first.write("CONTROL", CONTROL["DROP"].mask)
    rng = random.Random(5)
    for _ in range(8):
        for each in others:
            operands = [rng.getrandbits(32) for _ in range(rng.randrange(1, RESULT_WORDS + 1))]
            tag = rng.getrandbits(13)
            await each.submit(request(ECHO, tag, operands))
            assert await each.receive() == response(OK, ECHO, tag, operands)
    for tag in range(sent):
        assert await first.receive() == response(OK, ECHO, tag, words)
    assert not await first.status("RSP_VALID") and not await first.status("BUSY")


@cocotb.test(**ns(3_000_000))
async def random_interleavings(dut: HierarchyObject) -> None:
    """All masters at once, with random packets, pauses in the middle of them, and drops: each gets the
    responses to its own packets, in order and word for word.
    """
    windows = await masters(dut)
    windows[0].disturb(7)

    async def sender(bench: Bench, rng: random.Random, sent: list[list[int]]) -> None:
        for _ in range(40):
            words = [rng.getrandbits(32) for _ in range(rng.randrange(0, RESULT_WORDS + 1))]
            tag = rng.getrandbits(16)
            while sum(map(len, sent)) + len(words) + 2 > CAPACITY // 2:
                await ClockCycles(dut.clk_i, 20)
            packet = request(ECHO, tag, words, rng.randrange(2))
            if rng.randrange(4) == 0:
                for word in packet[: rng.randrange(len(packet))]:
                    assert await bench.write("REQ_DATA", word)
                assert await bench.write("CONTROL", CONTROL["DROP"].mask)
                await bench.ready()
            sent.append(packet)
            for i, word in enumerate(packet):
                await ClockCycles(dut.clk_i, rng.choice((1, 1, 1, 30)))
                name = "REQ_LAST" if i == len(packet) - 1 else "REQ_DATA"
                assert await bench.write(name, word)

    async def reader(bench: Bench, rng: random.Random, sent: list[list[int]]) -> None:
        for _ in range(40):
            answer = await bench.receive()
            packet = sent.pop(0)
            assert answer == response(OK, ECHO, packet[0] >> 16, packet[2:])
            await ClockCycles(dut.clk_i, rng.choice((1, 1, 1, 500)))

    tasks = []
    for each in windows:
        sent: list[list[int]] = []
        tasks.append(cocotb.start_soon(sender(each, random.Random(each.window), sent)))
        tasks.append(cocotb.start_soon(reader(each, random.Random(~each.window & 0xFF), sent)))
    for task in tasks:
        await task
    for each in windows:
        assert not await each.status("BUSY") and not await each.status("OVERFLOW")
        assert not each.residue()


@cocotb.test(**ns(20_000))
async def only_the_registers_of_a_page_answer(dut: HierarchyObject) -> None:
    windows = await masters(dut)
    for each in windows:
        for address in (0x40, 0x80, 0x400, 0x800, 0xFFC):
            assert await each.read_at(address) == (False, 0)
            assert not await each.write_at(address | REGISTERS["CONTROL"].offset, 1)
        assert await each.read("CONFIG") >> 25 & 3 == WINDOWS.bit_length() - 1
    assert len(dut.s_axil_araddr) == PAGE_BITS + WINDOWS.bit_length() - 1


@cocotb.test(**ns(100_000))
async def windows_take_turns(dut: HierarchyObject) -> None:
    """Packets that wait in all windows are answered round robin, however many the first window has."""
    windows = await masters(dut)
    await windows[0].hold(6000, 1)
    router = dut.u_shell.gen_router.u_router
    seen: list[int] = []

    async def watch() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            if router.load.value and router.first.value:
                seen.append(int(router.turn_q.value))

    task = cocotb.start_soon(watch())
    for each in reversed(windows):
        for tag in range(2):
            await each.submit(request(ECHO, tag, [9], FAST))
    for each in windows:
        for _ in range(2 + (each is windows[0])):
            await each.receive()
    task.cancel()
    # The first packet was taken before the others came.
    turns = [(seen[0] + i) % WINDOWS for i in range(WINDOWS)]
    assert seen == [*turns, *turns]


def _packets(rng: random.Random, tags: Sequence[int]) -> list[list[int]]:
    return [request(WAIT, tag, [rng.randrange(200)], FAST) for tag in tags]


@cocotb.test(**ns(60_000))
async def the_router_knows_no_more_packets_than_fit(dut: HierarchyObject) -> None:
    """A window that reads nothing has at most as many packets with the engine as its FIFO has room for."""
    first, *_ = await masters(dut)
    rng = random.Random(8)
    for packet in _packets(rng, range(min(FIT + 4, CAPACITY // 3))):
        await first.submit(packet)
        await ClockCycles(dut.clk_i, 300)
    counts = int(dut.u_shell.gen_router.u_router.gen_window[0].count_q.value)
    assert counts == FIT or FIFO_LOG2 > 7
    for _ in range(min(FIT + 4, CAPACITY // 3)):
        await first.receive()
    assert int(dut.u_shell.gen_router.u_router.gen_window[0].count_q.value) == 0
