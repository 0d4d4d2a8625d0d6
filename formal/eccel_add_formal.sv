// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_add: it gives the sum that its header promises, for every operand.

module eccel_add_formal #(
    parameter int Width = 32
) (
    input logic [Width-1:0] a_i,
    input logic [Width-1:0] b_i,
    input logic             add_i,
    input logic             sub_i,
    input logic             c_i
);

  logic [Width:0] sum;
  eccel_add #(
      .Width(Width)
  ) u_add (
      .a_i,
      .b_i,
      .add_i,
      .sub_i,
      .c_i,
      .sum_o(sum)
  );

  logic [Width:0] b, expected;
  assign b = add_i ? {1'b0, b_i} : sub_i ? {1'b0, ~b_i} : '0;
  assign expected = {1'b0, a_i} + b + (Width + 1)'(c_i);

  always_comb begin
    assume (!(add_i && sub_i));
    assert (sum == expected);
  end

endmodule
