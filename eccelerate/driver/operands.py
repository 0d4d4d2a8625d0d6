"""Operand and result names of every job, for the command line and the documentation."""

from eccelerate.model.jobs import OPERANDS, RESULTS, operand_names, result_names

__all__ = ["OPERANDS", "RESULTS", "operand_names", "result_names"]
