// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Tests whether an element is 0.
//
// Parameters Width of an element.
// Guarantees zero_o: value_i was 0 two cycles before.

module eccel_gf2m_zero #(
    parameter int Width = 163
) (
    input  logic             clk_i,
    input  logic [Width-1:0] value_i,
    output logic             zero_o
);

  localparam int GroupBits = 16;
  localparam int Groups = (Width + GroupBits - 1) / GroupBits;

  logic [Groups*GroupBits-1:0] groups;
  logic [Groups-1:0] any_q;

  assign groups = (Groups * GroupBits)'(value_i);

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Groups; i++) any_q[i] <= |groups[i*GroupBits+:GroupBits];
    zero_o <= any_q == '0;
  end

endmodule
