"""eccel_gfp_turbo as a Python object: registers, programs, flags, and the clocks of every operation."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate import isa
from eccelerate.model.solinas import Solinas
from eccelerate.model.turbo import operate
from eccelerate.timing.turbo_cycles import Instruction, TurboTiming
from tests.gfp_turbo.core import sources
from tests.verilated import Patch, Unit

HARNESS = Path(__file__).with_name("unit_harness.cpp")
CODES = {f.mnemonic: f.code for f in isa.load("turbo").forms.values() if f.is_field}
PORT_WRITE, PORT_READ = 7, 7  # clocks from port_start_i to word 0, as the header says
REGISTERS = 64


@dataclass
class Step:
    """An instruction of a program, with the secret bit of each thread."""

    op: str
    rd: int
    ra: int
    rb: int = 0
    select: Sequence[int] = ()
    offered: int = 0


class _Instruction(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("op", "rd", "ra", "rb", "sel")]
    _fields_ += [("offered", ctypes.c_uint64), ("accepted", ctypes.c_uint64)]


class _Event(ctypes.Structure):
    _fields_ = [("clock", ctypes.c_uint64), ("thread", ctypes.c_uint32), ("rd", ctypes.c_uint32)]


@dataclass
class Trace:
    """Clocks of a program: acceptance of each instruction, first word of each result, and idle_o."""

    accepted: list[int]
    events: list[tuple[int, int, int]]  # clock, thread, rd
    idle: int


class TurboUnit:
    """One eccel_gfp_turbo and a model of its registers and flags."""

    def __init__(self, field: Solinas, threads: int, patches: Sequence[Patch] = ()) -> None:
        self.field, self.threads = field, threads
        self.timing = TurboTiming(field, threads)
        settings = {"WORDS": field.words, "THREADS": threads}
        settings |= {"PORT_WRITE": PORT_WRITE, "PORT_READ": PORT_READ}
        self._lib = Unit(
            room="gfp_turbo",
            name=f"unit-{field.form.name}-{threads}{'-karatsuba' if field.karatsuba else ''}",
            top="eccel_gfp_turbo",
            harness=HARNESS,
            texts=sources(field, patches),
            parameters=["-GPrime=0", f"-GThreads={threads}", f"-GKaratsuba={int(field.karatsuba)}"],
            settings=[f"-D{name}={value}" for name, value in settings.items()],
            unknown="unique",
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self.registers = [[0] * REGISTERS for _ in range(threads)]
        self.zero: list[bool | None] = [None] * threads
        self.carry: list[bool | None] = [None] * threads

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    # ------------------------------------------------------------------ registers

    def write(self, thread: int, register: int, value: int) -> int:
        """Write a register through the port. Returns the clocks that this takes."""
        words = (ctypes.c_uint32 * self.field.words)(*self.field.split(value, self.field.words))
        clocks: int = self._lib.unit_port(self._unit, 1, thread, register, words)
        self.registers[thread][register] = value
        return clocks

    def read(self, thread: int, register: int) -> int:
        """The value in the RTL."""
        words = (ctypes.c_uint32 * self.field.words)()
        assert self._lib.unit_port(self._unit, 0, thread, register, words) > 0
        return self.field.join(words)

    def flags(self) -> tuple[list[bool], list[bool]]:
        """Z and C of each thread."""
        zero, carry = ctypes.c_uint32(), ctypes.c_uint32()
        self._lib.unit_flags(self._unit, ctypes.byref(zero), ctypes.byref(carry))
        bits = [[bool(flags.value >> t & 1) for t in range(self.threads)] for flags in (zero, carry)]
        return bits[0], bits[1]

    # ------------------------------------------------------------------ programs

    def expect(self, program: Sequence[Step]) -> None:
        """Run a program on the model."""
        for step in program:
            for t, registers in enumerate(self.registers):
                select = bool(step.select[t]) if step.select else False
                carry = bool(self.carry[t])
                found = operate(
                    self.field, step.op, registers[step.ra], registers[step.rb], select=select, carry=carry
                )
                registers[step.rd] = found.value
                if found.second is not None:
                    registers[step.rd + 1] = found.second
                self.zero[t] = self.zero[t] if found.zero is None else found.zero
                self.carry[t] = self.carry[t] if found.carry is None else found.carry

    def run(self, program: Sequence[Step]) -> Trace:
        """Run a program on the RTL."""
        array = (_Instruction * len(program))()
        for item, step in zip(array, program, strict=True):
            item.op, item.rd, item.ra, item.rb = CODES[step.op], step.rd, step.ra, step.rb
            item.sel = sum(bool(bit) << t for t, bit in enumerate(step.select))
            item.offered = step.offered
        most = (len(program) + sum(step.op == "mulw" for step in program)) * self.threads
        events, idle = (_Event * most)(), ctypes.c_uint64()
        limit = 300 * most + max(step.offered for step in program) + 1000
        found = self._lib.unit_run(
            self._unit, array, len(program), events, most, ctypes.c_uint64(limit), ctypes.byref(idle)
        )
        assert found == most, f"{found} results instead of {most}"
        return Trace(
            [item.accepted for item in array], [(e.clock, e.thread, e.rd) for e in events], idle.value
        )

    def predict(self, program: Sequence[Step]) -> Trace:
        """The clocks that the timing model predicts."""
        items = [Instruction(s.op, s.rd, s.ra, s.rb, s.offered) for s in program]
        idle = self.timing.run(items)
        events = [
            (clock + self.timing.latency(item) - (item.writes[-1] - rd) * self.field.words, thread, rd)
            for item in items
            for thread, clock in enumerate(item.issued)
            for rd in item.writes
        ]
        return Trace([item.accepted for item in items], sorted(events), idle)
