"""What the RTL files declare and use, read with slang's parser, and the sets of files that make up a
build.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyslang import SourceManager
from pyslang.syntax import SyntaxKind, SyntaxTree


@dataclass(frozen=True)
class RtlFile:
    """One SystemVerilog file: its room (folder under rtl/), the names that it declares, and those that it
    uses.
    """

    path: Path
    room: str
    modules: frozenset[str]
    packages: frozenset[str]
    instances: frozenset[str]
    imports: frozenset[str]

    @property
    def is_cells(self) -> bool:
        """Whether it has black boxes of vendor cells: these have foreign names and styles, and a file of
        their own.
        """
        return self.path.name.endswith("_cells.sv")


def parse(path: Path, room: str) -> RtlFile:
    """Read one file. The lint test reports syntax errors; here they only hide names."""
    found: dict[str, set[str]] = {"modules": set(), "packages": set(), "instances": set(), "imports": set()}

    def visit(node: Any) -> None:
        kind = getattr(node, "kind", None)
        if kind == SyntaxKind.ModuleDeclaration:
            found["modules"].add(node.header.name.valueText)
        elif kind == SyntaxKind.PackageDeclaration:
            found["packages"].add(node.header.name.valueText)
        elif kind == SyntaxKind.HierarchyInstantiation:
            found["instances"].add(node.type.valueText)
        elif kind == SyntaxKind.PackageImportItem:
            found["imports"].add(node.package.valueText)
        elif kind == SyntaxKind.ScopedName and node.separator.valueText == "::":
            found["imports"].add(str(node.left).strip())

    SyntaxTree.fromFile(str(path), SourceManager()).root.visit(visit)
    return RtlFile(path, room, **{key: frozenset(names) for key, names in found.items()})


def scan(rtl: Path) -> list[RtlFile]:
    """All SystemVerilog files below the folder rtl, in the order of their paths."""
    return [parse(path, room(path.relative_to(rtl))) for path in sorted(rtl.rglob("*.sv"))]


def room(place: Path) -> str:
    """The room of a file by its place under rtl/: its folder. A generated file belongs to the room above
    it.
    """
    folder = place.parent.parent if place.parent.name == "gen" else place.parent
    return folder.as_posix()


def build_set(files: list[RtlFile], vendor: str | None = None) -> list[RtlFile]:
    """The files of one build, packages before their users: portable primitives, or those of prim_<vendor>
    in the place of the portable ones of the same module name. Yardsticks (rtl/compare) come along."""
    twins = [f for f in files if vendor and f.room == f"prim_{vendor}"]
    replaced = frozenset().union(*(f.modules for f in twins))
    portable = [f for f in files if not f.room.startswith("prim_")]
    return packages_first(twins + [f for f in portable if f.room != "prim" or not f.modules & replaced])


def packages_first(files: list[RtlFile]) -> list[RtlFile]:
    """The files in an order in which each package comes before the files that use it, which Verilator
    needs.
    """
    owner = {name: f for f in files for name in f.packages}
    ordered: dict[Path, RtlFile] = {}

    def place(file: RtlFile, on_the_way: tuple[Path, ...]) -> None:
        if file.path in ordered:
            return
        for name in sorted(file.imports - file.packages):
            if name in owner and owner[name].path not in on_the_way:
                place(owner[name], (*on_the_way, file.path))
        ordered[file.path] = file

    for file in sorted(files, key=lambda f: not f.packages):
        place(file, ())
    return list(ordered.values())


def reached(files: list[RtlFile], top: str) -> list[RtlFile]:
    """The files that the module `top` needs, in their order: its own, and those of instances and packages."""
    owner = {name: f for f in files for name in f.modules | f.packages}
    found: set[Path] = set()
    waiting = [top]
    while waiting:
        file = owner.get(waiting.pop())
        if file is not None and file.path not in found:
            found.add(file.path)
            waiting += sorted(file.instances | file.imports)
    return [f for f in files if f.path in found]


def tops(files: list[RtlFile]) -> list[str]:
    """The modules that no other module instantiates, without cells."""
    used = frozenset().union(*(f.instances for f in files))
    return sorted(name for f in files if not f.is_cells for name in f.modules - used)
