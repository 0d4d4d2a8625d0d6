# Generated from regs/eccel.rdl by `eccel generate registers`: do not edit.
"""Registers of the AXI4-Lite shell by name."""

from eccelerate.regs.types import Field, Register

ADDRESS_BITS = 6
PAGE_BITS = 12
ID_VALUE = 0xECC20000

REGISTERS = {
    "ID": Register(
        offset=0x00,
        readable=True,
        writable=False,
        fields={
            "VERSION": Field(lsb=16, width=4),
            "MAGIC": Field(lsb=20, width=12),
        },
    ),
    "CONFIG": Register(
        offset=0x04,
        readable=True,
        writable=False,
        fields={
            "FIFO_LOG2": Field(lsb=16, width=4),
            "MAX_WORDS": Field(lsb=20, width=5),
            "WINDOWS_LOG2": Field(lsb=25, width=2),
            "EXT_ENTROPY": Field(lsb=27, width=1),
            "DIGIT_BYTES": Field(lsb=28, width=4),
        },
    ),
    "STATUS": Register(
        offset=0x08,
        readable=True,
        writable=True,
        fields={
            "REQ_READY": Field(lsb=0, width=1),
            "RSP_VALID": Field(lsb=1, width=1),
            "PARTIAL": Field(lsb=2, width=1),
            "BUSY": Field(lsb=3, width=1),
            "ENT_WANTED": Field(lsb=4, width=1),
            "OVERFLOW": Field(lsb=5, width=1),
            "CLEARED": Field(lsb=6, width=1),
        },
    ),
    "IRQ_ENABLE": Register(
        offset=0x0C,
        readable=True,
        writable=True,
        fields={
            "RSP_VALID": Field(lsb=1, width=1),
            "ENT_WANTED": Field(lsb=4, width=1),
            "OVERFLOW": Field(lsb=5, width=1),
            "CLEARED": Field(lsb=6, width=1),
        },
    ),
    "RSP_DATA": Register(
        offset=0x10,
        readable=True,
        writable=False,
        fields={
            "DATA": Field(lsb=0, width=32),
        },
    ),
    "CONTROL": Register(
        offset=0x14,
        readable=False,
        writable=True,
        fields={
            "ZEROISE": Field(lsb=0, width=1),
            "RESET": Field(lsb=1, width=1),
            "DROP": Field(lsb=2, width=1),
        },
    ),
    "REQ_DATA": Register(
        offset=0x18,
        readable=False,
        writable=True,
        fields={
            "DATA": Field(lsb=0, width=32),
        },
    ),
    "REQ_LAST": Register(
        offset=0x1C,
        readable=False,
        writable=True,
        fields={
            "DATA": Field(lsb=0, width=32),
        },
    ),
    "ENT_DATA": Register(
        offset=0x20,
        readable=False,
        writable=True,
        fields={
            "DATA": Field(lsb=0, width=32),
        },
    ),
}
