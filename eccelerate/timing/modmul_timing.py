"""Latency and interval of modular multiplication in rtl/modmul, in cycles: the functions of its packages.

The latency is the number of cycles from the one in which operands are taken to the one with their product.
The interval is the least number of cycles from one product to the next in a stream.
"""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate.model import fold_rows
from eccelerate.model.constant_digits import FIXED_MODULI, max_rows
from eccelerate.model.solinas import FORMS
from eccelerate.timing.multiplier_timing import MultiplierTiming

SEGMENT = 32
"""Longest carry chain of pipelined adders."""
FIXED_DIGIT = 46
"""Digit of the reduction by BLS12-377's prime."""
WINDOW = 5
"""Width of the non-adjacent form of a constant modulus."""


# ---------------------------------------------------------------------- adders


def wide_add(width: int, pipelined: bool) -> int:
    """eccel_wide_add."""
    return 4 if pipelined and width > SEGMENT else 1


def correct(width: int, pipelined: bool) -> int:
    """eccel_mod_correct."""
    return wide_add(width + 1, pipelined) + 1


def mod_add(width: int, pipelined: bool) -> int:
    """eccel_mod_add."""
    return wide_add(width, pipelined) + correct(width, pipelined)


# ---------------------------------------------------------------------- Montgomery


@dataclass(frozen=True)
class Passes:
    """The schedule of three passes of one multiplier.

    gap: cycles from one pass of a product to its next pass.
    period: cycles between two products.
    overlap: whether passes of other products lie between those of a product.
    busy: if products overlap, they are taken at multiples of the period after the last one, up to this
        number of cycles, and then in any cycle. Else 0.
    """

    gap: int
    period: int
    overlap: bool
    busy: int


def passes(mul: MultiplierTiming) -> Passes:
    """The schedule for a multiplier with this timing."""
    back = mul.latency + 1
    if 3 * back < 4 * mul.interval:
        return Passes(back, 3 * back, False, 0)
    slots = -(-back // mul.interval)
    gap = mul.interval * (slots + (slots % 3 == 0))
    return Passes(gap, 3 * mul.interval, True, 2 * gap + back + 2)


def montgomery(mul: MultiplierTiming, bits: int, pipelined: bool, multipliers: int = 1) -> MultiplierTiming:
    """eccel_montgomery."""
    last = 1 + mod_add(bits, pipelined)
    if multipliers == 3:
        return MultiplierTiming(3 * mul.latency + last, mul.interval)
    schedule = passes(mul)
    return MultiplierTiming(2 * schedule.gap + mul.latency + 1 + last, schedule.period)


# ---------------------------------------------------------------------- Solinas, constant modulus


def solinas_reduce(prime: str, pipelined: bool) -> int:
    """eccel_solinas_reduce."""
    rows = fold_rows.Rows(FORMS[prime])
    levels = (rows.max_terms - 1).bit_length() if pipelined else 0
    bits = rows.form.bits
    resolve = wide_add(bits + rows.quotient_bits, pipelined)
    return levels + resolve + 2 + wide_add(bits, pipelined) + 1


def fixed_limbs(constant: int, in_bits: int, pipelined: bool, window: int = WINDOW) -> int:
    """eccel_const_limbs."""
    rows = max_rows(constant, window, in_bits + window - 1)
    return 2 + (rows - 1).bit_length() if pipelined else 0


def const_mul(constant: int, in_bits: int, out_bits: int, pipelined: bool, window: int = WINDOW) -> int:
    """eccel_const_mul."""
    join = (2 if pipelined else 0) + wide_add(out_bits, pipelined)
    return fixed_limbs(constant, in_bits, pipelined, window) + join


def fixed_reduce(modulus: int, pipelined: bool, digit: int = FIXED_DIGIT, window: int = WINDOW) -> int:
    """eccel_fixed_reduce."""
    bits = modulus.bit_length()
    steps = -(-bits // digit)
    last = bits - digit * (steps - 1)
    cycles = 0
    for in_bits in [digit] * (steps - 1) + [last]:
        cycles += fixed_limbs(modulus >> digit, in_bits, True, window) + 2 if pipelined else 1
    resolve = (1 if pipelined else 0) + wide_add(bits + last + 1, pipelined)
    return cycles + resolve + correct(bits, pipelined)


def modmul_timing(
    mul: MultiplierTiming,
    reduction: str,
    bits: int,
    *,
    pipelined: bool,
    prime: str | None = None,
    multipliers: int = 1,
) -> MultiplierTiming:
    """eccel_modmul over a multiplier with the timing `mul`. reduction: montgomery, solinas with a prime of
    FORMS, or fixed with one of FIXED_MODULI. ValueError for others.
    """
    if reduction == "montgomery":
        return montgomery(mul, bits, pipelined, multipliers)
    if reduction == "solinas" and prime in FORMS:
        return MultiplierTiming(mul.latency + solinas_reduce(prime, pipelined), mul.interval)
    if reduction == "fixed" and prime in FIXED_MODULI:
        return MultiplierTiming(mul.latency + fixed_reduce(FIXED_MODULI[prime], pipelined), mul.interval)
    raise ValueError(f"no reduction {reduction!r} for the prime {prime!r}")
