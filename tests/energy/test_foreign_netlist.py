"""A netlist of others with its VCD and SPEF files gets the power that a reader computes by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.energy.foreign_netlist import foreign_energy
from eccelerate.energy.spef import spef_capacitances
from eccelerate.energy.vcd_activity import read_vcd
from eccelerate.flow.errors import FlowError
from tests.energy.small_netlists import TINY

NETLIST = """
module toggle (input clk, input a, output n, output q);
  dff_1 f (.D(n), .CK(clk), .Q(q));
  nand2_1 g (.A(a), .B(q), .Y(n));
endmodule
module top (input clk, input a, output [1:0] y);
  wire n;
  toggle u_t (.clk(clk), .a(a), .n(n), .q(y[1]));
  inv_1 i (.A(n), .Y(y[0]));
endmodule
"""
PERIODS = 8


def vcd_text() -> str:
    """The netlist below a bench, for 8 clocks of 10 ns: q, n and y[0] toggle in each of them."""
    lines = [
        "$date today $end", "$timescale 100 ps $end",
        "$scope module bench $end", "$var wire 1 ! clk $end",
        "$scope module dut $end", "$var wire 1 ! clk $end", '$var wire 1 " a $end',
        "$var wire 2 # y [1:0] $end",
        "$scope module u_t $end", "$var wire 1 $ n $end", "$upscope $end",
        "$upscope $end", "$upscope $end", "$enddefinitions $end",
        "#0", "$dumpvars", "0!", '1"', "b0x #", "x$", "$end", "b00 #", "1$",
    ]  # fmt: skip
    q = 0
    for clock in range(PERIODS):
        q = 1 - q
        lines += [f"#{100 * clock + 50}", "1!", f"b{q}{q} #", f"{1 - q}$", f"#{100 * clock + 100}", "0!"]
    return "\n".join(lines) + "\n"


SPEF = """*SPEF "IEEE 1481-1998"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*C_UNIT 1 FF
*NAME_MAP
*1 u_t/n
*2 y[1]
*PORTS
a I
*D_NET *1 2.5
*CONN
*I u_t/g:Y O
*END
*D_NET *2 1.5
*END
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"v": NETLIST, "vcd": vcd_text(), "spef": SPEF}
    for kind, text in texts.items():
        (tmp_path / f"top.{kind}").write_text(text)
    return {kind: tmp_path / f"top.{kind}" for kind in texts}


def test_hand_computed_power(files: dict[str, Path]) -> None:
    """As the netlist of test_power.py, whose numbers are explained there: V = 2, C V^2 / 2 = 2 C."""
    found = foreign_energy(files["v"], TINY, files["vcd"], top="top")
    assert found.missing == [] and found.scope == "bench.dut" and found.area_um2 == 16
    seconds = PERIODS * 10e-9
    switching = PERIODS * 2 * (2 * 0.004 + 0.003 + 0.002)
    internal = PERIODS * (0.008 + 0.055 + 0.002 + 0.0015 + 0.0005 + 0.025)
    energy = found.energy
    assert energy.seconds == pytest.approx(seconds)
    assert energy.switching_w == pytest.approx(switching * 1e-12 / seconds)
    assert energy.internal_w == pytest.approx(internal * 1e-12 / seconds)
    assert energy.leakage_w == pytest.approx(9e-9)


def test_wires_of_a_spef_file_are_charged(files: dict[str, Path]) -> None:
    bare = foreign_energy(files["v"], TINY, files["vcd"], top="top").energy
    found = foreign_energy(files["v"], TINY, files["vcd"], spef=files["spef"], top="top")
    assert found.wires == 2
    assert spef_capacitances(files["spef"]) == pytest.approx({"u_t.n": 0.0025, "y[1]": 0.0015})
    assert found.energy.switching_pj - bare.switching_pj == pytest.approx(PERIODS * 2 * 0.004)


def test_glitches_of_a_vcd_file_count(files: dict[str, Path]) -> None:
    """A pulse of n within a clock is two more toggles of it."""
    bare = foreign_energy(files["v"], TINY, files["vcd"], top="top").energy
    text = vcd_text().replace("#150\n", "#120\n1$\n#130\n0$\n#150\n")
    files["vcd"].write_text(text)
    glitch = foreign_energy(files["v"], TINY, files["vcd"], top="top").energy
    assert glitch.switching_pj - bare.switching_pj == pytest.approx(2 * 2 * 0.002)
    signal, _ = read_vcd(files["vcd"]).scopes["bench.dut.u_t"]["n"]
    assert signal.toggles == [PERIODS + 2]


def test_command_prints_the_powers(files: dict[str, Path]) -> None:
    arguments = ["energy", "--netlist", files["v"], "--liberty", TINY, "--vcd", files["vcd"], "--spef",
                 files["spef"], "--top", "top", "--json"]  # fmt: skip
    done = CliRunner().invoke(app, [str(x) for x in arguments])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    parts = [said[name] for name in ("switching_w", "internal_w", "leakage_w")]
    assert said["total_w"] == pytest.approx(sum(parts)) and min(parts) > 0
    assert said["nets_without_activity"] == 0 and said["nets_with_wire"] == 2


def test_net_that_the_vcd_file_lacks_is_reported(files: dict[str, Path]) -> None:
    files["vcd"].write_text(vcd_text().replace("$var wire 1 $ n", "$var wire 1 $ other"))
    found = foreign_energy(files["v"], TINY, files["vcd"], top="top")
    assert len(found.missing) == 1 and found.missing[0].endswith("n")


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("v", "module top (input a); nothing_1 x (.A(a)); endmodule", "nothing_1"),
        ("v", "no Verilog", "top.v"),
        ("vcd", "nonsense\n", "no VCD file"),
        ("vcd", "$timescale 1 ns $end\n$enddefinitions $end\n#0\n", "no time"),
        ("vcd", "$timescale 1 ns $end\n$scope module z $end\n$var wire 1 ! clock $end\n$upscope $end\n"
                "$enddefinitions $end\n#0\n0!\n#5\n1!\n", "no net of top"),
        ("spef", "nonsense\n", "no SPEF file"),
        ("spef", '*SPEF "x"\n*D_NET z much\n', "not understood"),
        ("spef", '*SPEF "x"\n*D_NET z 1\n', "none of its 1 nets"),
    ],
)  # fmt: skip
def test_malformed_file_is_refused(files: dict[str, Path], kind: str, text: str, said: str) -> None:
    files[kind].write_text(text)
    with pytest.raises(FlowError, match=said):
        foreign_energy(files["v"], TINY, files["vcd"], spef=files["spef"], top="top")


@pytest.mark.parametrize(
    "arguments",
    [
        ["energy"],
        ["energy", "--netlist", "x.v"],
        ["energy", "booth-8", "--vcd", "x.vcd"],
        ["energy", "booth-8", "--library", "none"],
        ["energy", "booth-8", "--library", "sg13g2", "--liberty", "x.lib"],
        ["energy", "booth-8", "--liberty", "absent.lib"],
        ["energy", "no-such-unit"],
    ],
)
def test_wrong_use_is_explained(arguments: list[str]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
