"""The description of a build: a top module with its sources, memory images and parameters."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.configs.rtl_reach import needed_files
from eccelerate.configs.rtl_text import code_digest
from eccelerate.flow.devices import Family
from eccelerate.flow.errors import FlowError

Value = int | str | bool


@dataclass(frozen=True)
class Design:
    """A top module and everything needed to elaborate it.

    files: SystemVerilog sources in reading order, with the portable primitives (``rtl/prim``).
        :meth:`sources` replaces these by vendor twins.
    params: top-level parameters; strings are passed as string literals.
    data: memory images; parameters and ``$readmemh`` name them by their bare file names.
    include_dirs: search path of `` `include``.
    clock: name of the only clock port.
    static_placer: whether nextpnr's electrostatic placer is taken. Wide networks of XORs need it, and others
        for which the router finds no way after the usual one.
    """

    name: str
    top: str
    files: list[Path]
    params: dict[str, Value] = field(default_factory=dict)
    data: list[Path] = field(default_factory=list)
    include_dirs: list[Path] = field(default_factory=list)
    clock: str = "clk_i"
    static_placer: bool = False

    def sources(self, family: Family) -> list[Path]:
        """Source files for a family, with the black boxes of vendor cells. A twin replaces the portable
        primitive with the same file name. Cells in a file that is named for a twin (``eccel_pll_cells.sv``)
        are only there if the top needs this twin.
        """
        chosen = [_twin(path, family) for path in self.files]
        twins = [path for path in needed_files(chosen, self.top) if path.parent.name == family.twins]
        return [*dict.fromkeys(path for twin in twins for path in _black_boxes(twin)), *chosen]

    def check(self) -> None:
        """FlowError if a file is missing or two memory images share a name."""
        missing = [str(p) for p in [*self.files, *self.data] if not p.is_file()]
        if missing:
            raise FlowError(f"{self.name}: no such file: {', '.join(missing)}")
        names = [p.name for p in self.data]
        if len(set(names)) != len(names):
            raise FlowError(f"{self.name}: two memory images have the same file name: {sorted(names)}")

    def digest(self, family: Family, *, contents: bool = True) -> str:
        """Hash of everything that decides the netlist, except the tools: code that the top needs, parameters,
        and words of memory images. The names of the images do not count, because they contain a hash of the
        tools that wrote them. Without `contents` the words do not count either: they fill block RAMs, and
        change neither area nor clock.
        """
        headers = [p for d in self.include_dirs for p in d.glob("*.svh")]
        h = hashlib.sha256(code_digest([*needed_files(self.sources(family), self.top), *headers]).encode())
        for path in self.data if contents else ():
            h.update(code_digest([path]).encode())
        images = {path.name: f"image {i}" for i, path in enumerate(self.data)}
        params = {name: images.get(str(value), value) for name, value in self.params.items()}
        h.update(repr((self.top, self.clock, sorted(params.items()))).encode())
        return h.hexdigest()


def _twin(path: Path, family: Family) -> Path:
    """The file of `family` for a file of ``rtl/prim`` that has a twin there. Any other file is itself."""
    twin = path.parent.parent / family.twins / path.name
    return twin if family.twins and path.parent.name == "prim" and twin.exists() else path


def _black_boxes(twin: Path) -> list[Path]:
    """The files with the black boxes of the vendor cells that `twin` needs."""
    cells = sorted(twin.parent.glob("*_cells.sv"))
    own = {path: path.with_name(path.name.replace("_cells", "")) for path in cells}
    return [path for path, needs in own.items() if needs == twin or not needs.exists()]


def param_text(value: Value) -> str:
    """A parameter as SystemVerilog source text."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
