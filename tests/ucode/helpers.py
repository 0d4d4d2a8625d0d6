"""Helpers of the microcode tests: assemble text, prepare a machine without a curve, build packets."""

from __future__ import annotations

from pathlib import Path

from eccelerate import isa
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.ucode.asm import assemble_files
from eccelerate.ucode.program import Program
from eccelerate.ucode.schedule import Scheduler

ISA = isa.load()
HEADER = """
.global_reg p = 0
.global_reg n = 1
.global_reg par = 2
.public p, n, par
"""


def assemble_text(
    tmp_path: Path,
    *sources: str,
    unit: str = "compact",
    check: bool = False,
    limit: int = 64,
    scheduler: Scheduler | None = None,
) -> Program:
    """The program of these source texts, as files f0.s, f1.s, ..."""
    files = []
    for i, text in enumerate(sources):
        files.append(tmp_path / f"f{i}.s")
        files[-1].write_text(text)
    return assemble_files("test", files, unit=unit, limit=limit, scheduler=scheduler, check=check)


def ready(program: Program | list[int], digit_bits: int = 32, width: int = 6, **kwargs) -> DigitSimulator:
    """A simulator in which curve 1 with this element width counts as loaded."""
    iss = DigitSimulator(program, digit_bits, **kwargs)
    m = iss.state
    m.loaded, m.curve_id, m.curve_width, m.width = 1, 1, width, width
    return iss


def packet(
    op: str | int, *operands: int, width: int = 6, curve: int = 1, tag: int = 7, flags: int = 0
) -> list[int]:
    """A request packet."""
    code = ISA.job[op] if isinstance(op, str) else op
    body = [(v >> 32 * i) & 0xFFFFFFFF for v in operands for i in range(width)]
    return [code | curve << 8 | tag << 16, len(body) | flags << 16 | width << 24, *body]


def status_of(response: list[int]) -> str:
    """The name of the status of a response."""
    return next(n for n, c in ISA.status.items() if c == response[0] & 0xFF)
