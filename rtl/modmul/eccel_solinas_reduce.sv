// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction of a product modulo a sparse prime: r = t mod p, one in each cycle.
//
// Parameters Prime: number of a prime p in eccel_solinas_pkg. Pipelined: carry chains are at most
//            about Segment bits long.
// Requires   t_i is below 2^(2 n), n the number of bits of p.
// Guarantees r_o = t_i mod p, in [0, p). No timing depends on data.
// Latency    eccel_fold_pkg::solinas_latency(Prime, Pipelined)
// Interval   1
// After      FIPS 186 (D.2 of version 4) for the rows of words.
//
// With d = 2^n - p:
//   rows     Row j of 32 bits and a guard is word j of t, plus and minus the upper words that the
//            form of p puts there. Words that are subtracted enter as complements; a constant makes
//            up for that, so that no row is negative.
//   resolve  The rows are joined: k * 2^n + l, with a small k.
//   fold     k * 2^n + l = l + k d modulo p, which is below 2 p because k d is far below p. It is
//            at least p exactly if l + (k + 1) d is at least 2^n, and then that sum without its
//            carry is the result.

module eccel_solinas_reduce
  import eccel_solinas_pkg::*;
  import eccel_fold_pkg::*;
#(
    parameter int Prime     = P256,
    parameter bit Pipelined = 1'b1,
    localparam field_t Field = field(Prime),
    localparam int Bits = Field.bits
) (
    input  logic              clk_i,
    input  logic [2*Bits-1:0] t_i,
    output logic [  Bits-1:0] r_o
);

  localparam int Words = Field.words;
  localparam matrix_t Matrix = matrix(Prime);
  localparam fold_t Constant = complement_constant(Prime, Matrix);
  localparam int Shift = max_shift(Matrix);
  localparam int TermBits = WordBits + Shift;
  localparam int Depth = $clog2(max_terms(Matrix, Constant != '0));
  localparam int SumBits = TermBits + Depth;
  localparam int QuotientBits = quotient_bits(Prime, Matrix);
  localparam int TotalBits = Bits + QuotientBits;

  typedef logic [TermBits-1:0] term_t;
  typedef logic [Bits-1:0] value_t;
  typedef logic [QuotientBits-1:0] quotient_t;

  // ------------------------------------------------------------------ rows

  logic [Words*WordBits-1:0] all_low, all_high;
  logic [Words-1:0][WordBits-1:0] low, high;
  logic [Words-1:0][SumBits-1:0] row;

  assign all_low  = (Words * WordBits)'(t_i[Bits-1:0]);
  assign all_high = (Words * WordBits)'(t_i[2*Bits-1:Bits]);

  for (genvar j = 0; j < Words; j++) begin : gen_row
    assign low[j]  = all_low[WordBits*j+:WordBits];
    assign high[j] = all_high[WordBits*j+:WordBits];

    localparam int Terms = row_terms(Matrix, j, Constant != '0);
    logic [Terms-1:0][TermBits-1:0] term;
    logic [TermBits+$clog2(Terms)-1:0] sum;

    assign term[0] = term_t'(low[j]);
    for (genvar i = 0; i < Words; i++) begin : gen_word
      localparam logic [Digits-1:0] Plus = naf(Matrix[j][i], 0);
      localparam logic [Digits-1:0] Minus = naf(Matrix[j][i], 1);
      localparam int Width = i == Words - 1 ? top_bits(Prime) : WordBits;
      for (genvar s = 0; s <= Shift; s++) begin : gen_digit
        if (Plus[s]) begin : gen_add
          assign term[terms_before(Matrix, j, i, s)] = term_t'(high[i]) << s;
        end else if (Minus[s]) begin : gen_subtract
          logic [Width-1:0] inverted;
          assign inverted = ~high[i][Width-1:0];
          assign term[terms_before(Matrix, j, i, s)] = term_t'(inverted) << s;
        end
      end
    end
    if (Constant != '0) begin : gen_constant
      assign term[Terms-1] = term_t'(Constant[WordBits*j+:WordBits]);
    end

    eccel_tree_add #(
        .Terms    (Terms),
        .Width    (TermBits),
        .Depth    (Depth),
        .Pipelined(Pipelined)
    ) u_sum (
        .clk_i,
        .term_i(term),
        .sum_o (sum)
    );
    assign row[j] = SumBits'(sum);
  end

  // ------------------------------------------------------------------ resolve

  logic [TotalBits-1:0] lower, upper;  // words of the rows, and what is above the words
  logic [TotalBits:0] total;
  quotient_t k_q, next_k_q;
  value_t l_q, l_qq;

  always_comb begin
    lower = '0;
    upper = '0;
    for (int j = 0; j < Words - 1; j++) begin
      lower |= TotalBits'(row[j][WordBits-1:0]) << (WordBits * j);
      upper |= TotalBits'(row[j][SumBits-1:WordBits]) << (WordBits * (j + 1));
    end
    lower |= TotalBits'(row[Words-1]) << (WordBits * (Words - 1));
  end

  eccel_wide_add #(
      .Width    (TotalBits),
      .Pipelined(Pipelined)
  ) u_resolve (
      .clk_i,
      .a_i  (lower),
      .b_i  (upper),
      .c_i  (1'b0),
      .sum_o(total)
  );

  // ------------------------------------------------------------------ fold

  value_t plain_d, next_d, plain_q, next_q;  // k d and (k + 1) d
  logic [Bits:0] plain, next;

  always_ff @(posedge clk_i) begin
    l_q      <= total[Bits-1:0];
    k_q      <= total[Bits+:QuotientBits];
    next_k_q <= total[Bits+:QuotientBits] + quotient_t'(1);
    l_qq     <= l_q;
    plain_q  <= plain_d;
    next_q   <= next_d;
  end

  eccel_fold_multiple #(
      .Prime(Prime),
      .Width(QuotientBits)
  ) u_plain_multiple (
      .k_i(k_q),
      .d_o(plain_d)
  );
  eccel_fold_multiple #(
      .Prime(Prime),
      .Width(QuotientBits)
  ) u_next_multiple (
      .k_i(next_k_q),
      .d_o(next_d)
  );
  eccel_wide_add #(
      .Width    (Bits),
      .Pipelined(Pipelined)
  ) u_plain (
      .clk_i,
      .a_i  (l_qq),
      .b_i  (plain_q),
      .c_i  (1'b0),
      .sum_o(plain)
  );
  eccel_wide_add #(
      .Width    (Bits),
      .Pipelined(Pipelined)
  ) u_next (
      .clk_i,
      .a_i  (l_qq),
      .b_i  (next_q),
      .c_i  (1'b0),
      .sum_o(next)
  );

  always_ff @(posedge clk_i) r_o <= next[Bits] ? next[Bits-1:0] : plain[Bits-1:0];

endmodule
