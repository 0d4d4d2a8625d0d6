"""Programs in programs/ leave the registers, slots and results of their .exp file, at every digit size."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from eccelerate.ucode.asm import assemble_files
from tests.ucode.helpers import ISA, packet, ready, status_of

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.s"))


@pytest.mark.parametrize("digit_bits", [8, 16, 32, 64])
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda p: p.stem)
def test_program_leaves_expected_state(source: Path, digit_bits: int):
    program = assemble_files(source.stem, [source], check=False)
    exp = tomllib.loads(source.with_suffix(".exp").read_text())
    width = exp["width"]
    iss = ready(program, digit_bits, width)
    iss.data.set_width(width)
    names: dict[str, int] = {"R": 1 << iss.data.bits, "LONG": 1 << iss.data.long_bits}

    def value(text: str) -> int:
        return eval(text, {"pow": pow}, names)

    for name, text in exp["before"].items():
        names[name] = value(text)
        iss.write_register(program.registers[name], names[name])
    operands = [value(t) for t in exp.get("operands", [])]
    response = iss.submit(packet(exp["job"], *operands, width=width, flags=exp.get("flags", 0)))
    result = exp.get("result", {"status": "OK"})
    assert status_of(response) == result["status"]
    elements = [value(t) for t in result.get("elements", [])]
    words = [v >> 32 * i & 0xFFFFFFFF for v in elements for i in range(width)]
    assert response[1:] == [len(words), *words]
    for name, text in exp["after"].items():
        assert iss.read_register(program.registers[name]) == value(text), name
    for slot, text in exp.get("slots", {}).items():
        assert iss.state.slots[int(slot)] == value(text), slot


def test_programs_use_every_instruction():
    """The programs, together with the entropy, wipe and load cases of other tests, execute every
    instruction.
    """
    used = set()
    for source in PROGRAMS:
        program = assemble_files(source.stem, [source], check=False)
        used |= {i.form.mnemonic for i in program.instrs.values()}
    elsewhere = {"rnd", "wipe", "loaded", "mulx"}  # tests/machine/test_digit_simulator.py
    assert used | elsewhere == set(ISA.forms)
