// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum of two words without carries, on one carry chain that synthesis does not merge with others.
//
// Parameters Width >= 1.
// Guarantees sum_o = a_i + b_i modulo 2^Width. Combinational.

module eccel_sum #(
    parameter int Width = 64
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic [Width-1:0] sum_o
);

  logic unused_carry;

  eccel_add #(
      .Width(Width)
  ) u_add (
      .a_i,
      .b_i,
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o({unused_carry, sum_o})
  );

endmodule
