"""Maps a design to the standard cells of a library: area, gate equivalents, delay, netlist."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.energy.gate_netlist import GateNetlist, read_netlist
from eccelerate.energy.liberty_import import import_library
from eccelerate.energy.liberty_writer import liberty_text
from eccelerate.energy.library import NAMES, Library, load_library
from eccelerate.flow import tools
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Family
from eccelerate.flow.errors import FlowError
from eccelerate.flow.logcheck import doubtful
from eccelerate.flow.synth import elaborate

MEMORY_BITS = 4096
"""A memory of more bits is not made of cells: it stays outside the netlist, and nothing is said about its
area or energy."""
CELLS = Family("cells", "")
"""Standard cells: the portable primitives of rtl/prim, without vendor twins."""
_HARMLESS = re.compile(
    # ABC says so of the Liberty file, which it reads only for delays of gates.
    r"Templates are not defined|Detected \d+ multi-output|^Warning: ABC:"
)
_DELAY = re.compile(r"Delay =\s*([\d.]+) ps")


@dataclass(frozen=True)
class CellNetlist:
    """A design in standard cells.

    area_um2 and gate_equivalents count the cells of the netlist; delay_ps is the longest path between
    registers or ports by ABC, without the times of the registers, and period_ps has these added. cells is the
    number of each kind. memories lists those that are outside, with words and width.
    """

    design: str
    library: Library
    area_um2: float
    gate_equivalents: float
    delay_ps: float
    period_ps: float
    cells: dict[str, int]
    memories: list[dict[str, Any]]
    folder: Path
    top: str
    clock: str = "clk_i"

    @property
    def netlist(self) -> GateNetlist:
        """The netlist itself."""
        return read_netlist(self.folder / "netlist.json", self.top)

    @property
    def memory_bits(self) -> int:
        """Bits of the memories outside."""
        return sum(m["words"] * m["width"] for m in self.memories)


def find_library(library: str | Path | Library) -> Library:
    """One of NAMES, or a Liberty file. Raises FlowError."""
    if isinstance(library, Library):
        return library
    if isinstance(library, str) and library in NAMES:
        return load_library(library)
    path = Path(library)
    if not path.is_file():
        raise FlowError(f"no library {str(library)!r}; there are: {', '.join(NAMES)}, or a Liberty file")
    return import_library(path)


def map_cells(
    design: Design,
    library: str | Path | Library,
    *,
    clock_gates: bool = False,
    memory_bits: int = MEMORY_BITS,
    progress: Callable[[str], None] | None = None,
) -> CellNetlist:
    """Map a design. clock_gates: registers with an enable get a clock gate for each group of three or more.

    FlowError if a tool fails, for doubtful warnings of elaboration, latches and cells that were not mapped.
    The result is kept in the build cache.
    """
    table = find_library(library)
    options = {"clock_gates": clock_gates, "memory_bits": memory_bits}
    return map_with_text(design, table, liberty_text(table), (), options, progress)


def map_with_text(
    design: Design,
    table: Library,
    liberty: str,
    unused: Sequence[str] = (),
    options: dict[str, Any] | None = None,
    progress: Callable[[str], None] | None = None,
) -> CellNetlist:
    """`map_cells` with a Liberty text of the caller, of which Yosys must not use some cells."""
    design.check()
    given = {"clock_gates": False, "memory_bits": MEMORY_BITS} | (options or {})
    worker = tools.code(Path(__file__).with_name("cell_worker.py").read_text())
    parts = (design.digest(CELLS), liberty, list(unused), given, tools.versions()["pyosys"], worker)

    def build(folder: Path) -> None:
        if progress:
            progress(f"mapping of {design.name} to {table.name}")
        (folder / "cells.lib").write_text(liberty)
        job = {
            "do": "map",
            "slang": elaborate(design, CELLS, folder),
            "top": design.top,
            "liberty": "cells.lib",
            "unused": list(unused),
            "roles": table.roles,
            "gate_pins": _gate_pins(table),
            **given,
            "out": "netlist",
        }
        run_worker(job, folder, "map")

    folder, _ = tools.cached(f"{design.name}-{_plain(table.name)}-{tools.digest(*parts)}", build)
    return _result(design, table, folder)


def run_worker(job: dict[str, Any], folder: Path, name: str, timeout: int = 3600) -> str:
    """Run one job of `cell_worker` in a folder. Returns the log. Raises FlowError."""
    (folder / f"{name}.job.json").write_text(json.dumps(job))
    argv = [sys.executable, "-m", "eccelerate.energy.cell_worker", f"{name}.job.json"]
    return tools.run(argv, folder, folder / f"{name}.log", timeout)


def _gate_pins(table: Library) -> str:
    """Enable, clock and gated clock of the clock gate, as the pass clockgate wants them."""
    gate = table.roles.get("clock_gate", "")
    if not gate:
        return ""
    cell = table.cell(gate)
    enable = next(pin for pin in cell.inputs if pin != cell.clock)
    return f"{enable}:{cell.clock}:{cell.outputs[0]}"


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _result(design: Design, table: Library, folder: Path) -> CellNetlist:
    log = (folder / "map.log").read_text(errors="replace")
    what = f"{design.name} in {table.name}"
    warnings = [w for w in doubtful(log) if not _HARMLESS.search(w)]
    if warnings:
        raise FlowError(
            f"{what}: {len(warnings)} doubtful warnings: {'; '.join(warnings[:3])}", folder / "map.log"
        )
    info = json.loads((folder / "netlist.info.json").read_text())
    kinds = Counter(gate.kind for gate in read_netlist(folder / "netlist.json", design.top).gates)
    outside = {m["module"] for m in info["memories"]}
    foreign = sorted(kind for kind in kinds if kind not in table.cells and kind not in outside)
    if foreign:
        raise FlowError(f"{what}: unmapped cells: {', '.join(foreign[:5])}", folder / "map.log")
    cells = {kind: n for kind, n in sorted(kinds.items()) if kind not in outside}
    area = sum(table.cells[kind].area * n for kind, n in cells.items())
    delays = [float(x) for x in _DELAY.findall(log)]
    delay = delays[-1] if delays else 0.0
    registers = [table.cells[kind] for kind in cells if table.cells[kind].register]
    overhead = max((1000 * (cell.launch + cell.setup) for cell in registers), default=0.0)
    return CellNetlist(
        design=design.name,
        library=table,
        area_um2=round(area, 3),
        gate_equivalents=round(area / table.equivalent, 1),
        delay_ps=delay,
        period_ps=round(delay + overhead, 1),
        cells=cells,
        memories=info["memories"],
        folder=folder,
        top=design.top,
        clock=design.clock,
    )
