"""Additional clock cycles of a word of entropy in an engine with hedged draws (rtl/engine/eccel_hedge.sv).
Tests compare them with the RTL.
"""

from __future__ import annotations

ROUNDS = 12
STATE_COLUMNS = 64


def permutation(columns: int) -> int:
    """Cycles of the permutation with so many columns a clock: each round has two halves."""
    return 2 * ROUNDS * STATE_COLUMNS // columns


COMPACT = permutation(8) + 10
BINARY = permutation(32) + 10
TURBO = permutation(32) + 10
