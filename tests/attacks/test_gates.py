"""Traces of a mapped netlist: the netlist does what the RTL does, and shows what is known to leak."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from eccelerate.attacks.gate_source import gate_batches
from eccelerate.attacks.leak_campaign import Timeline, run
from eccelerate.attacks.leak_case import find_case
from eccelerate.attacks.trace_source import Setup, TraceError
from eccelerate.configs.config import ROOT, find_config
from eccelerate.curves.small import find_small_curve
from eccelerate.energy.port_recorder import INPUTS, OUTPUTS

SETUP = Setup(
    find_config("compact-w16"), find_small_curve(65521, 65518), find_case("mul-scalar"), cells="sg13g2"
)
TOPS = sorted((ROOT / "rtl" / "engines").glob("*/eccel_ecp_*.sv"))


@pytest.mark.parametrize("top", TOPS, ids=lambda path: path.stem)
def test_the_recorder_has_the_ports_of_every_engine(top: Path) -> None:
    head = top.read_text().partition(") (")[2].partition(");")[0]
    ports = re.findall(r"^\s*(input|output)\s+\S+\s+(\w+)", head, re.MULTILINE)
    assert ports, "the header of the module has another form"
    assert {name for way, name in ports if way == "input"} == {"clk_i", *(name for name, _ in INPUTS)}
    assert {name for way, name in ports if way == "output"} == {name for name, _ in OUTPUTS}


@pytest.mark.soak
def test_gates_show_an_unblinded_scalar() -> None:
    """The outputs of the netlist are compared with those of the RTL on the way."""
    unblinded = Setup(SETUP.config, SETUP.curve, SETUP.case, off=("blind",), cells=SETUP.cells)
    found = run(unblinded, 200, 2)
    assert found.above > 0 and {place.routine for place in found.places} - {"request"}
    assert found.record["cells"] == "sg13g2"


@pytest.mark.soak
def test_gates_give_the_same_traces_with_any_number_of_workers() -> None:
    length = Timeline(SETUP).samples
    one, two = (list(gate_batches(SETUP, 60, length, workers)) for workers in (1, 2))
    assert sum(len(fixed) for _, fixed in one) == 60
    for (traces, fixed), (other, same) in zip(one, two, strict=True):
        assert np.array_equal(traces, other) and np.array_equal(fixed, same)
    with pytest.raises(TraceError, match="constant time"):
        list(gate_batches(SETUP, 1, length + 1, 1))
