// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier that takes `Word` bits of b in each cycle, for all of a: p = a * b.
//
// Parameters Bits >= 2. Word: 1 .. 36, at most Bits. Up to 18 bits a word of a takes one multiplier
//            block, above four; with 2 * 16, 2 * 17 and 2 * 18 bits all of them are used.
//            Pipelined: the registers of the blocks and one after each addition.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    2 * Words + 6; Pipelined: 2 * Words + 10, with words above 18 bits 2 * Words + 11
// Interval   Words = ceil(Bits / Word)

module eccel_mul_broadcast #(
    parameter int Bits      = 256,
    parameter int Word      = 32,
    parameter bit Pipelined = 1'b1
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

  if (Word < 1 || Word > 36 || Word > Bits) begin : gen_bad_word
    $error("eccel_mul_broadcast: Word is 1 to 36, and at most Bits");
  end else begin : gen_array
    eccel_mul_array #(
        .Bits     (Bits),
        .Width    (Word),
        .Lanes    (eccel_mul_pkg::ceil_div(Bits, Word)),
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
