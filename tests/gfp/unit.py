"""Field units and digit multipliers as Python objects. Each is built by Verilator once for its content, also
as a mutant.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate import isa
from eccelerate.configs.config import RTL_DIR
from eccelerate.timing.compact_cycles import FieldTiming
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("harness.cpp")
MAX_WORDS = 17
LONG_DIGIT_BITS = 96
SOURCES = sorted(
    (p for room in ("isa/gen", "prim", "gfp") for p in sorted((RTL_DIR / room).glob("*.sv"))),
    key=lambda p: not p.stem.endswith("_pkg"),  # packages keep the order of their rooms
)
CODES = {f.mnemonic: f.code for f in isa.load().forms.values() if f.is_field}


def build(top: str, digit_bits: int, defines: Sequence[str], patches: Sequence[Patch] = ()) -> ctypes.CDLL:
    """The shared library of one module with the files of rtl/prim and rtl/gfp. Patches name files under
    rtl/.
    """
    texts = {str(p.relative_to(RTL_DIR)): p.read_text() for p in SOURCES}
    return Unit(
        room="gfp",
        name=f"{top}-{digit_bits}",
        top=top,
        harness=HARNESS,
        texts=patched(texts, patches),
        parameters=[f"-GDigitBits={digit_bits}"],
        settings=[f"-D{name}" for name in (*defines, f"DIGIT_BITS={digit_bits}")],
        optimisation=1 if patches else 2,
    ).load()


class _Op(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint8) for n in ("code", "sel", "rd", "ra", "rb", "wait")]
    _fields_ += [("gap", ctypes.c_uint16)]


class _Event(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("accepted", "done", "idle")]
    _fields_ += [(n, ctypes.c_uint8) for n in ("rd", "zero", "carry")]


@dataclass(frozen=True)
class Op:
    """One operation. `gap` is the number of cycles from the last acceptance (or from the idle unit) to the
    offer. With `wait`, the stream goes on when the unit is idle, and the flags are sampled.
    """

    name: str
    rd: int = 0
    ra: int = 0
    rb: int = 0
    sel: int = 0
    wait: bool = False
    gap: int = 3


@dataclass(frozen=True)
class Event:
    """Cycles of acceptance and done; with `wait` also the first idle cycle and the flags."""

    accepted: int
    done: int
    rd: int
    idle: int
    zero: bool
    carry: bool


class Hung(AssertionError):
    """The unit did not finish."""


class FieldUnit:
    """One eccel_gfp_cios."""

    def __init__(self, digit_bits: int, patches: Sequence[Patch] = ()) -> None:
        index_bits = (-(-(32 * MAX_WORDS + LONG_DIGIT_BITS) // digit_bits)).bit_length()
        self._lib = build("eccel_gfp_cios", digit_bits, ["FIELD_UNIT", f"INDEX_BITS={index_bits}"], patches)
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        self.digit_bits = digit_bits
        self.words = 0

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    @property
    def timing(self) -> FieldTiming:
        """The formulas for the element size in use."""
        return FieldTiming(self.digit_bits, self.words)

    def start(self, words: int, m: int, modulus: int = 0) -> None:
        """Reset, load m with its constant into register 0 or 1, and select it."""
        self.words = words
        self._lib.unit_start(self._unit, words, modulus)
        self.write(modulus, m)
        self.write(2, pow(-m, -1, 1 << 64) << (128 if modulus else 64))
        self._lib.unit_start(self._unit, words, modulus)

    def write(self, register: int, value: int) -> None:
        """Set a register over the long length."""
        count, mask = self.timing.long_digits, (1 << self.digit_bits) - 1
        digits = [value >> self.digit_bits * i & mask for i in range(count)]
        self._lib.unit_write(self._unit, register, (ctypes.c_uint64 * count)(*digits), count)

    def read(self, register: int, *, long: bool = False) -> int:
        """The s digits of a register, or its long length."""
        count = self.timing.long_digits if long else self.timing.digits
        digits = (ctypes.c_uint64 * count)()
        self._lib.unit_read(self._unit, register, digits, count)
        return sum(digit << self.digit_bits * i for i, digit in enumerate(digits))

    def run(self, ops: Sequence[Op]) -> list[Event]:
        """Run a stream to its end. Raises Hung."""
        c_ops = (_Op * len(ops))(*(_Op(CODES[o.name], o.sel, o.rd, o.ra, o.rb, o.wait, o.gap) for o in ops))
        events = (_Event * len(ops))()
        limit = 20_000 + len(ops) * 5_000
        done = self._lib.unit_run(self._unit, c_ops, len(ops), events, ctypes.c_uint64(limit))
        if done != len(ops):
            raise Hung(f"{done} of {len(ops)} operations done")
        return [Event(e.accepted, e.done, e.rd, e.idle, bool(e.zero), bool(e.carry)) for e in events]


class DigitMultiplier:
    """eccel_digit_mul, or eccel_digit_mul_low if `low` is set."""

    def __init__(self, digit_bits: int, low: bool, patches: Sequence[Patch] = ()) -> None:
        top = "eccel_digit_mul_low" if low else "eccel_digit_mul"
        self._lib = build(top, digit_bits, ["LOW_HALF"] if low else [], patches)
        self._unit = ctypes.c_void_p(self._lib.unit_open())

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def products(self, pairs: Sequence[tuple[int, int]], latency: int) -> list[int]:
        """The outputs `latency` clocks after each pair of digits, with a pair in each clock."""
        array = ctypes.c_uint64 * len(pairs)
        out = array()
        a, b = array(*(p[0] for p in pairs)), array(*(p[1] for p in pairs))
        self._lib.unit_products(self._unit, a, b, out, len(pairs), latency)
        return list(out)
