// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Column-parallel (Comba) multiplier: one multiplier block for each digit of a; it takes one digit
// of b in a cycle.
//
// Parameters DigitBits; Lanes: digits of an operand; Words of two digits, 2 * Words >= Lanes, Words
//            >= 3.
// Requires   start_i comes at most every 2 * Words cycles. b_i is digit 0 of b with start_i and
//            digits 1 .. 2 * Words - 1 in the cycles after it (0 from digit Lanes on). a_i is all
//            of a one cycle after start_i.
// Guarantees The words of a * b, lowest first: low words with low_valid_o, word 0 with low_first_o;
//            high words one in each cycle from 5 cycles after soon_o, and then the same ones again,
//            because a reduction uses them twice. Timing does not depend on data.
// Latency    Low word m comes 8 + 2 m cycles after start_i, high word m 2 * Words + 7 + m cycles
//            after it.
// Interval   2 * Words
// After      Gueneysu, Paar 2008 (column interleaving). Here the accumulators form a chain that
//            moves towards lane 0, so that no operand rotates: lane i adds a_i * b_t to the value
//            that lane i + 1 had one cycle before.
//
// So lane 0 holds column t of the product in cycle t, and after the last digit lane i holds column
// 2 * Words - 1 + i. These columns are copied to a second chain, which moves two lanes in a cycle
// while the low columns of the next product leave lane 0. Columns are joined in pairs. The part of
// a pair above its word is added to the next word, with one carry bit. Bound: a pair is below 2^(4
// * DigitBits), so that its part above the word is below a word. The generator of eccel_solinas_pkg
// proves this for each prime.

module eccel_comba_array #(
    parameter int DigitBits = 16,
    parameter int Lanes = 16,
    parameter int Words = 8,
    localparam int WordBits = 2 * DigitBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                       start_i,
    input logic [Lanes*DigitBits-1:0] a_i,
    input logic [      DigitBits-1:0] b_i,

    output logic                low_first_o,
    output logic                low_valid_o,
    output logic [WordBits-1:0] low_o,
    output logic                soon_o,
    output logic [WordBits-1:0] high_o
);

  localparam int Digits = 2 * Words;
  localparam int SumBits = 2 * DigitBits + $clog2(Lanes);
  localparam int UpperBits = SumBits + 1 - DigitBits;  // the part of a pair above its word

  typedef logic [SumBits-1:0] sum_t;
  typedef logic [WordBits-1:0] word_t;

  logic [Digits+6:1] at_q;  // start_i, as many cycles ago

  always_ff @(posedge clk_i) begin
    at_q <= {at_q[Digits+5:1], start_i};
    if (!rst_ni) at_q <= '0;
  end

  // ------------------------------------------------------------------ lanes

  logic [DigitBits-1:0] b_q;
  sum_t acc_q[Lanes+1];

  logic move_q;  // not the first column

  always_ff @(posedge clk_i) begin
    b_q    <= b_i;
    move_q <= !at_q[3];
  end
  assign acc_q[Lanes] = '0;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic [2*DigitBits-1:0] product, product_q;  // the output wires of the block are long
    logic [SumBits:0] sum;

    eccel_mul18 #(
        .WidthA(DigitBits),
        .WidthB(DigitBits)
    ) u_mul (
        .clk_i,
        .a_en_i (at_q[1]),
        .a_clr_i(1'b0),
        .a_i    (a_i[DigitBits*i+:DigitBits]),
        .b_en_i (1'b1),
        .b_i    (b_q),
        .p_o    (product)
    );
    eccel_add #(
        .Width(SumBits)
    ) u_add (
        .a_i  (sum_t'(product_q)),
        .b_i  (acc_q[i+1]),
        .add_i(move_q),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) begin
      product_q <= product;
      acc_q[i]  <= sum[SumBits-1:0];
    end
  end

  // ------------------------------------------------------------------ low words

  sum_t low_even_q;
  logic low_run_q, low_odd_q;  // low columns leave lane 0; a pair is complete
  logic [SumBits:0] low_pair;
  logic [UpperBits-1:0] low_pair_upper_q, low_upper_q;
  word_t low_pair_q;
  logic [WordBits:0] low_sum;
  logic low_c_q, low_carry_q;

  eccel_add #(
      .Width(SumBits)
  ) u_low_pair (
      .a_i  (acc_q[0]),
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
    low_even_q <= acc_q[0];
    low_odd_q  <= !low_odd_q || at_q[6];
    if (at_q[6]) low_run_q <= 1'b1;
    else if (at_q[Digits+6]) low_run_q <= 1'b0;
    {low_pair_upper_q, low_pair_q} <= {low_pair, low_even_q[DigitBits-1:0]};
    if (at_q[6]) low_upper_q <= '0;  // word 0 has no part below it
    else if (low_odd_q) low_upper_q <= low_pair_upper_q;
    low_carry_q <= low_sum[WordBits];
    low_c_q     <= low_carry_q && !at_q[6];  // words come every second cycle
    low_o       <= low_sum[WordBits-1:0];
    low_valid_o <= low_run_q && low_odd_q;
    low_first_o <= at_q[7];
    if (!rst_ni) low_run_q <= 1'b0;
  end

  // ------------------------------------------------------------------ high words

  // Finished words enter the chain again at pair `Return`. That closes a ring of as many cycles as
  // there are words: the chain below this pair, the register of the pair, the word. No word returns
  // while the last two pairs move down.
  localparam int Return = Words - 3;

  sum_t high_q[Digits+2];
  logic return_q, move_high_q;
  logic [SumBits:0] high_pair;
  logic [UpperBits-1:0] high_pair_upper_q, high_upper_q;
  word_t high_pair_q, returned;
  logic [WordBits+2:0] high_sum;
  logic high_c_q, keep_q, left_c_q;  // left: the carry of the low words into high word 0

  assign returned = high_o & {WordBits{return_q}};
  assign high_q[Digits]   = '0;
  assign high_q[Digits+1] = '0;

  for (genvar i = 0; i < Digits; i++) begin : gen_high
    sum_t moved;
    if (i / 2 == Return) begin : gen_return
      assign moved = high_q[i+2] | sum_t'(returned[DigitBits*(i%2)+:DigitBits]);
    end else begin : gen_plain
      assign moved = high_q[i+2];
    end
    if (i + 1 < Lanes) begin : gen_load
      always_ff @(posedge clk_i) high_q[i] <= at_q[Digits+4] ? acc_q[i+1] : moved;
    end else begin : gen_clear  // from a register of its own: at_q drives enough
      always_ff @(posedge clk_i) high_q[i] <= moved & {SumBits{move_high_q}};
    end
  end

  eccel_add #(
      .Width(SumBits)
  ) u_high_pair (
      .a_i  (high_q[1]),
      .b_i  (sum_t'(high_q[0][SumBits-1:DigitBits])),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(high_pair)
  );
  // Two bits below the word choose the carry without a gate. The sum of high_c_q and keep_q carries
  // if high_c_q is set and kept; the sum of that carry, left_c_q and 1 carries if one of the first
  // two is set. They are never both set. A reset of high_c_q would keep it out of the cell that
  // makes the carry, and close the loop by long wires.
  eccel_add #(
      .Width(WordBits + 2)
  ) u_high_sum (
      .a_i  ({high_pair_q, left_c_q, high_c_q}),
      .b_i  ({word_t'(high_upper_q), 1'b1, keep_q}),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(high_sum)
  );

  always_ff @(posedge clk_i) begin
    return_q <= !at_q[Digits+4] && !at_q[Digits+5];
    move_high_q <= !at_q[Digits+3];
    {high_pair_upper_q, high_pair_q} <= {high_pair, high_q[0][DigitBits-1:0]};
    high_upper_q <= at_q[Digits+5] ? low_pair_upper_q : high_pair_upper_q;  // above the low words
    {high_c_q, high_o} <= high_sum[WordBits+2:2];
    keep_q   <= !at_q[Digits+5];
    left_c_q <= low_sum[WordBits];
    if (!at_q[Digits+5]) left_c_q <= 1'b0;
  end

  assign soon_o = at_q[Digits+2];

endmodule
