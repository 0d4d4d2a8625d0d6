"""Two masters on a cluster, which answers in the order of completion, with the same tags in both windows."""

from __future__ import annotations

import random

import cocotb
from cocotb.handle import HierarchyObject

from eccelerate.driver.packet import Request, decode_response
from eccelerate.model.jobs import Op, Status, curve_load_operands
from tests.bus.shell import CONTROL, Bench, ns
from tests.bus.turbo_bench import CURVE, WIDTH

KEY = 0x5EC2E75EC2E75EC2E7


@cocotb.test(**ns(400_000))
async def each_window_gets_its_own_answers(dut: HierarchyObject) -> None:
    """Long and short jobs of both windows overtake each other, and each result belongs to its operands."""
    bench = await Bench.start(dut)
    windows, rng = [bench, bench.master(1)], random.Random(3)
    await bench.submit(Request(Op.CURVE_LOAD, 5, 1, 0, WIDTH, curve_load_operands(CURVE)).words())
    assert decode_response(await bench.receive(), WIDTH).status == Status.OK
    jobs: list[dict[int, int]] = [{}, {}]
    for tag in range(4):
        for each in windows:
            a, b = rng.randrange(1, CURVE.p), rng.randrange(CURVE.p)
            if (tag + each.window) % 2:
                packet, result = Request(Op.MOD_INV, 5, tag, 0, WIDTH, (a,)), pow(a, -1, CURVE.p)
            else:
                packet, result = Request(Op.MOD_ADD, 5, tag, 0, WIDTH, (a, b)), (a + b) % CURVE.p
            jobs[each.window][tag] = result
            await each.submit(packet.words())
    await each_answer(windows, jobs)

    # A zeroise by the second window, while jobs of the first one run: no answer, no curve, no words left.
    for tag in range(3):
        await bench.submit(Request(Op.MOD_INV, 5, tag, 0, WIDTH, (KEY,)).words())
    assert await windows[1].write("CONTROL", CONTROL["ZEROISE"].mask)
    for each in windows:
        await each.ready()
        assert await each.status("CLEARED") and not await each.status("RSP_VALID")
        assert not each.residue()
        await each.submit(Request(Op.MOD_ADD, 5, 1, 0, WIDTH, (1, 2)).words())
        assert decode_response(await each.receive(), WIDTH).status == Status.BAD_CURVE


async def each_answer(windows: list[Bench], jobs: list[dict[int, int]]) -> None:
    """Every job of every window is answered with its result, and then nobody is busy."""
    for each in windows:
        while expected := jobs[each.window]:
            answer = decode_response(await each.receive(), WIDTH)
            assert answer.status == Status.OK and answer.results == (expected.pop(answer.tag),)
        assert not await each.status("BUSY")
