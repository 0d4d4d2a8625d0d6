"""Every form of the register map, from `regs/eccel.rdl`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # systemrdl takes long to import, and most commands do not need it
    from systemrdl.node import AddrmapNode, FieldNode, RegNode

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "regs/eccel.rdl"
COMMAND = "eccel generate registers"
PAGE_BITS = 12
"""A window of the shell has a page of 2^12 bytes: the smallest that a memory management unit protects."""
MARK = f"Generated from {SOURCE} by `{COMMAND}`: do not edit."


def load(source: Path = ROOT / SOURCE) -> AddrmapNode:
    """Compile the SystemRDL file; raises systemrdl.RDLCompileError with the messages already printed."""
    from systemrdl.compiler import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(source))
    return compiler.elaborate().top


def registers(top: AddrmapNode) -> list[RegNode]:
    """The registers by address."""
    from systemrdl.node import RegNode

    return [node for node in top.children() if isinstance(node, RegNode)]


def address_bits(top: AddrmapNode) -> int:
    """Bits of a byte address that covers every register."""
    return (max(reg.absolute_address for reg in registers(top)) + 3).bit_length()


def camel(name: str) -> str:
    """IRQ_ENABLE -> IrqEnable."""
    return "".join(part.capitalize() for part in name.split("_"))


def access(node: RegNode | FieldNode) -> str:
    """How software reaches a register or field: r, w or rw."""
    from systemrdl.node import FieldNode

    if isinstance(node, FieldNode):
        readable, writable = node.is_sw_readable, node.is_sw_writable
    else:
        readable, writable = node.has_sw_readable, node.has_sw_writable
    return "r" * readable + "w" * writable


def mask(node: FieldNode) -> int:
    """The field's bits at their place in the word."""
    return ((1 << node.width) - 1) << node.low


def constant(reg: RegNode) -> int | None:
    """The value of a register that consists of constants only, else None."""
    value = 0
    for field in reg.fields():
        reset = field.get_property("reset")
        if field.is_hw_writable or field.is_sw_writable or not isinstance(reset, int):
            return None
        value |= reset << field.low
    return value


def systemverilog(top: AddrmapNode) -> str:
    """Package with word addresses (byte offset / 4), bit places and constants."""
    bits = address_bits(top) - 2
    lines = [
        f"// {MARK}",
        "// verilator lint_off UNUSEDPARAM",
        "package eccel_reg_pkg;",
        f"  localparam int AddrBits = {bits + 2};",
        f"  localparam int PageBits = {PAGE_BITS};",
    ]
    for reg in registers(top):
        name = camel(reg.inst_name)
        lines += [
            "",
            f"  localparam logic [{bits - 1}:0] {name}Word = {bits}'h{reg.absolute_address // 4:x};",
        ]
        if (value := constant(reg)) is not None:
            lines.append(f"  localparam logic [31:0] {name}Value = 32'h{value:08x};")
        elif not is_word(reg):
            for field in reg.fields():
                lines.append(f"  localparam int {name}{camel(field.inst_name)}Lsb = {field.low};")
            total = sum(mask(field) for field in reg.fields())
            lines.append(f"  localparam logic [31:0] {name}Mask = 32'h{total:08x};")
    return "\n".join([*lines, "endpackage", "// verilator lint_on UNUSEDPARAM", ""])


def python(top: AddrmapNode) -> str:
    """Module with the map as data."""
    lines = [
        f"# {MARK}",
        '"""Registers of the AXI4-Lite shell by name."""',
        "",
        "from eccelerate.regs.types import Field, Register",
        "",
        f"ADDRESS_BITS = {address_bits(top)}",
        f"PAGE_BITS = {PAGE_BITS}",
    ]
    for reg in registers(top):
        if (value := constant(reg)) is not None:
            lines.append(f"{reg.inst_name}_VALUE = 0x{value:08X}")
    lines += ["", "REGISTERS = {"]
    for reg in registers(top):
        rw = access(reg)
        lines += [
            f'    "{reg.inst_name}": Register(',
            f"        offset=0x{reg.absolute_address:02X},",
            f"        readable={'r' in rw},",
            f"        writable={'w' in rw},",
            "        fields={",
        ]
        for field in reg.fields():
            lines.append(f'            "{field.inst_name}": Field(lsb={field.low}, width={field.width}),')
        lines += ["        },", "    ),"]
    return "\n".join([*lines, "}", ""])


def c_header(top: AddrmapNode) -> str:
    """C macros: ECCEL_<REG> byte offset, ECCEL_<REG>_<FIELD> mask, ..._SHIFT."""
    lines = [f"/* {MARK} */", "#ifndef ECCEL_REGS_H", "#define ECCEL_REGS_H", "", "#include <stdint.h>"]
    lines += ["", "/* Byte offset of window w */", f"#define ECCEL_WINDOW(w) ((uint32_t)(w) << {PAGE_BITS})"]
    for reg in registers(top):
        name = f"ECCEL_{reg.inst_name}"
        lines += ["", f"/* {reg.get_property('name')} ({access(reg)}) */"]
        lines.append(f"#define {name} UINT32_C(0x{reg.absolute_address:02x})")
        if (value := constant(reg)) is not None:
            lines.append(f"#define {name}_VALUE UINT32_C(0x{value:08x})")
        for field in reg.fields() if not is_word(reg) else []:
            lines.append(f"#define {name}_{field.inst_name} UINT32_C(0x{mask(field):08x})")
            lines.append(f"#define {name}_{field.inst_name}_SHIFT {field.low}")
    return "\n".join([*lines, "", "#endif", ""])


def markdown(top: AddrmapNode) -> str:
    """The register manual: a summary table, then the fields of each register."""
    title, text = str(top.get_property("name")), str(top.get_property("desc"))
    lines = [f"<!-- {MARK} -->", f"# {title}: registers", "", text, ""]
    lines += ["| offset | register | access | |", "|---|---|---|---|"]
    for reg in registers(top):
        lines.append(
            f"| 0x{reg.absolute_address:02x} | [`{reg.inst_name}`](#{reg.inst_name.lower()}) "
            f"| {access(reg)} | {reg.get_property('name')} |"
        )
    for reg in registers(top):
        text = f"Offset 0x{reg.absolute_address:02x}. {reg.get_property('desc')}"
        lines += ["", f"## {reg.inst_name}", "", text, ""]
        lines += ["| bits | field | access | reset | |", "|---|---|---|---|---|"]
        lines += [row(field) for field in reversed(list(reg.fields()))]
    return "\n".join([*lines, ""])


def row(field: FieldNode) -> str:
    """A field's line in the manual."""
    place = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
    reset = field.get_property("reset")
    shown = f"0x{reset:x}" if isinstance(reset, int) else "-"
    return f"| {place} | `{field.inst_name}` | {access(field)} | {shown} | {field.get_property('desc')} |"


def is_word(reg: RegNode) -> bool:
    """True for a register that is one 32-bit field: there is no bit to name."""
    fields = list(reg.fields())
    return len(fields) == 1 and fields[0].width == 32


RENDERERS: dict[str, Callable[[AddrmapNode], str]] = {
    "rtl/bus/gen/eccel_reg_pkg.sv": systemverilog,
    "eccelerate/regs/map.py": python,
    "sw/include/gen/eccel_regs.h": c_header,
    "docs/gen/registers.md": markdown,
}


def outputs() -> dict[str, str]:
    """Generated files: path relative to the repository root -> content."""
    top = load()
    return {path: render(top) for path, render in RENDERERS.items()}


def html(out: Path) -> None:
    """Write the manual as a static web page to folder `out`."""
    from peakrdl_html import HTMLExporter

    HTMLExporter().export(load(), str(out))
    # The exporter adds starters of browsers of other systems: the page opens in any browser without them.
    for launcher in out.glob("launcher-*"):
        launcher.unlink()
    shutil.rmtree(out / ".launcher_data")
