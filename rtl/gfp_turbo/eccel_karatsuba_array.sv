// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Karatsuba multiplier of one level: as eccel_comba_array with three multiplier blocks for every
// four digits of a, and not four.
//
// Parameters DigitBits <= 17; Words W of two digits: 4, 6 or 8; an operand has 2 W digits.
// Requires   start_i comes at most every 2 W cycles. With t from 0 to W - 1 and f = W / 2 - 2, the
//            lower part of b_i is digit t of b t cycles after start_i, the upper part is digit
//            W + t f + t cycles after it, and both are the same once more W cycles later. a_i is a:
//            the lower half counts 0 and W cycles after start_i, the upper one f + 1, W, f + 1 + W.
// Guarantees The words of a * b, lowest first: low words with low_valid_o, word 0 with low_first_o;
//            high words one in each cycle from 5 cycles after soon_o, and then the same ones again,
//            because a reduction uses them twice. Timing does not depend on data.
// Latency    Low word m comes 12 + 2 m cycles after start_i, high word m 5 W / 2 + 10 + m cycles
//            after it.
// Interval   2 W
// After      Karatsuba, Ofman 1962; Bernstein 2009 (Batch binary Edwards), who adds less often.
//
// Halves a = A1 x + A0, b = B1 x + B0, with x a half of the digits. W lanes compute L = A0 B0 and
// then M = (A0 + A1)(B0 + B1). W / 2 lanes compute H = A1 B1 in two passes: P with the lower half
// of the digits of A1, Q with the others, half as many columns higher. Every stream has one column
// in a cycle. With l, m, h for the lower columns of a product and l', m', h' for the others, and
// g = l' - h, the columns of a b are
//
//    l        m + (g - l)        (m' - h') - g        h'
//
// so that g and m' - h' come from one adder, and g - l and the third part from another one.
// Columns are the same as in eccel_comba_array, so that everything before them may be modulo
// 2^SumBits.

module eccel_karatsuba_array #(
    parameter int DigitBits = 16,
    parameter int Words = 8,
    localparam int Lanes = 2 * Words,
    localparam int WordBits = 2 * DigitBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                       start_i,
    input logic [Lanes*DigitBits-1:0] a_i,
    input logic [    2*DigitBits-1:0] b_i,

    output logic                low_first_o,
    output logic                low_valid_o,
    output logic [WordBits-1:0] low_o,
    output logic                soon_o,
    output logic [WordBits-1:0] high_o
);

  localparam int Half = Words;  // digits of a half
  localparam int Quarter = Words / 2;
  localparam int Far = Quarter - 2;  // cycles from a digit of B0 to the same one of B1
  localparam int SumBits = 2 * DigitBits + $clog2(Lanes);
  localparam int FactorBits = DigitBits + 1;
  localparam int Last = 2 * Half + Quarter + Far + 4;

  if (!(Words inside {4, 6, 8})) begin : gen_words
    $error("eccel_karatsuba_array: 4, 6 or 8 words");
  end

  typedef logic [SumBits-1:0] sum_t;
  typedef logic [DigitBits-1:0] digit_t;

  logic [Last:0] at;  // start_i, as many cycles ago
  logic [Last:1] at_q;

  assign at = {at_q, start_i};

  always_ff @(posedge clk_i) begin
    at_q <= at[Last-1:0];
    if (!rst_ni) at_q <= '0;
  end

  // ------------------------------------------------------------------ operands

  logic sum_a_q, sum_b_q, second_q;  // the sums of halves; the second pass of H
  logic [Half*FactorBits-1:0] a_q;
  logic [Quarter*DigitBits-1:0] a_far;
  logic [FactorBits-1:0] b;
  digit_t far_q[Half-Far+1];

  assign far_q[0] = b_i[2*DigitBits-1:DigitBits];

  always_ff @(posedge clk_i) begin
    sum_a_q  <= at[Half-1];
    second_q <= at[Far+Half];
    if (at[Half-1]) sum_b_q <= 1'b1;
    else if (at[2*Half-1]) sum_b_q <= 1'b0;
    far_q[1:Half-Far] <= far_q[0:Half-Far-1];
  end

  for (genvar i = 0; i < Half; i++) begin : gen_sum
    logic [FactorBits-1:0] sum;
    eccel_add #(
        .Width(DigitBits)
    ) u_sum (
        .a_i  (a_i[DigitBits*i+:DigitBits]),
        .b_i  (a_i[DigitBits*(Half+i)+:DigitBits]),
        .add_i(sum_a_q),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) a_q[FactorBits*i+:FactorBits] <= sum;
  end

  eccel_add #(
      .Width(DigitBits)
  ) u_sum_b (
      .a_i  (b_i[DigitBits-1:0]),
      .b_i  (far_q[Half-Far]),
      .add_i(sum_b_q),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(b)
  );
  assign a_far = second_q ? a_i[DigitBits*(Half+Quarter)+:DigitBits*Quarter]
                          : a_i[DigitBits*Half+:DigitBits*Quarter];

  // ------------------------------------------------------------------ products

  sum_t lower, upper;  // of L and M: column t at 5 + t, 5 + Half + t
  sum_t far_lower, far_upper;  // of P at 5 + Far + t, of Q at 5 + Far + Half + t
  logic more_q;

  eccel_karatsuba_lanes #(
      .FactorBits(FactorBits),
      .Lanes     (Half),
      .Digits    (Half),
      .SumBits   (SumBits)
  ) u_near (
      .clk_i,
      .rst_ni,
      .first_i(at[0] || at[Half]),
      .a_i    (a_q),
      .b_i    (b),
      .more_i (1'b0),
      .lower_o(lower),
      .upper_o(upper)
  );
  eccel_karatsuba_lanes #(
      .FactorBits(DigitBits),
      .Lanes     (Quarter),
      .Digits    (Half),
      .SumBits   (SumBits)
  ) u_far (
      .clk_i,
      .rst_ni,
      .first_i(at[Far] || at[Far+Half]),
      .a_i    (a_far),
      .b_i    (far_q[0]),
      .more_i (more_q),  // the last columns of P belong to columns of Q
      .lower_o(far_lower),
      .upper_o(far_upper)
  );

  // ------------------------------------------------------------------ columns of H

  sum_t far_lower_q[Quarter+1];  // as many cycles ago
  sum_t part_q, h_q;
  logic both_q, first_q, last_q;  // columns of Q; lower columns of P; the last columns of Q
  logic [SumBits:0] h;

  assign far_lower_q[0] = far_lower;

  eccel_add #(
      .Width(SumBits)
  ) u_h (
      .a_i  (part_q),
      .b_i  (far_lower_q[1]),
      .add_i(both_q),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(h)
  );

  always_ff @(posedge clk_i) begin
    far_lower_q[1:Quarter] <= far_lower_q[0:Quarter-1];
    if (at_q[Far+Half+4]) more_q <= 1'b1;
    else if (at_q[Far+2*Half+4]) more_q <= 1'b0;
    if (at_q[Far+Half+5]) both_q <= 1'b1;
    else if (at_q[Far+2*Half+5]) both_q <= 1'b0;
    if (at_q[Far+Quarter+4]) first_q <= 1'b1;
    else if (at_q[Far+Quarter+Half+4]) first_q <= 1'b0;
    if (at_q[Far+2*Half+4]) last_q <= 1'b1;
    else if (at_q[Far+2*Half+Quarter+4]) last_q <= 1'b0;
    part_q <= first_q ? far_lower_q[Quarter] : far_upper;
    if (!first_q && !last_q) part_q <= '0;
    h_q <= h[SumBits-1:0];
    if (!rst_ni) begin
      more_q  <= 1'b0;
      both_q  <= 1'b0;
      first_q <= 1'b0;
      last_q  <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ columns of the product

  sum_t lower_q[3];  // as many cycles ago
  sum_t g_q, past_q[Half+1], high_q, low_q;
  logic g_past_q, middle_q;  // g is to be kept, and not l; columns m + (g - l)
  logic [SumBits:0] g, high, low;

  assign lower_q[0] = lower;

  eccel_add #(
      .Width(SumBits)
  ) u_g (
      .a_i  (upper),
      .b_i  (h_q),
      .add_i(1'b0),
      .sub_i(1'b1),
      .c_i  (1'b1),
      .sum_o(g)
  );
  eccel_add #(
      .Width(SumBits)
  ) u_high (
      .a_i  (g_q),
      .b_i  (past_q[Half]),
      .add_i(1'b0),
      .sub_i(1'b1),
      .c_i  (1'b1),
      .sum_o(high)
  );
  eccel_add #(
      .Width(SumBits)
  ) u_low (
      .a_i  (lower_q[2]),
      .b_i  (high_q),
      .add_i(middle_q),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(low)
  );

  assign past_q[0] = g_past_q ? g_q : lower_q[1];

  always_ff @(posedge clk_i) begin
    lower_q[1:2] <= lower_q[0:1];
    past_q[1:Half] <= past_q[0:Half-1];
    g_q    <= g[SumBits-1:0];
    high_q <= high[SumBits-1:0];
    low_q  <= low[SumBits-1:0];
    if (at_q[Half+5]) g_past_q <= 1'b1;
    else if (at_q[2*Half+5]) g_past_q <= 1'b0;
    if (at_q[Half+6]) middle_q <= 1'b1;
    else if (at_q[2*Half+6]) middle_q <= 1'b0;
  end

  eccel_karatsuba_words #(
      .DigitBits(DigitBits),
      .Words    (Words)
  ) u_words (
      .clk_i,
      .rst_ni,
      .first_i  (at_q[8]),
      .low_i    (low_q),
      .high_i   (high_q),
      .top_i    (h_q),
      .low_first_o,
      .low_valid_o,
      .low_o,
      .soon_o,
      .high_o
  );

endmodule
