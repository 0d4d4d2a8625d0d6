// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of a product from its columns: the carries of eccel_mul_array.
//
// Parameters Width: bits of a word; SumBits: bits of a column; Lanes: high columns; Kept: words of
//            the product that are low words. Delay: -1 with a single pass, else the length of the
//            queue of words that the next pass adds. Extra: registers after the high columns are
//            selected, 0 or 1.
// Requires   Cycle 0 is the one in which the last column of a pass is added to the carry: it has
//            end_i, and the first column of the pass had begin_i one cycle before. column_i comes
//            one cycle before that, two with several passes, with again_i if the pass is not the
//            first. held_i is valid in cycles 0 .. Lanes - 1 for lanes 1 and above. keep_i comes
//            `Extra` cycles after each low word that belongs to the product.
// Guarantees p_o is the product in cycle Lanes + Extra + 1 of the last pass.
//
// The last low column and then the high columns pass a second adder, one in each cycle. What is left
// above its last word is the top word.

module eccel_mul_array_words #(
    parameter int Width   = 32,
    parameter int SumBits = 67,
    parameter int Lanes   = 8,
    parameter int Kept    = 8,
    parameter int Delay   = -1,
    parameter int Extra   = 1
) (
    input  logic                          clk_i,
    input  logic                          begin_i,
    input  logic                          end_i,
    input  logic                          keep_i,
    input  logic                          again_i,
    input  logic [           SumBits-1:0] column_i,
    input  logic [           SumBits-1:0] held_i  [Lanes],
    output logic [(Kept+Lanes)*Width-1:0] p_o
);

  localparam int Half = (Lanes + 1) / 2;
  localparam int Tail = Lanes + 1 + Extra;

  typedef logic [SumBits-1:0] sum_t;
  typedef logic [Width-1:0] word_t;

  logic [Tail:0] tail;  // end_i, as many cycles ago

  assign tail[0] = end_i;
  always_ff @(posedge clk_i) tail[Tail:1] <= tail[Tail-1:0];

  // ------------------------------------------------------------------ low words

  sum_t column;
  logic [SumBits:0] low;
  logic [SumBits-Width-1:0] low_carry_q;
  word_t low_word[Extra+2];  // as many cycles ago
  logic [Kept*Width-1:0] low_q, kept_q;

  eccel_add #(
      .Width(SumBits)
  ) u_low (
      .a_i  (column),
      .b_i  (sum_t'(low_carry_q)),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(low)
  );

  assign low_word[0] = low[Width-1:0];
  for (genvar i = 0; i < Extra + 1; i++) begin : gen_low_word
    always_ff @(posedge clk_i) low_word[i+1] <= low_word[i];
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) low_carry_q <= '0;
    else low_carry_q <= low[SumBits-1:Width];
    if (keep_i) low_q <= (Kept * Width)'({low_word[Extra], low_q} >> Width);
    if (tail[Extra+1]) kept_q <= low_q;
  end

  // ------------------------------------------------------------------ high words

  sum_t lower, upper, lower_q, upper_q, high;
  logic [SumBits-Width-1:0] high_carry_q;
  logic in_upper_q;
  word_t top_q;
  logic [Half*SumBits-1:0] lower_words;

  for (genvar i = 0; i < Half; i++) begin : gen_lower
    assign lower_words[SumBits*i+:SumBits] = i == 0 ? low[SumBits-1:0] : held_i[i];
  end
  eccel_mul_select #(
      .Width(SumBits),
      .Words(Half)
  ) u_lower (
      .clk_i,
      .sel_i  (tail[Half-1:0]),
      .words_i(lower_words),
      .word_o (lower)
  );

  if (Lanes > 1) begin : gen_high
    logic [(Lanes-Half)*SumBits-1:0] upper_words;
    logic [(Lanes-1)*Width-1:0] high_q;

    for (genvar i = Half; i < Lanes; i++) begin : gen_upper
      assign upper_words[SumBits*(i-Half)+:SumBits] = held_i[i];
    end
    eccel_mul_select #(
        .Width(SumBits),
        .Words(Lanes - Half)
    ) u_upper (
        .clk_i,
        .sel_i  (tail[Lanes-1:Half]),
        .words_i(upper_words),
        .word_o (upper)
    );
    always_ff @(posedge clk_i) begin
      if (tail[Extra]) in_upper_q <= 1'b0;
      else if (tail[Half+Extra]) in_upper_q <= 1'b1;
      high_q <= ((Lanes - 1) * Width)'({high[Width-1:0], high_q} >> Width);
    end
    assign p_o = {top_q, high_q, kept_q};
  end else begin : gen_no_high
    assign upper      = '0;
    assign in_upper_q = 1'b0;
    assign p_o        = {top_q, kept_q};
  end

  if (Extra > 0) begin : gen_reg
    always_ff @(posedge clk_i) begin
      lower_q <= lower;
      upper_q <= upper;
    end
  end else begin : gen_no_reg
    assign lower_q = lower;
    assign upper_q = upper;
  end

  eccel_add_mux #(
      .Width(SumBits)
  ) u_high (
      .a_i  (sum_t'(high_carry_q)),
      .b_i  (upper_q),
      .c_i  (lower_q),
      .sel_i(in_upper_q),
      .sum_o(high)
  );

  always_ff @(posedge clk_i) begin
    if (tail[Extra]) high_carry_q <= '0;
    else high_carry_q <= high[SumBits-1:Width];
    top_q <= high[2*Width-1:Width];
  end

  // ------------------------------------------------------------------ words for the next pass

  if (Delay < 0) begin : gen_single
    assign column = column_i;
  end else begin : gen_again
    // In cycles Extra + 2 .. Extra + 1 + Lanes the words come from the high columns; the top word
    // comes as a word too, because the carry stays.
    word_t old[Delay+1];
    logic high_now_q;
    logic [SumBits:0] sum;

    eccel_add #(
        .Width(SumBits)
    ) u_old (
        .a_i  (column_i),
        .b_i  (sum_t'(old[Delay])),
        .add_i(again_i),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) begin
      if (tail[Extra+1]) high_now_q <= 1'b1;
      else if (tail[Tail]) high_now_q <= 1'b0;
      old[0] <= high_now_q ? high[Width-1:0] : low_word[Extra+1];
      for (int i = 0; i < Delay; i++) old[i+1] <= old[i];
      column <= sum[SumBits-1:0];
    end
  end

endmodule
