// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit-serial adder: adds two numbers digit by digit, lowest digit first, one digit a cycle.
//
// Parameters Width >= 1: bits of a digit.
// Requires   The sum of the last two digits of a pair of numbers has no carry, so that the next
//            pair starts without one; for example, the numbers end with digits 0.
// Guarantees sum_o is the digit of the sum, combinational. A flip-flop keeps the carry for the next
//            digit.

module eccel_serial_add #(
    parameter int Width = 32
) (
    input  logic             clk_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic [Width-1:0] sum_o
);

  logic [Width:0] sum;
  logic carry_q;

  eccel_add #(
      .Width(Width)
  ) u_add (
      .a_i,
      .b_i,
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (carry_q),
      .sum_o(sum)
  );

  always_ff @(posedge clk_i) carry_q <= sum[Width];
  assign sum_o = sum[Width-1:0];

endmodule
