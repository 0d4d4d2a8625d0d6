// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum and difference, modulo a sparse prime p or of integers, word by word.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg.
// Requires   a_i and b_i come one word in a cycle from first_i on. Their values are below 2^n, n
//            the number of bits of p, unless whole_i. One of add_i and sub_i, or with whole_i none,
//            is 1 for `words` cycles. pass_i is 0 with first_i, else 1. whole_i and canon_i come
//            with first_i. With canon_i b = 2^n - p and add_i is 1.
// Guarantees The words of r come one in a cycle from first_o on: r = a + b mod p, with sub_i a - b
//            mod p, 0 <= r < 2^n. With canon_i r = a mod p, 0 <= r < p. With whole_i r is the
//            integer a + b, a - b or a modulo 2^(w * words), w the bits of a word. carry_o, `words`
//            cycles after first_i: the carry or borrow of that sum. Timing does not depend on data.
// Latency    words + 4 cycles for each word.
// Interval   words

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

  // The carry enters as a bit of weight 1/2, with a second bit of that weight and c_i. Two of the
  // three make a carry: the other two let it pass, or in word 0 decide without it. So there is no
  // gate in the carry loop. Without b no carry passes, and a alone has none.
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

  // A difference is 2^(w * words) too large, so that no carry means a borrow.
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
