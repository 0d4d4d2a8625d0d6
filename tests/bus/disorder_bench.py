"""Masters in disorder on a real engine: valid and malformed packets, words of several windows in any order,
dropped packets, and resets, zeroise commands and tamper pulses at any moment.

Every packet whose last word was accepted gets the response of the golden model in its window, unless a reset
or zeroise comes before; then it gets none, all windows are told, and curve and key are gone. A dropped packet
gets none either.
"""

from __future__ import annotations

import os
import random

import cocotb
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Op, curve_load_operands
from eccelerate.model.solinas import FORMS
from eccelerate.rtlsim.golden_transport import GoldenTransport
from tests.bus.shell import CAPACITY, CONTROL, DIGIT_BITS, STATUS, TAGS, WINDOWS, Bench, ns

CURVE = find_curve(list(FORMS)[int(os.environ.get("BENCH_PRIME", "0"))])
WIDTH = CURVE.element_words
PACKETS = int(os.environ.get("BENCH_PACKETS", "20"))
SEED = int(os.environ.get("BENCH_SEED", "1"))
CURVE_ID = 5
EXCLUSIVE = (Op.KEY_LOAD, Op.ZEROISE, Op.CURVE_LOAD)
"""Operations that change what others see. A window waits for the other one before and after them."""
UNKNOWN = 0x2F


class Disorder:
    """The windows of one shell, their packets under way, and the model of the engine."""

    def __init__(self, bench: Bench) -> None:
        self.rng = random.Random(SEED)
        self.windows = [bench.master(window) for window in range(WINDOWS)]
        self.bench = bench
        self.model = self.new_model()
        self.due: list[list[list[int]]] = [[] for _ in self.windows]
        self.sent = [0 for _ in self.windows]
        self.packets = self.answers = self.resets = 0

    def new_model(self) -> GoldenTransport:
        return GoldenTransport(GoldenEngine(lambda bits: None, max_words=WIDTH, digit_bits=DIGIT_BITS))

    def packet(self) -> list[int]:
        """A request that draws nothing and is short, by chance with mistakes."""
        rng, p = self.rng, CURVE.p
        op, *operands = rng.choice(
            (
                (Op.MOD_ADD, rng.randrange(p), rng.randrange(p)),
                (Op.MOD_SUB, rng.randrange(p), rng.choice((0, p - 1, p))),
                (Op.ON_CURVE, *CURVE.generator),
                (Op.ON_CURVE, CURVE.gx, CURVE.gy ^ 1),
                (Op.KEY_LOAD, rng.randrange(1, CURVE.n)),
                (Op.ZEROISE,),
                (UNKNOWN, 1),
            )
        )
        words = Request(op, CURVE_ID, rng.getrandbits(16), 0, WIDTH, tuple(operands)).words()
        match rng.randrange(8):
            case 0:
                words = words[: rng.randrange(1, len(words) + 1)]
            case 1:
                words += [rng.getrandbits(32) for _ in range(rng.choice((1, 6, 40)))]
            case 2:
                words[1] ^= 1 << rng.randrange(32)
            case 3:
                words[-1] ^= 1 << rng.randrange(32)
            case _:
                pass
        return words

    async def settle(self) -> None:
        """Every packet gets its response, and there is no other one."""
        for window, due in zip(self.windows, self.due, strict=True):
            for expected in due:
                got = await window.receive()
                expected[0] &= 0xFFFF | TAGS << 16
                assert got == expected, f"packet {self.packets}: {got}, expected {expected}"
                self.answers += 1
            due.clear()
        self.sent = [0 for _ in self.windows]
        for window in self.windows:
            while await window.status("BUSY"):
                pass
            assert not await window.status("RSP_VALID") and not await window.status("PARTIAL")

    async def submit(self, words: list[list[int]]) -> None:
        """A packet for each window, their words in any order. A window may drop its packet. A full FIFO would
        refuse words, so no window has more words under way than its FIFO holds.
        """
        if any(sent + len(packet) > CAPACITY for sent, packet in zip(self.sent, words, strict=True)):
            await self.settle()
        self.sent = [sent + len(packet) for sent, packet in zip(self.sent, words, strict=True)]
        left = [list(packet) for packet in words]
        while any(left):
            index = self.rng.choice([i for i, packet in enumerate(left) if packet])
            window, packet = self.windows[index], left[index]
            if 1 < len(packet) < len(words[index]) and self.rng.random() < 0.02:
                assert await window.write("CONTROL", CONTROL["DROP"].mask)
                await window.ready()  # its words leave the FIFO behind the packets before it
                packet.clear()
                continue
            name = "REQ_DATA" if len(packet) > 1 else "REQ_LAST"
            assert await window.write(name, packet.pop(0))
            if not packet:
                self.due[index].append(self.model.exchange(words[index]).words)

    async def interrupt(self, words: list[list[int]]) -> None:
        """A reset or zeroise while packets come in, or while they are worked on."""
        rng = self.rng
        for each in self.windows:
            assert await each.write("STATUS", STATUS["CLEARED"].mask)
        for index, packet in enumerate(words):
            length = rng.randrange(len(packet) + 1)
            for i, word in enumerate(packet[:length]):
                name = "REQ_LAST" if i == len(packet) - 1 else "REQ_DATA"
                assert await self.windows[index].write(name, word)
        await ClockCycles(self.bench.dut.clk_i, rng.randrange(rng.choice((4, 40, 2_000))))
        cause = rng.choice(("RESET", "ZEROISE", "pulse", "level"))
        if cause in ("RESET", "ZEROISE"):
            assert await rng.choice(self.windows).write("CONTROL", CONTROL[cause].mask)
        else:
            self.bench.dut.zeroise_i.value = 1
            await ClockCycles(self.bench.dut.clk_i, 1 if cause == "pulse" else rng.randrange(2, 900))
            self.bench.dut.zeroise_i.value = 0
        for each in self.windows:
            await each.cleared()
            # The rest of a packet that it met is refused until the master drops it.
            assert await each.write("CONTROL", CONTROL["DROP"].mask)
            assert await each.write("STATUS", STATUS["OVERFLOW"].mask)
            assert not each.residue()
        self.model = self.new_model()
        self.resets += 1

    async def load(self) -> None:
        words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, WIDTH, curve_load_operands(CURVE)).words()
        self.packets += 1
        await self.windows[-1].submit(words)
        self.due[-1].append(self.model.exchange(words).words)
        await self.settle()

    async def turn(self) -> None:
        """One packet in each window. With an operation that changes the engine, one packet alone."""
        words = [self.packet() for _ in self.windows]
        assert max(map(len, words)) <= CAPACITY
        if any(packet[0] & 0xFF in EXCLUSIVE for packet in words):
            words = [packet if i == 0 else [] for i, packet in enumerate(words)]
            self.rng.shuffle(words)
        self.packets += sum(map(bool, words))
        if self.rng.random() < 0.1:
            await self.settle()
            await self.interrupt(words)
            if self.rng.random() < 0.15:
                await self.load()
            return
        if any(packet and packet[0] & 0xFF in EXCLUSIVE for packet in words):
            await self.settle()
            await self.submit(words)
            await self.settle()
        else:
            await self.submit(words)
            if self.rng.random() < 0.5:
                await self.settle()


@cocotb.test(**ns(400_000 + PACKETS * 20_000))
async def every_packet_gets_its_response(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    disorder = Disorder(bench)
    await disorder.load()
    while disorder.packets < PACKETS:
        await disorder.turn()
    await disorder.settle()
    print(f"seed {SEED}: {disorder.packets} packets, {disorder.answers} responses, {disorder.resets} resets")
    assert disorder.answers > PACKETS // 2 and disorder.resets > 1 + PACKETS // 50
