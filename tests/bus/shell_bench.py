"""What the bus side promises, seen from the bus: run in the simulator, on this folder's stand-in engine."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from eccelerate.regs import ID_VALUE, REGISTERS

FIFO_LOG2 = int(os.environ["BENCH_FIFOADDRBITS"])
MAX_WORDS = int(os.environ["BENCH_MAXWORDS"])
EXT_ENTROPY = int(os.environ["BENCH_EXTERNALENTROPY"])
DIGIT_BITS = int(os.environ["BENCH_DIGITBITS"])
CAPACITY = 2**FIFO_LOG2 - 2
RESULT_WORDS = 2 * MAX_WORDS
ECHO, WAIT, ENTROPY = 0x01, 0x02, 0x03
OK, BAD_LENGTH, ZEROISED = 0x00, 0x11, 0x1B
FAST = 1
STATUS = REGISTERS["STATUS"]
CONTROL = REGISTERS["CONTROL"]


def ns(cycles: int) -> dict[str, object]:
    """Time limit of a test in clock cycles: a hang is a failure."""
    return {"timeout_time": 10 * cycles, "timeout_unit": "ns"}


def request(op: int, tag: int, operands: Sequence[int], flags: int = 0) -> list[int]:
    return [op | tag << 16, len(operands) | flags << 16, *operands]


def response(status: int, op: int, tag: int, results: Sequence[int] = ()) -> list[int]:
    return [status | op << 8 | tag << 16, len(results), *results]


@dataclass
class Bench:
    """The shell with a bus master; addresses by register name."""

    dut: HierarchyObject
    bus: AxiLiteMaster

    @classmethod
    async def start(cls, dut: HierarchyObject) -> Bench:
        dut.zeroise_i.value = 0
        dut.ext_ent_valid_i.value = 0
        dut.ext_ent_data_i.value = 0
        dut.rst_ni.value = 0
        Clock(dut.clk_i, 10, unit="ns").start()
        bus = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, reset_active_level=False
        )
        for log in (bus.write_if.log, bus.read_if.log):
            log.setLevel("ERROR")
        bench = cls(dut, bus)
        await bench.reset()
        return bench

    async def reset(self) -> None:
        """Hardware reset, then wait for the end of the wipe."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await self.ready()

    async def ready(self) -> None:
        while not await self.status("REQ_READY"):
            pass

    def disturb(self, seed: int) -> None:
        """Pauses at random on all five channels."""

        def pauses(salt: int):
            rng = random.Random(seed * 5 + salt)
            while True:
                yield rng.random() < 0.5

        write, read = self.bus.write_if, self.bus.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for salt, channel in enumerate(channels):
            channel.set_pause_generator(pauses(salt))

    async def write_at(self, address: int, word: int) -> bool:
        """True when accepted. Every answer that is not OKAY must be SLVERR."""
        done = await self.bus.write(address, word.to_bytes(4, "little"))
        assert done.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return done.resp == AxiResp.OKAY

    async def read_at(self, address: int) -> tuple[bool, int]:
        done = await self.bus.read(address, 4)
        assert done.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return done.resp == AxiResp.OKAY, int.from_bytes(done.data, "little")

    async def write(self, name: str, word: int) -> bool:
        return await self.write_at(REGISTERS[name].offset, word)

    async def read(self, name: str) -> int:
        ok, word = await self.read_at(REGISTERS[name].offset)
        assert ok, f"{name} cannot be read"
        return word

    async def status(self, field: str) -> int:
        return STATUS[field].get(await self.read("STATUS"))

    async def send(self, packet: Sequence[int]) -> list[bool]:
        """Write a packet; which words were accepted."""
        last = len(packet) - 1
        return [
            await self.write("REQ_LAST" if i == last else "REQ_DATA", word) for i, word in enumerate(packet)
        ]

    async def submit(self, packet: Sequence[int]) -> None:
        assert all(await self.send(packet))

    async def receive(self) -> list[int]:
        """The next response, as a driver reads it: header first, then as many words as that says."""
        while not await self.status("RSP_VALID"):
            pass
        words = [await self.read("RSP_DATA"), await self.read("RSP_DATA")]
        count = words[1] & 0xFFFF
        for left in range(count, 0, -1):
            assert await self.status("RSP_LAST") == (left == 1)
            words.append(await self.read("RSP_DATA"))
        return words

    async def works(self, rng: random.Random) -> None:
        """A job of random content is answered as it should."""
        words = [rng.getrandbits(32) for _ in range(rng.randrange(1, RESULT_WORDS + 1))]
        tag = rng.getrandbits(16)
        await self.submit(request(ECHO, tag, words))
        assert await self.receive() == response(OK, ECHO, tag, words)

    async def hold(self, cycles: int, tag: int) -> list[int]:
        """Give the engine a job of so many cycles, wait until it has taken it; the answer to come."""
        await self.submit(request(WAIT, tag, [cycles], FAST))
        await ClockCycles(self.dut.clk_i, 60)
        return response(OK, WAIT, tag, [cycles])


@cocotb.test(**ns(20_000))
async def map_is_that_of_the_rdl(dut: HierarchyObject) -> None:
    """Each address answers OKAY in exactly the directions that the map gives; unmapped ones never."""
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
    """Sender and reader side by side, random pauses: every packet answered once, in order, to the word."""
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
    assert not await bench.status("RSP_LAST")
    await bench.works(random.Random(5))


@cocotb.test(**ns(60_000))
async def a_response_is_shown_whole(dut: HierarchyObject) -> None:
    """RSP_VALID comes only when the whole response can be read without a further look at STATUS."""
    bench = await Bench.start(dut)
    rng = random.Random(6)
    for _ in range(8):
        words = [rng.getrandbits(32) for _ in range(RESULT_WORDS)]
        await bench.submit(request(ECHO, 7, words))
        while not await bench.status("RSP_VALID"):
            pass
        assert [await bench.read("RSP_DATA") for _ in range(RESULT_WORDS + 2)] == response(OK, ECHO, 7, words)


async def fill(bench: Bench, sizes: Sequence[int], tag: int) -> list[list[int]]:
    """Packets of `sizes` words, until their sum; the answers they will get."""
    answers = []
    for i, size in enumerate(sizes):
        words = [(tag + i) << 16 | n for n in range(size - 2)]
        await bench.submit(request(ECHO, tag + i, words, FAST))
        answers.append(response(OK, ECHO, tag + i, words))
    return answers


@cocotb.test(**ns(300_000))
async def overflow_ends_the_packet(dut: HierarchyObject) -> None:
    """The FIFO takes exactly its capacity; what no longer fits is refused, at any place in a packet.

    Earlier packets are answered, a packet begun is answered BAD_LENGTH, one not begun is not,
    the next one is.
    """
    bench = await Bench.start(dut)
    size = RESULT_WORDS + 2
    for begun in (0, 1, 2, 3, size - 1):
        answers = [await bench.hold(40_000 if FIFO_LOG2 > 6 else 8_000, 1)]
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
        if begun:
            answers.append(response(BAD_LENGTH, ECHO, 200))
        assert await bench.status("OVERFLOW") and not await bench.status("REQ_READY")
        # The next packet finds the FIFO full from its first word on.
        assert not any(await bench.send(request(ECHO, 201, [1, 2, 3])))
        for answer in answers:
            assert await bench.receive() == answer
        assert await bench.status("OVERFLOW")
        assert await bench.write("STATUS", 0xFFFFFFFF & ~STATUS["OVERFLOW"].mask)
        assert await bench.status("OVERFLOW")
        assert await bench.write("STATUS", STATUS["OVERFLOW"].mask)
        assert not await bench.status("OVERFLOW")
        await bench.works(random.Random(begun))
        assert not await bench.status("RSP_VALID") and not await bench.status("BUSY")


@cocotb.test(**ns(100_000))
async def overflow_drops_up_to_the_last_word(dut: HierarchyObject) -> None:
    """Room that appears in the middle of a refused packet is not used for the rest of it."""
    bench = await Bench.start(dut)
    answers = [await bench.hold(20_000, 1)]
    room = CAPACITY - 5
    sizes = [RESULT_WORDS + 2] * (room // (RESULT_WORDS + 2) - 1)
    sizes += [(room - sum(sizes)) // 2, (room - sum(sizes) + 1) // 2]
    answers += await fill(bench, sizes, 10)
    packet = request(ECHO, 20, list(range(12)), FAST)
    for i, word in enumerate(packet[:8]):
        assert await bench.write("REQ_DATA", word) == (i < 5)
    for answer in answers:
        assert await bench.receive() == answer
    assert await bench.receive() == response(BAD_LENGTH, ECHO, 20)
    assert await bench.status("REQ_READY")
    assert not any([await bench.write("REQ_DATA", word) for word in packet[8:-1]])
    assert not await bench.write("REQ_LAST", packet[-1])
    await bench.works(random.Random(7))


@cocotb.test(**ns(60_000))
async def an_overlong_packet_passes_through(dut: HierarchyObject) -> None:
    """Longer than the FIFO: the engine sees all of it and says BAD_LENGTH."""
    bench = await Bench.start(dut)
    words = CAPACITY + 40
    last = words - 1
    for i in range(words):
        while not await bench.status("REQ_READY"):
            pass
        word = request(ECHO, 9, [0, 0], FAST)[i] if i < 4 else i
        assert await bench.write("REQ_LAST" if i == last else "REQ_DATA", word)
    assert await bench.receive() == response(BAD_LENGTH, ECHO, 9)
    await bench.works(random.Random(8))


@cocotb.test(**ns(300_000))
async def a_full_response_fifo_stops_the_engine(dut: HierarchyObject) -> None:
    """Nobody reads until requests no longer fit: then the engine must be waiting, and nothing is lost."""
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
    """A master that never waits for an answer before the next access: all words, each once, in order."""
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
    """Ones at the head of the response FIFO, or left behind in its memory: all other reads are clean."""
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


@cocotb.test(**ns(400_000))
async def reset_at_any_time(dut: HierarchyObject) -> None:
    """Hardware and register reset at random moments: FIFOs empty, memories wiped, the next job right."""
    bench = await Bench.start(dut)
    rng = random.Random(9)
    rams = [dut.u_shell.u_req_fifo.u_ram.mem, dut.u_shell.u_rsp_fifo.u_ram.mem]
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
        for ram in rams:
            assert all(int(ram[i].value) & 0xFFFFFFFF == 0 for i in range(1, 2**FIFO_LOG2))
        await bench.works(rng)


@cocotb.test(**ns(60_000))
async def zeroise_ends_the_running_job_only(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    for pin in (False, True):
        await bench.hold(2**31, 1)
        await bench.submit(request(ECHO, 2, [3, 4]))
        if pin:
            dut.zeroise_i.value = 1
            await RisingEdge(dut.clk_i)
            dut.zeroise_i.value = 0
        else:
            assert await bench.write("CONTROL", CONTROL["ZEROISE"].mask)
        assert await bench.receive() == response(ZEROISED, WAIT, 1)
        assert await bench.receive() == response(OK, ECHO, 2, [3, 4])


@cocotb.test(**ns(20_000))
async def reset_comes_before_zeroise(dut: HierarchyObject) -> None:
    """Both bits in one write: the engine sees its reset end, then one cycle of zeroise."""
    bench = await Bench.start(dut)
    seen: list[tuple[int, int]] = []

    async def watch() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            seen.append((int(dut.eng_rst_n.value), int(dut.zeroise.value)))

    task = cocotb.start_soon(watch())
    assert await bench.write("CONTROL", CONTROL["RESET"].mask | CONTROL["ZEROISE"].mask)
    await ClockCycles(dut.clk_i, 10)
    task.cancel()
    assert [state for state in seen if state != (1, 0)] == [(0, 0), (1, 1)]
    assert seen.index((1, 1)) == seen.index((0, 0)) + 1


@cocotb.test(**ns(60_000))
async def no_word_written_can_be_read(dut: HierarchyObject) -> None:
    """Secrets stand in the FIFO, the engine, the entropy register and on the way.

    All addresses are walked in each of these states, and no word read is one of theirs.
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
    assert await bench.receive() == response(ZEROISED, WAIT, 1)
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
