"""What a job leaves in the engine: searches all registers and memories of the RTL model for parts of secrets.

`Residue` reads the state of a model that other tests also use. A small library, compiled from the model's own
header, tells where each register and memory lies. The search is for 32 bits in a row, at each multiple of 16
bits of every secret, so that a part of a secret is found as well as the whole. What is left out: signals that
Verilator made up, the model's input pins and wires from them, the microcode, and the base point's table.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eccelerate.configs.config import ROOT, Config, build_root
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.verilate import ModelSource, build_model, verilator_environment, verilator_root
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.findings import SLOT

WINDOW = 32
STEP = 16
CHANGES = 6
SLOT_WORDS = 32
_BYTES = {"CData": 1, "SData": 2, "IData": 4, "QData": 8}
_MEMBER = re.compile(
    r"(?m)^\s+(?:VlUnpacked<)?(CData|SData|IData|QData|VlWide<(\d+)>)/\*(\d+):0\*/(?:, \d+>)?\s*(\w+);"
)
_PUBLIC = re.compile(
    r"__V|^(clk_i|rst_ni|req_i|ent_i|rsp_ready_i|zeroise_i)$|__DOT__(ent|tested)$"
    r"|u_ucode|u_table|u_comb__DOT__.*mem"
)
_REGISTER_FILE = re.compile(r"u_file__DOT__\w+__DOT__mem$")
_PROBE = """
#include <cstddef>
#include <memory>
#include "Vengine.h"
#include "Vengine___024root.h"
struct Model { VerilatedContext context; std::unique_ptr<Vengine> top; };  // as in sim/harness.cpp
using Root = Vengine___024root;
extern "C" const void *probe_root(void *model) { return static_cast<Model *>(model)->top->rootp; }
extern "C" const size_t probe_places[] = {
%s
};
"""


@dataclass(frozen=True)
class Element:
    """A register or memory of the model: its place in bytes, the size of an entry, and the entry's bits."""

    name: str
    offset: int
    size: int
    entry: int
    bits: int

    @property
    def is_mailbox(self) -> bool:
        """Whether it is the memory of a mailbox."""
        return "u_mailbox" in self.name and self.size == 4 * 512


@cache
def _probe(config: Config) -> tuple[ctypes.CDLL, tuple[Element, ...]]:
    """The library that finds the state of the configuration's model, and all its registers and memories."""
    objects = build_model(ModelSource.of(config)).parent / "obj"
    header = (objects / "Vengine___024root.h").read_text()
    members = [m for m in _MEMBER.finditer(header) if not _PUBLIC.search(m[4])]
    places = "\n".join(f"offsetof(Root, {m[4]}), sizeof(Root::{m[4]})," for m in members)
    text = _PROBE % places
    digest = hashlib.sha256((str(objects) + text).encode()).hexdigest()[:16]
    library = build_root() / "tests" / "leakage" / f"probe-{digest}.so"
    if not library.is_file():
        library.parent.mkdir(parents=True, exist_ok=True)
        source = library.with_suffix(".cpp")
        source.write_text(text)
        include = verilator_root() / "include"
        command = ["g++", "-std=gnu++20", "-O0", "-w", "-fPIC", "-shared", f"-I{objects}", f"-I{include}"]
        command += [f"-I{include / 'vltstd'}", str(source), "-o", str(library.with_suffix(".part"))]
        subprocess.run(command, check=True, env=verilator_environment(), timeout=300)
        library.with_suffix(".part").rename(library)
    found = ctypes.CDLL(str(library))
    found.probe_root.restype, found.probe_root.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    numbers = (ctypes.c_size_t * (2 * len(members))).in_dll(found, "probe_places")
    elements = tuple(
        Element(
            m[4], numbers[2 * i], numbers[2 * i + 1], 4 * int(m[2]) if m[2] else _BYTES[m[1]], int(m[3]) + 1
        )
        for i, m in enumerate(members)
    )
    return found, elements


def windows(values: Iterable[int]) -> set[int]:
    """All 32 bits in a row of the values, at multiples of 16 bits. Those that change fewer than CHANGES times
    from 0 to 1 or back do not count: public constants have them, too.
    """
    mask = (1 << WINDOW) - 1
    found = {v >> at & mask for v in values for at in range(0, max(v.bit_length() - STEP, 1), STEP)}
    return {each for each in found if ((each ^ each >> 1) & mask >> 1).bit_count() >= CHANGES}


def related(values: Iterable[int], modulus: int, order: int, radix: int) -> list[int]:
    """The values, and what tells them: x mod n, n - x, x + N, x + 2 N, x / 2, 1 / x, and x R and R / x."""
    found = []
    for x in values:
        y = x % modulus
        found += [x, y, modulus - y, y + order, y + 2 * order, y * (modulus + 1) // 2 % modulus]
        found += [y * radix % modulus, y * radix * radix % modulus]
        if y:
            inverse = pow(y, -1, modulus)
            found += [inverse, inverse * radix % modulus]
    return found


class Residue:
    """The state of one opened model."""

    def __init__(self, transport: RtlTransport, config: Config) -> None:
        self.transport = transport
        self.library, self.elements = _probe(config)
        kept = assemble(ROOT / "ucode" / f"{config.program}.toml").kept
        self.key_slots = {place - SLOT for place in kept if place >= SLOT}

    def places(self, secrets: set[int], *, key: bool = False) -> list[str]:
        """Registers and memory words that hold one of the windows. The slots of the key count only with
        `key`.
        """
        root = self.library.probe_root(self.transport._handle)
        found = []
        for element in self.elements:
            raw = ctypes.string_at(root + element.offset, element.size)
            entries = [
                int.from_bytes(raw[i : i + element.entry], "little")
                for i in range(0, element.size, element.entry)
            ]
            for index, value in enumerate(entries):
                if element.is_mailbox and index // SLOT_WORDS in self.key_slots and not key:
                    continue
                if STEP <= element.bits < WINDOW and index + 1 < len(entries):
                    value |= entries[index + 1] << element.bits
                at_bits = range(0, max(value.bit_length() - WINDOW, 0) + 1, 1 if len(entries) == 1 else 8)
                if any(value >> at & (1 << WINDOW) - 1 in secrets for at in at_bits):
                    found.append(f"{element.name}[{index}]" if len(entries) > 1 else element.name)
        return found

    def memories(self) -> dict[str, bytes]:
        """The mailboxes and the register files of the units, by name."""
        root = self.library.probe_root(self.transport._handle)
        return {
            element.name: ctypes.string_at(root + element.offset, element.size)
            for element in self.elements
            if element.is_mailbox or _REGISTER_FILE.search(element.name)
        }


def image(folder: Path, program: str, patches: Iterable[tuple[str, str, str]]) -> Path:
    """The image of a program of ucode/ with changes: file, old text, new text. Its residue is not checked."""
    copy = folder / "ucode"
    for source in (ROOT / "ucode").rglob("*"):
        if source.is_file():
            target = copy / source.relative_to(ROOT / "ucode")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source.read_text())
    for name, old, new in patches:
        text = (copy / name).read_text()
        assert old in text, f"{name} has no {old!r} any more"
        (copy / name).write_text(text.replace(old, new))
    path = folder / "mutant.hex"
    assemble(copy / f"{program}.toml", check=False).write_hex(path)
    return path
