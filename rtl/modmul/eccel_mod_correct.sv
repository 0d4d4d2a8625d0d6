// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Last step of a modular operation: adds or subtracts the modulus once where that is needed.
//
// Parameters Width >= 1. Pipelined: as in eccel_wide_add.
// Requires   modulus_i < 2^Width. If difference_i is 0: 0 <= x_i < 2 * modulus_i. If it is 1: x_i
//            is in two's complement, -modulus_i <= x_i < modulus_i.
// Guarantees r_o = x_i mod modulus_i, in [0, modulus_i). No timing depends on data.
// Latency    eccel_adder_pkg::correct_latency(Width, Pipelined)
// Interval   1

module eccel_mod_correct #(
    parameter int Width     = 256,
    parameter bit Pipelined = 1'b1
) (
    input  logic             clk_i,
    input  logic [  Width:0] x_i,
    input  logic             difference_i,
    input  logic [Width-1:0] modulus_i,
    output logic [Width-1:0] r_o
);

  localparam int Cycles = eccel_adder_pkg::wide_add_latency(Width + 1, Pipelined);

  logic [Width:0] addend;
  logic [Width+1:0] other;  // x plus or minus the modulus
  logic [Width:0] x;
  logic difference;

  assign addend = difference_i ? {1'b0, modulus_i} : ~{1'b0, modulus_i};

  eccel_wide_add #(
      .Width    (Width + 1),
      .Pipelined(Pipelined)
  ) u_add (
      .clk_i,
      .a_i  (x_i),
      .b_i  (addend),
      .c_i  (!difference_i),
      .sum_o(other)
  );
  eccel_delay #(
      .Width (Width + 2),
      .Cycles(Cycles)
  ) u_delay (
      .clk_i,
      .d_i({difference_i, x_i}),
      .q_o({difference, x})
  );

  // A subtraction carries if it gives no borrow. A negative difference has its sign bit set.
  always_ff @(posedge clk_i) begin
    r_o <= (difference ? x[Width] : other[Width+1]) ? other[Width-1:0] : x[Width-1:0];
  end

endmodule
