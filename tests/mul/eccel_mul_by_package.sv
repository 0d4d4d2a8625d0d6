// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eccel_mul with the latency and the interval that eccel_mul_pkg computes from its parameters.

module eccel_mul_by_package #(
    parameter int Kind      = 0,
    parameter int Bits      = 32,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  logic [15:0] latency, interval;

  eccel_mul #(
      .Kind     (Kind),
      .Bits     (Bits),
      .Levels   (Levels),
      .Word     (Word),
      .Lanes    (Lanes),
      .Pipelined(Pipelined)
  ) u_mul (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .a_i,
      .b_i,
      .valid_o,
      .p_o,
      .latency_o (latency),
      .interval_o(interval)
  );

  // A unit that says something else than the package says 0, which no bench accepts.
  assign latency_o  = 16'(eccel_mul_pkg::latency(Kind, Bits, Levels, Word, Lanes, Pipelined));
  assign interval_o = latency != latency_o ? '0
      : interval == 16'(eccel_mul_pkg::interval(Kind, Bits, Levels, Word, Lanes, Pipelined)) ? interval
      : '0;

endmodule
