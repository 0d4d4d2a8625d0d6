"""Registers of the binary engine with a fixed meaning, as rtl/gf2m/eccel_gf2m_pkg.sv numbers them."""

POLYNOMIAL = 0
"""The polynomial of a generic build, without its highest term."""
INV = 39
"""Operand and result of `recip`."""
SCALAR = 47
"""The scalar of `steps`."""
CONSTANT = 44
"""What is added to it when it is loaded."""
X, C4, T1, T2, T3, XS = 48, 49, 50, 51, 52, 56
"""Registers of the ladder: x of the base point, b^(1/4), intermediate values, the first one of its state."""
NEXT = 4
"""The registers of the ladder's previous state are so many places above those of its present one."""
