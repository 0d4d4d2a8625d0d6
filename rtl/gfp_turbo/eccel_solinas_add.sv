// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum and difference, modulo a sparse prime p or of integers, word by word.
//
// Parameters Prime, a number of eccel_solinas_pkg.
// Requires   a_i and b_i one word a clock from first_i on, values below 2^n, n = bits of p, unless whole_i. One of add_i
//            and sub_i, or with whole_i none, stays for `words` clocks; pass_i is 0 with first_i, else 1; whole_i,
//            canon_i with first_i; with canon_i b = 2^n - p and add_i.
// Guarantees words of r one a clock from first_o on, 0 <= r < 2^n: r = a + b mod p, with sub_i a - b mod p; with canon_i
//            r = a mod p, 0 <= r < p; with whole_i the integer a + b, a - b or a modulo 2^(w * words).
//            carry_o: carry or borrow of that, in the clock `words` behind first_i. No data-dependent timing.
// Latency    words + 4 clocks from word to word; interval `words`.

module eccel_solinas_add
  import eccel_solinas_pkg::*;
#(
    parameter int Prime = P256,
    localparam field_t Field = field(Prime),
    localparam int WordBits = 2 * Field.digit_bits,
    localparam int OverBits = Field.quotient_bits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                first_i,
    input logic                pass_i,
    input logic                add_i,
    input logic                sub_i,
    input logic                whole_i,
    input logic                canon_i,
    input logic [WordBits-1:0] a_i,
    input logic [WordBits-1:0] b_i,

    output logic                carry_o,
    output logic                first_o,
    output logic [WordBits-1:0] word_o
);

  logic [WordBits+1:0] sum;
  logic [WordBits-1:0] word_q;
  logic c_q, first_q, sub_q, canon_q, whole_q;

  // The carry enters as a bit of weight 1/2; of it, the one beside it and c_i at least two make a carry, which lets it
  // pass or, in word 0, outvotes it: no gate in the carry loop. Without b nothing passes, and a alone has no carry.
  eccel_add #(
      .Width(WordBits + 1)
  ) u_add (
      .a_i  ({a_i, c_q}),
      .b_i  ({b_i, pass_i}),
      .add_i,
      .sub_i,
      .c_i  (sub_i),
      .sum_o(sum)
  );

  always_ff @(posedge clk_i) begin
    {c_q, word_q} <= sum[WordBits+1:1];
    first_q <= first_i;
    sub_q   <= sub_i;
    canon_q <= canon_i;
    whole_q <= whole_i;
    if (!rst_ni) first_q <= 1'b0;
  end

  assign carry_o = c_q ^ sub_q;

  // A difference is 2^(w * words) too large: no carry is a borrow.
  eccel_solinas_fold #(
      .Prime(Prime)
  ) u_fold (
      .clk_i,
      .rst_ni,
      .first_i (first_q),
      .canon_i (canon_q),
      .raw_i   (whole_q),
      .whole_i (whole_q),
      .word_i  (word_q),
      .over_i  (signed'({OverBits{sub_q}})),
      .over_c_i(c_q),
      .first_o,
      .word_o
  );

endmodule
