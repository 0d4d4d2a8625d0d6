"""Adders for Nexus still add after the flow has rewired their constant carry inputs: proved against the
RTL.
"""

import json
import sys
from pathlib import Path

import pyosys
import pytest

from eccelerate.flow import Design, FlowError, synthesise, tools
from eccelerate.flow.netlist import repair_constant_carries

CELLS = Path(pyosys.__file__).parent / "share" / "lattice" / "cells_sim_nexus.v"

# A constant in the low bits lets Yosys fold the first carries away, which leaves a constant carry input.
RTL = """\
module gold (input logic [9:0] a, b, output logic [11:0] s, output logic [9:0] d, output logic [15:0] t);
  assign s = {a, 2'b00} + {b, 2'b11};
  assign d = a - b;
  assign t = {a, 6'b111111} - {b, 6'b000001};
endmodule
"""


def proof(netlist: Path, folder: Path) -> str:
    """Log of a SAT proof that ``netlist`` (Verilog, module gold) equals the RTL. Yosys fails if it does
    not.
    """
    (folder / "gold.sv").write_text(RTL)
    (folder / "gate.v").write_text(netlist.read_text().replace("module gold(", "module gate("))
    script = f"""\
from pyosys import libyosys as ys
d = ys.Design()
for c in (
    "read_slang --top gold gold.sv",
    "setattr -mod -unset top gold",
    "read_verilog gate.v {CELLS}",
    "hierarchy; proc; flatten; opt_clean",
    "miter -equiv -flatten gold gate miter",
    "sat -verify -prove trigger 0 miter",
):
    ys.run_pass(c, d)
"""
    (folder / "prove.py").write_text(script)
    return tools.run([sys.executable, "prove.py"], folder, folder / "prove.log", 120)


def test_rewired_carries_still_add(tmp_path: Path) -> None:
    path = tmp_path / "gold.sv"
    path.write_text(RTL)
    mapped = synthesise(Design("carry", "gold", [path]), "lifcl-40")
    assert json.loads((mapped.folder / "netlist.info.json").read_text())["carries_cut"] > 0
    assert "SAT proof finished - no model found: SUCCESS" in proof(mapped.verilog, tmp_path)

    mutant = tmp_path / "mutant.v"
    mutant.write_text(mapped.verilog.read_text().replace('"0x00AA"', '"0x0055"'))
    with pytest.raises(FlowError, match="proof did fail"):
        proof(mutant, tmp_path)


def test_fed_carries_still_add(tmp_path: Path) -> None:
    """The other repair, on a chain whose start cells were folded into constants, as an optimiser might do."""
    path = tmp_path / "gold.sv"
    path.write_text(RTL)
    mapped = synthesise(Design("carry", "gold", [path]), "lifcl-40")
    netlist = json.loads(mapped.netlist.read_text())
    module = netlist["modules"]["gold"]
    cells = module["cells"]
    level = {"VLO": "0", "VHI": "1"}
    nets = {c["connections"]["Z"][0]: level[c["type"]] for c in cells.values() if c["type"] in level}
    starts = {n: c for n, c in cells.items() if c["type"] == "CCU2" and c["parameters"]["INIT0"] == "0xFFFF"}
    for name, start in starts.items():
        [user] = [c for c in cells.values() if c["connections"].get("CIN") == start["connections"]["COUT"]]
        user["connections"]["CIN"] = [nets[start["connections"]["A1"][0]]]
        del cells[name]
    assert repair_constant_carries(module) == {"carries_cut": 0, "carries_fed": len(starts)}
    (tmp_path / "fed.json").write_text(json.dumps(netlist))
    convert = "from pyosys import libyosys as ys\nd = ys.Design()\nys.run_pass('read_json fed.json', d)\n"
    convert += "ys.run_pass('hierarchy -top gold', d)\nys.run_pass('write_verilog -noattr fed.v', d)\n"
    tools.run([sys.executable, "-c", convert], tmp_path, tmp_path / "convert.log", 60)
    assert "no model found: SUCCESS" in proof(tmp_path / "fed.v", tmp_path)
