// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of a product from its columns, for eccel_karatsuba_array.
//
// Parameters DigitBits; Words W of two digits: 4, 6 or 8. The product has 4 W columns.
// Requires   first_i comes at most every 2 W cycles. Column t < 2 W is on low_i t cycles after
//            first_i. Columns 2 W + k and 3 W + k, k < W, are on high_i 2 W - 1 + k and on top_i
//            2 W - 3 + k cycles after it.
// Guarantees Low words with low_valid_o, word 0 with low_first_o; high words one in each cycle from
//            5 cycles after soon_o, and then the same ones again.
// Latency    Low word m comes 4 + 2 m cycles after first_i, high word m 5 W / 2 + 2 + m cycles
//            after it.
// Interval   2 W
//
// Columns are joined in pairs, as in eccel_comba_array. The pairs of high columns come in two
// streams, every second cycle, and leave in one, in each cycle. Those of high_i wait in one or two
// registers, so that the last one need not wait; those of top_i wait for them in a queue.

module eccel_karatsuba_words #(
    parameter int DigitBits = 16,
    parameter int Words = 8,
    localparam int WordBits = 2 * DigitBits,
    localparam int SumBits = 2 * DigitBits + $clog2(2 * Words)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic               first_i,
    input logic [SumBits-1:0] low_i,
    input logic [SumBits-1:0] high_i,
    input logic [SumBits-1:0] top_i,

    output logic                low_first_o,
    output logic                low_valid_o,
    output logic [WordBits-1:0] low_o,
    output logic                soon_o,
    output logic [WordBits-1:0] high_o
);

  localparam int Pairs = Words / 2;  // of each of the two streams
  localparam int In = 2 * Words;  // the first pair of high_i is complete
  localparam int Out = In + Pairs;  // the first pair leaves
  localparam int UpperBits = SumBits + 1 - DigitBits;  // the part of a pair above its word
  localparam int Last = Out + 2 * Words - 1;

  typedef logic [SumBits-1:0] sum_t;
  typedef logic [WordBits-1:0] word_t;

  logic [Last:1] at_q;  // first_i, as many cycles ago

  always_ff @(posedge clk_i) begin
    at_q <= {at_q[Last-1:1], first_i};
    if (!rst_ni) at_q <= '0;
  end

  // ------------------------------------------------------------------ low words

  sum_t low_even_q;
  logic low_run_q, low_odd_q;  // low columns come; a pair is complete
  logic [SumBits:0] low_pair;
  logic [UpperBits-1:0] low_pair_upper_q, low_upper_q, top_upper_q;
  word_t low_pair_q, low_q;
  logic [WordBits:0] low_sum;
  logic low_c_q, low_carry_q, low_valid_q, top_c_q;  // top: out of the low words

  eccel_add #(
      .Width(SumBits)
  ) u_low_pair (
      .a_i  (low_i),
      .b_i  (sum_t'(low_even_q[SumBits-1:DigitBits])),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(low_pair)
  );
  eccel_add #(
      .Width(WordBits)
  ) u_low_sum (
      .a_i  (low_pair_q),
      .b_i  (word_t'(low_upper_q)),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (low_c_q),
      .sum_o(low_sum)
  );

  always_ff @(posedge clk_i) begin
    low_even_q <= low_i;
    low_odd_q  <= !low_odd_q || at_q[1];
    if (at_q[1]) low_run_q <= 1'b1;
    else if (at_q[2*Words+1]) low_run_q <= 1'b0;
    {low_pair_upper_q, low_pair_q} <= {low_pair, low_even_q[DigitBits-1:0]};
    if (at_q[1]) low_upper_q <= '0;  // word 0 has no part below it
    else if (low_odd_q) low_upper_q <= low_pair_upper_q;
    low_carry_q <= low_sum[WordBits];
    low_c_q     <= low_carry_q && !at_q[1];  // words come every second cycle
    low_q       <= low_sum[WordBits-1:0];
    low_o       <= low_q;  // the words of the product before are still being read
    low_valid_q <= low_run_q && low_odd_q;
    low_valid_o <= low_valid_q;
    low_first_o <= at_q[3];
    if (at_q[2*Words]) begin
      top_upper_q <= low_pair_upper_q;
      top_c_q     <= low_sum[WordBits];
    end
    if (!rst_ni) low_run_q <= 1'b0;
  end

  // ------------------------------------------------------------------ queues of pairs

  typedef struct packed {
    sum_t odd;
    sum_t even;
  } pair_t;

  pair_t high_pair, wait_q, next_q, top_q[Pairs+1], pop_q;
  sum_t high_even_q, top_even_q;
  logic hold_q, direct_q, fill_q, take_q;
  logic [Pairs-1:0] fills;

  assign high_pair    = '{odd: high_i, even: high_even_q};
  assign top_q[Pairs] = '{odd: top_i, even: top_even_q};
  for (genvar m = 0; m < Pairs; m++) begin : gen_fill
    assign fills[m] = at_q[In-3+2*m];
  end

  always_ff @(posedge clk_i) begin
    high_even_q <= high_i;
    top_even_q  <= top_i;
    fill_q      <= |fills;
    if (at_q[Out+Pairs-3]) take_q <= 1'b1;
    else if (at_q[Out+Words-3]) take_q <= 1'b0;
    if (fill_q || take_q) top_q[0:Pairs-1] <= top_q[1:Pairs];
    pop_q <= top_q[0];
    if (!take_q) pop_q <= '0;
    // The first pair stays in next_q until the last one of high_i is about to come.
    direct_q <= at_q[In-1] || at_q[In+Words-3];
    if (at_q[In]) hold_q <= 1'b1;
    else if (at_q[Out-1]) hold_q <= 1'b0;
    if (!hold_q) next_q <= direct_q ? high_pair : wait_q | pop_q;
    if (!rst_ni) begin
      hold_q <= 1'b0;
      take_q <= 1'b0;
    end
  end

  if (Pairs > 2) begin : gen_wait
    always_ff @(posedge clk_i) begin
      if (at_q[In+2] || Pairs > 3 && at_q[In+4]) wait_q <= high_pair;
      else if (at_q[Out+Pairs-3]) wait_q <= '0;
    end
  end else begin : gen_no_wait
    assign wait_q = '0;
  end

  // ------------------------------------------------------------------ high words

  logic [SumBits:0] pair;
  logic [UpperBits-1:0] pair_upper_q, high_upper_q;
  word_t pair_q, past_q[Words-1];
  logic [WordBits+1:0] high_sum;
  logic high_c_q, left_c_q;  // left: the carry of the low words into high word 0
  logic second_q;  // the second time

  assign past_q[0] = high_o;

  eccel_add #(
      .Width(SumBits)
  ) u_pair (
      .a_i  (next_q.odd),
      .b_i  (sum_t'(next_q.even[SumBits-1:DigitBits])),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(pair)
  );
  // A bit of weight 1/2 adds the carry without a gate: the sum of high_c_q, left_c_q and 1 carries
  // if one of the first two is set. They are never both set.
  eccel_add #(
      .Width(WordBits + 1)
  ) u_high_sum (
      .a_i  ({pair_q, high_c_q}),
      .b_i  ({word_t'(high_upper_q), left_c_q}),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b1),
      .sum_o(high_sum)
  );

  always_ff @(posedge clk_i) begin
    past_q[1:Words-2] <= past_q[0:Words-3];
    if (at_q[Out+Words-1]) second_q <= 1'b1;
    else if (at_q[Out+2*Words-1]) second_q <= 1'b0;
    pair_upper_q <= pair[SumBits:DigitBits];
    pair_q       <= second_q ? past_q[Words-2] : {pair[DigitBits-1:0], next_q.even[DigitBits-1:0]};
    high_upper_q <= at_q[Out] ? top_upper_q : pair_upper_q;  // above the low words
    if (second_q) high_upper_q <= '0;
    {high_c_q, high_o} <= high_sum[WordBits+1:1];
    left_c_q <= top_c_q && at_q[Out];
    if (at_q[Out]) high_c_q <= 1'b0;
    if (!rst_ni) second_q <= 1'b0;
  end

  assign soon_o = at_q[Out-3];

endmodule
