"""A turbo engine or a cluster behind the registers: curve, jobs, responses in any order, counters."""

from __future__ import annotations

import os

import cocotb
from cocotb.handle import HierarchyObject

from eccelerate.curves import find_curve
from eccelerate.driver.cluster import ClusterOp, Counters
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model.jobs import Op, Status, curve_load_operands
from eccelerate.model.solinas import FORMS
from eccelerate.regs import REGISTERS
from tests.bus.shell import Bench, ns

CURVE = find_curve(list(FORMS)[int(os.environ.get("BENCH_PRIME", "0"))])
ENGINES = int(os.environ.get("BENCH_ENGINES", "0"))
WIDTH = CURVE.element_words


@cocotb.test(**ns(400_000))
async def jobs_through_registers(dut: HierarchyObject) -> None:
    bench = await Bench.start(dut)
    config, fields = await bench.read("CONFIG"), REGISTERS["CONFIG"].fields
    assert (fields["DIGIT_BYTES"].get(config), fields["MAX_WORDS"].get(config)) == (2, WIDTH)

    async def submit(op: int, tag: int, *operands: int) -> None:
        await bench.submit(Request(op, 5, tag, 0, WIDTH, operands).words())

    await submit(Op.CURVE_LOAD, 9, *curve_load_operands(CURVE))
    loaded = decode_response(await bench.receive(), WIDTH)
    assert (loaded.status, loaded.tag) == (Status.OK, 9)
    points = {1: (CURVE.gx, CURVE.gy), 2: (CURVE.gx, CURVE.gy ^ 1), 3: (CURVE.gx, CURVE.p), 4: (0, 0)}
    for tag, place in points.items():
        await submit(Op.ON_CURVE, tag, *place)
    answers = [decode_response(await bench.receive(), WIDTH) for _ in points]
    assert {answer.tag: answer.status for answer in answers} == {
        1: Status.OK, 2: Status.NOT_ON_CURVE, 3: Status.COORD_RANGE, 4: Status.NOT_ON_CURVE,
    }  # fmt: skip
    if ENGINES:
        jobs = 0
        for engine in range(ENGINES):
            await bench.submit(Request(ClusterOp.COUNTERS, engine, 7, 0, WIDTH).words())
            counters = Counters.of(decode_response(await bench.receive(), 1).results)
            assert (counters.engines, counters.in_service, counters.resets) == (ENGINES, True, 0)
            jobs += counters.jobs
        assert jobs == ENGINES + len(points)
    assert not await bench.status("BUSY")
