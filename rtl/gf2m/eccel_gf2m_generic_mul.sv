// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product in GF(2^m) by any polynomial of a degree up to Width that is given at run time; it
// multiplies one digit of b at a time.
//
// Parameters Width: the largest degree. DigitBits >= 1: a digit of b has D = min(DigitBits, Width)
//            bits. Part: most coefficients multiplied in one cycle. Leaf: see eccel_gf2m_product.
// Requires   The polynomial is f = z^m + L, L of a degree below m; degree_i = m, 2 <= m <= Width,
//            and low_i = L z^(Width - m). Both are constant from four cycles before start_i until
//            the last soon_o. With start_i, a_i z^(m - Width) and b_i z^(m - Width) are elements of
//            the field, or one_i says that b is 1 while b_i is 0. b_i and one_i are 0 without
//            start_i. Starts are at least interval_o cycles apart.
// Guarantees With soon_o next_o = a b z^(Width - m) mod f z^(Width - m). result_o has the same
//            value from the cycle after soon_o until the next soon_o. interval_o = K ceil(m / D). K
//            = 1 if m - deg(L) >= 2 D, else K is three times the least power of two N with N (m -
//            deg(L)) >= D. Timing does not depend on data.
// Latency    soon_o comes interval_o + 5 cycles after start_i, sooner_o one cycle earlier. Results
//            come in the order of starts.
//
// Elements are kept at the upper end of their registers, so that coefficients from z^m upwards (the
// overflow) always are the D coefficients above the register. The overflow times L is added to the
// rest of the sum; this is called a fold. Digits come most significant first. Digit i takes these
// cycles:
//   1 + i K  it is moved to its place     3 + i K  its parts are multiplied
//   2 + i K  its parts are formed         4 + i K  the product is joined and added to the sum
// With K = 1 the fold of an overflow comes one digit late, which does not change the next overflow.
// With N folds for a digit, of three cycles each, one is added before the next one begins.

module eccel_gf2m_generic_mul
  import eccel_gf2m_pkg::*;
#(
    parameter int Width = 255,
    parameter int DigitBits = 64,
    parameter int Part = 16,
    parameter int Leaf = 8
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [DegreeBits-1:0] degree_i,
    input  logic [     Width-1:0] low_i,
    output logic [DegreeBits-1:0] interval_o,

    input logic             start_i,
    input logic [Width-1:0] a_i,
    input logic [Width-1:0] b_i,
    input logic             one_i,

    output logic             sooner_o,
    output logic             soon_o,
    output logic [Width-1:0] next_o,
    output logic [Width-1:0] result_o
);

  localparam int Digit = DigitBits < Width ? DigitBits : Width;
  localparam int Digits = (Width + Digit - 1) / Digit;
  localparam int LogDigit = $clog2(Digit);
  localparam int ShiftBits = LogDigit > 0 ? LogDigit : 1;
  localparam int SumBits = Width + Digit;
  localparam int LateFrom = 2 * Digit <= Width ? Width + 1 - 2 * Digit : 0;

  // ---- constants of the polynomial

  logic [DegreeBits-1:0] digits_q, last_cycle_q;
  logic [ShiftBits-1:0] shift_q;
  logic [3:0] log_folds_q;  // of N
  logic late_q;  // folds are a digit late: K = 1

  always_ff @(posedge clk_i) begin
    // With a degree out of range products are wrong, but they end.
    digits_q <= unsigned'(DegreeBits'(Digits));
    shift_q  <= '0;
    for (int i = 1; i <= Digits; i++) begin
      if (degree_i > unsigned'(DegreeBits'((i - 1) * Digit)) && degree_i <= unsigned'(DegreeBits'(i * Digit))) begin
        digits_q <= unsigned'(DegreeBits'(i));
        shift_q  <= ShiftBits'(unsigned'(DegreeBits'(i * Digit)) - degree_i);
      end
    end
    // A fold removes m - deg(L) of the D coefficients from z^m upwards.
    log_folds_q <= '0;
    for (int k = LogDigit; k >= 0; k--) begin
      if (low_i >> (Width + 1 - (Digit + 2 ** k - 1) / 2 ** k) == '0) log_folds_q <= unsigned'(4'(k));
    end
    late_q <= 2 * Digit <= Width && low_i >> LateFrom == '0;
    last_cycle_q <= late_q ? '0 : (unsigned'(DegreeBits'(3)) << log_folds_q) - 1'b1;
    interval_o <= late_q ? digits_q : digits_q + (digits_q << 1) << log_folds_q;
  end

  // ---- digits of b

  logic active_q, new_q, first_q, one_q, last;
  logic [DegreeBits-1:0] left_q, cycle_q;
  logic [Width-1:0] a_q;
  logic [Digits*Digit-1:0] b_q;
  logic [Digit-1:0] above_q, top, digit_q;
  logic digit_new_q, digit_first_q, digit_last_q;

  assign top   = b_q[Digits*Digit-1-:Digit];
  assign last  = left_q == unsigned'(DegreeBits'(1));

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      a_q <= a_i;
      b_q <= (Digits * Digit)'(b_i) << Digits * Digit - Width;
      above_q <= '0;
      one_q <= one_i;
      left_q <= digits_q;
      cycle_q <= last_cycle_q;
      first_q <= 1'b1;
      new_q <= 1'b1;
    end else if (cycle_q != '0) begin
      cycle_q <= cycle_q - 1'b1;
      new_q  <= 1'b0;
    end else begin
      b_q <= b_q << Digit;
      above_q <= top;
      left_q <= left_q - 1'b1;
      cycle_q <= last_cycle_q;
      first_q <= 1'b0;
      new_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    digit_q <= Digit'({above_q, top} >> shift_q) ^ Digit'(one_q && last);
    digit_new_q <= new_q && active_q;
    digit_first_q <= first_q;
  end

  // ---- product of a digit

  logic [SumBits-1:0] product;
  logic product_new_q, product_first_q, sum_new_q, sum_first_q, product_last_q;

  // While the sum is only reduced, no digit is added.
  eccel_gf2m_digit_product #(
      .Width (Width),
      .Digit (Digit),
      .Levels(levels(Digit, Part)),
      .Leaf  (Leaf)
  ) u_product (
      .clk_i,
      .a_we_i   (digit_new_q && digit_first_q),
      .a_i      (a_q),
      .digit_i  (digit_q),
      .keep_i   (product_new_q),
      .product_o(product)
  );

  always_ff @(posedge clk_i) begin
    product_new_q <= digit_new_q;
    product_first_q <= digit_first_q;
    sum_new_q <= product_new_q;
    sum_first_q <= product_first_q;
  end

  // ---- sum and reduction

  logic [SumBits-1:0] sum_q, fold, fold_q, reduced;
  logic [Width-1:0] late_fold, rest_q, result_q;
  logic sum_begun_q;
  logic sum_last_q, rest_last_q, next_valid_q;

  // The overflow times L, a cycle later.
  eccel_gf2m_digit_product #(
      .Width(Width),
      .Digit(Digit),
      .Levels(levels(Digit, Part)),
      .Leaf(Leaf),
      .DigitStage(1'b0)
  ) u_fold (
      .clk_i,
      .a_we_i   (1'b1),
      .a_i      (low_i),
      .digit_i  (sum_q[SumBits-1-:Digit]),
      .keep_i   (1'b1),
      .product_o(fold)
  );

  // At the start of a product a late fold belongs to the product before, which is complete; it is
  // dropped. Other folds come two cycles after their overflow, when the sum has none.
  assign late_fold = late_q && !sum_begun_q ? Width'(fold << Digit) : '0;
  assign reduced = SumBits'(sum_q[Width-1:0] ^ late_fold) ^ fold_q;

  assign sooner_o = rest_last_q;
  assign soon_o   = next_valid_q;
  assign next_o   = rest_q ^ fold[Width-1:0];
  assign result_o = result_q;

  always_ff @(posedge clk_i) begin
    sum_q <= product ^ (!sum_new_q ? reduced : sum_first_q ? '0 : reduced << Digit);
    sum_begun_q <= sum_new_q && sum_first_q;
    fold_q <= late_q ? '0 : fold;
    rest_q <= reduced[Width-1:0];
    if (next_valid_q) result_q <= next_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      digit_last_q <= 1'b0;
      product_last_q <= 1'b0;
      sum_last_q <= 1'b0;
      rest_last_q <= 1'b0;
      next_valid_q <= 1'b0;
    end else begin
      active_q <= start_i || active_q && !(last && cycle_q == '0);
      digit_last_q <= active_q && last && cycle_q == '0;
      product_last_q <= digit_last_q;
      sum_last_q <= product_last_q;
      rest_last_q <= sum_last_q;
      next_valid_q <= rest_last_q;
    end
  end

endmodule
