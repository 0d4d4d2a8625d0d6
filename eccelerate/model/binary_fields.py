"""The binary fields that an engine can be built with: the table of rtl/gf2m/eccel_gf2m_pkg.sv.

A build names its fields by a mask, bit i for row i of the table, and has at most one field of each degree.
The rows after the polynomials mean any irreducible polynomial up to their degree, given at run time.
"""

_EXPONENTS = (
    (113, 9),
    (131, 8, 3, 2),
    (163, 7, 6, 3),
    (163, 8, 2, 1),
    (176, 43, 2, 1),
    (191, 9),
    (193, 15),
    (208, 83, 2, 1),
    (233, 74),
    (239, 36),
    (239, 158),
    (272, 56, 3, 1),
    (283, 12, 7, 5),
    (304, 11, 2, 1),
    (359, 68),
    (368, 85, 2, 1),
    (409, 87),
    (431, 120),
    (571, 10, 5, 2),
    (5, 2),
    (5, 3, 2, 1),
    (6, 1),
    (7, 1),
    (8, 4, 3, 1),
)

POLYNOMIALS = tuple(1 | sum(1 << exponent for exponent in row) for row in _EXPONENTS)
"""Bit i of a polynomial is the coefficient of z^i."""

GENERIC_DEGREES = (8, 255)
"""Largest degrees of the generic rows."""
LEAST_GENERIC_DEGREE = 5
"""Smaller fields have no useful curves, and the program's inversion does not support them."""


def polynomials_of(mask: int) -> tuple[int, ...]:
    """The fields of a build; empty for a generic one. Raises ValueError for a bit without a row."""
    rows = len(POLYNOMIALS) + len(GENERIC_DEGREES)
    if mask >> rows:
        raise ValueError(f"a mask of fields has {rows} bits, {mask:#x} has more")
    return tuple(f for i, f in enumerate(POLYNOMIALS) if mask >> i & 1)


def generic_degree(mask: int) -> int:
    """The largest degree of a generic build. 0 for a build with named fields."""
    return sum(m for i, m in enumerate(GENERIC_DEGREES, len(POLYNOMIALS)) if mask >> i & 1)
