"""Registers of the AXI4-Lite shell: `REGISTERS["STATUS"].offset`, `REGISTERS["STATUS"]["RSP_VALID"].mask`.

`eccel generate registers` writes the map and its twins for SystemVerilog, C and the manual from
`regs/eccel.rdl`.
"""

from eccelerate.regs.map import ADDRESS_BITS, ID_VALUE, PAGE_BITS, REGISTERS
from eccelerate.regs.types import Field, Register

__all__ = ["ADDRESS_BITS", "ID_VALUE", "PAGE_BITS", "REGISTERS", "Field", "Register"]
