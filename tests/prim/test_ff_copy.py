"""Synthesis for ECP5 keeps the copies that eccel_ff_copy makes, where it merges equal registers."""

from pathlib import Path

from eccelerate.flow import Design, synthesise

PRIM = Path(__file__).resolve().parents[2] / "rtl" / "prim"
COPIES = """
module copies (input logic clk_i, d_i, output logic [3:0] q_o);
  for (genvar i = 0; i < 2; i++) begin : gen_copy
    eccel_ff_copy u_copy (.clk_i, .d_i, .q_o(q_o[i]));
  end
  always_ff @(posedge clk_i) q_o[3:2] <= {2{d_i}};
endmodule
"""


def test_copies_are_kept(tmp_path: Path) -> None:
    top = tmp_path / "copies.sv"
    top.write_text(COPIES)
    design = Design("copies", "copies", [PRIM / "eccel_ff_copy.sv", top])
    # The two copies, and one register for the two equal ones beside them.
    assert synthesise(design, "ecp5-25f-6").counts.ff == 3
