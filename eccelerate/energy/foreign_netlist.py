"""The energy of a netlist of others: its Verilog, the Liberty file of its cells, the toggles of a VCD file,
and the wires of a SPEF file.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from eccelerate.energy.cell_mapping import run_worker
from eccelerate.energy.gate_netlist import GateNetlist, read_netlist
from eccelerate.energy.liberty_import import import_library
from eccelerate.energy.liberty_writer import liberty_text
from eccelerate.energy.library import NAMES, Library, load_library
from eccelerate.energy.power import Energy, Wires, estimate
from eccelerate.energy.spef import net_capacitances
from eccelerate.energy.vcd_activity import vcd_activity
from eccelerate.flow.errors import FlowError


@dataclass(frozen=True)
class ForeignEnergy:
    """The energy of a netlist in the time of a VCD file, and what was not found there: nets without activity,
    and, with a SPEF file, nets without a wire.
    """

    netlist: GateNetlist
    library: Library
    energy: Energy
    scope: str
    missing: list[str]
    wires: int | None
    area_um2: float


def foreign_energy(
    verilog: Path, library: str | Path, vcd: Path, *, spef: Path | None = None, top: str = "", scope: str = ""
) -> ForeignEnergy:
    """Estimate the power of a netlist. `library` is one of NAMES or a Liberty file. Raises FlowError."""
    for path in (verilog, vcd, *([spef] if spef else [])):
        if not path.is_file():
            raise FlowError(f"no such file: {path}")
    known = isinstance(library, str) and library in NAMES
    table = load_library(str(library)) if known else import_library(Path(library), every=True)
    netlist = read_verilog(verilog, table, None if known else Path(library), top)
    foreign = sorted({gate.kind for gate in netlist.gates} - table.cells.keys())
    if foreign:
        raise FlowError(f"{verilog.name}: cells that {table.name} does not have: {', '.join(foreign[:8])}")
    mapped = vcd_activity(vcd, netlist, scope)
    wires = Wires(nets=net_capacitances(spef, netlist)) if spef else None
    energy = estimate(netlist, mapped.activity, table, clock="", wires=wires)
    area = sum(table.cells[gate.kind].area for gate in netlist.gates)
    count = None if wires is None or wires.nets is None else len(wires.nets)
    return ForeignEnergy(netlist, table, energy, mapped.scope, mapped.missing, count, round(area, 3))


def read_verilog(verilog: Path, table: Library, liberty: Path | None, top: str = "") -> GateNetlist:
    """The flat netlist of a Verilog file of cells. Raises FlowError."""
    with tempfile.TemporaryDirectory(prefix="eccel-netlist-") as name:
        folder = Path(name)
        shutil.copyfile(verilog, folder / "netlist.v")
        (folder / "cells.lib").write_text(liberty_text(table) if liberty is None else _text(liberty))
        job = {"do": "read", "files": ["netlist.v"], "liberty": "cells.lib", "top": top, "out": "netlist"}
        try:
            run_worker(job, folder, "read")
        except FlowError as error:
            raise FlowError(f"{verilog}: {str(error).split(' (log:')[0].split('failed: ')[-1]}") from error
        found = json.loads((folder / "netlist.info.json").read_text())["top"]
        return read_netlist(folder / "netlist.json", found)


def _text(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode(errors="replace")
