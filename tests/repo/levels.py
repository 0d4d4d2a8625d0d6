"""Which room may use which: the dependency levels of docs/architecture.md, and functions that find offences.

Every function returns one sentence for each offence, with the file and what it may not use.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.repo.rtl import RtlFile

# The lowest level comes first. Rooms in one tuple are on the same level and do not use each other.
PYTHON_LEVELS: tuple[tuple[str, ...], ...] = (
    ("curves", "isa", "external"),
    ("model",),
    ("timing",),
    ("ucode",),
    ("regs",),
    ("driver",),
    ("configs",),
    ("machine",),
    ("rtlsim",),
    ("vectors",),
    ("flow",),
    ("energy",),
    ("attacks",),
    ("explore",),
    ("cli",),
)
RTL_LEVELS: tuple[tuple[str, ...], ...] = (
    ("isa",),
    ("prim",),
    ("gfp", "gfp_turbo", "gf2m", "mul", "link"),
    ("modmul",),
    ("point",),
    ("engine",),
    ("engines/compact", "engines/turbo", "engines/binary"),
    ("bus",),
    ("bus/uart",),
    ("dispatch",),
    ("top",),
    ("top/boards",),
    ("compare",),  # yardsticks: may use anything, nothing uses them
)
PACKAGE = "eccelerate"
OPENSSL_ROOMS = ("provider", "bench")
"""Rooms of sw/ that use OpenSSL's provider types: the provider, and the program that measures providers."""
TERMINAL = {"print", "rich", "typer", "sys.stdout", "sys.stderr"}


def _rank(levels: Sequence[tuple[str, ...]], room: str) -> int | None:
    return next((rank for rank, rooms in enumerate(levels) if room in rooms), None)


def _may_use(levels: Sequence[tuple[str, ...]], user: str, used: str) -> bool:
    """The user's own room and all rooms on lower levels."""
    high, low = _rank(levels, user), _rank(levels, used)
    return user == used or (high is not None and low is not None and low < high)


def imported_rooms(source: str, path: Path, package_root: Path) -> Iterator[tuple[int, str]]:
    """(line, room) of every import of the package in the text of one file, also inside functions. `from ..
    import x` is resolved from the place of the file.
    """
    here = path.relative_to(package_root.parent).with_suffix("").parts
    for node in ast.walk(ast.parse(source, str(path))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE and len(parts) > 1:
                yield node.lineno, parts[1]


def python_offences(package_root: Path) -> list[str]:
    """Imports of rooms that are not on a lower level, and modules outside every room."""
    offences: list[str] = []
    for path in sorted(package_root.rglob("*.py")):
        place = path.relative_to(package_root)
        room = place.parts[0].removesuffix(".py")
        if place.parts in (("__init__.py",), ("__main__.py",)):
            room = "cli"  # the entry point of the package may use everything, and nothing uses it
        if _rank(PYTHON_LEVELS, room) is None:
            offences.append(f"{place}: no room of this name; rooms: {', '.join(sum(PYTHON_LEVELS, ()))}")
            continue
        for line, used in imported_rooms(path.read_text(), path, package_root):
            if _rank(PYTHON_LEVELS, used) is not None and not _may_use(PYTHON_LEVELS, room, used):
                offences.append(f"{place}:{line}: {room} may not import {used}, which is above it")
    return offences


def repeated_names(package_root: Path) -> list[str]:
    """Names that several modules of the package have."""
    places: dict[str, list[str]] = {}
    for path in sorted(package_root.rglob("*.py")):
        if not path.stem.startswith("__"):
            places.setdefault(path.stem, []).append(str(path.relative_to(package_root)))
    return [f"{name}: {', '.join(where)}" for name, where in places.items() if len(where) > 1]


def terminal_offences(package_root: Path) -> list[str]:
    """Lines outside cli that write to the terminal, because they use print, sys.stdout or sys.stderr, or
    import rich or typer.
    """
    offences: list[str] = []
    for path in sorted(package_root.rglob("*.py")):
        place = path.relative_to(package_root)
        if place.parts[0] == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text(), str(path))):
            if isinstance(node, ast.expr | ast.stmt):
                used = sorted(TERMINAL & _names_used(node))
                offences += [
                    f"{place}:{node.lineno}: {name}: only cli writes to the terminal" for name in used
                ]
    return offences


def _names_used(node: ast.AST) -> set[str]:
    """What one node of a syntax tree names: a built-in, `module.attribute`, or an imported package."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return {f"{module}.{name}"}
        case ast.Import(names=names):
            return {alias.name.partition(".")[0] for alias in names}
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return {module.partition(".")[0], *(f"{module}.{alias.name}" for alias in names)}
    return set()


def rtl_offences(files: Sequence[RtlFile]) -> list[str]:
    """Instances and packages of rooms that are not on a lower level, vendor cells outside rtl/prim_<vendor>,
    twins without a portable original, and names without the prefix.
    """
    offences: list[str] = []
    owner: dict[str, str] = {}
    for file in files:
        if not file.room.startswith("prim_"):
            owner |= dict.fromkeys(file.modules | file.packages, file.room)
    for file in files:
        vendor = file.room if file.room.startswith("prim_") else None
        room = "prim" if vendor else file.room
        name = f"rtl/{file.room}/{file.path.name}"
        if _rank(RTL_LEVELS, room) is None:
            rooms = ", ".join(sum(RTL_LEVELS, ()))
            offences.append(f"{name}: no room of this name; rooms: {rooms}, prim_<vendor>")
            continue
        for used in sorted(file.instances | file.imports):
            if used not in owner:
                if not vendor:
                    offences.append(f"{name}: {used} is not of rtl/: vendor cells live in rtl/prim_<vendor>")
            elif not _may_use(RTL_LEVELS, room, owner[used]):
                offences.append(f"{name}: {room} may not use {used} of {owner[used]}")
        if vendor and not file.is_cells:
            for twin in sorted(file.modules):
                if owner.get(twin) != "prim":
                    offences.append(f"{name}: {twin} has no portable original in rtl/prim")
        if not file.is_cells:
            for module in sorted(file.modules | file.packages):
                if not module.startswith("eccel_"):
                    offences.append(f"{name}: {module} lacks the prefix eccel_")
    return offences


def c_offences(software: Path) -> list[str]:
    """OpenSSL's provider types outside OPENSSL_ROOMS, and the register header inside the provider."""
    offences: list[str] = []
    for path in sorted(p for p in software.rglob("*") if p.suffix in {".c", ".h"}):
        place = path.relative_to(software)
        is_provider = place.parts[0] == "provider"
        if place.parts[0] not in OPENSSL_ROOMS and re.search(r"\bOSSL_", path.read_text()):
            offences.append(f"sw/{place}: an OSSL_ name; OpenSSL's types live in sw/provider")
        if is_provider and re.search(r"#\s*include\b.*\beccel_regs\.h", path.read_text()):
            offences.append(f"sw/{place}: the register header; registers live in sw/driver")
    return offences
