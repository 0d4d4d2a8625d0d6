// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product in one of several named fields GF(2^m); it multiplies one digit of b in a cycle.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). DigitBits >= 1: b has
//            digits(m) = ceil(m / DigitBits) digits, and a digit has as few bits as that allows.
//            Part: most coefficients multiplied in one cycle. Leaf: see eccel_gf2m_product.
//            OperandStage: operands are registered first.
// Requires   field_i < number of fields, constant from two cycles before start_i until the last
//            soon_o. With start_i, a_i and b_i are elements of the field, 0 from its degree m
//            upwards. b_i is 0 without start_i. Starts are at least digits(m) cycles apart.
// Guarantees With soon_o next_o = a * b mod the polynomial of the field, 0 from m upwards. result_o
//            has the same value from the cycle after soon_o until the next soon_o. Timing does not
//            depend on data.
// Latency    soon_o comes digits(m) + 2 cycles after start_i, with OperandStage 3; sooner_o one
//            cycle earlier. Results come in the order of starts.
//
// Digits come most significant first, and the sum is reduced as it moves up by one digit. Cycle 0
// (1 with OperandStage) forms the parts of a and of the first digit, the sums of Karatsuba's
// method. Cycle i + 1 multiplies the parts of digit i, cycle i + 2 joins the products and adds
// them.

module eccel_gf2m_mul
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter int Part = 16,
    parameter int Leaf = 16,
    parameter bit OperandStage = 1'b0,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [IndexBits-1:0] field_i,
    input logic                 start_i,
    input logic [    Width-1:0] a_i,
    input logic [    Width-1:0] b_i,

    output logic             sooner_o,
    output logic             soon_o,
    output logic [Width-1:0] next_o,
    output logic [Width-1:0] result_o
);

  localparam int Digit = digit(Fields, DigitBits);
  localparam int Digits = (Width + Digit - 1) / Digit;
  localparam int SumBits = Width + Digit;

  logic [Count-1:0] select_q;
  logic start;
  logic [Digits-1:0] top, top_q, turn_q;
  logic [Width-1:0] a;
  logic [Digits*Digit-1:0] b, b_moved, b_q;
  logic [Digit-1:0] b_digit;
  logic [SumBits-1:0] product, sum;
  logic first_q, first_sum_q, last_q, product_valid_q, sum_valid_q;
  logic [Width-1:0] reduced, result_q;

  assign sooner_o = product_valid_q;
  assign soon_o   = sum_valid_q;
  assign next_o   = reduced;
  assign result_o = result_q;

  // ---- digits of b, the top one of the field first: b moves up by one digit a cycle until it is 0

  for (genvar i = 0; i < Digits; i++) begin : gen_top
    always_comb begin
      top[i] = 1'b0;
      for (int f = 0; f < Count; f++) begin
        if ((polynomial(Fields, f).m - 1) / Digit == i) top[i] |= field_i == unsigned'(IndexBits'(f));
      end
    end
  end

  for (genvar f = 0; f < Count; f++) begin : gen_select
    always_ff @(posedge clk_i) select_q[f] <= field_i == unsigned'(IndexBits'(f));
  end

  assign b_moved = (Digits * Digit)'(b_i) ^ b_q << Digit;

  if (OperandStage) begin : gen_stage
    logic start_q;
    logic [Width-1:0] a_q;

    assign start = start_q;
    assign a = a_q;
    assign b = b_q;

    always_ff @(posedge clk_i) a_q <= a_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) start_q <= 1'b0;
      else start_q <= start_i;
    end
  end else begin : gen_none
    assign start = start_i;
    assign a = a_i;
    assign b = b_moved;
  end

  // The coefficients above the top digit of the field have been multiplied.
  always_comb begin
    b_digit = '0;
    for (int i = 0; i < Digits; i++) b_digit ^= top_q[i] ? b[i*Digit+:Digit] : '0;
  end

  always_ff @(posedge clk_i) begin
    top_q <= top;
    b_q <= b_moved;
    first_q <= start;
    first_sum_q <= first_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q <= '0;
      last_q <= 1'b0;
      product_valid_q <= 1'b0;
      sum_valid_q <= 1'b0;
    end else begin
      turn_q <= (start ? top_q : turn_q) >> 1;
      last_q <= turn_q[0] || start && top_q[0];
      product_valid_q <= last_q;
      sum_valid_q <= product_valid_q;
    end
  end

  // ---- product of a digit

  eccel_gf2m_digit_product #(
      .Width (Width),
      .Digit (Digit),
      .Levels(levels(Digit, Part)),
      .Leaf  (Leaf)
  ) u_product (
      .clk_i,
      .a_we_i   (start),
      .a_i      (a),
      .digit_i  (b_digit),
      .keep_i   (1'b1),
      .product_o(product)
  );

  // ---- sum and reduction

  assign sum = product ^ (first_sum_q ? '0 : SumBits'(reduced) << Digit);

  eccel_gf2m_fold #(
      .Fields(Fields),
      .Over  (Digit)
  ) u_fold (
      .clk_i,
      .enable_i (1'b1),
      .select_i (select_q),
      .value_i  (sum),
      .reduced_o(reduced)
  );

  always_ff @(posedge clk_i) begin
    if (sum_valid_q) result_q <= reduced;
  end

endmodule
