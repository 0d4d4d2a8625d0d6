// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product in the field of the study core; it multiplies one digit of b in a cycle.
//
// Parameters DigitBits >= 1: b has n = ceil(Width / DigitBits) digits, and a digit has as few bits
//            as that allows. Part: most coefficients multiplied in one cycle; Leaf: see
//            eccel_gf2m_product.
// Requires   a_i and b_i come with start_i, at least n cycles after the start before.
// Guarantees product_o = a * b from n + 2 cycles after start_i until 2 cycles after the next
//            start_i. Without a product on the way no register changes.
//
// In cycle i the product of the i-th digit is made, the highest one first, and in cycle i + 1 it is
// added to the sum, which is reduced as it moves up by a digit.

module eccel_study_multiplier
  import eccel_study_programs_pkg::*;
#(
    parameter int DigitBits = 16,
    parameter int Part = 16,
    parameter int Leaf = 8,
    localparam int Width = Degree
) (
    input logic clk_i,
    input logic rst_i,

    input  logic             start_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic [Width-1:0] product_o
);

  localparam int Digit = eccel_gf2m_pkg::digit(Fields, DigitBits);
  localparam int Digits = (Width + Digit - 1) / Digit;
  localparam int CountBits = Digits > 1 ? $clog2(Digits) : 1;

  logic [Digits*Digit-1:0] b_q;
  logic [Width+Digit-1:0] product, sum;
  logic [CountBits-1:0] left_q;
  logic active_q, first_q, add_q, first_add_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      b_q <= (Digits * Digit)'(b_i);
      left_q <= CountBits'(Digits - 1);
    end else if (active_q) begin
      b_q <= b_q << Digit;
      left_q <= left_q - 1'b1;
    end
    first_q <= start_i;
    first_add_q <= first_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q <= 1'b0;
      add_q <= 1'b0;
    end else begin
      active_q <= start_i || active_q && left_q != '0;
      add_q <= active_q;
    end
  end

  eccel_gf2m_digit_product #(
      .Width     (Width),
      .Digit     (Digit),
      .Levels    (eccel_gf2m_pkg::levels(Digit, Part)),
      .Leaf      (Leaf),
      .DigitStage(1'b0)
  ) u_product (
      .clk_i,
      .a_we_i   (start_i),
      .a_i,
      .digit_i  (b_q[Digits*Digit-1-:Digit]),
      .keep_i   (active_q),
      .product_o(product)
  );

  assign sum = product ^ (first_add_q ? '0 : (Width + Digit)'(product_o) << Digit);

  eccel_gf2m_fold #(
      .Fields(Fields),
      .Over  (Digit)
  ) u_fold (
      .clk_i,
      .enable_i (add_q),
      .select_i (1'b1),
      .value_i  (sum),
      .reduced_o(product_o)
  );

endmodule
