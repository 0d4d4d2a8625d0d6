"""The shell around this folder's stand-in engine, as its benches see it: bus master, packets, parameters."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass

from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from eccelerate.regs import PAGE_BITS, REGISTERS

FIFO_LOG2 = int(os.environ["BENCH_FIFOADDRBITS"])
MAX_WORDS = int(os.environ.get("BENCH_MAXWORDS", 17))
EXT_ENTROPY = int(os.environ.get("BENCH_EXTERNALENTROPY", 0))
WINDOWS = int(os.environ.get("BENCH_WINDOWS", 1))
DIGIT_BITS = int(os.environ.get("BENCH_DIGITBITS", 16))
CAPACITY = 2**FIFO_LOG2 - 2
RESULT_WORDS = 2 * MAX_WORDS
TAGS = 0xFFFF if WINDOWS == 1 else 0x1FFF
"""The tags of a window: with several windows the upper three bits are the shell's."""
ECHO, WAIT, ENTROPY, ALARM = 0x01, 0x02, 0x03, 0x04
OK, BAD_LENGTH, ZEROISED = 0x00, 0x11, 0x1B
FAST = 1
STATUS = REGISTERS["STATUS"]
CONTROL = REGISTERS["CONTROL"]


def ns(cycles: int) -> dict[str, object]:
    """Time limit of a test that may take so many clock cycles. A hang is a failure."""
    return {"timeout_time": 10 * cycles, "timeout_unit": "ns"}


def request(op: int, tag: int, operands: Sequence[int], flags: int = 0) -> list[int]:
    return [op | tag << 16, len(operands) | flags << 16, *operands]


def response(status: int, op: int, tag: int, results: Sequence[int] = ()) -> list[int]:
    return [status | op << 8 | (tag & TAGS) << 16, len(results), *results]


@dataclass
class Bench:
    """A window of the shell with a bus master. Addresses are given by the names of registers, or relative to
    the window.
    """

    dut: HierarchyObject
    bus: AxiLiteMaster
    window: int = 0

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

    def master(self, window: int) -> Bench:
        """Another master on the same bus, which uses another window, or the same one."""
        return Bench(self.dut, self.bus, window)

    @property
    def rams(self) -> list[HierarchyObject]:
        """The memories of the request FIFO and of the response FIFO of the window."""
        window = self.dut.u_shell.gen_window[self.window].u_window
        return [window.u_req_fifo.u_ram.mem, window.u_rsp_fifo.u_ram.mem]

    def residue(self) -> list[int]:
        """The words of the FIFOs' memories that are not 0."""
        # Address 0 is not used: the pointers never have this value.
        words = [int(ram[i].value) & 0xFFFFFFFF for ram in self.rams for i in range(1, 2**FIFO_LOG2)]
        return [word for word in words if word]

    async def reset(self, clocks: int = 3) -> None:
        """Do a hardware reset, then wait for the end of the wipe."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, clocks)
        self.dut.rst_ni.value = 1
        await self.ready()

    async def ready(self) -> None:
        while not await self.status("REQ_READY"):
            pass

    def disturb(self, seed: int) -> None:
        """Let all five channels pause at random."""

        def pauses(salt: int):
            rng = random.Random(seed * 5 + salt)
            while True:
                yield rng.random() < 0.5

        write, read = self.bus.write_if, self.bus.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for salt, channel in enumerate(channels):
            channel.set_pause_generator(pauses(salt))

    async def write_at(self, address: int, word: int) -> bool:
        """Whether a write is accepted. A response that is not OKAY must be SLVERR."""
        done = await self.bus.write(self.window << PAGE_BITS | address, word.to_bytes(4, "little"))
        assert done.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return done.resp == AxiResp.OKAY

    async def read_at(self, address: int) -> tuple[bool, int]:
        done = await self.bus.read(self.window << PAGE_BITS | address, 4)
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
        """Write a packet. Returns which of its words were accepted."""
        last = len(packet) - 1
        return [
            await self.write("REQ_LAST" if i == last else "REQ_DATA", word) for i, word in enumerate(packet)
        ]

    async def submit(self, packet: Sequence[int]) -> None:
        assert all(await self.send(packet))

    async def receive(self) -> list[int]:
        """Read the next response as a driver does: the header first, then as many words as the header
        says.
        """
        while not await self.status("RSP_VALID"):
            pass
        words = [await self.read("RSP_DATA"), await self.read("RSP_DATA")]
        count = words[1] & 0xFFFF
        for _ in range(count):
            words.append(await self.read("RSP_DATA"))
        return words

    async def cleared(self) -> None:
        """Wait for the end of a zeroise or reset."""
        while not await self.status("CLEARED"):
            pass
        assert await self.write("STATUS", STATUS["CLEARED"].mask)

    async def works(self, rng: random.Random) -> None:
        """A job with random content gets the right response."""
        words = [rng.getrandbits(32) for _ in range(rng.randrange(1, RESULT_WORDS + 1))]
        tag = rng.getrandbits(16)
        await self.submit(request(ECHO, tag, words))
        assert await self.receive() == response(OK, ECHO, tag, words)

    async def hold(self, cycles: int, tag: int) -> list[int]:
        """Give the engine a job of so many cycles and wait until it has accepted the job. Returns the
        response to come.
        """
        await self.submit(request(WAIT, tag, [cycles], FAST))
        await ClockCycles(self.dut.clk_i, 60)
        return response(OK, WAIT, tag, [cycles])
