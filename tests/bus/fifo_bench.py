"""What eccel_fifo guarantees, for every size at once. Runs in the simulator on eccel_fifo_bench."""

from __future__ import annotations

import cocotb
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles, ReadOnly

SIZES = range(4, 13)
LARGEST = 2**12


def counts(port: object) -> list[int]:
    """The 32-bit counter of each FIFO."""
    value = int(port.value)  # type: ignore[attr-defined]
    return [value >> (32 * i) & 0xFFFFFFFF for i in range(len(SIZES))]


def residue(dut: HierarchyObject) -> list[int]:
    """For each FIFO the number of words in its memory that are not 0."""
    rams = [dut.gen_fifo[i].u_fifo.u_ram.mem for i in range(len(SIZES))]
    return [
        sum((int(ram[a].value) & 0xFFFFFFFF) != 0 for a in range(1, 2**bits))
        for ram, bits in zip(rams, SIZES, strict=True)
    ]


async def run(dut: HierarchyObject, push: int, pop: int, random: int, cycles: int, drop: int = 0) -> None:
    dut.push_i.value, dut.pop_i.value, dut.random_i.value, dut.drop_i.value = push, pop, random, drop
    await ClockCycles(dut.clk_i, cycles)
    await ReadOnly()
    assert int(dut.error_o.value) == 0
    await ClockCycles(dut.clk_i, 1)


async def reset(dut: HierarchyObject) -> None:
    Clock(dut.clk_i, 10, unit="ns").start()
    dut.hold_i.value = 0
    dut.rst_ni.value = 0
    await run(dut, 0, 0, 0, 3)
    dut.rst_ni.value = 1


@cocotb.test(timeout_time=4_000_000, timeout_unit="ns")
async def every_size_holds_its_capacity_in_order(dut: HierarchyObject) -> None:
    await reset(dut)
    for turn in range(2):
        dut.rst_ni.value = 0
        await run(dut, 0, 0, 0, 3)
        dut.rst_ni.value = 1
        await run(dut, 1, 0, 0, LARGEST - 10)  # the wipe of the largest one is still running
        assert counts(dut.pushed_o)[-1] == 0
        await run(dut, 1, 0, turn, 8 * LARGEST)
        assert counts(dut.pushed_o) == [2**bits - 2 for bits in SIZES]
        assert not any(counts(dut.popped_o))
        await run(dut, 0, 1, turn, 9 * LARGEST)
        whole_packets = [(2**bits - 2) // 5 * 5 for bits in SIZES]
        assert counts(dut.popped_o) == whole_packets
        await run(dut, 1, 1, 1, 20_000)
        await run(dut, 1, 1, 0, 20_000)
        # One push in 3 cycles and one pop in 4: the pops limit the rate, and neither side stops.
        moved = [now - before for now, before in zip(counts(dut.popped_o), whole_packets, strict=True)]
        assert min(moved) > 7_000
        await run(dut, 0, 1, 1, 9 * LARGEST)
        left = [a - b for a, b in zip(counts(dut.pushed_o), counts(dut.popped_o), strict=True)]
        assert all(n < 5 for n in left)


@cocotb.test(timeout_time=4_000_000, timeout_unit="ns")
async def dropped_packets_are_never_shown(dut: HierarchyObject) -> None:
    """With drops at random, packets that are not dropped come once and in order, and the FIFO goes on."""
    await reset(dut)
    await run(dut, 0, 0, 0, LARGEST + 10)
    for random in (1, 0):
        for push, pop in ((1, 1), (1, 0), (1, 1)):  # empty, full, and in between
            await run(dut, push, pop, random, 20_000, drop=1)
    assert min(counts(dut.popped_o)) > 4_000 and min(counts(dut.dropped_o)) > 1_000


@cocotb.test(timeout_time=6_000_000, timeout_unit="ns")
async def no_word_stays_in_the_memory(dut: HierarchyObject) -> None:
    """Words that were read or dropped are overwritten, and after a reset all words are."""
    await reset(dut)
    await run(dut, 0, 0, 0, LARGEST + 10)
    for both in (0, 1):
        await run(dut, 1, 0, both, 8 * LARGEST)
        assert min(residue(dut)) >= 2**4 - 3
        await run(dut, 1, 1, both, 8_000, drop=both)
        await run(dut, 0, 1, both, 9 * LARGEST, drop=both)
        waiting = [a - b for a, b in zip(counts(dut.pushed_o), counts(dut.popped_o), strict=True)]
        assert residue(dut) == waiting
    await run(dut, 1, 0, 0, 4 * LARGEST)  # all are full
    assert min(residue(dut)) >= 2**4 - 3
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 1)
    dut.rst_ni.value = 1
    await run(dut, 0, 0, 0, LARGEST + 10)
    assert not any(residue(dut))


@cocotb.test(timeout_time=1_000_000, timeout_unit="ns")
async def the_wipe_lasts_as_long_as_it_is_held(dut: HierarchyObject) -> None:
    await reset(dut)
    dut.hold_i.value = 1
    await run(dut, 1, 1, 0, 3 * LARGEST)
    assert not any(counts(dut.pushed_o))
    dut.hold_i.value = 0
    await run(dut, 1, 1, 0, 2 * LARGEST)
    assert min(counts(dut.popped_o)) > 500
