// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier that adds digit products in columns (Comba): p = a * b.
//
// Parameters Bits >= 2. Lanes >= 1: multiplier blocks, at most. Digit: bits of a digit, at most 18;
//            16 suits the blocks of all families. Pipelined: the registers of the blocks and one
//            after each addition.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    eccel_mul_pkg::comba_latency
// Interval   Digits * Passes, with Digits = ceil(Bits / Digit), Passes = ceil(Digits / Lanes), so
//            Digits^2 / Lanes where Lanes divides Digits. There are ceil(Digits / Passes) blocks,
//            no more than this interval needs. With several passes, a pass takes at least four
//            cycles more than there are blocks.
// After      Comba 1990; Gueneysu, Paar 2008.

module eccel_mul_comba #(
    parameter int Bits      = 256,
    parameter int Lanes     = 8,
    parameter bit Pipelined = 1'b1,
    parameter int Digit     = 16
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

  if (Lanes < 1) begin : gen_no_lanes
    $error("eccel_mul_comba: Lanes is at least 1");
  end else if (Digit < 1 || Digit > 18) begin : gen_bad_digit
    $error("eccel_mul_comba: Digit is 1 to 18");
  end else begin : gen_array
    eccel_mul_array #(
        .Bits     (Bits),
        .Width    (Digit),
        .Lanes    (eccel_mul_pkg::comba_lanes(Bits, Lanes, Digit)),
        .Pipelined(Pipelined)
    ) u_array (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end

endmodule
