"""The longest time of every job, in cycles, for every curve that CURVE_LOAD accepts.

The bounds are those that docs/architecture.md states under "Bounded time". They hold because no loop of the
microcode depends on more than the sizes of the curve (bits(p), bits(N), W), with one exception that
CURVE_LOAD bounds: ECDSA_VERIFY of the compact engine tries r + j n below p. Waits for entropy are not
counted, nor the transfer of the packets.
"""

from __future__ import annotations

FACTORS: dict[str, int] = {
    "MUL": 24, "BASE_MUL": 24, "DOUBLE_MUL": 24, "POINT_ADD": 2, "ON_CURVE": 1, "ECDH": 24, "ECDSA_SIGN": 28,
    "ECDSA_VERIFY": 24, "KEYGEN": 24, "KEY_LOAD": 1, "MOD_MUL": 1, "MOD_INV": 2, "MOD_EXP": 2, "MOD_ADD": 1,
    "MOD_SUB": 1, "X_LADDER": 12, "CURVE_LOAD": 4, "ZEROISE": 1, "SELF_TEST": 12,
}  # fmt: skip
"""Compact engine: each job takes at most so many times 32 W (s + 6)^2 cycles, s = ceil(32 W / DigitBits)."""
TURBO, BINARY = 16, 4
"""Turbo engine: any group of jobs takes at most 16 (32 W)^2 cycles. Binary engine: any job takes at most
4 (32 W)^2 cycles, times 64 / DigitBits for smaller digits.
"""


def compact_bound(op: str, digit_bits: int, words: int) -> int:
    """The longest time of a job of the compact engine."""
    digits = -(-32 * words // digit_bits)
    return FACTORS[op] * 32 * words * (digits + 6) ** 2


def turbo_bound(words: int) -> int:
    """The longest time of a group of jobs of the turbo engine."""
    return TURBO * (32 * words) ** 2


def binary_bound(digit_bits: int, words: int) -> int:
    """The longest time of a job of the binary engine, whose multiplier takes digits of so many bits."""
    return BINARY * (32 * words) ** 2 * max(64, digit_bits) // digit_bits
