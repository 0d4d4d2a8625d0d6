"""The instruction set as data: `load("turbo").forms["mul"].code`, and the registers with a fixed meaning."""

from eccelerate.isa.table import FLAGS, MODULI, UNITS, Form, Isa, IsaError, Named, Operand, load

__all__ = ["FLAGS", "MODULI", "UNITS", "Form", "Isa", "IsaError", "Named", "Operand", "load"]
