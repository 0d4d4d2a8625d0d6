"""eccel_gf2m_unit as a Python object. It is built by Verilator once for its content, also as a mutant."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from eccelerate.curves import gf2m
from eccelerate.timing.gf2m_cycles import DigitUnit, WideUnit, generic, named, named_staged
from eccelerate.timing.gf2m_schedule import Operation
from tests.gf2m.multiplier import degree, generic_mask, product_cycles, table, texts
from tests.verilated import Patch, Unit

HARNESS = Path(__file__).with_name("unit_harness.cpp")
REGISTERS = 64
POLYNOMIAL = 0
INV = 39
X, C, T1, T2, T3, XS, ZS, XD, ZD = 48, 49, 50, 51, 52, 56, 57, 58, 59
NEXT = 4
STEP_PRODUCTS = 10  # products of a step in a unit without squarer
ALONE = 20  # clocks from the acceptance of a product to its write, in addition to those of its digits
Pair = tuple[int, int]


@dataclass(frozen=True)
class Request:
    """(a * b + c)^(2^squares), or a step of the ladder, or (`divide`) the reciprocal of INV.

    Registers are given by number, and -1 means none; b = -1 is the value 1. `gap` is the number of clocks
    from the acceptance of the request before to the offer. `take` is the secret bit.
    """

    a: Pair = (0, 0)
    b: Pair = (0, 0)
    c: Pair = (-1, -1)
    squares: int = 0
    plain: int = -1
    after: int = -1
    step: bool = False
    take: int = 0
    gap: int = 1
    divide: bool = False

    def packed(self) -> int:
        """The bits of operation_t."""
        value = 0
        one = self.b[0] < 0
        for pair in (self.a, self.a if one else self.b, self.c):
            for register in (pair[1], pair[0]):
                value = value << 6 | register & 0x3F
        value = value << 2 | one << 1 | (self.c[0] >= 0)
        value = value << 10 | self.squares
        for register in (self.plain, self.after):
            # The number of a register that is not written must have no effect.
            number = register if register >= 0 else self.a[0]
            value = value << 7 | (register >= 0) << 6 | number
        return value


def ladder_step(f: int, registers: list[int], take: int, *, wide: bool = False) -> None:
    """Apply a step to the registers, in the terms of decision 0006. With `wide` only the registers of the
    state change.
    """
    kept = list(registers)
    r = registers
    xe, ze = (r[XS], r[ZS]) if take else (r[XD], r[ZD])

    def mul(a: int, b: int) -> int:
        return gf2m.mul(a, b, f)

    def square(a: int) -> int:
        return gf2m.square(a, f)

    xd = square(square(mul(r[C], ze) ^ xe))
    r[T1] = mul(r[XS], r[ZD])
    zs, zd = square(r[T1] ^ r[T2]), square(mul(xe, ze))
    r[T3] = mul(r[T1], r[T2])
    xs = mul(r[X], zs) ^ r[T3]
    r[T2] = mul(xd, zs)
    old = r[XS : ZD + 1]
    r[XS : ZD + 1] = [xs, zs, xd, zd]
    r[XS + NEXT : ZD + NEXT + 1] = old
    if wide:
        state = {*range(XS, ZD + 1), T2}
        registers[:] = [new if i in state else kept[i] for i, new in enumerate(r)]


def execute(f: int, registers: list[int], requests: Sequence[Request], *, wide: bool = False) -> None:
    """Apply the requests to the registers, one by one."""
    for each in requests:
        if each.step:
            ladder_step(f, registers, each.take, wide=wide)
            continue
        if each.divide:
            registers[INV] = gf2m.inverse(registers[INV], f) if registers[INV] else 0
            continue
        product = registers[each.a[each.take]]
        if each.b[0] >= 0:
            product = gf2m.mul(product, registers[each.b[each.take]], f)
        value = product ^ (registers[each.c[each.take]] if each.c[0] >= 0 else 0)
        for _ in range(each.squares):
            value = gf2m.square(value, f)
        if each.plain >= 0:
            registers[each.plain] = product
        if each.after >= 0:
            registers[each.after] = value


def timeline(unit: DigitUnit | WideUnit, f: int, requests: Sequence[Request]) -> list[int]:
    """The clocks of acceptances by the model, counted from the first one."""
    accepted: list[int] = []
    for each in requests:
        offered = accepted[-1] + each.gap if accepted else 0
        if each.step:
            accepted.append(unit.step(offered))
        elif each.divide and isinstance(unit, DigitUnit):
            accepted.append(unit.divide(degree(f), offered))
        else:
            b, c = (pair if pair[0] >= 0 else () for pair in (each.b, each.c))
            operation = Operation(each.a, b, c, each.squares, each.plain, each.after)
            accepted.append(unit.operation(operation, offered))
    return [clock - accepted[0] for clock in accepted]


class _Request(ctypes.Structure):
    _fields_ = [("operation", ctypes.c_uint64), ("gap", ctypes.c_uint32), ("step", ctypes.c_uint8)]
    _fields_ += [("take", ctypes.c_uint8), ("divide", ctypes.c_uint8), ("accepted", ctypes.c_uint64)]


class _Write(ctypes.Structure):
    _fields_ = [("clock", ctypes.c_uint64), ("reg", ctypes.c_uint32)]


class FieldUnit:
    """One eccel_gf2m_unit with the fields of these polynomials. digit_bits = 0 is the full-width one."""

    def __init__(
        self,
        fields: Sequence[int],
        digit_bits: int,
        patches: Sequence[Patch] = (),
        stage: bool = False,
        divider: bool = False,
    ) -> None:
        self.fields = sorted(fields, key=table().index)
        mask = sum(1 << table().index(f) for f in fields)
        self._open(mask, max(map(degree, fields)), digit_bits, patches, stage, divider)

    def _open(
        self,
        mask: int,
        width: int,
        digit_bits: int,
        patches: Sequence[Patch],
        stage: bool = False,
        divider: bool = False,
    ) -> None:
        self.digit_bits, self.stage, self.wide = min(digit_bits, width), stage, not digit_bits
        self.divider = divider
        words = -(-width // 32)
        ram = RTL_DIR / "prim" / "eccel_ram.sv"
        digits = [f"-GDigitBits={digit_bits}", f"-GOperandStage={stage:d}", f"-GDivider={divider:d}"]
        self._lib = Unit(
            room="gf2m",
            name=f"unit-{mask:x}-{digit_bits}-{stage:d}-{divider:d}",
            top="eccel_gf2m_wide_unit" if self.wide else "eccel_gf2m_unit",
            harness=HARNESS,
            texts=texts(patches) | {ram.name: ram.read_text()},
            parameters=[f"-GFields=26'h{mask:x}", *([] if self.wide else digits)],
            settings=[f"-DWORDS={words}", *(["-DWIDE"] if self.wide else [])],
            unknown="unique",
        ).load()
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self._element = ctypes.c_uint32 * words

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def model(self, f: int) -> DigitUnit | WideUnit:
        """The model of when the unit accepts requests, idle at the start."""
        if self.wide:
            return WideUnit()
        return DigitUnit((named_staged if self.stage else named)(-(-degree(f) // self.digit_bits)))

    def interval(self, f: int) -> int:
        """Cycles from one product to the next."""
        return 1 if self.wide else max(3, -(-degree(f) // self.digit_bits))

    def select(self, f: int) -> None:
        """Select the field of the next operations."""
        self._interval, self._degree = self.interval(f), degree(f)
        self._lib.unit_field(self._unit, self.fields.index(f), degree(f))

    def constants(self, f: int) -> dict[int, int]:
        """Registers that have to hold a certain value."""
        return {}

    def allowed(self, request: Request) -> Request:
        """The request, or the most similar one that the unit accepts."""
        return request

    def load(self, register: int, value: int) -> None:
        """Put a value in a register."""
        words = (value >> 32 * i & 0xFFFFFFFF for i in range(len(self._element())))
        self._lib.unit_load(self._unit, register, self._element(*words))

    def store(self, register: int) -> int:
        """The value of a register."""
        words = self._element()
        self._lib.unit_store(self._unit, register, words)
        return sum(word << 32 * i for i, word in enumerate(words))

    def zero(self) -> bool:
        """Whether the last result was 0. The unit must be idle."""
        return bool(self._lib.unit_zero(self._unit))

    def run(self, requests: Sequence[Request]) -> tuple[list[int], list[Pair]]:
        """Clocks of acceptances, and (clock, register) of writes, both counted from the first acceptance."""
        items = (_Request * len(requests))()
        for item, each in zip(items, requests, strict=True):
            item.operation, item.step = each.packed(), each.step
            item.take, item.gap, item.divide = each.take, each.gap, each.divide
        most = 6 * len(requests)
        writes = (_Write * most)()
        # Products one after the other, each as long as a product that runs alone: nothing takes longer.
        products = sum(STEP_PRODUCTS if each.step else 1 + each.squares for each in requests)
        gaps = sum(each.gap + each.divide * 2 * self._degree for each in requests)
        limit = ctypes.c_uint64(products * (self._interval + ALONE) + gaps)
        count = self._lib.unit_run(self._unit, items, len(requests), writes, most, limit)
        assert count >= 0, "the unit hangs"
        first = items[0].accepted
        return [item.accepted - first for item in items], [
            (each.clock - first, each.reg) for each in writes[:count]
        ]


class GenericUnit(FieldUnit):
    """The unit for any polynomial of a degree up to `width`."""

    def __init__(
        self, width: int, digit_bits: int, patches: Sequence[Patch] = (), divider: bool = False
    ) -> None:
        self._open(generic_mask(width), width, digit_bits, patches, divider=divider)

    def model(self, f: int) -> DigitUnit:
        """The model of when the unit accepts requests, idle at the start."""
        return DigitUnit(generic(product_cycles(f, self.digit_bits)))

    def interval(self, f: int) -> int:
        """Cycles from one product to the next."""
        return max(3, product_cycles(f, self.digit_bits))

    def select(self, f: int) -> None:
        """Select the polynomial of the next operations."""
        self._interval, self._degree = self.interval(f), degree(f)
        self._lib.unit_field(self._unit, 0, degree(f))
        for register, value in self.constants(f).items():
            self.load(register, value)

    def constants(self, f: int) -> dict[int, int]:
        """The polynomial without its highest term."""
        return {POLYNOMIAL: f ^ 1 << degree(f)}

    def allowed(self, request: Request) -> Request:
        """The request with squares only of one register, written to one register."""
        if request.step or request.divide or not request.squares:
            return request
        return replace(request, b=(-1, -1), c=(-1, -1), plain=-1, after=max(request.plain, request.after))
