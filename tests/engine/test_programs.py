"""The programs of tests/ucode also leave their expected state on the RTL, in the cycles that the simulator
counts.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.rtlsim.rtl import RtlTransport
from tests.engine.monitor import Monitor
from tests.ucode.helpers import packet, status_of

PROGRAMS = sorted((Path(__file__).parents[1] / "ucode" / "programs").glob("*.s"))
EXTRA_BITS = 96


@pytest.mark.parametrize("digit_bits", [16, 32, 64])
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda p: p.stem)
def test_program_leaves_expected_state_on_the_rtl(source: Path, digit_bits: int, tmp_path: Path) -> None:
    exp = tomllib.loads(source.with_suffix(".exp").read_text())
    width = exp["width"]
    s = -(-32 * width // digit_bits)
    long_bits = digit_bits * (s - (-EXTRA_BITS // digit_bits))
    names = {"R": 1 << digit_bits * s, "LONG": 1 << long_bits}

    def value(text: str) -> int:
        return eval(text, {"pow": pow}, names)

    probe = Monitor([source], tmp_path, [])
    registers = {name: probe.program.registers[name] for name in (*exp["before"], *exp["after"])}
    slots = [int(n) for n in exp.get("slots", {}) if int(n) > 0]
    monitor = Monitor([source], tmp_path, sorted(set(registers.values())), slots[0] if slots else 9)
    for name, text in exp["before"].items():
        names[name] = value(text)
    request = packet(
        exp["job"], *[value(t) for t in exp.get("operands", [])], width=width, flags=exp.get("flags", 0)
    )
    iss = DigitSimulator(monitor.program, digit_bits)
    with RtlTransport(find_config(f"compact-w{digit_bits}"), program=monitor.hex) as rtl:

        def send(words: list[int]) -> list[int]:
            reply = rtl.exchange(words)
            assert reply.words == iss.submit(words)
            assert reply.cycles == iss.cycles
            return reply.words

        send(monitor.claim(width))
        for words in monitor.write({registers[n]: names[n] for n in exp["before"]}, width):
            send(words)
        response = send(request)
        result = exp.get("result", {"status": "OK"})
        assert status_of(response) == result["status"]
        elements = [value(t) for t in result.get("elements", [])]
        assert response[2:] == [v >> 32 * i & 0xFFFFFFFF for v in elements for i in range(width)]
        for slot in slots:
            assert monitor.slot(send, long_bits) == value(exp["slots"][str(slot)]), slot
        for name, text in exp["after"].items():
            assert monitor.read(registers[name], send, long_bits) == value(text), name
