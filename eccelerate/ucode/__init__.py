"""Microcode tools: assembler, disassembler, checker and generators.

`asm.assemble(manifest)` turns the routines of a program into a `program.Program`.
"""
