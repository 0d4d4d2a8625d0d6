// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The three products of a Montgomery product, from three multipliers in a row.
//
// Parameters, Requires: see eccel_montgomery.
// Guarantees t = a_i * b_i with t_valid_o, MulLatency cycles after the operands were taken. The
//            upper half of u = q * m, q = t m' mod R, with u_valid_o, 2 * MulLatency cycles later.
// Interval   that of the multiplier

module eccel_montgomery_row #(
    parameter int Kind      = eccel_mul_pkg::ShiftAdd,
    parameter int Bits      = 256,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] a_i,
    input  logic [Bits-1:0] b_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] inverse_i,
    output logic            t_valid_o,
    output logic [Bits-1:0] t_low_o,
    output logic [Bits-1:0] t_high_o,
    output logic            u_valid_o,
    output logic [Bits-1:0] u_high_o
);

  logic [2:0][Bits-1:0] a, b, low, high;
  logic [2:0] valid, done, ready;
  logic [2:0][15:0] unused_latency, unused_interval;  // the package has them
  logic unused;

  assign valid     = {done[1:0], valid_i};
  assign a[0]      = a_i;
  assign a[1]      = low[0];
  assign a[2]      = low[1];
  assign b[0]      = b_i;
  assign b[1]      = inverse_i;
  assign b[2]      = modulus_i;
  assign ready_o   = ready[0];
  assign t_valid_o = done[0];
  assign t_low_o   = low[0];
  assign t_high_o  = high[0];
  assign u_valid_o = done[2];
  assign u_high_o  = high[2];
  // The later multipliers have the pace of the first one.
  assign unused    = ^{ready[2:1], low[2], high[1]};

  for (genvar i = 0; i < 3; i++) begin : gen_pass
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
        .valid_i   (valid[i]),
        .ready_o   (ready[i]),
        .a_i       (a[i]),
        .b_i       (b[i]),
        .valid_o   (done[i]),
        .p_o       ({high[i], low[i]}),
        .latency_o (unused_latency[i]),
        .interval_o(unused_interval[i])
    );
  end

endmodule
