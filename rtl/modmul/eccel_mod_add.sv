// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum and difference modulo m, one in each cycle.
//
// Parameters Width >= 1. Pipelined: as in eccel_wide_add.
// Requires   m = modulus_i is stable, and 0 < m < 2^Width. With sub_i: a_i, b_i < m, and c_i is 0.
//            Else a_i + b_i + c_i < 2 m.
// Guarantees r_o = a_i + b_i + c_i mod m, with sub_i a_i - b_i mod m, in [0, m).
// Latency    eccel_adder_pkg::mod_add_latency(Width, Pipelined)
// Interval   1

module eccel_mod_add #(
    parameter int Width     = 256,
    parameter bit Pipelined = 1'b1
) (
    input  logic             clk_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             c_i,
    input  logic             sub_i,
    input  logic [Width-1:0] modulus_i,
    output logic [Width-1:0] r_o
);

  localparam int Cycles = eccel_adder_pkg::wide_add_latency(Width, Pipelined);

  logic [Width:0] sum;
  logic sub;

  eccel_wide_add #(
      .Width    (Width),
      .Pipelined(Pipelined)
  ) u_add (
      .clk_i,
      .a_i,
      .b_i  (b_i ^ {Width{sub_i}}),
      .c_i  (c_i || sub_i),
      .sum_o(sum)
  );
  eccel_delay #(
      .Width (1),
      .Cycles(Cycles)
  ) u_delay (
      .clk_i,
      .d_i(sub_i),
      .q_o(sub)
  );
  eccel_mod_correct #(
      .Width    (Width),
      .Pipelined(Pipelined)
  ) u_correct (
      .clk_i,
      // The carry of a difference means: no borrow.
      .x_i         ({sum[Width] ^ sub, sum[Width-1:0]}),
      .difference_i(sub),
      .modulus_i,
      .r_o
  );

endmodule
