"""A second master that tries to get at a key while it is loaded, on a real engine."""

from __future__ import annotations

import os

import cocotb
from cocotb.handle import HierarchyObject

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request, Response, decode_response
from eccelerate.model.jobs import Op, Status, curve_load_operands
from eccelerate.model.solinas import FORMS
from tests.bus.shell import CONTROL, Bench, ns

CURVE = find_curve(list(FORMS)[int(os.environ.get("BENCH_PRIME", "0"))])
WIDTH = CURVE.element_words
KEY = 0x5EC2E75EC2E75EC2E7


async def _attack(victim: Bench, other: Bench) -> tuple[list[int], int]:
    """The other master writes the header of a MOD_ADD and all words but two of its first operand, all of them
    0; then the victim loads its key. Returns the victim's packet, and the sum that these words make.
    """
    packet = Request(Op.KEY_LOAD, 5, 0x601, 0, WIDTH, (KEY,)).words()
    header = Request(Op.MOD_ADD, 5, 0xBAD, 0, WIDTH, (0, 0)).words()[:2]
    for word in (*header, *[0] * (WIDTH - 2)):
        assert await other.write("REQ_DATA", word)
    await victim.submit(packet)
    first = packet[0] | packet[1] << 32
    return packet, ((first << 32 * (WIDTH - 2)) + KEY) % CURVE.p


async def _load(bench: Bench) -> Response:
    await bench.submit(Request(Op.CURVE_LOAD, 5, 1, 0, WIDTH, curve_load_operands(CURVE)).words())
    return decode_response(await bench.receive(), WIDTH)


@cocotb.test(**ns(400_000))
async def a_master_with_another_window_cannot_take_a_key(dut: HierarchyObject) -> None:
    """In its own window the words of the second master never meet those of the first.

    The control is both in one window: the response is the key plus words that everybody knows.
    """
    victim = await Bench.start(dut)
    other = victim.master(1)
    assert (await _load(victim)).status == Status.OK
    await _attack(victim, other)
    loaded = decode_response(await victim.receive(), WIDTH)
    assert (loaded.status, loaded.op, loaded.tag, loaded.results) == (Status.OK, Op.KEY_LOAD, 0x601, ())
    assert not await other.status("RSP_VALID") and not await other.status("BUSY")
    # What the second master completes now is a packet of zeros and of words of its own.
    for _ in range(WIDTH + 1):
        assert await other.write("REQ_DATA", 0)
    assert await other.write("REQ_LAST", 0)
    answer = decode_response(await other.receive(), WIDTH)
    assert (answer.status, answer.op, answer.tag, answer.results) == (Status.OK, Op.MOD_ADD, 0xBAD, (0,))

    assert await victim.write("CONTROL", CONTROL["ZEROISE"].mask)
    await victim.ready()
    assert (await _load(victim)).status == Status.OK
    _, known_plus_key = await _attack(victim, victim)
    answer = decode_response(await victim.receive(), WIDTH)
    assert answer.op == Op.MOD_ADD and answer.tag == 0xBAD
    assert answer.status == Status.COORD_RANGE or answer.results == (known_plus_key,)
    assert answer.status == Status.OK
