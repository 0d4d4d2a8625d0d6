"""No instruction reads a slot of the mailbox that it does not name.

The mailbox gives a word in every clock, and the slot's number is in bits that also belong to registers and
jump targets. Were the number taken from any instruction, two instructions in a row could read the two shares
of a key, and the activity would tell how many of their bits differ.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.rtlsim.rtl import EventKind, RtlTransport
from eccelerate.ucode.asm import assemble_files
from tests.ucode.helpers import packet, status_of

SLOTS = range(2, 16)
"""Slots that the job below does not name; the answer comes from slots 0 and 1."""
FILL, JUMP = 0x28, 0x29
PROGRAM = f"""
.entry CURVE_LOAD claim
.routine claim
    par
    loaded 1
    done OK, 0
.entry {FILL} fill
.routine fill
{"".join(f"    ld r16, {n % 4}{chr(10)}    st {n}, r16{chr(10)}" for n in SLOTS)}
    done OK, 0
.entry {JUMP} jump
.routine jump
    ld r16, 0
    jmp .l0
{"".join(f".l{n}:{chr(10)}    jmp .l{n + 1}{chr(10)}" for n in range(16))}.l16:
    done OK, 0
"""


@pytest.mark.parametrize(("name", "width"), [("compact-w32", 8), ("binary-163-d64", 6), ("turbo-p256", 8)])
def test_jumps_do_not_read_slots(name: str, width: int, tmp_path: Path) -> None:
    """Sixteen jumps in a row, so that the bits of their targets name every slot, with other secrets in each
    slot: the activity of each clock is the same.
    """
    config = find_config(name)
    source, image = tmp_path / "jump.s", tmp_path / "jump.hex"
    source.write_text(PROGRAM)
    unit = config.engine.removeprefix("ecp_")
    program = assemble_files("jump", [source], unit=unit, check=False)
    program.write_hex(image)
    generator = random.Random(name)
    found = []
    for _ in range(4):
        with RtlTransport(config, events=True, program=image) as rtl:

            def send(code: str | int, *operands: int, model: RtlTransport = rtl) -> None:
                assert status_of(model.exchange(packet(code, *operands, width=width)).words) == "OK"

            send("CURVE_LOAD", 0)
            send(FILL, *(generator.getrandbits(32 * width) for _ in range(4)))
            began = rtl.clocks
            rtl.take_events()
            rtl.count_activity(True)
            send(JUMP, 1)
            activity = memoryview(rtl.take_activity()).cast("H")
            jumps = [
                event.cycle - began
                for event in rtl.take_events()
                if event.kind == EventKind.INSTRUCTION
                and event.cycle >= began
                and event.value > program.labels["jump"]
            ]
            found.append(list(activity[jumps[0] : jumps[-1]]))
    assert len(found[0]) > 16 * 3
    assert found == [found[0]] * len(found)
