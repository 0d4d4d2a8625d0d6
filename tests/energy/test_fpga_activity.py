"""The relative activity of a netlist for an FPGA comes from a run that equals that of the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.energy.fpga_activity import fpga_activity
from eccelerate.energy.unit_energy import recorded
from eccelerate.energy.unit_operands import find_unit
from eccelerate.flow import synthesise
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_design

MODELS = (ROOT / "tests" / "prim" / "models" / "ecp5.v",)
UNIT = find_unit("booth-8")


def test_activity_of_a_mapped_multiplier(tmp_path: Path) -> None:
    mapped = synthesise(unit_design(UNIT), "ecp5-25f-6")
    with recorded(UNIT, 1000) as run:
        found = fpga_activity(mapped, run.trace, MODELS, window=run.window, qualifier="valid_o")
        assert found.activity.clocks == run.window.clocks
        assert 0 < found.toggles_per_clock < found.nets
        # Each toggle counts its fan-out and its cell, so more than one and less than the largest fan-out.
        assert found.toggles_per_clock < found.weighted_per_clock < found.nets * found.toggles_per_clock
        lines = run.trace.read_text().splitlines()
    place = len(lines) - 8
    inputs, outputs = lines[place].split()
    lines[place] = f"{inputs} {int(outputs, 16) ^ (3 << (len(outputs) * 4 - 4)):0{len(outputs)}x}"
    wrong = tmp_path / "trace"
    wrong.write_text("\n".join(lines) + "\n")
    with pytest.raises(FlowError, match="outputs differ"):
        fpga_activity(mapped, wrong, MODELS, qualifier="valid_o")
    with pytest.raises(FlowError, match="ecp5 only"):
        fpga_activity(synthesise(unit_design(UNIT), "up5k"), wrong)
