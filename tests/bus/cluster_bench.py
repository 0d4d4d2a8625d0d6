"""A cluster of compact and binary engines behind the registers: two curves at once, counters, and
zeroising.
"""

from __future__ import annotations

import cocotb
from cocotb.handle import HierarchyObject

from eccelerate.curves import find_curve
from eccelerate.driver.cluster import ClusterOp, Counters
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model.jobs import IDS, Op, Status, curve_load_operands
from eccelerate.regs import REGISTERS
from tests.bus.shell import Bench, ns

CURVES = [find_curve("P-192"), find_curve("B-163")]


@cocotb.test(**ns(2_000_000))
async def two_curves_through_registers(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    config, fields = await bench.read("CONFIG"), REGISTERS["CONFIG"].fields
    assert (fields["DIGIT_BYTES"].get(config), fields["MAX_WORDS"].get(config)) == (4, 17)

    async def submit(op: int, pool: int, tag: int, *operands: int) -> None:
        curve = CURVES[pool]
        await bench.submit(Request(op, IDS * pool + 5, tag, 0, curve.element_words, operands).words())

    for pool, curve in enumerate(CURVES):
        await submit(Op.CURVE_LOAD, pool, 9, *curve_load_operands(curve))
        assert decode_response(await bench.receive(), 6).status == Status.OK
    jobs = [(pool, y ^ wrong) for pool in range(2) for y in [CURVES[pool].gy] for wrong in range(2)]
    for tag, (pool, y) in enumerate(jobs):
        await submit(Op.ON_CURVE, pool, tag, CURVES[pool].gx, y)
    answers = {answer.tag: answer.status for answer in [await _answer(bench) for _ in jobs]}
    assert answers == {0: Status.OK, 1: Status.NOT_ON_CURVE, 2: Status.OK, 3: Status.NOT_ON_CURVE}
    for engine in range(2):
        await bench.submit(Request(ClusterOp.COUNTERS, engine, 7, 0, 6).words())
        counters = Counters.of(decode_response(await bench.receive(), 1).results)
        assert (counters.engines, counters.threads, counters.pool, counters.jobs) == (2, 1, engine, 3)
    await submit(Op.ZEROISE, 1, 1)
    assert (await _answer(bench)).status == Status.OK
    assert not await bench.status("BUSY")


async def _answer(bench: Bench):
    return decode_response(await bench.receive(), 6)
