"""Latency and interval of the multipliers in rtl/mul, in cycles: the functions of eccel_mul_pkg.

The latency is the number of cycles from the one in which operands are taken to the one with their product.
The interval is the least number of cycles from one product to the next.
"""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate.timing import karatsuba_timing

SEGMENT_BITS = 32
"""Bits of a carry chain in the last addition of pipelined units without multiplier blocks."""
DIGIT_BITS = 16
"""Bits of a digit of comba."""


@dataclass(frozen=True)
class MultiplierTiming:
    """Latency and interval of a unit."""

    latency: int
    interval: int


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def shift_add(bits: int, pipelined: bool, segment: int = SEGMENT_BITS) -> MultiplierTiming:
    """eccel_mul_shift_add."""
    return MultiplierTiming(bits + 2 + _ceil_div(bits, segment) if pipelined else bits + 1, bits)


def carry_save(bits: int, word: int, pipelined: bool, segment: int = SEGMENT_BITS) -> MultiplierTiming:
    """eccel_mul_carry_save."""
    steps = _ceil_div(bits, word)
    if not pipelined:
        return MultiplierTiming(2 if steps == 1 else steps + 2, steps)
    if steps == 1:
        return MultiplierTiming(3 + bits, 1)
    # A chain needs no more steps than a product has.
    last = _ceil_div(2 * bits - steps * word, max(word, segment))
    return MultiplierTiming(steps + 3 + word + last, steps)


def booth(bits: int, pipelined: bool, segment: int = SEGMENT_BITS) -> MultiplierTiming:
    """eccel_mul_booth."""
    steps = bits // 2 + 1
    return MultiplierTiming(
        steps + 5 + _ceil_div(2 * bits - 2 * steps, segment) if pipelined else steps + 1, steps
    )


def array(bits: int, width: int, lanes: int, pipelined: bool) -> MultiplierTiming:
    """eccel_mul_array: words of `width` bits, `lanes` words of one operand at a time."""
    words = _ceil_div(bits, width)
    passes = _ceil_div(words, lanes)
    # With several passes, the high words of a pass must have left when the next one needs them.
    period = words if lanes >= words or words > lanes + 4 else lanes + 4
    product = 1 if not pipelined else 3 if width <= 18 else 4
    enter = 2 if pipelined else 1
    extra = 1 if pipelined or passes > 1 else 0
    latency = (passes - 1) * period + words + enter + product + lanes + extra + 4
    return MultiplierTiming(latency, passes * period)


def broadcast(bits: int, word: int, pipelined: bool) -> MultiplierTiming:
    """eccel_mul_broadcast."""
    return array(bits, word, _ceil_div(bits, word), pipelined)


def comba_lanes(bits: int, lanes: int, digit: int = DIGIT_BITS) -> int:
    """The multiplier blocks that eccel_mul_comba has if it may have `lanes`."""
    digits = _ceil_div(bits, digit)
    return _ceil_div(digits, _ceil_div(digits, lanes))


def comba(bits: int, lanes: int, pipelined: bool, digit: int = DIGIT_BITS) -> MultiplierTiming:
    """eccel_mul_comba."""
    return array(bits, digit, comba_lanes(bits, lanes, digit), pipelined)


def multiplier_timing(
    kind: str, bits: int, *, levels: int = 0, word: int = 0, lanes: int = 0, pipelined: bool = False
) -> MultiplierTiming:
    """A unit of eccel_mul. `kind` is a name of `configs.multiplier_config.KINDS`; each kind uses its own of
    the other options. ValueError for another kind.
    """
    match kind:
        case "shift-add":
            return shift_add(bits, pipelined)
        case "carry-save":
            return carry_save(bits, word, pipelined)
        case "booth":
            return booth(bits, pipelined)
        case "karatsuba":
            return MultiplierTiming(
                karatsuba_timing.latency(bits, levels, pipelined), karatsuba_timing.INTERVAL
            )
        case "broadcast":
            return broadcast(bits, word, pipelined)
        case "comba":
            return comba(bits, lanes, pipelined)
    raise ValueError(f"no kind of multiplier {kind!r}")
