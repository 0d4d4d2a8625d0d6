"""What eccel_fifo guarantees, for every size at once. Runs in the simulator on eccel_fifo_bench."""

from __future__ import annotations

import cocotb
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import ClockCycles, ReadOnly

KINDS = [(bits, whole) for bits in range(4, 13) for whole in (False, True)]
LARGEST = 2**12


def counts(port: object) -> list[int]:
    """The 32-bit counter of each FIFO."""
    value = int(port.value)  # type: ignore[attr-defined]
    return [value >> (32 * i) & 0xFFFFFFFF for i in range(len(KINDS))]


async def run(dut: HierarchyObject, push: int, pop: int, random: int, cycles: int) -> None:
    dut.push_i.value, dut.pop_i.value, dut.random_i.value = push, pop, random
    await ClockCycles(dut.clk_i, cycles)
    await ReadOnly()
    assert int(dut.error_o.value) == 0
    await ClockCycles(dut.clk_i, 1)


@cocotb.test(timeout_time=4_000_000, timeout_unit="ns")
async def every_size_holds_its_capacity_in_order(dut: HierarchyObject) -> None:
    Clock(dut.clk_i, 10, unit="ns").start()
    for turn in range(2):
        dut.rst_ni.value = 0
        await run(dut, 0, 0, 0, 3)
        dut.rst_ni.value = 1
        await run(dut, 1, 0, 0, LARGEST - 10)  # the wipe of the largest one is still running
        assert counts(dut.pushed_o)[-1] == 0
        await run(dut, 1, 0, turn, 8 * LARGEST)
        assert counts(dut.pushed_o) == [2**bits - 2 for bits, _ in KINDS]
        assert not any(counts(dut.popped_o))
        await run(dut, 0, 1, turn, 9 * LARGEST)
        whole_packets = [(2**bits - 2) // 5 * 5 if whole else 2**bits - 2 for bits, whole in KINDS]
        assert counts(dut.popped_o) == whole_packets
        await run(dut, 1, 1, 1, 20_000)
        await run(dut, 1, 1, 0, 20_000)
        # One push in 3 cycles and one pop in 4: the pops limit the rate, and neither side stops.
        moved = [now - before for now, before in zip(counts(dut.popped_o), whole_packets, strict=True)]
        assert min(moved) > 7_000
        await run(dut, 0, 1, 1, 9 * LARGEST)
        left = [a - b for a, b in zip(counts(dut.pushed_o), counts(dut.popped_o), strict=True)]
        assert all(n < 5 if whole else n == 0 for n, (_, whole) in zip(left, KINDS, strict=True))
