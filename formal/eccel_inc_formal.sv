// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_inc: it adds one modulo 2^Width, for every operand.

module eccel_inc_formal #(
    parameter int Width = 6
) (
    input logic [Width-1:0] d_i
);

  logic [Width-1:0] q, expected;

  eccel_inc #(
      .Width(Width)
  ) u_inc (
      .d_i,
      .q_o(q)
  );

  assign expected = d_i + Width'(1'b1);

  always_comb assert (q == expected);

endmodule
