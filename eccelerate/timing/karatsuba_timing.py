"""Latency of the divide-and-conquer multiplier, in cycles: the functions of eccel_mul_karatsuba_pkg.

A number of the unit is skewed: segment k of it is valid k cycles after segment 0. Times are relative to the
lowest segment of the operands of a node. A node computes p = a * b for operands below scale * 2^bits.
"""

from __future__ import annotations

from functools import cache

SEGMENT = 32
"""Bits of a carry chain."""
LEAF = 17
"""Bits of an unsigned operand of a multiplier block."""
BLOCK_CYCLES = 4
"""Cycles of a multiplier block with all its registers and one after it."""
INTERVAL = 1
"""A product begins in each cycle."""


def at(index: int, width: int, segment: int) -> int:
    """Segment of a bit in a number of `width` bits; the highest one has up to an eighth more bits."""
    last = max(0, (width + segment - 1 - segment // 8) // segment - 1)
    return min(index // segment, last)


def _shift(width: int, low1: int, top1: int, low2: int, top2: int, segment: int) -> int:
    """The least time at which a number can begin as positions low2.. of one with top2 bits, if it began at
    time 0 as positions low1.. of one with top1 bits.
    """
    return max(at(low1 + i, top1, segment) - at(low2 + i, top2, segment) for i in range(width))


def _log2(value: int) -> int:
    return (value - 1).bit_length()


def school_latency(width: int, leaf: int, segment: int) -> int:
    """A product by the school method on multiplier blocks."""
    return at(width - 1, width, segment) + BLOCK_CYCLES + 2 * -(-width // leaf) - 2


@cache
def node_latency(bits: int, scale: int, levels: int, leaf: int, segment: int) -> int:
    """A product of skewed operands, from lowest segment to lowest segment."""
    n = bits + _log2(scale)
    if levels == 0:
        return school_latency(n, leaf, segment)
    m = ((n if levels == 1 else bits) + 1) // 2
    wh, less = n - m, 2 * m - bits
    high_scale = (scale + (1 << less) - 1) >> less
    differs = levels == 1 and m <= leaf
    lat0 = node_latency(m, 1, levels - 1, leaf, segment)
    lat2 = node_latency(bits - m, scale, levels - 1, leaf, segment)
    if differs:
        w1, guard, lat1 = m + 1, 2, at(m, m + 1, segment) + BLOCK_CYCLES
    else:
        w1, guard = m + _log2(1 + high_scale), _log2(2 * high_scale + 4) + 1
        lat1 = node_latency(m, 1 + high_scale, levels - 1, leaf, segment)
    top, top_w, top_e = 2 * n, m + 2 * wh + (wh < m), 3 * m + guard

    def shift(width: int, low1: int, top1: int, low2: int, top2: int) -> int:
        return _shift(width, low1, top1, low2, top2, segment)

    lower, upper = shift(m, 0, n, 0, m), shift(wh, m, n, 0, wh)
    sums = max(shift(m, 0, n, 0, w1), shift(wh, m, n, 0, w1))
    joined = max(
        lower + lat0 + shift(2 * m, 0, 2 * m, 0, top_w), upper + lat2 + shift(2 * wh, 0, 2 * wh, m, top_w)
    )
    middle = max(
        joined + 1 + shift(top_w - m, m, top_w, m, top_e),
        sums + 1 + lat1 + shift(min(top_e - m, 2 * w1), 0, 2 * w1, m, top_e),
    )
    last = at(3 * m - 1, top, segment)
    result = max(
        middle + 1 + shift(2 * m, m, top_e, m, top),
        middle + 2 + at(top_e - 1, top_e, segment) - last,
        joined + 1 + shift(m, m, top_w, 2 * m, top),
        joined + 2 + at(2 * m - 1, top_w, segment) - last,
        lower + lat0 + shift(m, 0, 2 * m, 0, top),
        upper + lat2 + shift(2 * wh - m, m, 2 * wh, 3 * m, top),
    )
    return result + 1


def latency(bits: int, levels: int, pipelined: bool, leaf: int = LEAF, segment: int = SEGMENT) -> int:
    """Cycles from the operands of eccel_mul_karatsuba to their product."""
    if not pipelined:
        return 2
    return 1 + node_latency(bits, 1, levels, leaf, segment) + at(2 * bits - 1, 2 * bits, segment)
