"""Exact clock cycles of the binary engine: its field units, the ladder in parallel with integers, and its
mover.

The numbers are those in the headers of rtl/engines/binary, rtl/gf2m and rtl/engine/eccel_stream_mover.sv;
tests compare them with the RTL job by job. `compact_cycles` has the numbers of the sequencer and of the unit
for integers. A job begins with idle units: no program ends a job while a ladder runs (ucode/check.py), and
the last reset has ended at least 32 cycles before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from eccelerate import isa
from eccelerate.model.binary_fields import generic_degree, polynomials_of
from eccelerate.timing.compact_cycles import INSTRUCTION, FieldClock, FieldCost, FieldTiming, control_cost
from eccelerate.timing.gf2m_cycles import DigitUnit, Pipe, WideUnit, generic, named, named_staged
from eccelerate.timing.gf2m_schedule import Operation, inversion

ISA = isa.load("binary")
WORD_BITS = 32
DECODED = 3  # a branch on FREE sees the state of the unit so many cycles before it is executed
BIT = 4  # smallest number of cycles from one bit of a scalar to the next
CLEARING = 32  # cycles after the last step in which the scalar's words are cleared
MOVE = {"ld": 3, "st": 2, "par": 3}  # cycles in addition to one for each word of the long length
FILL = 33  # wipe, put1: a cycle for each word of a slot, and one more
DRAW = 4  # rnd: cycles in addition to W; three of them are for words
FILL_UP = 5  # ld of an element: cycles in addition to one for each word of the element's register
END = 1  # the sequencer sees the end of a move a cycle late

FieldCosts = tuple[str, FieldCost | None]
"""An instruction of a field unit: its name, and its cost in the unit for integers."""


@dataclass(frozen=True)
class BinaryBuild:
    """The parameters of the RTL that decide the cycles of a build with a unit for GF(2^m).

    polynomials: those of its named fields, one for each degree; empty for a generic build.
    generic_degree: the largest degree of a generic build, else 0.
    digit_bits: coefficients multiplied in a cycle. A build in which this reaches the field's degree has the
        full-width unit.
    operand_stage, divider: as in configs.toml.
    """

    polynomials: tuple[int, ...] = ()
    generic_degree: int = 0
    digit_bits: int = 64
    operand_stage: bool = False
    divider: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, int | str]) -> BinaryBuild:
        """The build of the engine with these parameters of its top module."""
        mask = int(parameters["Fields"])
        return cls(
            polynomials_of(mask),
            generic_degree(mask),
            int(parameters["DigitBits"]),
            bool(parameters.get("OperandStage")),
            bool(parameters.get("Divider")),
        )

    @property
    def width(self) -> int:
        """Number of coefficients of an element."""
        return self.generic_degree or max(f.bit_length() for f in self.polynomials) - 1

    @property
    def wide(self) -> bool:
        """Whether the build has the full-width unit."""
        return not self.generic_degree and self.digit_bits >= self.width

    @property
    def digit(self) -> int:
        """Number of coefficients multiplied in a cycle."""
        return min(self.digit_bits, self.width)

    @property
    def largest(self) -> int:
        """The largest degree that fits into whole digits."""
        return -(-self.width // self.digit) * self.digit

    def unit(self) -> DigitUnit | WideUnit:
        """The field unit, with the timing of the build's largest field."""
        return WideUnit() if self.wide else DigitUnit(self.pipe(self.width, 1))

    def pipe(self, degree: int, gap: int) -> Pipe:
        """Timing in the field of this degree. For a generic build, `gap` is the difference between the
        degrees of the two highest terms of the polynomial.
        """
        digits = -(-degree // self.digit)
        if not self.generic_degree:
            return (named_staged if self.operand_stage else named)(digits)
        if gap >= 2 * self.digit:
            return generic(digits)
        # A fold removes `gap` of the coefficients of a digit in three cycles. Their number is a power of two.
        folds = 1
        while folds * gap < self.digit:
            folds *= 2
        return generic(3 * folds * digits)


@cache
def costs(digit_bits: int, words: int) -> dict[str, FieldCosts | int]:
    """Cost of every mnemonic, as in `compact_cycles.costs`. `digit_bits` is the digit of the unit for
    integers. `BinaryClock.fill_up` gives the additional cycles of an ld of an element.
    """
    timing = FieldTiming(digit_bits, words)
    moved = _moved_words(digit_bits, words)
    moves = {name: INSTRUCTION + moved + more + END for name, more in MOVE.items()}
    moves |= dict.fromkeys(("wipe", "put1"), INSTRUCTION + FILL + END)
    moves["rnd"] = INSTRUCTION + words + DRAW + END
    return {
        name: (name, timing.cost(name) if ISA.only.get(name, 1) == 1 else None)
        if form.is_field
        else moves.get(name) or control_cost(name, words, digit_bits)
        for name, form in ISA.forms.items()
    }


def _moved_words(digit_bits: int, words: int) -> int:
    """The number of words that ld and st move: those of the long length in whole digits."""
    return FieldTiming(digit_bits, words).long_digits * digit_bits // WORD_BITS


@cache
def _operation(name: str, rd: int, ra: int, rb: int, squares: int) -> Operation:
    """The operation that the port requests from the unit for GF(2^m)."""
    match name:
        case "mul":
            return Operation((ra,), (rb,), plain=rd)
        case "mula":
            return Operation((ra,), (rb,), (rd,), after=rd)
        case "add":
            return Operation((ra,), (), (rb,), after=rd)
        case "sqr":
            return Operation((ra,), (), squares=squares, after=rd)
        case "csel":
            return Operation((rb, ra), (), plain=rd)
        case _:  # mov; the simulator traps every other instruction
            return Operation((ra,), (), plain=rd)


class UnitState(Protocol):
    """State of the datapath on which the cycles of an instruction depend.

    in_field: the unit for GF(2^m) is selected.
    aside: nothing waits for the operation that was started last.
    gap: as in `BinaryBuild.pipe`.
    """

    digit_bits: int
    in_field: bool
    aside: bool
    gap: int

    @property
    def fields(self) -> Mapping[int, int]:
        """Polynomials of the named fields, by degree."""


class SequencerState(Protocol):
    """State of the sequencer on which cycles depend: degree of the field, squares of a `sqr`, counters."""

    bits_p: int

    @property
    def squares(self) -> int:
        """The number of squares that a `sqr` computes."""

    @property
    def counters(self) -> Sequence[int]:
        """The four counters."""


class BinaryClock:
    """When the selected field unit accepts operations and when it is idle, as `FieldClock` does for one unit.

    Each object counts one job, which begins with idle units. `counted` is true while the cycles are known.
    They are unknown after the unit has worked in a field that a generic build lacks, because the time of a
    product then depends on the content of the polynomial's register.
    """

    def __init__(self, build: BinaryBuild, data: UnitState, machine: SequencerState) -> None:
        self.build, self.data, self.machine = build, data, machine
        self.counted = True
        self.integers = FieldClock(data.digit_bits)
        self.unit = build.unit()
        # The port accepts an instruction from cycle _free on, and is idle from cycle _idle on. It accepted
        # the last one in cycle _accepted; _idle_before is the value of _idle before that.
        self._free = self._idle = self._idle_before = self._cleared = 0
        self._accepted = -1

    @property
    def idle(self) -> int:
        """The first cycle in which the selected unit does nothing that an instruction waits for."""
        if self.data.in_field:
            return 0 if self.data.aside else self._idle
        return self.integers.idle

    def is_free(self, now: int) -> bool:
        """Whether a branch that is executed in this cycle finds the unit for GF(2^m) idle."""
        seen = now - DECODED
        return seen >= (self._idle if seen > self._accepted else self._idle_before)

    def fill_up(self, words: int) -> int:
        """The additional cycles of an ld in a job whose elements have `words` words: the element's register
        can be longer.
        """
        if not self.data.in_field:
            return 0
        whole = -(-self.build.width // WORD_BITS)
        return max(0, whole + FILL_UP - _moved_words(self.data.digit_bits, words) - MOVE["ld"])

    def accept(self, now: int, cost: FieldCosts, rd: int, ra: int, rb: int) -> int:
        """The cycle in which an operation offered from `now` on is accepted, as in `FieldClock.accept`."""
        name, on_integers = cost
        if not self.data.in_field:
            return now if on_integers is None else self.integers.accept(now, on_integers, rd, ra, rb)
        at = max(now, self._free)
        self._accepted, self._idle_before = at, self._idle
        degree = self._select_field()
        match name:
            case "step":
                taken = self.unit.step(at + 1)
            case "steps" | "begin_steps":
                taken = self._steps(at)
            case "recip" | "begin_recip" if self.build.divider and isinstance(self.unit, DigitUnit):
                taken = self.unit.divide(degree, at + 1)
            case "recip" | "begin_recip":
                taken = at
                for each in inversion(self.machine.bits_p, squarer=not self.build.generic_degree):
                    taken = self.unit.operation(each, taken + 1)
            case _:
                squares = self.machine.squares if name == "sqr" else 0
                taken = self.unit.operation(_operation(name, rd, ra, rb, squares), at + 1)
        self._free = taken + 1
        self._idle = max(self.unit.idle, self._cleared, self._free)
        return at

    def _steps(self, at: int) -> int:
        """The cycle in which the unit accepts the last of the steps that an instruction accepted in cycle
        `at` starts.
        """
        # The first bit waits until clearing has ended; each other bit waits until the last one is accepted.
        ready = self._cleared - 1 + BIT if at < self._cleared else at
        taken = at
        for _ in range(self.machine.counters[3] + 1):
            taken = self.unit.step(ready + 1)
            ready = max(taken, ready + BIT)
        self._cleared = taken + 1 + CLEARING
        return taken

    def _select_field(self) -> int:
        """Give the unit the timing of the field in the curve's parameters. Returns the degree of the
        field.
        """
        build, degree = self.build, self.machine.bits_p
        if not build.generic_degree:
            fields = self.data.fields
            degree = degree if degree in fields else next(iter(fields))
        elif not 0 < degree <= build.largest:
            self.counted, degree = False, build.generic_degree
        if isinstance(self.unit, DigitUnit):
            self.unit.pipe = build.pipe(degree, self.data.gap)
        return degree
