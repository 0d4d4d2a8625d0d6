// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of a product from its columns: the carries of eccel_mul_array.
//
// Parameters Width: bits of a word; HighBits: bits of a column above its low word; Lanes: high
//            columns; Kept: words of the product that are low words. Delay: -1 with a single pass,
//            else the length of the queue of words that the next pass adds. Extra: registers after
//            the high columns are selected, 0 or 1; 1 with several passes.
// Requires   low_i is a column's low word, high_i the upper part of the column before it. Cycle 0
//            is the one with the upper part of the last column of a pass: it has end_i. begin_i
//            comes with the first column; with several passes one cycle after it. again_i: the
//            column is not of the first pass. held_low_i and held_high_i are the high columns, from
//            cycle 0 for Lanes cycles; element 0 is not used. keep_i comes Extra + 2 cycles after
//            the low word of a column that belongs to the product.
// Guarantees p_o is the product in cycle Lanes + Extra + 2 of the last pass.
//
// A word of the product is the low word of a column, plus the upper part of the column before, plus
// a small carry. The first two are added in one cycle, the carry in the next, so that no chain is
// much longer than a word. Low columns and high columns have such adders of their own.
//
// Bound: low <= 2^Width - 1, high <= Lanes * (2^Width - 1), and a word of the pass before is at
// most 2^Width - 1. With carry <= Lanes + 2 their sum is at most (Lanes + 2) * 2^Width, so that the
// carry keeps its bound.

module eccel_mul_array_words #(
    parameter int Width    = 32,
    parameter int HighBits = 35,
    parameter int Lanes    = 8,
    parameter int Kept     = 8,
    parameter int Delay    = -1,
    parameter int Extra    = 1
) (
    input  logic                          clk_i,
    input  logic                          begin_i,
    input  logic                          end_i,
    input  logic                          keep_i,
    input  logic                          again_i,
    input  logic [             Width-1:0] low_i,
    input  logic [          HighBits-1:0] high_i,
    input  logic [             Width-1:0] held_low_i [Lanes],
    input  logic [          HighBits-1:0] held_high_i[Lanes],
    output logic [(Kept+Lanes)*Width-1:0] p_o
);

  localparam int Late = Delay < 0 ? 0 : 1;  // cycles for the word of the pass before
  localparam int CarryBits = $clog2(Lanes + 3);
  localparam int SumBits = Width + CarryBits;
  localparam int Tail = Lanes + 1 + Extra;
  localparam int WordDelay = Extra + 1 - Late;  // of low words, so that they leave with high words
  localparam int Half = (Lanes + 1) / 2;

  typedef logic [Width-1:0] word_t;
  typedef logic [HighBits-1:0] high_t;
  typedef logic [SumBits-1:0] sum_t;
  typedef logic [CarryBits-1:0] carry_t;

  logic [Tail:0] tail;  // end_i, as many cycles ago

  assign tail[0] = end_i;
  always_ff @(posedge clk_i) tail[Tail:1] <= tail[Tail-1:0];

  // ------------------------------------------------------------------ low words

  logic [Width:0] low_column;  // with the word of the pass before
  high_t low_above;
  logic [SumBits:0] low_sum, low_total;
  sum_t low_sum_q;
  carry_t low_carry_q, last_carry_q;
  word_t low_word[Extra+2];  // as many cycles ago
  logic [Kept*Width-1:0] low_q, kept_q;

  eccel_add #(
      .Width(SumBits)
  ) u_low_sum (
      .a_i  (sum_t'(low_column)),
      .b_i  (sum_t'(low_above)),
      .add_i(!begin_i),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(low_sum)
  );
  eccel_add #(
      .Width(SumBits)
  ) u_low_total (
      .a_i  (low_sum_q),
      .b_i  (sum_t'(low_carry_q)),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(low_total)
  );

  assign low_word[0] = low_total[Width-1:0];
  for (genvar i = 0; i <= Extra; i++) begin : gen_low_word
    always_ff @(posedge clk_i) low_word[i+1] <= low_word[i];
  end

  always_ff @(posedge clk_i) begin
    low_sum_q <= low_sum[SumBits-1:0];
    if (begin_i) low_carry_q <= '0;
    else low_carry_q <= low_total[SumBits-1:Width];
    if (tail[Late]) last_carry_q <= low_total[SumBits-1:Width];
    if (keep_i) low_q <= (Kept * Width)'({low_word[WordDelay], low_q} >> Width);
    if (tail[Extra+2]) kept_q <= low_q;
  end

  // ------------------------------------------------------------------ high words

  // In cycle i the low word of lane i + 1 and the upper part of lane i are selected.
  word_t high_column;
  logic [SumBits:0] high_total;
  sum_t high_sum, high_sum_q;
  carry_t high_carry_q;
  logic [Lanes*Width-1:0] high_q;

  if (Lanes > 1) begin : gen_columns
    logic [(Lanes-1)*Width-1:0] columns;
    word_t column;
    for (genvar i = 1; i < Lanes; i++) begin : gen_column
      assign columns[Width*(i-1)+:Width] = held_low_i[i];
    end
    eccel_mul_select #(
        .Width(Width),
        .Words(Lanes - 1)
    ) u_column (
        .clk_i,
        .sel_i  (tail[Lanes-2:0]),
        .words_i(columns),
        .word_o (column)
    );
    if (Extra > 0) begin : gen_reg
      always_ff @(posedge clk_i) high_column <= column;
    end else begin : gen_no_reg
      assign high_column = column;
    end
  end else begin : gen_no_column
    assign high_column = '0;
  end

  // The two halves of the upper parts meet in the adder, whose LUTs have room for a multiplexer.
  logic [Lanes*HighBits-1:0] uppers;
  high_t half[2], half_p[2];
  logic in_upper_q;

  for (genvar i = 0; i < Lanes; i++) begin : gen_upper
    assign uppers[HighBits*i+:HighBits] = i == 0 ? high_i : held_high_i[i];
  end
  eccel_mul_select #(
      .Width(HighBits),
      .Words(Half)
  ) u_half_0 (
      .clk_i,
      .sel_i  (tail[Half-1:0]),
      .words_i(uppers[Half*HighBits-1:0]),
      .word_o (half[0])
  );
  if (Lanes > 1) begin : gen_half_1
    eccel_mul_select #(
        .Width(HighBits),
        .Words(Lanes - Half)
    ) u_half_1 (
        .clk_i,
        .sel_i  (tail[Lanes-1:Half]),
        .words_i(uppers[Lanes*HighBits-1:Half*HighBits]),
        .word_o (half[1])
    );
    always_ff @(posedge clk_i) begin
      if (tail[Extra]) in_upper_q <= 1'b0;
      else if (tail[Half+Extra]) in_upper_q <= 1'b1;
    end
  end else begin : gen_no_half_1
    assign half[1]    = '0;
    assign in_upper_q = 1'b0;
  end
  for (genvar i = 0; i < 2; i++) begin : gen_half
    if (Extra > 0) begin : gen_reg
      always_ff @(posedge clk_i) half_p[i] <= half[i];
    end else begin : gen_no_reg
      assign half_p[i] = half[i];
    end
  end

  eccel_add_mux #(
      .Width(SumBits)
  ) u_high_sum (
      .a_i  (sum_t'(high_column)),
      .b_i  (sum_t'(half_p[1])),
      .c_i  (sum_t'(half_p[0])),
      .sel_i(in_upper_q),
      .sum_o(high_sum)
  );
  eccel_add #(
      .Width(SumBits)
  ) u_high_total (
      .a_i  (high_sum_q),
      .b_i  (sum_t'(high_carry_q)),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(high_total)
  );

  always_ff @(posedge clk_i) begin
    high_sum_q   <= high_sum;
    high_carry_q <= tail[Extra+1] ? last_carry_q : high_total[SumBits-1:Width];
    high_q       <= (Lanes * Width)'({high_total[Width-1:0], high_q} >> Width);
  end

  assign p_o = {high_q, kept_q};

  // ------------------------------------------------------------------ words for the next pass

  if (Delay < 0) begin : gen_single
    assign low_column = {1'b0, low_i};
    assign low_above  = high_i;
  end else begin : gen_again
    // High words come in cycles Extra + 2 .. Extra + 1 + Lanes.
    word_t old[Delay+1];
    logic high_now_q;
    logic [Width:0] sum;

    eccel_add #(
        .Width(Width)
    ) u_old (
        .a_i  (low_i),
        .b_i  (old[Delay]),
        .add_i(again_i),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) begin
      if (tail[Extra+1]) high_now_q <= 1'b1;
      else if (tail[Tail]) high_now_q <= 1'b0;
      old[0] <= high_now_q ? high_total[Width-1:0] : low_word[Extra];
      for (int i = 0; i < Delay; i++) old[i+1] <= old[i];
      low_column <= sum;
      low_above  <= high_i;
    end
  end

endmodule
