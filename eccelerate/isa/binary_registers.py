"""Registers of the binary engine with a fixed meaning, as rtl/gf2m/eccel_gf2m_pkg.sv numbers them."""

POLYNOMIAL = 0
"""The polynomial of a build that takes any, without its highest term."""
INV = 39
"""Operand and result of `recip`."""
SCALAR = 47
"""The scalar of `steps`."""
X, C4, T1, T2, T3, XS = 48, 49, 50, 51, 52, 56
"""Of the ladder: x and b^(1/4) of the base point, intermediate values, and the first of its state."""
NEXT = 4
"""Distance of the ladder's previous state above its present one."""
